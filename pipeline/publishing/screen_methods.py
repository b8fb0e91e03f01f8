"""The lines of an answer about the two methods, and about what others state."""

import re
from collections.abc import Iterable
from math import isclose
from typing import Any

from pipeline.base.text.cells import fact_value
from pipeline.base.text.numbers import bound_text, comparison, days, flop, interval, number, percent, short_count, units
from pipeline.publishing.screen_evidence import cut, first_words
from schemas.units import DAY_SECONDS
from schemas.vocabulary import (
    Basis,
    EvidenceClass,
    FactStatus,
    GpuTimeReason,
    HeadlineMethod,
    Independence,
    Outcome,
    SharedInputs,
    SourceKind,
    StatedConfidence,
    UnusedReport,
    WeakReason,
    fact_name,
)

Row = Any
MOST_UNITS = 2
STATED = (Basis.REPORTED, Basis.ANALYST)
BRIEF = {Basis.REPORTED: "stated", Basis.ANALYST: "analysts", Basis.CALIBRATED: "predicted"}
SETTLED = {Outcome.REFUTED: "refuted", Outcome.OTHER_SCOPE: "other scope"}


def operation_count(part: Row, terms: Row, estimate: Row) -> str | None:
    """Return the operation count of a model's own training with its factors, or None."""
    if part["operation_count_flop"] is None:
        return None
    phases = [phase for phase in part["phases"] if phase["operation_count_flop"] is not None]
    sums: dict[str, float] = {}
    for phase in phases:
        sums[phase["example_unit"]] = sums.get(phase["example_unit"], 0) + (phase["examples_seen"] or 0)
    data = first_words([f"{short_count(seen)} {units(unit)}" for unit, seen in sums.items()], MOST_UNITS)
    data = bound_text(data, *(phase["examples_bound"] for phase in phases))
    many = f" in {len(phases)} parts" if len(phases) > len(sums) else ""
    factors = [f"{data}{many}", *_per_example(phases, terms, estimate)]
    lower = "; our number, the middle of the interval, is lower" if _is_below_count(part, estimate) else ""
    return f"{number(part['operation_count_flop'])}   {' × '.join(factors)}{lower}"


def _is_below_count(part: Row, estimate: Row) -> bool:
    """Return whether a total is taken as less than its count, because the data are "at most"."""
    is_counted = not estimate["base_model"] and estimate["headline_method"] == HeadlineMethod.OPERATION_COUNT
    return is_counted and estimate["training_flop"] < 0.999 * part["operation_count_flop"]


def _per_example(phases: Iterable[Row], terms: Row, estimate: Row) -> Iterable[str]:
    """Yield the operations per example and where they come from."""
    if terms["weak_reason"] == WeakReason.FROM_PARAMETERS:
        active = estimate["active_parameters"] or estimate["parameters"]
        kind = "active " if active != estimate["parameters"] else ""
        yield f"6 × {short_count(active)} {kind}{'parameters' if terms['is_from_parameters'] else 'connections'}"
        return
    each = [phase["forward_flop_per_example"] + phase["backward_flop_per_example"] for phase in phases]
    if each:
        is_one = isclose(min(each), max(each), rel_tol=0.01)
        bases = sorted({Basis(phase["operation_count_basis"]).words for phase in phases})
        words = ", ".join(bases).replace("counted layer by layer", "by layer")
        yield f"{number(each[0]) if is_one else interval(min(each), max(each))} FLOP ({words})"


