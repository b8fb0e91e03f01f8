"""A user's own model: its record made of a few figures, estimated by the stages, and the answer as text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields
from typing import Any, NamedTuple

from pipeline import own_rows
from pipeline.commands import account, output
from pipeline.commands.account import Tables, one
from pipeline.commands.explanation import RULES
from pipeline.commands.output import amount, flop, number
from pipeline.commands.progress import working
from pipeline.commands.terminal import Heading, Strong
from pipeline.publishing import headline_text
from pipeline.records import params
from pipeline.records.own import Filled, InputError, Inputs
from pipeline.records.yaml_text import Mistake, RecordError
from pipeline.rules import plausibility
from schemas.errors import ContractError
from schemas.vocabulary import (
    GPU_TIME_REASONS,
    WEAK_REASONS,
    GpuTimeReason,
    HeadlineMethod,
    UtilizationCase,
    WeakReason,
)

READ = ("models", "completed_runs", "completed_allocations", "operation_estimates", "gpu_time_estimates", "reconciliations",
        "sentences", "estimates")  # fmt: skip
FIGURE_NAMES = {each.name for each in fields(Inputs)}
FIGURES = {
    "examples": "tokens",
    "chip": "hardware",
    "duration": "days",
    "chip_time": "chip_hours",
    "architecture": "config",
}
STRONGER = {  # what would make a count `stated`, by why it is weak, as options of `estimate`
    WeakReason.FROM_PARAMETERS: "--config config.json: the network counted layer by layer, in place of 2 x parameters",
    WeakReason.DATA_RANGE: "one figure in place of a range: the tokens seen, all passes together (--tokens),"
    " or --steps with --batch",
    WeakReason.DATA_CONTRADICT: "--steps with --batch, or --tokens with --epochs: those that the log of the run has",
}
SECOND_METHOD = {  # what the method that is missing would give, by its column
    "operation_count_flop": (
        HeadlineMethod.OPERATION_COUNT,
        "--parameters with --tokens, or --config: a count is known better than GPU time",
    ),
    "gpu_time_flop": (
        HeadlineMethod.GPU_TIME,
        "--chips with --days and --hardware: then GPU time confirms or contradicts the count",
    ),
}
WHY: dict[str, str] = {
    **WEAK_REASONS,
    HeadlineMethod.OPERATION_COUNT: "nothing was counted",
    HeadlineMethod.GPU_TIME: "there is no GPU time",
}
STATE = {  # what a method lacks
    "operation_count_flop": "--parameters (or --config) with --tokens, or with --steps and --batch",
    "gpu_time_flop": "--chips with --days, or --chip-hours (time is never filled)",
}


class Narrowing(NamedTuple):
    """Why an estimate is known no better, by the weakness of its count or the method that is missing; and what would mend that."""

    input: str
    how: str


class Estimated(NamedTuple):
    """An own model: its record, what was filled, the tables of its estimate, and what would make it better known."""

    identifier: str
    record: dict[str, Any]
    filled: list[Filled]
    tables: Tables
    narrowing: list[Narrowing]

    @property
    def row(self) -> dict[str, Any]:
        """The row of `estimates`."""
        return one(self.tables["estimates"], model_id=self.identifier)


def estimated(inputs: Inputs, identifier: str = "my-model") -> Estimated:
    """The estimate of the stated figures. Raises InputError where they are wrong, contradict each other or allow no estimate."""
    try:
        with working("running the rules"):
            connection, _, stated = own_rows.of_figures(inputs, identifier)
    except RecordError as problem:
        raise InputError([_stated(each) for each in problem.mistakes]) from None
    except ContractError as problem:
        impossible = [("", f"these figures give {said}") for said in problem.rows.values()]
        raise InputError(impossible or [("", str(problem))]) from None
    with connection:
        tables = account.tables_of(connection, identifier, READ)
    _refuse_impossible(tables, identifier, _epochs(stated.record))
    row = one(tables["estimates"], model_id=identifier)
    if row["training_flop"] is None:
        raise InputError([("", line) for line in _lacking(row)])
    filled = [*stated.filled, *_filled(tables, identifier)]
    return Estimated(identifier, stated.record, filled, tables, list(_narrowing(tables, identifier)))


def _stated(mistake: Mistake) -> tuple[str, str]:
    """A mistake in a record that was made of figures, with the figure's name."""
    key = re.sub(r"\[\d+\]", "", mistake.field).rpartition(".")[2]
    name = FIGURES.get(key, key)
    return (name, mistake.message) if name in FIGURE_NAMES else ("", f"{mistake.field}: {mistake.message}")


