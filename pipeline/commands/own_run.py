"""The account of a user's own training run, with what its figures imply, and which figures were filled in or forecast."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.base.text.numbers import amount, number
from pipeline.base.text.progress import working
from pipeline.commands import ledger
from pipeline.commands.own_run_text import METHODS, TAKEN, Run
from pipeline.engines import forecast, one_model
from pipeline.publishing import account as accounts
from pipeline.publishing import database, guidelines
from pipeline.publishing.rows import Row, rows
from pipeline.records import own, params
from pipeline.records.checks import physics
from pipeline.records.own import Filled
from pipeline.records.yaml_text import Mistake, RecordError
from pipeline.rules import plausibility
from pipeline.rules.ingestion.architectures import left_out
from schemas.errors import ContractError, InputError
from schemas.figures import Figures, declared
from schemas.vocabulary import THRESHOLDS, Basis, PrecisionRule, WeakReason

if TYPE_CHECKING:
    import duckdb

    from schemas.records import Model, Records

FIGURES = {  # the figure's name, for record keys that differ from it
    "examples": "tokens",
    "chip": "hardware",
    "duration": "days",
    "chip_time": "chip_hours",
    "architecture": "config",
    "facility_overhead": "overhead",
}
STRONGER = {  # the options of `estimate` that remove each weakness of a count
    WeakReason.FROM_PARAMETERS: "--config config.json: the network counted layer by layer, in place of 6 x parameters per token",
    WeakReason.DATA_RANGE: "one figure in place of a range: the tokens seen over all epochs (--tokens),"
    " or --steps with --batch",
    WeakReason.PART_LEFT_OUT: "--parameters in place of --config: those of the whole network, 6 operations per parameter and token",
    WeakReason.LENGTH_ASSUMED: "--sequence-length: the length in training, in place of the one assumed from the config",
    WeakReason.DATA_CONTRADICT: "--steps with --batch, or --tokens with --epochs, from the log of the run",
}
MFU = """
    select c.independence = 'measured' as is_measured, c.implied_utilization_fraction as fraction, fraction * (
            select sum(case when $2 and backward_flop_per_example > 0 then 2 else 1 end * forward_flop_per_example * examples_seen
                + backward_flop_per_example * examples_seen) / sum(operation_count_flop)
            from operation_estimates join completed_runs using (model_id, phase) where model_id = $1) as hardware_fraction,
        c.chip_peak_flop / c.chip_seconds as peak_flop_per_second, count(g.run) as like_runs_number,
        quantile_cont(g.implied_utilization_fraction, 0.05) as like_low_fraction,
        median(g.implied_utilization_fraction) as like_fraction,
        quantile_cont(g.implied_utilization_fraction, 0.95) as like_high_fraction
    from reconciliations c join runs r on r.model_id = c.model_id and r.phase_index = 0
    left join gold_runs g on g.network = r.network
    where c.model_id = $1 and c.implied_utilization_fraction is not null and not c.is_hardware_imputed
    group by all
"""
FEWEST_PARAMETERS, LEAST_MFU = 1e4, 0.05  # a figure below its limit is probably a slip
LOW_MFU = (
    "An MFU below 5 % is rare. Usual slips: parameters in M instead of B, the speed of one chip or node instead of all, idle time."
    " Relative to the sparse peak, MFU is half as high."
)
HIGH_MFU = (
    "The MFU is higher than in 95 % of these runs. Usual slips: the chips of one node instead of all, parameters in"
    " billions (B) instead of millions (M), all experts instead of the active ones."
)


def run(figures: Figures, identifier: str = "my-model") -> Run:
    """Return the account of a run with these figures, with `record`, `inputs` and the keys that `of_record` adds.

    Raises InputError if figures are wrong, contradict each other or are not enough for an estimate.
    """
    try:
        with database.attached() as connection:
            records = one_model.named(connection, identifier)
            draft = own.record_from_figures(figures, records)
            answer = _answer(connection, draft.record, identifier, records, is_recomputed="recompute" in figures)
    except RecordError as problem:
        raise InputError([_stated(mistake) for mistake in problem.mistakes]) from None
    except ContractError as problem:
        impossible = [("", f"these figures give {message}") for message in problem.rows.values()]
        raise InputError(impossible or [("", str(problem))]) from None
    if answer["training_flop"] is None:
        lacking = [
            ("", f"  by {name}: state {how}") for column, (_, name, how, _) in METHODS.items() if answer[column] is None
        ]
        raise InputError([("", "neither method has all its inputs"), *lacking])
    filled = [figure._asdict() for figure in draft.filled] + answer["filled"]
    return {**answer, "inputs": dict(figures), "filled": filled, "record": draft.record}


def of_record(record: Mapping[str, Any] | Path, identifier: str) -> Run:
    """Return the account of a record. If the user stated its figures, add `mfu`, `filled`, `narrowing`, `remarks` and a forecast.

    Raises RecordError and ContractError for the record, and InputError for figures that are impossible together.
    """
    with database.attached() as connection:
        return _answer(connection, record, identifier, one_model.named(connection, identifier))


def _answer(
    connection: duckdb.DuckDBPyConnection,
    record: Mapping[str, Any] | Path,
    identifier: str,
    records: Records,
    *,
    is_recomputed: bool = False,
) -> Run:
    """Add the record to the ledger's tables, run the rules, and return its account."""
    with working("running the rules"):
        model = one_model.add_record(connection, record, identifier, records, forecast.parts)
    ledger.remark_changes(connection)
    account: Run = dict(accounts.account(connection, identifier, None))
    if not model.stated_by_user:
        return account
    (terms,) = rows(connection, "from reconciliations where model_id = $1", identifier)
    _refuse_impossible(terms, model)
    mfu = next(iter(rows(connection, MFU, identifier, is_recomputed)), None)
    planned = forecast.forecast(connection, model)
    if planned:  # the chips and the time of the plan, with the basis of their energy, cost and emissions
        planned["planned_allocations"] = accounts.account(connection, "timed", None)["parts"][0]["allocations"]
    lengths = [phase.sequence_length for phase in model.training if phase.sequence_length]
    return {
        **account,
        **planned,
        "assumed_length": next((length.amount for length in lengths if length.assumptions), None),
        "probabilities": {threshold.word: account[threshold.column] for threshold in THRESHOLDS},
        "mfu": mfu,
        **guidelines.of_base(account),
        "not_counted": [part.words for phase in model.training for part in left_out(model.architecture_of(phase))],
        "filled": [figure._asdict() for figure in _filled(account | planned | {"mfu": mfu})],
        "narrowing": [*_narrowing(terms, is_plan=bool(planned))],
        "remarks": [*_odd(model, mfu)],
    }


