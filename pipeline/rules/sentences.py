"""Sentences about a model's number: what it covers, how we estimated it, how certain it is, and why methods disagree."""

import re
from collections.abc import Sequence

import duckdb

from pipeline.base.text.numbers import compared, flop, listed, percent, times, units, within
from pipeline.models import sql
from pipeline.models.sql import Row
from pipeline.rules.ingestion import NAMES_SEPARATOR
from schemas.records import Base
from schemas.vocabulary import (
    DISPUTE_CAUSES,
    SEPARATOR,
    THRESHOLDS,
    Accounting,
    Confidence,
    DisputeCause,
    Evidence,
    EvidenceClass,
    GpuTimeReason,
    HeadlineMethod,
    Independence,
    InputClass,
    NamedSecond,
    ReportedConvention,
    Scope,
    SourceKind,
    WeakReason,
    fact_name,
)

Bases = Sequence[tuple[str, float | None]]  # the name of each base model, and the FLOP of its own training
CLOSE = 1.2  # the factor below which a second estimate is not worth a sentence
READ = (
    "estimates", "reconciliations", "dispute_causes", "models", "runs", "lineages", "statement_counts", "facts",
    "sources", "params",
)  # fmt: skip
COUNTS = """
select model_id, s.* from estimates e join reconciliations using (model_id)
join statement_counts s on s.headline_kind = headline_kind(e.evidence_class, weak_reason)
"""
HELD = "select coalesce(sum(independent_number), 0), sum(independent_held_number) from statement_counts"
# The kind of source of each reported total that is not from the makers.
TOTALS_OF_OTHERS = """
select record_id, source_kind from facts join sources using (record_kind, record_id, source)
where record_kind = 'models' and path = 'reported_flop' and source_kind not in ('authors', 'official')
"""
CONVENTIONS = {
    ReportedConvention.FULL_ATTENTION: "attention counted over the full square",
    ReportedConvention.NO_SCORES: "attention scores left out",
}


def make(connection: duckdb.DuckDBPyConnection) -> None:
    """Create the table `sentences`, one row per model."""
    estimates = sql.rows(connection.table("estimates"), ["model_id"])
    terms = {row["model_id"]: row for row in sql.rows(connection.table("reconciliations"))}
    models = {row["model_id"]: row for row in sql.rows(connection.table("models"))}
    disputes = {row["model_id"]: row for row in sql.rows(connection.table("dispute_causes"))}
    phases = "select model_id, list([accounting, phase] order by phase_index) from runs group by model_id"
    phases_of = dict(connection.execute(phases).fetchall())
    bases = "select model_id, list(part_id order by part_id) from lineages where model_id <> part_id group by model_id"
    parts = dict(connection.execute(bases).fetchall())
    ((choices,),) = connection.execute("select reconcile from params").fetchall()
    counts = {row["model_id"]: row for row in sql.rows(connection.sql(COUNTS))}
    (held,) = connection.execute(HELD).fetchall()
    whose_totals = dict(connection.execute(TOTALS_OF_OTHERS).fetchall())
    written = {base for model in models.values() for base in (model["base_model"] or "").split(NAMES_SEPARATOR)}
    names = {Base(value=base).part_id: base for base in written} | {name: row["name"] for name, row in models.items()}

    def sentences_of(estimate: Row) -> Row:
        """Return the sentences about one model as a row, with null for each sentence that does not apply."""
        model_id = estimate["model_id"]
        model, term, dispute = models[model_id], terms[model_id], disputes.get(model_id)
        bases = [(names[part], terms.get(part, {}).get("own_training_flop")) for part in parts.get(model_id, [])]
        whose_total = whose_totals.get(model_id)
        is_known, is_compared = estimate["training_flop"] is not None, estimate["method_ratio"] is not None
        how = None
        if bases:
            how = _sum(estimate, model, bases)
        elif is_known:
            how = _how(estimate, term, model["stated_by"], whose_total)
        return {
            "model_id": model_id,
            "covers_sentence": _covers(model, phases_of.get(model_id, []), bases) if is_known else None,
            "how_sentence": how,
            "interval_sentence": _interval(estimate, *held) if is_known else None,
            "confidence_sentence": _confidence(estimate, term, counts.get(model_id)) if is_known else None,
            "second_sentence": _second(term, whose_total),
            "independence_sentence": _independence(term) if is_compared else None,
            "dispute_sentence": dispute and _dispute(dispute, choices),
            "dispute_resolution": dispute and _resolution(dispute, term),
        }

    sql.create(connection, "sentences", map(sentences_of, estimates))


