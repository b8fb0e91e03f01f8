"""The account of a user's own training run, with what its figures imply, and what was filled in or forecast."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from pipeline.answers import guidelines
from pipeline.answers.own_run_text import AMOUNTS, METHODS, TAKEN, Run
from pipeline.base.text.numbers import amount, flop, number, percent
from pipeline.base.text.progress import status
from pipeline.engines import forecast, one_model
from pipeline.publishing import account as accounts
from pipeline.publishing.rows import Row, rows
from pipeline.records import params, run_files, run_record
from pipeline.records.checks import physics
from pipeline.records.figures import DATA
from pipeline.records.run_record import Filled
from pipeline.rules import plausibility
from pipeline.rules.ingestion.architectures import not_counted
from schemas.errors import ContractError, InputError
from schemas.figures import Figures
from schemas.spelling import find
from schemas.vocabulary import THRESHOLDS, Basis, PrecisionRule, WeakReason

if TYPE_CHECKING:
    import duckdb

    from schemas.records import Model

STRONGER = {  # the options of `estimate` that remove each weakness of a count
    WeakReason.FROM_PARAMETERS: "--config config.json: the network counted layer by layer, in place of 6 x parameters"
    " per token",
    WeakReason.USER_RANGE: "one figure in place of each range",
    WeakReason.PART_LEFT_OUT: "--parameters in place of --config: those of the whole network, 6 operations per"
    " parameter and token",
    WeakReason.LENGTH_ASSUMED: "--sequence-length (and --target-length, if there is a decoder after an encoder):"
    " the length in training, in place of the one assumed from the config",
    WeakReason.DATA_CONTRADICT: "--steps with --batch, or --tokens with --epochs, from the log of the run",
}
MFU = """
    select c.independence = 'measured' as is_measured, c.implied_utilization_fraction as fraction, fraction * (
            select sum(case when $2 and backward_flop_per_example > 0 then 2 else 1 end
                * forward_flop_per_example * examples_seen + backward_flop_per_example * examples_seen)
                / sum(operation_count_flop)
            from operation_estimates join completed_runs using (model_id, phase) where model_id = $1
        ) as hardware_fraction,
        case c.headline_method when 'operation_count' then c.own_training_flop_low / c.own_training_flop * fraction end
            as fraction_low,
        case c.headline_method when 'operation_count' then c.own_training_flop_high / c.own_training_flop * fraction end
            as fraction_high,
        c.gpu_time_flop / c.chip_peak_flop as default_fraction,
        (select max(implied_utilization_fraction) from gold_runs) as most_fraction,
        c.chip_peak_flop / c.chip_seconds as peak_flop_per_second, count(g.run) as like_runs_number,
        quantile_cont(g.implied_utilization_fraction, 0.05) as like_low_fraction,
        median(g.implied_utilization_fraction) as like_fraction,
        quantile_cont(g.implied_utilization_fraction, 0.95) as like_high_fraction
    from reconciliations c join runs r on r.model_id = c.model_id and r.phase_index = 0
    left join models m on m.model_id = c.model_id
    -- All whole runs that are logged are of training from scratch: no tuning, no reinforcement learning.
    left join gold_runs g on g.network = r.network and m.base_model is null
    where c.model_id = $1 and c.implied_utilization_fraction is not null and not c.is_hardware_imputed
    group by all
"""
FEWEST_PARAMETERS, FEWEST_TOKENS, LEAST_MFU = 1e4, 1e6, 0.05  # a figure below its limit is probably a slip
LOW_MFU = (
    "An MFU below 5 % is rare. Usual slips: parameters in M instead of B, the speed of one chip or node instead of"
    " all, idle time. Relative to the sparse peak, MFU is half as high."
)
HIGH_MFU = (
    "The MFU is higher than in {of_runs}. Usual slips: the chips of one node instead of all, parameters in"
    " billions (B) instead of millions (M), all experts instead of the active ones."
)
OWN_AMOUNT = """fine_sum({0}) as own_{0}, fine_sum_log_sd({1}_log_sd, {0}) as own_{1}_log_sd,
    low(own_{0}, own_{1}_log_sd) as own_{0}_low, high(own_{0}, own_{1}_log_sd) as own_{0}_high"""
OWN_FOOTPRINT = f"""
    select {", ".join(OWN_AMOUNT.format(name, name.rpartition("_")[0]) for name in AMOUNTS)}
    from energy_estimates left join costs using (model_id, phase, allocation)
    left join carbon using (model_id, phase, allocation) where model_id = $1