def _epochs(record: dict[str, Any]) -> float:
    stated = record["training"][0].get("epochs", {"value": 1})
    return float(stated["value"] if "value" in stated else stated["high"])


def _refuse_impossible(tables: Tables, identifier: str, epochs: float) -> None:
    own_row = one(tables["reconciliations"], model_id=identifier)
    problem = plausibility.above_peak([own_row]).get(identifier)
    if problem is None:
        return
    slip = plausibility.likeliest_slip(own_row, epochs, params.load().reconcile)
    raise InputError([("", f"{problem.partition('; check ')[0]}; {slip}")])


def _lacking(row: dict[str, Any]) -> Iterator[str]:
    yield "neither method has all its inputs"
    yield from (f"  by {_METHOD[name]}: state {how}" for name, how in STATE.items() if row[name] is None)


_METHOD = {"operation_count_flop": "operations", "gpu_time_flop": "GPU time"}


def _filled(tables: Tables, identifier: str) -> Iterator[Filled]:
    for run in tables["completed_runs"]:
        if run["model_id"] == identifier and run["examples_seen_basis"] == "assumed":
            yield Filled("epochs", "1", "text is mostly read once")
    for row in tables["gpu_time_estimates"]:
        if row["model_id"] != identifier or row["gpu_time_flop"] is None:
            continue
        own_row = one(tables["completed_allocations"], model_id=identifier, phase=row["phase"], allocation=row["allocation"])  # fmt: skip
        if own_row["hardware_basis"] != "reported":
            peak = row["chip_peak_flop"] / own_row["chip_seconds"]
            yield Filled("hardware", f"{number(peak)} FLOP/s", "the usual peak of chips of that year")
        if own_row["precision_rule"] != "stated":
            yield Filled("precision", own_row["precision"], RULES[own_row["precision_rule"]].removeprefix("filled: "))
        if row["utilization_basis"] == "calibrated":
            why = "predicted from measurements of like cases"
            yield Filled("utilization", number(row["utilization_fraction"]), why)
        elif row["utilization_basis"] == "assumed":
            text = one(tables["completed_runs"], model_id=identifier)["utilization_case"] == UtilizationCase.TEXT
            yield Filled(
                "utilization",
                f"{row['utilization_fraction']:g}",
                f"the default of {'text' if text else 'all but text'}",
            )


def _narrowing(tables: Tables, identifier: str) -> Iterator[Narrowing]:
    row = one(tables["reconciliations"], model_id=identifier)
    if row["weak_reason"]:
        yield Narrowing(row["weak_reason"], STRONGER[WeakReason(row["weak_reason"])])
    yield from (Narrowing(method, how) for name, (method, how) in SECOND_METHOD.items() if row[name] is None)


def as_json(estimated: Estimated, inputs: Inputs) -> str:
    """JSON of the figures, the record, the estimate, what was filled and what would narrow it."""
    return output.as_json(
        {
            **estimated.row,
            "inputs": inputs.stated(),
            "filled": [each._asdict() for each in estimated.filled],
            "narrowing": [each._asdict() for each in estimated.narrowing],
            "record": estimated.record,
        }
    )