RULE = sql.PythonRule(READ, make)


def _covers(model: Row, phases: Sequence[tuple[str | None, str]], bases: Bases) -> str:
    """Return what the number covers: the kinds of training, the networks, and the base models."""
    kinds = [Accounting(word).words if word else re.sub("[_-]", " ", phase) for word, phase in phases]
    work = listed(list(dict.fromkeys(kinds))) if kinds else "all training" if bases else "what the stated total covers"
    scope = " ".join(filter(None, (work, Scope(model["scope"]).words)))
    base = f"; includes the training of its base {_models(bases)}" if bases else ""
    return f"{scope[0].upper()}{scope[1:]}{base}."


def _models(bases: Bases) -> str:
    """Return the names of the base models, each with the FLOP of its own training.

    >>> _models([("Llama 2 70B", 8.57e23)])
    'model Llama 2 70B (8.57e23 FLOP)'
    """
    parts = [f"{name} ({flop(own_flop) if own_flop else 'not known'})" for name, own_flop in bases]
    return f"model{'s' if len(bases) > 1 else ''} {listed(parts)}"


def _interval(estimate: Row, independent: int, contained: int) -> str:
    """Return a sentence on the interval, and on how many totals from independent inputs such intervals contain."""
    ends = (estimate[name] for name in ("training_flop", "training_flop_low", "training_flop_high"))
    tested = (
        f" Of {independent} totals that others calculated from independent inputs, our intervals contain {contained}."
        if independent
        else ""
    )
    return f"The 90 % interval runs {within(*ends)}.{_side_of_threshold(estimate)}{tested}"


def _side_of_threshold(estimate: Row) -> str:
    """Return a sentence if the headline and the middle of its interval are on opposite sides of a threshold."""
    for threshold in THRESHOLDS if estimate["threshold_total"] == "training_flop" else ():
        if estimate["training_flop"] < threshold.flop and estimate[threshold.column] > 0.5:
            return (
                f" The headline is below {threshold.word} FLOP, but the middle of the interval is above it, because counted"
                " models take more than six operations per parameter and token."
            )
    return ""


def _confidence(estimate: Row, terms: Row, counts: Row | None) -> str:
    """Return how certain a headline is, and how others' totals compare with headlines of the same kind.

    The sentence counts totals that differ, because nobody knows how far the estimates are from the truth.
    """
    word = Confidence(estimate["confidence"])
    sentence = f"Confidence: {word}{_reason(word, estimate, terms)}."
    if counts is None:
        return sentence
    number, far = counts["statements_number"], counts["far_number"]
    new, far_new = counts["not_restating_number"], counts["far_not_restating_number"]
    included = f", including {far_new or 'none'} of the {new} that do not repeat our inputs"
    return (
        f"{sentence} Others have published {number} totals for models that we estimate in this way: {far or 'none'}"
        f" differ{'s' if far == 1 else ''} from ours by more than a factor of two{included if far and 0 < new < number else ''}."
    )


def _reason(word: Confidence, estimate: Row, terms: Row) -> str:
    """Return the reason for a headline's confidence, or nothing if the sentence about its method already explains it."""
    if word == Confidence.SPECULATIVE:
        is_time = estimate["headline_method"] == HeadlineMethod.GPU_TIME
        quantity, input_class = (
            ("chip time", terms["chip_seconds_class"]) if is_time else ("amount of data", terms["examples_class"])
        )
        return f", because the {quantity} {'comes from analysts or the press' if input_class == InputClass.ANALYSIS else 'is assumed'}"
    is_counted = estimate["evidence_class"] in (EvidenceClass.CONFIRMED, EvidenceClass.STATED)
    if word == Confidence.LIKELY and is_counted and estimate["is_disputed"]:
        return ", because the GPU time disagrees"
    return ""


def _independence(terms: Row) -> str | None:
    meaning = Independence(terms["independence"]).words if terms["independence"] else ""
    return meaning.format(fact=fact_name(terms["shared_input"] or "")) or None


