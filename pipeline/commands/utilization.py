"""`flopledger utilization`: the utilization that a training run may reach, and measurements of similar cases."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline.answers import ledger, output
from pipeline.answers.options import Json, with_figures
from pipeline.answers.own_run_text import TAKEN
from pipeline.answers.problems import reported
from pipeline.answers.terminal import Heading, Strong
from pipeline.base.text.progress import working
from pipeline.publishing.rows import rows
from schemas.figures import Figures, stated
from schemas.spelling import Spellings, chosen
from schemas.vocabulary import NETWORK_NAMES, Network, Precision

if TYPE_CHECKING:
    import duckdb

AMP = "amp"  # automatic mixed precision multiplies in fp16
NEAREST = """
    select case_source as measurement_id, case_name as "row", network, hardware_id, precision, chips,
        utilization_fraction as measured_utilization_fraction
    from nearest_cases where is_whole_run = $1 and nearness <= 5 order by nearness
"""
PREDICTED = """
    select run_utilization_rule(asked_cases.network), default_utilization_fraction, uncertainty['whole_run'],
        exp(-logistic_reach(0.95) * uncertainty['gpu_time_down']),
        exp(logistic_reach(0.95) * uncertainty['gpu_time_up']),
        utilization_low_fraction, utilization_middle_fraction, utilization_high_fraction
    from utilizations join asked_cases using (allocation) cross join constants
"""
Answer = dict[str, Any]


@with_figures(
    precision=f"One of {', '.join((AMP, *Precision))}.",
    hardware="Id, name or alias of a chip.",
    chips="Number of chips; one by default.",
    parameters="Parameters used per token, such as 7B; with --batch.",
    batch="Tokens per step, such as 4M; with --parameters.",
    sequence_length="Tokens per sequence; ignored, with a remark.",
)
def utilization(
    family: Annotated[
        str, typer.Option(help=f"One of {', '.join(Network)}, or a common name such as vit, resnet or llm.")
    ] = Network.LANGUAGE_TRANSFORMER.value,
    json: Json = False,
    **figures: Any,
) -> None:
    """Show what share of the peak a training run may reach.

    The answer includes the value that estimates use if a run states no utilization, with the reason; the default; what
    measurements of similar cases predict; and the nearest measurements. --parameters and --batch size a step.
    """
    from schemas.errors import InputError

    with reported(InputError), ledger.opened() as connection, working("predicting from measurements"):
        prediction = answer(family, stated(figures), connection)
    output.answer(prediction, as_text(prediction), as_json=json)


def answer(family: str, figures: Figures, connection: duckdb.DuckDBPyConnection) -> Answer:
    """Return the `network` and its `taken`, `default`, `measured` and `nearest` utilizations, as fractions of the peak.

    `taken` applies to a run on `chips`, as in forecasts, and comes with its `reason`; `measured` applies to a
    benchmark. Both contain 5 %, 50 % and 95 % points. If a batch is given, `batch` is a sentence about the effect of
    its size. `not_used` holds a sentence for each figure that the answer ignores. Raises LookupError, with a
    suggestion, for an unknown family or a chip without that peak, and InputError for wrong figures.
    """
    from pipeline.engines import asked, one_model
    from pipeline.publishing import report_views
    from pipeline.records.figures import checked
    from pipeline.rules.utilization import batch
    from schemas.errors import InputError

    missing = [(name, "is missing") for name in ("precision", "hardware") if name not in figures]
    if missing:
        raise InputError(missing)
    network = chosen(family, Spellings(NETWORK_NAMES), "a family of networks")
    precision = Precision.FP16.value if figures["precision"] == AMP else figures["precision"]
    amounts, words = checked({**figures, "precision": precision}, one_model.named(connection))
    sizes = {name: math.sqrt(low * high) for name, (low, high) in amounts.items()}
    chips, hardware_id, stated_precision = sizes.get("chips", 1.0), words["hardware"], words["precision"]
    (chip,) = rows(connection, "from hardware where hardware_id = $1", hardware_id)
    of_chip = "from peaks where hardware_id = $1 order by peak_flop_per_second, precision"
    peaks = {row["precision"]: row["peak_flop_per_second"] for row in rows(connection, of_chip, hardware_id)}
    if stated_precision not in peaks:
        raise LookupError(f"{chip['name']} has no {stated_precision} peak; it has {', '.join(peaks)}")
    case = {
        "network": network,
        "precision": stated_precision,
        "hardware_id": hardware_id,
        "chips": chips,
        "work_flop": 2 * sizes["parameters"] * sizes["batch"] / chips if _has_step(network, sizes) else None,
    }
    with asked.tables_of_cases(connection, [case], "constants", "utilizations", "nearest_cases") as cursor:
        ((rule, default, whole_run, low, high, *bounds),) = cursor.execute(PREDICTED).fetchall()
        nearest = rows(cursor, NEAREST, False)
    pairs = rows(connection, report_views.statements()["batch_pairs"]) if "batch" in sizes else []
    points = dict(zip(("p05", "p50", "p95"), bounds, strict=True))
    middle = default if rule == "default" else points["p50"] * whole_run
    return {
        "network": network,
        "chips": chips,
        "taken": {
            name: middle * factor
            for name, factor in zip(points, (low, 1, high), strict=True)  # the error of GPU time, as in headlines
        }
        | {"reason": TAKEN[rule]},
        "default": default,
        "measured": points,
        "nearest": nearest,
        "batch": batch.sentence(pairs) or None,
        "not_used": list(_not_used(network, sizes)),
    }


def _has_step(network: str, sizes: Mapping[str, float]) -> bool:
    """Return whether these sizes determine the operations of one step (2 FLOP per parameter and token, forward)."""
    from pipeline.rules.utilization.cases import TEXT_NETWORKS

    return network in TEXT_NETWORKS and {"parameters", "batch"} <= set(sizes)


def _not_used(network: str, sizes: Mapping[str, float]) -> Iterator[str]:
    if not _has_step(network, sizes):
        for name in ("parameters", "batch"):
            if name in sizes:
                yield f"--{name} is not used: the operations of a step need both parameters and batch, and text"
    if "sequence_length" in sizes:
        yield "--sequence-length is not used: it does not improve predictions (methods, section 6)"


def as_text(prediction: Answer) -> Iterator[str]:
    """Yield the answer as text, one item per line."""
    taken, measured = prediction["taken"], prediction["measured"]
    run = "one chip; --chips states how many" if prediction["chips"] == 1 else f"{prediction['chips']:,.0f} chips"
    kind = Network(prediction["network"]).words
    measured_ends = f"{measured['p05']:.2g} to {measured['p95']:.2g}"
    yield Strong(
        f"use {taken['p50']:.2g} (90 % of whole runs: {taken['p05']:.2g} to {taken['p95']:.2g}) for {kind} on {run}"
    )
    yield f"why: {taken['reason']}; `estimate` uses it in forecasts, too"
    yield f"do not use: {measured['p50']:.2g} ({measured_ends}), measurements of similar cases, mostly tuned benchmarks"
    yield from prediction["not_used"]
    if prediction["batch"]:
        yield prediction["batch"]
    yield Heading("nearest measurements:")
    for row in prediction["nearest"]:
        yield (
            f"  {row['measured_utilization_fraction']:.3f}  {row['network']}, {row['chips']:g} x {row['hardware_id']},"
            f" {row['precision']}  ({row['measurement_id']} {row['row']})"
        )