def gpu_time(part: Row) -> str | None:
    """Return the GPU time at the default utilization with its factors, and at the informed one if it differs."""
    if part["gpu_time_flop"] is None:
        return None
    timed = [chips for chips in part["allocations"] if chips["chip_hours"]]
    machines = first_words([machine(chips) for chips in _merged_chips(timed)], 1)
    default = f"{number(part['gpu_time_flop'])}   {machines} × {_shares(timed, 'default_utilization')} (default)"
    informed, used = part["gpu_time_informed_flop"], part["gpu_time_used_flop"]
    ours = ""
    if part["evidence_class"] == EvidenceClass.GPU_TIME and not isclose(used, informed, rel_tol=1e-3):
        ours = f"; we use {number(used)} ({GpuTimeReason(part['gpu_time_used_reason']).short})"
    if isclose(informed, part["gpu_time_flop"], rel_tol=1e-3):
        return f"{default}{ours}"
    basis = next((chips["utilization_basis"] for chips in timed if chips["utilization_basis"]), "")
    return f"{default}; {number(informed)} at {_shares(timed, 'utilization')} ({BRIEF.get(basis, basis)}){ours}"


def _merged_chips(timed: list[Row]) -> list[Row]:
    """Return allocations of one chip and precision as one, with hours."""
    if len(timed) == 1 or len({(chips["hardware"], chips["peak_flop_per_second"]) for chips in timed}) > 1:
        return timed
    hours = sum(chips["chip_hours"] for chips in timed)
    return [{**timed[0], "chips": None, "stated_chips": None, "chip_hours": hours}]


def _shares(timed: Iterable[Row], name: str) -> str:
    known = sorted({chips[f"{name}_fraction"] for chips in timed if chips[f"{name}_fraction"] is not None})
    ends = [*dict.fromkeys(percent(share) for share in (known[0], known[-1]))] if known else []
    return " to ".join([*(end.removesuffix(" %") for end in ends[:-1]), *ends[-1:]])


def machine(chips: Row) -> str:
    """Return the chips, their time and the peak of their precision."""
    stated = {name: fact_value(chips[f"stated_{name}"]) for name in ("chips", "duration") if chips[f"stated_{name}"]}
    unnamed = "chips" if chips["hardware_basis"] == Basis.REPORTED else "chips of unknown type"  # of a stated peak
    name = re.sub(r"^(NVIDIA|Google|AMD|Huawei) ", "", chips["hardware"] or unnamed)
    count = stated.get("chips") or (chips["chips"] and f"{chips['chips']:,.0f}")
    time, bound = stated.get("duration"), None if chips["stated_duration"] else chips["chip_seconds_bound"]
    if not time and chips["days"] and not chips["is_days_worked_out"]:
        time = days(chips["days"] * DAY_SECONDS)
    flop_per_second = chips["peak_flop_per_second"]
    peak = f" × {flop_per_second / 1e12:,.4g} TFLOP/s ({chips['precision']})" if flop_per_second else ""
    if count and time:
        return f"{count} {name} × {bound_text(re.sub(r' days?(?= to )', '', time), bound)}{peak}"
    hours = (
        bound_text(short_count(chips["chip_hours"]), chips["chip_seconds_bound"]) if chips["chip_hours"] else "unknown"
    )
    return f"{hours} hours of {name}{peak}"


def row_methods(estimate: Row, chip: str | None) -> tuple[str | None, str | None]:
    """Return both methods for a row of Epoch's table, with the cells that they multiply."""
    own, count, time = (estimate[f"{name}_flop"] for name in ("own_training", "operation_count", "gpu_time"))
    size, data = estimate["active_parameters"] or estimate["parameters"], estimate["examples_seen"]
    label, count = ("own part: ", own) if estimate["base_model"] else ("", count)
    kind = "active " if size != estimate["parameters"] else ""
    counted = number(count) if count and not label else None
    if size and data and count and isclose(count, 6 * size * data, rel_tol=1e-3):
        factors = f"{short_count(data)} {units(estimate['example_unit'])} × 6 × {short_count(size)} {kind}parameters"
        counted = f"{label}{number(count)}   {factors}, from Epoch's table"
    if time is None:
        return counted, None
    ours = f"; we use {number(own)}" if estimate["headline_method"] == HeadlineMethod.GPU_TIME and own != time else ""
    hours = f"{short_count(estimate['chip_hours'])} hours of {chip or 'chips of unknown type'}, from Epoch's table"
    return counted, f"{number(time)} at the default utilization   {hours}{ours}"


