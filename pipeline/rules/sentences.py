"""What is said of a model's number, in sentences: what it covers, how it was made, how well it is known, and why its two methods dispute."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import duckdb

from pipeline import sql
from pipeline.numbers import flop, listed, number, percent, times, within
from schemas.vocabulary import (
    ACCOUNTINGS,
    CONFIDENCES,
    DISPUTE_CAUSES,
    EVIDENCE_CLASSES,
    INDEPENDENCE,
    OUTSIDE_SOURCES,
    SCOPES,
    SEPARATOR,
    WEAK_REASONS,
    Accounting,
    Confidence,
    DisputeCause,
    EvidenceClass,
    Independence,
    NamedSecond,
    ReportedConvention,
    Scope,
    SourceKind,
    WeakReason,
)

Row = Mapping[str, Any]
COLUMNS = dict.fromkeys(
    (
        "model_id", "covers_sentence", "how_sentence", "interval_sentence", "confidence_sentence", "second_sentence",
        "independence_sentence", "dispute_sentence", "dispute_resolution",
    ),
    "varchar",
)  # fmt: skip
READ = ("estimates", "reconciliations", "dispute_causes", "models", "runs", "lineages", "params")
CONVENTIONS = {
    ReportedConvention.FULL_ATTENTION: "attention counted over the full square",
    ReportedConvention.NO_SCORES: "attention scores left out",
}


def make(connection: duckdb.DuckDBPyConnection) -> None:
    """Makes `sentences`: one row a model."""
    estimates = sql.rows(connection.table("estimates"), ["model_id"])
    terms = {row["model_id"]: row for row in sql.rows(connection.table("reconciliations"))}
    models = {row["model_id"]: row for row in sql.rows(connection.table("models"))}
    disputes = {row["model_id"]: row for row in sql.rows(connection.table("dispute_causes"))}
    phases = "select model_id, list([accounting, phase] order by phase_index) from runs group by model_id"
    phases_of = dict(connection.execute(phases).fetchall())
    bases = "select model_id, list(part_id order by part_id) from lineages where model_id <> part_id group by model_id"
    parts = dict(connection.execute(bases).fetchall())
    ((choices,),) = connection.execute("select reconcile from params").fetchall()

    def sentences_of(estimate: Row) -> Row:
        model_id = estimate["model_id"]
        bases = [(models[part]["name"], terms[part]["own_training_flop"]) for part in parts.get(model_id, [])]
        covered = _covers(models[model_id], phases_of.get(model_id, []), bases)
        return _sentences(
            estimate, terms[model_id], covered, models[model_id]["stated_by"], disputes.get(model_id), choices
        )

    sql.create(connection, "sentences", COLUMNS, map(sentences_of, estimates))


RULE = sql.PythonRule(READ, make)


def _sentences(estimate: Row, terms: Row, covers: str, stated_by: str | None, dispute: Row | None, choices: Row) -> Row:
    is_known = estimate["training_flop"] is not None
    independence = estimate["method_ratio"] is not None and INDEPENDENCE[Independence(estimate["independence"])]
    return {
        "model_id": estimate["model_id"],
        "covers_sentence": covers if is_known else None,
        "how_sentence": _how(estimate, terms, stated_by) if is_known else None,
        "interval_sentence": _interval(estimate) if is_known else None,
        "confidence_sentence": _confidence(estimate) if is_known else None,
        "second_sentence": next(second(terms), None),
        "independence_sentence": independence or None,
        "dispute_sentence": dispute and _dispute(dispute, choices),
        "dispute_resolution": dispute and DISPUTE_CAUSES[DisputeCause(dispute["dispute_cause"])].would_settle,
    }


def _covers(model: Row, phases: Sequence[tuple[str | None, str]], bases: Sequence[tuple[str, float | None]]) -> str:
    """What the number is of: the kinds of work, the networks, and base models with what each took."""
    kinds = [ACCOUNTINGS[Accounting(word)] if word else re.sub("[_-]", " ", phase) for word, phase in phases]
    work = listed(list(dict.fromkeys(kinds))) if kinds else "what its authors' total covers"
    scope = " ".join(filter(None, (work, SCOPES[Scope(model["scope"])])))
    included = listed([f"{name} ({flop(taken)})" for name, taken in bases]) if bases else ""
    base = f"; the training of its base model{'s' if len(bases) > 1 else ''} {included} is included" if bases else ""
    return f"{scope[0].upper()}{scope[1:]}{base}."


def _is_sum(estimate: Row) -> bool:
    return bool(estimate["own_training_flop"] != estimate["training_flop"])


def _interval(estimate: Row) -> str:
    ends = (estimate[name] for name in ("training_flop", "training_flop_low", "training_flop_high"))
    return f"With a probability of 90 % the truth is {within(*ends)}."


def _confidence(estimate: Row) -> str:
    word, evidence = Confidence(estimate["confidence"]), EvidenceClass(estimate["evidence_class"])
    reason = CONFIDENCES[word] or f"it rests on {EVIDENCE_CLASSES[evidence]}"
    off = max(round(100 * estimate["off_by_two_fraction"]), 1)
    return f"{word.capitalize()}: {reason}. About {off} in 100 such numbers are off by more than a factor of two."


def _how(estimate: Row, terms: Row, stated_by: str | None) -> str:
    """How a headline was made, in a sentence."""
    whose = (
        "the authors"
        if stated_by is None
        else listed([OUTSIDE_SOURCES[SourceKind(kind)] for kind in stated_by.split(SEPARATOR)])
    )
    if _is_sum(estimate):
        part = flop(estimate["own_training_flop"])
        return f"The sum of its own training ({part}) and that of its base models."
    word = EvidenceClass(estimate["evidence_class"])
    if word == EvidenceClass.CONFIRMED:
        agreed = CONVENTIONS.get(terms["nearest_convention"])
        convention = f" with {agreed}" if agreed else ""
        return f"Counted from the network and the data; the authors' own total ({flop(terms['reported_flop'])}) agrees{convention}."
    if word == EvidenceClass.STATED:
        return f"Counted from the network and the data that {whose} state."
    if word == EvidenceClass.WEAK:
        return f"Counted, but {WEAK_REASONS[WeakReason(terms['weak_reason'])]}."
    if word == EvidenceClass.REPORTED:
        return f"The total that {whose} state; the operations could not be counted."
    return f"Worked out from {_machines(estimate)} at {_speed(terms)}. The truth is more often below than above this number."


def _machines(estimate: Row) -> str:
    chips, hours = estimate["chips"], estimate["chip_hours"]
    if not chips:
        return f"{hours:,.3g} chip-hours"
    return f"{'one chip' if chips == 1 else f'{chips:,.0f} chips'} for {hours / 24 / chips:.3g} days"


def _speed(terms: Row) -> str:
    share = f"{percent(terms['gpu_time_informed_flop'] / terms['chip_peak_flop'])} of their peak"
    if terms["gpu_time_used_reason"] in ("stated", "stated_beats_two_n"):
        return f"{share}, as stated of the run"
    lost = 1 - terms["gpu_time_used_flop"] / terms["gpu_time_informed_flop"]
    basis = "the speed of like runs" if terms["gpu_time_used_reason"] == "measured" else "the usual speed"
    return f"{share}, {basis}, less the {percent(lost)} that whole runs lose"


def second(terms: Row) -> Iterator[str]:
    """A sentence on the estimate that differs from a headline, from the row of `reconciliations`; nothing where none is named."""
    ratio = terms["gap_ratio"]
    if terms["named_second"] in (NamedSecond.GPU_TIME, NamedSecond.OPERATION_COUNT):
        what = "Chips and time give" if terms["named_second"] == NamedSecond.GPU_TIME else "The operation count gives"
        wider = "; the interval is wider to that side" if terms["named_second"] == NamedSecond.GPU_TIME else ""
        yield f"{what} {times(ratio)} {'more' if ratio > 1 else 'less'}{wider}."
    elif terms["named_second"] == NamedSecond.REPORTED:
        apart = terms["reported_flop"] / terms["operation_count_flop"]
        yield (
            f"The authors give {flop(terms['reported_flop'])}, {number(apart)} times ours;"
            " no convention that we know closes the gap."
        )


def _dispute(row: Row, choices: Row) -> str:
    cause = DisputeCause(row["dispute_cause"])
    if row["is_cause_stated"]:
        return f"{DISPUTE_CAUSES[cause].meaning} {row['dispute_reason']}"
    return str(_CAUSES[cause](row, choices))


def _like(row: Row) -> str | None:
    """What whole runs like it reach."""
    low, high = row["like_low_fraction"], row["like_high_fraction"]
    return f"{percent(low)} to {percent(high)}" if low is not None else None


def _slow_as_like_runs(row: Row, choices: Row) -> str:
    return (
        f"The chips reached about {percent(row['implied_utilization_fraction'])} of their peak, as like runs do ({_like(row)});"
        f" the rule of thumb takes {percent(row['default_utilization_fraction'])}. The count stands."
    )


def _network_or_scope(row: Row, choices: Row) -> str:
    if row["is_from_parameters"]:
        return "The count takes six operations for each parameter and token. It leaves out attention, and parameters used more than once."
    return "The time covers a search; the count covers its result."


def _machine(row: Row, choices: Row) -> str:
    apart = f"the GPU time is {1 / row['method_ratio']:.3g} times the count"
    if row["is_hardware_imputed"]:
        return f"The chip is not stated; with the usual peak of chips of that year {apart}."
    return (
        f"The number format is not stated; with the one that was inferred {apart}, with the other format of the chip it would be"
        f" {1 / row['ratio_at_other_format']:.3g} times."
    )


def _data(row: Row, choices: Row) -> str:
    side = "more" if row["method_ratio"] < 1 else "less"
    known = (
        "The epochs and the steps that are stated contradict each other"
        if row["is_examples_inconsistent"]
        else "How much data was used is not known exactly"
    )
    return (
        f"{known} (within {times(row['data_reach_ratio'])}); {times(row['needed_ratio'])} {side} would bring the two within"
        f" {choices['dispute_ratio']:g}x."
    )


def _too_fast(row: Row, choices: Row) -> str:
    like = _like(row)
    measured = f"where like runs reach {like}" if like else "and no like run was measured"
    return (
        f"The count would need {percent(row['implied_utilization_fraction'])} of the chips' peak, {measured}."
        " The stated chips or days are probably too few."
    )


def _slow_unlike_others(row: Row, choices: Row) -> str:
    like = _like(row)
    measured = f"Like runs reach {like}" if like else "No like run was measured"
    return (
        "Data and network are known better than the time, so the chips most likely did only"
        f" {percent(row['implied_utilization_fraction'])} of their peak. {measured}; why this one was slow is not stated."
    )


def _unexplained(row: Row, choices: Row) -> str:
    return "Neither side is well enough known to say which is off."


_CAUSES = {
    DisputeCause.SLOW_AS_LIKE_RUNS: _slow_as_like_runs,
    DisputeCause.NETWORK_OR_SCOPE: _network_or_scope,
    DisputeCause.MACHINE: _machine,
    DisputeCause.DATA: _data,
    DisputeCause.TOO_FAST: _too_fast,
    DisputeCause.SLOW_UNLIKE_OTHERS: _slow_unlike_others,
    DisputeCause.UNEXPLAINED: _unexplained,
}