"""
ONE_PROCESS = "no file states gradient accumulation or processes; if there are any, this is a floor: state --batch"
OWN_ENDS = ("own_training_flop_low", "own_training_flop_high")


def run(
    connection: duckdb.DuckDBPyConnection, figures: Figures, identifier: str = "my-model", path: Path | None = None
) -> Run:
    """Return the account of a run with these figures, with `record`, `inputs` and the keys that `_answer` adds.

    If `path` is a file of the run or their folder, its figures complete those that are stated, and `taken` and
    `total_flos` are added. Raises InputError if figures are wrong, contradict each other or are not enough for an
    estimate, and for unreadable files.
    """
    read = run_files.read(path, dict(figures)) if path else None
    if read:
        figures = cast("Figures", {**read.figures, **figures})
    records = one_model.ledger_records(connection, identifier)
    remark = None
    if (base := figures.get("base_model")) and find(base, records.model_ids()) is None:
        from pipeline.lookup.names import Names, entries

        try:
            entry, _, remark = Names(entries(connection)).find(base)
        except LookupError as problem:
            raise InputError([("base_model", str(problem))]) from None
        figures = {**figures, "base_model": entry["id"]}
    draft = run_record.model_from_figures(figures, records)
    try:
        with status("running the rules"):
            one_model.add_model(connection, draft.model, identifier, records, forecast.parts)
        answer = _answer(connection, draft.model, identifier, is_recomputed="recompute" in figures)
    except ContractError as problem:
        impossible = [("", f"these figures give {message}") for message in problem.rows.values()]
        raise InputError(impossible or [("", str(problem))]) from None
    if answer["own_training_flop"] is None:
        lacking = [
            ("", f"  by {name}: state {how}") for column, (_, name, how, _) in METHODS.items() if answer[column] is None
        ]
        raise InputError([("", "neither method has all its inputs"), *lacking])
    answer["remarks"] += [*filter(None, [remark]), *_unused_figures(figures, answer)]
    filled = [figure._asdict() for figure in draft.filled] + answer["filled"]
    answer |= {"inputs": dict(figures), "filled": filled, "record": draft.record}
    return answer | _inputs_from_files(read, answer) if read else answer


def _inputs_from_files(read: run_files.RunFiles, answer: Run) -> Run:
    """Return what was taken from files for this answer, which may leave out the trainer's total or its batches."""
    unused = {"total_flos"}
    names = {taken.name for taken in read.taken}
    if "steps" not in answer["record"]["training"][0] and unused <= names:
        unused = {"steps", "sequences", "accumulation", "processes"}
    elif "sequences" in names and "accumulation" not in names:
        answer["filled"].append(Filled("accumulation", "1", ONE_PROCESS)._asdict())
    taken = [taken._asdict() for taken in read.taken if taken.name not in unused]
    return {"taken": taken, "total_flos": read.total_flos}


def record_account(connection: duckdb.DuckDBPyConnection, record: Mapping[str, Any] | Path, identifier: str) -> Run:
    """Return the account of a record. If the user stated its figures, add the keys that `_answer` adds.

    Raises RecordError and ContractError for the record, and InputError for figures that are impossible together.
    """
    with status("running the rules"):
        records = one_model.ledger_records(connection, identifier)
        model = one_model.add_record(connection, record, identifier, records, forecast.parts)
    return _answer(connection, model, identifier)


def _answer(
    connection: duckdb.DuckDBPyConnection, model: Model, identifier: str, *, is_recomputed: bool = False
) -> Run:
    """Return the account of a model whose rules have run.

    If the user stated its figures, add `mfu`, `filled`, `narrowing`, `remarks` and a forecast.
    """
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
    (footprint,) = rows(connection, OWN_FOOTPRINT, identifier)
    return {
        **account,
        **planned,
        **{name: terms[name] for name in OWN_ENDS},
        **footprint,
        "assumed_length": next((length.amount for length in lengths if length.assumptions), None),
        "probabilities": {threshold.word: account[threshold.column] for threshold in THRESHOLDS},
        "mfu": mfu,
        **guidelines.of_base(account),
        "not_counted": [words for phase in model.training for words in not_counted(model.architecture_of(phase))],
        "filled": [figure._asdict() for figure in _filled_figures(account | planned | {"mfu": mfu})],
        "narrowing": [*_uncertainty_causes(terms, is_plan=bool(planned))],
        "remarks": [*_probable_slips(model, mfu), *_far_apart(account, mfu)],
    }