def methods(row: Row, brief: str) -> str | None:
    """Return the ratio of the two methods, whether they dispute and why (`brief`), or what their agreement is worth."""
    estimate, terms = row["estimate"], row["terms"]
    if estimate["method_ratio"] is None:
        return None
    aside = ", with base models" if len(row["parts"]) > 1 else ""
    timed = [chips for chips in row["parts"][0]["allocations"] if chips["chip_hours"]]
    if not aside and any(chips["utilization_basis"] in STATED for chips in timed):
        informed = estimate["operation_count_flop"] / estimate["gpu_time_informed_flop"]
        aside = f"; {number(informed)} at {_shares(timed, 'utilization')}"
    ratio = f"{number(estimate['method_ratio'])} (counted / GPU time{aside})"
    if row["dispute_cause"]:
        return f"{ratio}, disputed (> 2×): {brief}"
    share, fact = estimate["implied_utilization_fraction"], fact_name(terms["shared_input"] or "")
    worth = {
        Independence.CIRCULAR: f"; proves nothing: the time is derived from operations, by {_deriver(row)}",
        Independence.SHARED_INPUT: f"; weak: both use the {fact}",
        Independence.MEASURED: "; operations and time are both stated, and together give the utilization",
        Independence.INDEPENDENT: f"; the count implies a utilization of {percent(share)}" if share else "",
    }
    return f"{ratio}{worth.get(terms['independence'], '')}"


def _deriver(row: Row) -> str:
    """Return who states a time that was derived from operations."""
    times = (fact for fact in row["facts"] if fact["path"].endswith((".duration", ".chip_time")))
    return next((f"“{cut(row['source_title'])}”" for row in times if row["status"] != FactStatus.MAKERS), "its makers")


def other_statements(row: Row) -> list[str]:
    """Return what others state and how far it is from ours or from the count above ours, the authors first."""
    estimate, told = row["estimate"], []
    ours, theirs, against = estimate["training_flop"], estimate["reported_flop"], ""
    if _is_below_count(row["parts"][0], estimate):
        ours, against = row["parts"][0]["operation_count_flop"], ", against our count"
    if theirs is not None:
        kind = next((fact["source_kind"] for fact in row["facts"] if fact["path"] == "reported_flop"), None)
        reason = next((part["reported_unused_reason"] for part in row["parts"] if part["reported_unused_reason"]), None)
        asides = [f"{comparison(theirs, ours)}{against}"] if ours else []
        asides += [UnusedReport(reason).short] if reason else []
        told.append(f"{SourceKind(kind).short if kind else 'authors'} {number(theirs)}{_parentheses(asides)}")
    return told + [statement(other, ours, against) for other in row["others"]]


def statement(other: Row, ours: float | None, against: str = "") -> str:
    """Return somebody's figure, its distance from `ours` (`against`: which one), and what is known against it."""
    asides = [f"{comparison(other['flop'], ours)}{against}"] if ours else []
    asides += [SETTLED[other["outcome"]]] if other["outcome"] in SETTLED else []
    asides += ["same sources"] if SharedInputs(other["inputs"]).words and ours else []
    return f"{source_name(other)} {figure(other).replace(' FLOP', '')}{_parentheses(asides)}"


def _parentheses(words: Iterable[str]) -> str:
    joined = "; ".join(words)
    return f" ({joined})" if joined else ""


def source_name(other: Row) -> str:
    """Return the short name of a source of somebody else's figure."""
    return re.split(r", |: | \(", other["title"] or other["external_estimate_id"].replace("_", " "))[0][:40]


def figure(other: Row) -> str:
    """Return somebody's figure, with its bound, and "speculative" if they call it so."""
    word = f" ({other['confidence']})" if other["confidence"] == StatedConfidence.SPECULATIVE else ""
    return f"{bound_text(flop(other['flop']), other['bound'])}{word}"