def lines(estimated: Estimated) -> Iterator[str]:
    """The answer as text."""
    row, tables = estimated.row, estimated.tables
    own_row = one(tables["reconciliations"], model_id=estimated.identifier)
    interval = f"90 % interval {number(row['training_flop_low'])} to {number(row['training_flop_high'])}"
    yield Strong(f"training compute: {flop(row['training_flop'])} ({interval})")
    sentences = one(tables["sentences"], model_id=estimated.identifier)
    yield f"  {output.prose(sentences['headline_sentence'])}"
    yield f"  {headline_text.certainty(row)}"
    if row["base_model"]:
        yield f"  of it {flop(row['own_training_flop'])} its own; the rest is that of {row['base_model']}"
    yield from _counted(estimated, own_row)
    yield from _timed(estimated, own_row)
    if row["implied_utilization_fraction"] is not None:
        ratio, implied = row["method_ratio"], row["implied_utilization_fraction"]
        yield f"ratio of the two: {ratio:.3g}; if the count is right the run reached {implied:.3g} of the peak"
    yield from headline_text.dispute(sentences)
    remarks = plausibility.odd_parameters([own_row], _parameters(tables))
    yield from remarks.values()
    for run in tables["completed_runs"]:
        if run["model_id"] == estimated.identifier and run["is_examples_inconsistent"]:
            yield f"steps x batch are not tokens x epochs; {amount(run['examples_seen'])} examples are counted"
    if estimated.filled:
        yield Heading("filled in:")
    yield from (f"  {name}: {value} ({reason})" for name, value, reason in estimated.filled)
    if estimated.narrowing:
        whose = "its own training" if row["base_model"] else "it"
        yield Heading(f"what would make {whose} better known:")
        yield from (f"  {WHY[each.input]}: {each.how}" for each in estimated.narrowing)


def _counted(estimated: Estimated, own_row: dict[str, Any]) -> Iterator[str]:
    row = estimated.row
    if row["operation_count_flop"] is None:
        yield f"by operations: unknown; state {STATE['operation_count_flop']}"
        return
    yield f"by operations: {flop(own_row['operation_count_flop'])}"
    for each in estimated.tables["operation_estimates"]:
        if each["model_id"] != estimated.identifier:
            continue
        run = one(estimated.tables["completed_runs"], model_id=estimated.identifier, phase=each["phase"])
        how = (
            "counted layer by layer"
            if each["operation_count_basis"] == "counted"
            else "forward is 2 x parameters, backward twice that"
        )
        unit = run["example_unit"].replace("_", " ")
        yield (
            f"  ({number(each['forward_flop_per_example'], 4)} forward + {number(each['backward_flop_per_example'], 4)} backward)"
            f" per {unit} x {amount(run['examples_seen'])} {unit}s; {how}"
        )


def _timed(estimated: Estimated, own_row: dict[str, Any]) -> Iterator[str]:
    if estimated.row["gpu_time_flop"] is None:
        yield f"by GPU time: unknown; state {STATE['gpu_time_flop']}"
        return
    informed, default = own_row["gpu_time_informed_flop"], own_row["gpu_time_flop"]
    used = GPU_TIME_REASONS[GpuTimeReason(own_row["gpu_time_used_reason"])]
    yield f"by GPU time: {flop(own_row['gpu_time_used_flop'])} {used}"
    for each in estimated.tables["gpu_time_estimates"]:
        if each["model_id"] != estimated.identifier:
            continue
        own_allocation = one(estimated.tables["completed_allocations"], model_id=estimated.identifier, phase=each["phase"], allocation=each["allocation"])  # fmt: skip
        (stated,) = estimated.record["training"][0]["hardware"]
        chip = own_allocation["hardware_id"] or "unknown chip"
        time = " x ".join(_written(stated[key]) for key in ("chips", "duration", "chip_time") if key in stated)
        peak = each["chip_peak_flop"] / own_allocation["chip_seconds"]
        yield (
            f"  {chip}: {time} x {number(peak, 4)} FLOP/s ({own_allocation['precision']})"
            f" x {number(each['utilization_fraction'])} ({_BASIS[each['utilization_basis']]})"
        )
    if abs(default / informed - 1) > 1e-9:
        fraction = one(estimated.tables["gpu_time_estimates"], model_id=estimated.identifier)[
            "default_utilization_fraction"
        ]
        yield f"  {flop(default)} at the default utilization of {fraction:g}"


def _written(fact: dict[str, Any]) -> str:
    ends = [str(fact[key]) for key in ("value", "low", "high") if key in fact]
    unit = ends[0].partition(" ")[2].replace("_", "-")
    return " to ".join(end.partition(" ")[0] for end in ends) + (f" {unit}s" if unit else "")


def _parameters(tables: Tables) -> dict[str, float]:
    return {row["model_id"]: row["parameters"] for row in tables["models"]}


_BASIS = {"reported": "stated", "calibrated": "predicted", "assumed": "default"}