def _unused_figures(figures: Figures, answer: Run) -> Iterator[str]:
    """Yield a remark on stated figures of the network or the data that the answer does not use, or that are slips."""
    seen, count = answer["examples_seen"], answer["operation_count_flop"]
    if "tokens" in figures and count and not answer["base_model"] and seen < FEWEST_TOKENS:
        yield f"{seen:,.0f} tokens are few; is this a vocabulary or a length? --tokens are all that training sees"
    names = ("parameters", "active_parameters", *DATA, *(() if "step_time" in figures else ("steps", "batch")))
    named = [f"--{name.replace('_', '-')}" for name in names if name in figures]
    is_of_tokens = {"images", "examples"}.isdisjoint(figures)
    if "config" in figures and (is_of_tokens or "epochs" in figures):
        yield from (f"{name} is only compared with the network of --config" for name in named if "parameters" in name)
    elif named and count is None and "left_out" not in answer:
        need = "the network and its data" if is_of_tokens else "--config and --epochs, if the data are not tokens"
        yield f"not used: {', '.join(named)}; to count operations, state {need}"


def _refuse_impossible(terms: Row, model: Model) -> None:
    problem = plausibility.runs_above_peak([terms]).get(terms["model_id"])
    if problem is not None:
        epochs = model.training[0].epochs
        slip = plausibility.likeliest_slip(terms, epochs.bounds[1] if epochs else 1.0, params.load().reconcile)
        raise InputError([("", f"{problem.partition('; check ')[0]}; {slip}")])


def _filled_figures(account: Run) -> Iterator[Filled]:
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
        elif (basis := chips["utilization_basis"]) in (Basis.CALIBRATED, Basis.ASSUMED):
            why = "the default" if basis == Basis.ASSUMED else Basis.CALIBRATED.words
            yield Filled("utilization", number(chips["utilization_fraction"]), why)


def _probable_slips(model: Model, mfu: Row | None) -> Iterator[str]:
    """Yield remarks on figures that are possible but probably slips."""
    parameters = model.parameters.amount if model.parameters else None
    factor, message = physics.odd_parameters(model)
    if factor > physics.EXPLAINED_FACTOR:
        yield message
    if parameters and parameters < FEWEST_PARAMETERS and model.network:
        yield f"--parameters {parameters:g} is {amount(parameters)} parameters; for billions write {parameters:g}B"
    if mfu and mfu["fraction"] < LEAST_MFU and not model.base_model:
        yield LOW_MFU
    elif mfu and mfu["fraction"] > (mfu["like_high_fraction"] or mfu["most_fraction"]):
        of_runs = "95 % of these runs" if mfu["like_high_fraction"] else "all logged whole runs of other kinds"
        yield HIGH_MFU.format(of_runs=of_runs)


def _far_apart(account: Run, mfu: Row | None) -> Iterator[str]:
    """Yield a remark if the count and the chips' time at the default utilization differ by more than a factor of two.

    It is only for tuning and reinforcement learning, because other runs are compared with runs of their kind.
    """
    ratio = mfu["default_fraction"] / mfu["fraction"] if mfu and account["base_model"] else 1.0
    if not 0.5 <= ratio <= 2:
        part = account["parts"][0]
        yield (
            f"{flop(part['operation_count_flop'])} counted, but {flop(part['gpu_time_flop'])} by time at"
            f" {percent(mfu['default_fraction'])}: {max(ratio, 1 / ratio):.2g} times apart"
        )


def _uncertainty_causes(terms: Row, *, is_plan: bool) -> Iterator[dict[str, str]]:
    """Yield each cause of the estimate's uncertainty, with its remedy. For a plan, consider only the operations."""
    weak_reasons = dict.fromkeys(filter(None, [terms["weak_reason"], terms["examples_class"]]))
    yield from ({"input": reason, "how": STRONGER[reason]} for reason in weak_reasons if reason in STRONGER)
    for column, (method, _, _, how) in METHODS.items():
        if terms[column] is None and not is_plan:
            yield {"input": method.value, "how": how}
