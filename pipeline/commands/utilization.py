"""`flopledger utilization`: the utilization that a training run may reach, and measurements of similar cases."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline.answers import ledger, networks, output
from pipeline.answers.options import Json, with_figures
from pipeline.answers.own_run_text import TAKEN
from pipeline.answers.problems import reported
from pipeline.answers.terminal import Heading, Strong
from pipeline.base.text.progress import status
from pipeline.publishing.rows import rows
from schemas.figures import Figures, stated_figures
from schemas.spelling import Spellings, chosen
from schemas.vocabulary import NETWORK_NAMES, Network, Precision

if TYPE_CHECKING:
    import duckdb

    from schemas.records import Records

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
    config="The network, such as config.json or resnet50, in place of --family.",
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
    measurements of similar cases predict; and the nearest measurements.
    """
    from schemas.errors import InputError

    given = stated_figures(figures)
    with (
        reported(InputError),
        ledger.open_ledger() as connection,
        networks.local_network(given.get("config", "")) as config,
    ):
        complete: Figures = {**given, "config": config} if config else given
        with status("predicting from measurements"):
            prediction = answer(family, complete, connection)
    output.answer(prediction, as_text(prediction), as_json=json)


def answer(family: str, figures: Figures, connection: duckdb.DuckDBPyConnection) -> Answer:
    """Return the `network` and its `taken`, `default`, `measured` and `nearest` utilizations, as fractions of the peak.

    `taken` applies to a run on `chips`, as in forecasts, and comes with its `reason`; `measured` applies to a
    benchmark. Both contain 5 %, 50 % and 95 % points. Raises LookupError, with a suggestion, for an unknown
    family or a chip without that peak, and InputError for wrong figures.
    """
    from pipeline.engines import one_model, utilization_cases
    from pipeline.records.checks.chips import missing_peak
    from pipeline.records.figures import checked
    from schemas.errors import InputError

    missing = [(name, "is missing") for name in ("precision", "hardware") if name not in figures]
    if missing:
        raise InputError(missing)
    network: str | None = chosen(family, Spellings(NETWORK_NAMES), "a family of networks")
    precision = Precision.FP16.value if figures["precision"] == AMP else figures["precision"]
    records, intensity = one_model.ledger_records(connection), None
    amounts, words = checked({**figures, "precision": precision}, records)
    if "config" in figures:
        network, intensity = _family_and_intensity(figures["config"], records)
    chips = math.sqrt(math.prod(amounts.get("chips", (1.0, 1.0))))
    hardware_id, format_ = words["hardware"], words["precision"]
    if format_ not in records.hardware[hardware_id].peaks:
        raise LookupError(missing_peak(records.hardware[hardware_id], format_))
    case = {"network": network, "precision": format_, "hardware_id": hardware_id, "chips": chips}
    case["intensity"] = intensity
    with utilization_cases.tables_of_cases(connection, [case], "constants", "utilizations", "nearest_cases") as cursor:
        ((rule, default, whole_run, low, high, *bounds),) = cursor.execute(PREDICTED).fetchall()
        nearest = rows(cursor, NEAREST, False)
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
    }


def _family_and_intensity(config: str, records: Records) -> tuple[str, float]:
    """Return the family of a network, and its forward FLOP per elementwise operation. Raise InputError."""
    from pipeline.architectures import counted
    from pipeline.architectures.network import Lengths
    from pipeline.records.run_record import model_from_figures
    from pipeline.rules.ingestion.architectures import network_of
    from schemas.errors import InputError

    model = model_from_figures({"config": config, "chips": 1, "hardware": "H100"}, records).model
    phase = model.training[0]
    network = network_of(model, phase)
    if model.architecture is None or network is None:
        raise InputError([("config", f"{config} is of no measured family")])
    counts = counted(model.architecture.settings, Lengths(*phase.sequence_lengths))
    return network.value, counts.forward_flop / counts.elementwise_flop


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
    yield Heading("nearest measurements:")
    for row in prediction["nearest"]:
        yield (
            f"  {row['measured_utilization_fraction']:.3f}  {row['network']}, {row['chips']:g} x {row['hardware_id']},"
            f" {row['precision']}  ({row['measurement_id']} {row['row']})"
        )