def _stated(mistake: Mistake) -> tuple[str, str]:
    """Return the name of the figure behind a mistake in a record made from figures, and the mistake in the user's terms."""
    key = re.sub(r"\[\d+\]", "", mistake.field).rpartition(".")[2]
    name = FIGURES.get(key, key)
    return (name, mistake.message) if name in declared() else ("", f"{mistake.field}: {mistake.message}")


def _refuse_impossible(terms: Row, model: Model) -> None:
    problem = plausibility.above_peak([terms]).get(terms["model_id"])
    if problem is not None:
        epochs = model.training[0].epochs
        slip = plausibility.likeliest_slip(terms, epochs.bounds[1] if epochs else 1.0, params.load().reconcile)
        raise InputError([("", f"{problem.partition('; check ')[0]}; {slip}")])


def _filled(account: Run) -> Iterator[Filled]:
    """Yield each figure that a rule or a default filled in, with the reason."""
    (part, *_) = account["parts"]
    for phase in part["phases"]:
        if phase["examples_seen_basis"] == Basis.ASSUMED:
            yield Filled("epochs", "1", "text is usually read once")
    for chips in part["allocations"]:
        if chips["gpu_time_flop"] is None and chips["hardware_basis"] != Basis.REPORTED:
            continue
        if chips["hardware_basis"] != Basis.REPORTED:
            peak = f"{number(chips['peak_flop_per_second'])} FLOP/s"
            yield Filled("hardware", peak, "the usual peak of chips in that year")
        if chips["precision_rule"] != PrecisionRule.STATED:
            why = PrecisionRule(chips["precision_rule"]).words.removeprefix("not stated; ")
            yield Filled("precision", str(chips["precision"]), why)
        if account["mfu"] and account["mfu"]["is_measured"]:
            continue
        if account.get("utilization_rule") in TAKEN:
            yield Filled("utilization", number(account["utilization"]), TAKEN[account["utilization_rule"]])
        elif chips["utilization_basis"] == Basis.CALIBRATED:
            yield Filled("utilization", number(chips["utilization_fraction"]), Basis.CALIBRATED.words)
        elif chips["utilization_basis"] == Basis.ASSUMED:
            yield Filled("utilization", number(chips["utilization_fraction"]), "the default")


def _odd(model: Model, mfu: Row | None) -> Iterator[str]:
    """Yield remarks on figures that are possible but probably slips."""
    parameters = model.parameters.amount if model.parameters else None
    factor, message = physics.odd_parameters(model)
    if factor > physics.EXPLAINED_FACTOR:
        yield message
    if parameters and parameters < FEWEST_PARAMETERS and model.network:
        yield f"--parameters {parameters:g} is {amount(parameters)} parameters; for billions write {parameters:g}B"
    if mfu and mfu["fraction"] < LEAST_MFU:
        yield LOW_MFU
    elif mfu and mfu["fraction"] > (mfu["like_high_fraction"] or 1):
        yield HIGH_MFU


def _narrowing(terms: Row, *, is_plan: bool) -> Iterator[dict[str, str]]:
    """Yield each cause of the estimate's uncertainty, with its remedy. For a plan, consider only the operations."""
    if terms["weak_reason"]:
        yield {"input": terms["weak_reason"], "how": STRONGER[WeakReason(terms["weak_reason"])]}
    for column, (method, _, _, how) in METHODS.items():
        if terms[column] is None and not is_plan:
            yield {"input": method.value, "how": how}
