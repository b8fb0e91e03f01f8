"""The derivation of a headline as text, from `reconciliations`, so that it cannot differ from the published one."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import e, fsum
from typing import Any

from schemas.vocabulary import (
    GPU_TIME_REASONS,
    OUTSIDE_SOURCES,
    UNUSED_REPORTS,
    Component,
    GpuTimeReason,
    HeadlineMethod,
    Independence,
    SourceKind,
    UnusedReport,
)

Row = Mapping[str, Any]
_OF_THE_MODEL = ("parameters", "active_parameters", "reported_flop")


def probability(value: float) -> str:
    """A probability as text, never certain.

    >>> probability(1.0 - 1e-6), probability(0.9), probability(1e-5)
    ('more than 99.9 %', '90 %', 'less than 0.1 %')
    """
    if value > 0.999:
        return "more than 99.9 %"
    return "less than 0.1 %" if value < 0.001 else f"{100 * value:.3g} %"


def origin(stated: Iterable[tuple[str, str]]) -> str | None:
    """A sentence where no fact of a model's size and training is its makers' own; None where one is, or no source is known.

    `stated` are the paths of the record's facts with the kinds of their sources.
    """
    known = {SourceKind(kind) for path, kind in stated if path.startswith("training[") or path in _OF_THE_MODEL}
    if not known or known & {SourceKind.AUTHORS, SourceKind.OFFICIAL}:
        return None
    return f"its makers state none of the inputs: size and training are known from {' and '.join(OUTSIDE_SOURCES[kind] for kind in sorted(known))}"


def unused_report(parts: Iterable[Row]) -> str | None:
    """Why a reported total is not the headline; None where it is, or none is reported. `parts` are the model's and its bases' rows."""
    reasons = [UnusedReport(row["reported_unused_reason"]) for row in parts if row["reported_unused_reason"]]
    return UNUSED_REPORTS[reasons[0]] if reasons else None


def lines(parts: Iterable[Row], components: Iterable[Row], training_flop: float | None) -> Iterator[str]:
    """One line a fact about the headline; `parts` are the rows of `reconciliations` of the model, first, and of its bases."""
    every, every_component = list(parts), list(components)
    for row in every:
        whose = f"{row['model_id']}: " if len(every) > 1 else ""
        yield from (
            f"{whose}{line}"
            for line in _own(row, [each for each in every_component if each["model_id"] == row["model_id"]])
        )
    if len(every) > 1 and training_flop is not None:
        sums = " + ".join(f"{row['own_training_flop']:.4g}" for row in every)
        yield f"sum of its own training and its base models': {sums} = {training_flop:.4g} FLOP"


def variance_shares(row: Row) -> list[tuple[str, float]]:
    """Each input's share of the variance of the headline of a row of `reconciliations`, the largest first; none where there is no headline."""
    found = {name.removeprefix("variance_"): row[name] or 0.0 for name in row if name.startswith("variance_")}
    total = fsum(found.values())
    shares = [(name, variance / total) for name, variance in found.items()] if total > 0 else []
    return sorted(shares, key=lambda share: -share[1])


def _own(row: Row, components: Sequence[Row]) -> Iterator[str]:
    method = row["headline_method"]
    if method is None:
        yield "no estimate: neither method has all its inputs"
        return
    spread_of = (
        f"{row['own_training_flop']:.4g} x/÷ {e ** row['own_log_sd']:.3g} (one standard deviation of the logarithm)"
    )
    yield f"{_METHODS[HeadlineMethod(method)]}: {spread_of}"
    for each in sorted(components, key=lambda one: -one["weight_fraction"]):
        yield (
            f"{each['weight_fraction']:.4g}: {_COMPONENTS[Component(each['component'])]},"
            f" {each['median_flop']:.4g} x/÷ {e ** each['log_sd']:.3g}"
        )
    if row["gpu_time_weight_fraction"] > 0:
        yield f"the GPU time is {GPU_TIME_REASONS[GpuTimeReason(row['gpu_time_used_reason'])]}"
        if row["other_format_share_fraction"] is not None:
            times = row["other_format_peak_flop"] / row["chip_peak_flop"]
            yield (
                f"the number format was inferred: at the chips' other one GPU time is {times:.3g}x as large, with a probability of"
                f" {row['other_format_share_fraction']:.2g} by itself and {row['other_format_weight_fraction']:.2g} here"
            )
    if method == HeadlineMethod.MIXTURE and row["independence"] == Independence.SHARED_INPUT:
        yield f"both rest on one fact, {row['shared_input']}: its variance, {row['shared_variance']:.3g} of the logarithm, enters once"
    if row["independence"] == Independence.CIRCULAR:
        yield "one method was worked out from the other: the better founded is used alone"
    if row["reported_unused_reason"]:
        yield f"the authors' {row['reported_flop']:.4g} FLOP is not used: {unused_report([row])}"
    elif row["reported_flop"] is not None and row["reported_weight_fraction"] == 0:
        yield f"the authors' {row['reported_flop']:.4g} FLOP makes a gross error of the same method less likely; ours is better founded"


_METHODS = {
    HeadlineMethod.REPORTED: "what the authors report",
    HeadlineMethod.MIXTURE: "median of a mixture of both methods, weighted by how likely each hypothesis makes their ratio",
    HeadlineMethod.OPERATION_COUNT: "the operation count alone",
    HeadlineMethod.GPU_TIME: "the GPU time alone",
}
_COMPONENTS = {
    Component.BOTH: "both are right",
    Component.OPERATION_COUNT: "the operation count is right",
    Component.GPU_TIME: "the GPU time is right",
    Component.REPORTED: "what the authors report is right",
    Component.NEITHER: "gross error of all that is known",
    Component.OTHER_FORMAT: "the GPU time is right, at the chips' other number format",
}
