"""A user's own model: its record made of a few figures, estimated by the stages, and the answer as text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from typing import Any, NamedTuple, cast

from pipeline.base.text.numbers import number
from pipeline.base.text.progress import working
from pipeline.commands import account_text, footprint_text, ledger, output
from pipeline.commands.terminal import Heading
from pipeline.engines import one_model
from pipeline.publishing import account as accounts
from pipeline.publishing.rows import rows
from pipeline.records import params
from pipeline.records.own import Filled, InputError, Inputs
from pipeline.records.yaml_text import Mistake, RecordError
from pipeline.rules import plausibility
from schemas.account import Account
from schemas.errors import ContractError
from schemas.vocabulary import Basis, HeadlineMethod, PrecisionRule, WeakReason

FIGURE_NAMES = {each.name for each in fields(Inputs)}
THRESHOLDS = ("1e23", "1e25", "1e26")
FIGURES = {
    "examples": "tokens",
    "chip": "hardware",
    "duration": "days",
    "chip_time": "chip_hours",
    "architecture": "config",
}
STRONGER = {  # what would make a count `stated`, by why it is weak, as options of `estimate`
    WeakReason.FROM_PARAMETERS: "--config config.json: the network counted layer by layer, in place of 6 x parameters a token",
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
STATE = {  # what a method lacks
    "operation_count_flop": "--parameters (or --config) with --tokens, or with --steps and --batch",
    "gpu_time_flop": "--chips with --days, or --chip-hours (time is never filled); of --chips with --hardware days are forecast",
}


class Narrowing(NamedTuple):
    """Why an estimate is known no better, by the weakness of its count or the method that is missing; and what would mend that."""

    input: str
    how: str

    @property
    def is_second_method(self) -> bool:
        """Whether it is a method that is missing."""
        return self.input in {method for method, _ in SECOND_METHOD.values()}


class Estimated(NamedTuple):
    """An own model: its record, what was filled in it, its account, and what would narrow its interval."""

    record: dict[str, Any]
    filled: list[Filled]
    account: Account
    narrowing: list[Narrowing]
    remarks: list[str]


def estimated(inputs: Inputs, identifier: str = "my-model") -> Estimated:
    """The estimate of the stated figures.

    Raises InputError where they are wrong, contradict each other or allow no estimate.
    """
    try:
        with working("running the rules"):
            connection, _, stated = one_model.of_figures(inputs, identifier)
    except RecordError as problem:
        raise InputError([_stated(mistake) for mistake in problem.mistakes]) from None
    except ContractError as problem:
        impossible = [("", f"these figures give {said}") for said in problem.rows.values()]
        raise InputError(impossible or [("", str(problem))]) from None
    with connection:
        ledger.remark_changes(connection)
        account = accounts.account(connection, identifier, None)
        (terms,) = rows(connection, "from reconciliations where model_id = $1", identifier)
        stated_parameters = rows(connection, "select model_id, parameters from models where model_id = $1", identifier)
    _refuse_impossible(terms, _epochs(stated.record))
    row = dict(account)
    if row["training_flop"] is None:
        raise InputError([("", line) for line in _lacking(row)])
    parameters = {model["model_id"]: model["parameters"] for model in stated_parameters}
    remarks = list(plausibility.odd_parameters([terms], parameters).values())
    if "assumptions" in stated.record:
        remarks.append("The sequence length is assumed, and its range is in the interval: --sequence-length states it.")
    filled = [*stated.filled, *_filled(account)]
    return Estimated(stated.record, filled, account, list(_narrowing(terms)), remarks)


def _stated(mistake: Mistake) -> tuple[str, str]:
    """A mistake in a record that was made of figures, with the figure's name."""
    key = re.sub(r"\[\d+\]", "", mistake.field).rpartition(".")[2]
    name = FIGURES.get(key, key)
    return (name, mistake.message) if name in FIGURE_NAMES else ("", f"{mistake.field}: {mistake.message}")


def _epochs(record: dict[str, Any]) -> float:
    stated = record["training"][0].get("epochs", {"value": 1})
    return float(stated["value"] if "value" in stated else stated["high"])