def _sum(estimate: Row, model: Row, bases: Bases) -> str:
    """Return the parts of a total of a model made from others, and which of them are assumed or not known."""
    own, total = estimate["own_training_flop"], estimate["training_flop"]
    stated = flop(own) if own else "not known" if total is None else "not stated, taken as in similar models"
    if model["base_share"]:
        stated += f", as its makers give the base {percent(model['base_share'])} of the total"
    parts = f"its own training ({stated}) and that of its base {_models(bases)}"
    inferred = " That it is made from this base is our inference." if model["base_evidence"] == Evidence.ASSUMED else ""
    if total is not None:
        return f"This is the sum of {parts}.{inferred}"
    at_least = estimate["training_flop_at_least"]
    known = f": at least {flop(at_least)}, from the parts that are known" if at_least else ""
    return f"Its total would be {parts}{known}.{inferred}"


def _how(estimate: Row, terms: Row, stated_by: str | None, whose_total: str | None) -> str:
    """Return how we obtained a headline. `whose_total` is the kind of source of a total that the makers did not state."""
    word = EvidenceClass(estimate["evidence_class"])
    if word == EvidenceClass.CONFIRMED:
        agreed = CONVENTIONS.get(terms["nearest_convention"])
        apart = compared(terms["reported_flop"], terms["operation_count_flop"])
        total = f"{flop(terms['reported_flop'])}, {apart}{f'; with {agreed}, ours agrees' if agreed else ''}"
        return f"Counted from the network and the data; the authors' own total ({total}) confirms it."
    if word == EvidenceClass.STATED:
        return "Counted from the stated network and data."
    if word == EvidenceClass.WEAK:
        if terms["weak_reason"] == WeakReason.FROM_PARAMETERS:
            what = "parameters" if terms["is_from_parameters"] else "connections"
            return f"Estimated as 6 × {what} × {units(estimate['example_unit'])}; the layers were not counted."
        return WeakReason(terms["weak_reason"]).words
    if word == EvidenceClass.REPORTED:
        total = _total_of(whose_total) if whose_total else f"the total that {stated_by_whom(stated_by)} state"
        return f"This is {total}; it could not be checked by a count."
    return f"Estimated from {_machines(estimate, terms)} at {_speed(terms)}. Such estimates are more often too high than too low."


def _total_of(source_kind: str) -> str:
    """Return the phrase for a total from this kind of source.

    >>> _total_of("third_party")
    "the total that other people's tables and notes give"
    """
    kind = SourceKind(source_kind)
    return f"the total that {kind.words} give{'s' if kind == SourceKind.PRESS else ''}"


def stated_by_whom(stated_by: str | None) -> str:
    """Return who states a model's size and training: its authors, or the kinds of sources in column `stated_by`."""
    if stated_by is None:
        return "the authors"
    return listed([SourceKind(kind).words for kind in stated_by.split(SEPARATOR)])


def _machines(estimate: Row, terms: Row) -> str:
    """Return the chips and days, or the chip-hours if the number of chips is unknown.

    A time that is assumed, or comes from outsiders, gets two digits and "about".
    """
    chips, hours = estimate["chips"], estimate["chip_hours"]
    aside_by_class = {InputClass.ASSUMED: " (the time is assumed)", InputClass.ANALYSIS: " (by analysts or the press)"}
    aside = aside_by_class.get(terms["chip_seconds_class"], "")
    if not chips:
        return f"{hours:,.3g} chip-hours{aside}"
    days = f"{hours / 24 / chips:.2g}" if aside else f"{hours / 24 / chips:.3g}"
    return f"{'one chip' if chips == 1 else f'{chips:,.0f} chips'} for {'about ' if aside else ''}{days} days{aside}"


def _speed(terms: Row) -> str:
    """Return the utilization that a GPU time uses and its origin; unless it is stated, also what restarts and waiting take away."""
    share = f"{percent(terms['gpu_time_informed_flop'] / terms['chip_peak_flop'])} utilization"
    if terms["gpu_time_used_reason"] in ("stated", "stated_beats_two_n"):
        return f"the stated {share}"
    lost_share = percent(1 - terms["gpu_time_used_flop"] / terms["gpu_time_informed_flop"])
    basis = "predicted from similar runs" if terms["gpu_time_used_reason"] == "measured" else "the default"
    return f"{share} ({basis}), minus {lost_share} for restarts and waiting"


