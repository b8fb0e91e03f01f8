"""The derivation of a headline as text, from `reconciliations` and `sentences`, so that it cannot differ from the published one."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pipeline.rules import sentences
from schemas.vocabulary import (
    EVIDENCE_CLASSES,
    GPU_TIME_REASONS,
    OUTSIDE_SOURCES,
    UNUSED_REPORTS,
    EvidenceClass,
    GpuTimeReason,
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
    """Why a reported total is not the headline; None where it is, or none is reported.

    `parts` are the model's and its bases' rows.
    """
    reasons = [UnusedReport(row["reported_unused_reason"]) for row in parts if row["reported_unused_reason"]]
    return UNUSED_REPORTS[reasons[0]] if reasons else None


def certainty(estimate: Row) -> str:
    """How sure a headline is, from its row of `estimates`.

    The word for it, and the class of the evidence that it rests on.
    """
    return (
        f"confidence: {estimate['confidence']}; evidence: {EVIDENCE_CLASSES[EvidenceClass(estimate['evidence_class'])]}"
    )


def dispute(texts: Row) -> Iterator[str]:
    """Why the two methods of a model dispute and what would settle it, from its row of `sentences`.

    Nothing where they do not.
    """
    if texts["dispute_sentence"]:
        yield f"  {texts['dispute_sentence']}"
        yield f"  would settle it: {texts['dispute_resolution']}"


def lines(parts: Iterable[Row], sentence: str | None, training_flop: float | None) -> Iterator[str]:
    """One line a fact about the headline; `parts` are the rows of `reconciliations` of the model, first, and of its bases, `sentence` its
    own in `sentences`."""
    every = list(parts)
    yield sentence or "no estimate: neither method has all its inputs"
    for row in every:
        whose = f"{row['model_id']}: " if len(every) > 1 else ""
        yield from (f"{whose}{line}" for line in _terms(row))
        if len(every) > 1:  # the sentence of a sum names no second estimate
            yield from (f"{whose}{line}" for line in sentences.second(row))
    if len(every) > 1 and training_flop is not None:
        sums = " + ".join(f"{row['own_training_flop']:.4g}" for row in every)
        yield f"sum of its own training and its base models': {sums} = {training_flop:.4g} FLOP"


def _terms(row: Row) -> Iterator[str]:
    if row["headline_method"] is None:
        return
    yield f"{EVIDENCE_CLASSES[EvidenceClass(row['evidence_class'])]}: {row['own_training_flop']:.4g} FLOP"
    if row["gpu_time_used_flop"] is not None:
        yield f"GPU time is {row['gpu_time_used_flop']:.4g} FLOP {GPU_TIME_REASONS[GpuTimeReason(row['gpu_time_used_reason'])]}"
    if row["independence"] == Independence.CIRCULAR:
        yield "one method was worked out from the other, so that the second widens nothing"
    if row["independence"] == Independence.SHARED_INPUT:
        yield f"both methods rest on one fact, {row['shared_input']}, so that the second widens nothing"
    if row["reported_unused_reason"]:
        yield f"the authors' {row['reported_flop']:.4g} FLOP is not compared: {unused_report([row])}"