def _refuse_impossible(terms: dict[str, Any], epochs: float) -> None:
    problem = plausibility.above_peak([terms]).get(terms["model_id"])
    if problem is not None:
        slip = plausibility.likeliest_slip(terms, epochs, params.load().reconcile)
        raise InputError([("", f"{problem.partition('; check ')[0]}; {slip}")])


def _lacking(row: dict[str, Any]) -> Iterator[str]:
    yield "neither method has all its inputs"
    yield from (f"  by {_METHOD[name]}: state {how}" for name, how in STATE.items() if row[name] is None)


_METHOD = {"operation_count_flop": "operations", "gpu_time_flop": "GPU time"}


def _filled(account: Account) -> Iterator[Filled]:
    (part, *_) = account["parts"]
    for phase in part["phases"]:
        if phase["examples_seen_basis"] == Basis.ASSUMED:
            yield Filled("epochs", "1", "text is mostly read once")
    for chips in part["allocations"]:
        if chips["gpu_time_flop"] is None and chips["hardware_basis"] != Basis.REPORTED:
            continue
        if chips["hardware_basis"] != Basis.REPORTED:
            peak = f"{number(chips['peak_flop_per_second'])} FLOP/s"
            yield Filled("hardware", peak, "the usual peak of chips of that year")
        if chips["precision_rule"] != PrecisionRule.STATED:
            why = PrecisionRule(chips["precision_rule"]).words.removeprefix("not stated; ")
            yield Filled("precision", str(chips["precision"]), why)
        if chips["utilization_basis"] == Basis.CALIBRATED:
            yield Filled("utilization", number(chips["utilization_fraction"]), Basis.CALIBRATED.words)
        elif chips["utilization_basis"] == Basis.ASSUMED:
            yield Filled("utilization", number(chips["utilization_fraction"]), "the default")


def _narrowing(terms: dict[str, Any]) -> Iterator[Narrowing]:
    if terms["weak_reason"]:
        yield Narrowing(terms["weak_reason"], STRONGER[WeakReason(terms["weak_reason"])])
    yield from (Narrowing(method, how) for name, (method, how) in SECOND_METHOD.items() if terms[name] is None)


def _known_parts(account: Account) -> Account:
    """The account without phases whose operations and chips whose time are what is forecast."""
    known = {"phases": "operation_count_flop", "allocations": "gpu_time_flop"}
    parts = [
        {**part, **{rows: [row for row in part[rows] if row[flop] is not None] for rows, flop in known.items()}}
        for part in account["parts"]
    ]
    return cast(Account, {**account, "parts": parts})


def as_json(estimated: Estimated, inputs: Inputs, forecast: Mapping[str, Any]) -> str:
    """JSON of the account, the forecast, the figures, the record, what was filled and what would narrow the estimate."""
    row = dict(estimated.account)
    return output.as_json(
        {
            **estimated.account,
            **forecast,
            "probabilities": {each: row[f"probability_above_{each}_fraction"] for each in THRESHOLDS},
            "inputs": inputs.stated(),
            "filled": [each._asdict() for each in estimated.filled],
            "narrowing": [each._asdict() for each in estimated.narrowing],
            "record": estimated.record,
        }
    )


def lines(estimated: Estimated, forecast: Iterable[str] = ()) -> Iterator[str]:
    """The answer as text; the lines of a forecast stand in place of what cannot be told without the figure left out."""
    account, row, planned = estimated.account, dict(estimated.account), [*forecast]
    yield from account_text.number_of(account)
    yield from account_text.how_made(account)
    if row["threshold_total"] is not None:
        yield account_text.chances(account)
    yield from account_text.formulas(_known_parts(account) if planned else account)
    yield from planned or footprint_text.lines(account)
    for name, how in STATE.items():
        if row[name] is None and not planned:
            yield f"by {_METHOD[name]}: unknown; state {how}"
    yield from account_text.comparison(account)
    yield from account_text.inconsistent(account)
    yield from estimated.remarks
    if estimated.filled:
        yield Heading("filled in:")
    yield from (f"  {name}: {value} ({reason})" for name, value, reason in estimated.filled)
    if estimated.narrowing:
        whose = " of its own training" if row["base_model"] else ""
        yield Heading(f"what would narrow the interval{whose}:")
        yield from (f"  {each.how}" for each in estimated.narrowing)
