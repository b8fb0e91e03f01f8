"""What is said of a model's number, in sentences.

How its headline was made, and why its two methods dispute (methods, section 4).
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import duckdb

from pipeline import sql
from schemas.vocabulary import (
    DISPUTE_CAUSES,
    WEAK_REASONS,
    DisputeCause,
    EvidenceClass,
    NamedSecond,
    ReportedConvention,
    WeakReason,
)

Row = Mapping[str, Any]
COLUMNS = dict.fromkeys(("model_id", "headline_sentence", "dispute_sentence", "dispute_resolution"), "varchar")
READ = ("estimates", "reconciliations", "dispute_causes", "models", "params")
CONVENTIONS = {
    ReportedConvention.FULL_ATTENTION: "attention counted over the full square",
    ReportedConvention.NO_SCORES: "attention scores left out",
}


def make(connection: duckdb.DuckDBPyConnection) -> None:
    """Makes `sentences`: one row a model."""
    estimates = sql.rows(connection.table("estimates"), ["model_id"])
    terms = {row["model_id"]: row for row in sql.rows(connection.table("reconciliations"))}
    disputes = {row["model_id"]: row for row in sql.rows(connection.table("dispute_causes"))}
    ((choices,),) = connection.execute("select reconcile from params").fetchall()
    rows = (_sentences(row, terms[row["model_id"]], disputes.get(row["model_id"]), choices) for row in estimates)
    sql.create(connection, "sentences", COLUMNS, rows)


RULE = sql.PythonRule(READ, make)


def _sentences(estimate: Row, terms: Row, dispute: Row | None, choices: Row) -> Row:
    return {
        "model_id": estimate["model_id"],
        "headline_sentence": " ".join(_headline(estimate, terms)) or None,
        "dispute_sentence": dispute and _dispute(dispute, choices),
        "dispute_resolution": dispute and DISPUTE_CAUSES[DisputeCause(dispute["dispute_cause"])].would_settle,
    }


def flop(number: float) -> str:
    """Three digits of an amount of FLOP."""
    return re.sub(r"e\+0?", "e", f"{number:.3g}")


def percent(share: float) -> str:
    """Two digits of a share, as whole percent from 10 % upwards.

    >>> percent(0.103), percent(0.047), percent(1.2)
    ('10 %', '4.7 %', '120 %')
    """
    return f"{100 * share:.0f} %" if share >= 0.0995 else f"{100 * share:.2g} %"


def _headline(estimate: Row, terms: Row) -> Iterator[str]:
    if estimate["training_flop"] is None:
        return
    amount = f"{flop(estimate['training_flop'])} FLOP"
    interval = f"90 %: {flop(estimate['training_flop_low'])} to {flop(estimate['training_flop_high'])}."
    off = f"About {max(round(100 * estimate['off_by_two_fraction']), 1)} in 100 such numbers are off by more than 2x."
    if estimate["own_training_flop"] != estimate["training_flop"]:
        own = flop(estimate["own_training_flop"])
        yield f"{amount}: {own} of its own training, the rest that of its base models. {interval} {off}"
        return
    word = EvidenceClass(estimate["evidence_class"])
    if word == EvidenceClass.CONFIRMED:
        agreed = CONVENTIONS.get(terms["nearest_convention"])
        yield (
            f"{amount}, counted from the network and the data; the authors' own total ({flop(terms['reported_flop'])}) agrees"
            f"{f' with {agreed}' if agreed else ''}. {interval} {off}"
        )
    elif word == EvidenceClass.STATED:
        yield f"{amount}, counted from the network and the data that the authors state. {interval} {off}"
    elif word == EvidenceClass.WEAK:
        yield f"{amount}, counted, but {WEAK_REASONS[WeakReason(terms['weak_reason'])]}. {interval} {off}"
    elif word == EvidenceClass.REPORTED:
        yield f"{amount}, as its authors state; we could not count it. {interval}"
    else:
        yield f"{amount}, from {_machines(estimate)} at {_speed(terms)}. The truth is more often below than above. {interval}"
    yield from second(terms)


def _machines(estimate: Row) -> str:
    chips, hours = estimate["chips"], estimate["chip_hours"]
    if not chips:
        return f"{hours:,.3g} chip hours"
    return f"{'one chip' if chips == 1 else f'{chips:,.0f} chips'} for {hours / 24 / chips:.3g} days"


def _speed(terms: Row) -> str:
    share = f"{percent(terms['gpu_time_informed_flop'] / terms['chip_peak_flop'])} of peak"
    if terms["gpu_time_used_reason"] in ("stated", "stated_beats_two_n"):
        return f"{share}, as stated of the run"
    lost = 1 - terms["gpu_time_used_flop"] / terms["gpu_time_informed_flop"]
    basis = "the speed of like runs" if terms["gpu_time_used_reason"] == "measured" else "the usual speed"
    return f"{share}, {basis}, less the {percent(lost)} that whole runs lose"


def second(terms: Row) -> Iterator[str]:
    """A sentence on the estimate that differs from a headline, from the row of `reconciliations`.

    Nothing where none is named.
    """
    ratio = terms["gap_ratio"]
    if terms["named_second"] in (NamedSecond.GPU_TIME, NamedSecond.OPERATION_COUNT):
        what = "Chips and time give" if terms["named_second"] == NamedSecond.GPU_TIME else "The operation count gives"
        wider = "; the interval is wider to that side" if terms["named_second"] == NamedSecond.GPU_TIME else ""
        yield f"{what} {times(ratio)} {'more' if ratio > 1 else 'less'}{wider}."
    elif terms["named_second"] == NamedSecond.REPORTED:
        apart = terms["reported_flop"] / terms["operation_count_flop"]
        yield f"The authors give {flop(terms['reported_flop'])}, {apart:.3g} times ours; no convention that we know closes the gap."


def times(ratio: float) -> str:
    """A factor, from one upwards: 0.25 and 4 are both "4x"."""
    return f"{max(ratio, 1 / ratio):.3g}x"


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
        return "The count takes two operations for each parameter and token, which misses parameters that are used more often."
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