def _second(terms: Row, whose_total: str | None) -> str | None:
    """Return a sentence about a second estimate that differs from the headline and widens its interval; None if there is none."""
    count, timed = terms["operation_count_flop"], terms["gpu_time_used_flop"]
    if terms["named_second"] == NamedSecond.REPORTED:
        apart = compared(terms["reported_flop"], count)
        whose = _total_of(whose_total) if whose_total else "the total that the authors give"
        return (
            f"{whose[0].upper()}{whose[1:]} is {flop(terms['reported_flop'])}, {apart}; no way of counting that we know of"
            " explains the difference."
        )
    if terms["named_second"] == NamedSecond.OPERATION_COUNT:
        return f"The operation count is {compared(count, timed)}."
    is_widened = (
        terms["headline_method"] == HeadlineMethod.OPERATION_COUNT and terms["independence"] == Independence.INDEPENDENT
    )
    if not is_widened or 1 / CLOSE < timed / count < CLOSE:
        return None
    side = "upwards" if timed > count else "downwards"
    speed = GpuTimeReason(terms["gpu_time_used_reason"]).words
    bound = ", of which a bound is stated," if terms["chip_seconds_class"] == InputClass.BOUND else ""
    return (
        f"The GPU time{bound} suggests {compared(timed, count)} compute ({speed}), so we widened the interval {side}."
    )


def _dispute(row: Row, choices: Row) -> str:
    """Return why the two methods differ: the cause stated in the record, otherwise the one that the numbers show."""
    cause = DisputeCause(row["dispute_cause"])
    if row["is_cause_stated"]:
        return f"{DISPUTE_CAUSES[cause].meaning} {row['dispute_reason']}"
    low, high = row["like_low_fraction"], row["like_high_fraction"]
    like = f"{percent(low)} to {percent(high)}" if low is not None else None
    used, apart = row["implied_utilization_fraction"], 1 / row["method_ratio"]
    match cause:
        case DisputeCause.SLOW_AS_LIKE_RUNS:
            return (
                f"The chips reached about {percent(used)} of their peak, as similar runs are expected to ({like}); the default"
                f" assumes {percent(row['default_utilization_fraction'])}. The count stands."
            )
        case DisputeCause.NETWORK_OR_SCOPE if row["is_from_parameters"]:
            return "The count is 6 × parameters × tokens. It leaves out attention, and repeated use of the same parameters."
        case DisputeCause.NETWORK_OR_SCOPE:
            return "The time covers a search; the count covers its result."
        case DisputeCause.MACHINE if row["is_hardware_imputed"]:
            return (
                "The chip is not stated. With the usual peak of that year's chips, the GPU time is"
                f" {apart:.3g} times the count."
            )
        case DisputeCause.MACHINE:
            return (
                f"The precision is not stated. With the one that we inferred, the GPU time is {apart:.3g} times the count;"
                f" with the chip's other precision, it would be {1 / row['ratio_at_other_format']:.3g} times the count."
            )
        case DisputeCause.DATA:
            return _data(row, choices)
        case DisputeCause.TOO_FAST:
            measured = (
                f"whereas similar runs are expected to reach {like}" if like else "and no similar run was measured"
            )
            return (
                f"The count would need {percent(used)} of the chips' peak, {measured}."
                " The stated chips or days are probably too few."
            )
        case DisputeCause.SLOW_UNLIKE_OTHERS:
            measured = f"Similar runs are expected to reach {like}" if like else "No similar run was measured"
            return (
                "Unexplained: the operation count is known better than the time, so the chips probably reached only"
                f" {percent(used)} of their peak. {measured}; no source explains why this run was slow."
            )
    return DISPUTE_CAUSES[cause].meaning


def _resolution(row: Row, terms: Row) -> str:
    """Return the facts that would settle a dispute. For a dispute about the machine, list only unstated facts."""
    cause = DisputeCause(row["dispute_cause"])
    unknown = ["which chip it was"] if row["is_hardware_imputed"] else []
    if cause != DisputeCause.MACHINE:
        return ", and ".join([*unknown, DISPUTE_CAUSES[cause].would_settle])
    if row["ratio_at_other_format"] is not None:
        unknown.append("the precision of the run")
    if not unknown or terms["chip_seconds_class"] == InputClass.BOUND:
        unknown.append("how many chips worked for how long")
    return ", and ".join(unknown)


def _data(row: Row, choices: Row) -> str:
    """Return how uncertain the amount of data is, and how far off it must be for the two methods to agree."""
    side = "more" if row["method_ratio"] < 1 else "less"
    problem = (
        "The stated epochs and steps contradict each other"
        if row["is_examples_inconsistent"]
        else "How much data was used is not known exactly"
    )
    return (
        f"{problem} (within {times(row['data_reach_ratio'])}); {times(row['needed_ratio'])} {side} data would bring the two methods within"
        f" {choices['dispute_ratio']:g}x."
    )
