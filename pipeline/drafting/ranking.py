"""Which candidate of a kind is the model's: occurrences weighed by what speaks for them, joined by value.

The score of an occurrence is the weighted sum of its features; the probability of a value is the share of its occurrences in
sum exp(score), among them `nothing`, the score of a kind that the publication does not state. Weights are fitted
(tests/benchmarks/draft_accuracy.py, weights.json) to the facts that records quote.
"""

import json
import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pipeline.drafting.candidates import Occurrence
from pipeline.drafting.quotes import quote_of

WEIGHTS = Path(__file__).with_name("weights.json")
MOST_REASONS = 4
SURE = 0.8  # probability from which a candidate is marked; accuracy.py says how many of those are right
NOTHING = "nothing: "
NO_REASON = re.compile(
    r": size|: wording|words between|^an? \w+$|place in the document|: (?:column|row) of a table|: in a table|: named|: configuration"
)


@dataclass(frozen=True)
class Candidate:
    """A value that may be a fact, with its best occurrence. `why` are the features that weigh most, for or against it."""

    kind: str
    value: float | str
    written: str
    derived: str | None
    best: Occurrence
    occurrences: tuple[Occurrence, ...]
    probability: float
    why: tuple[str, ...]

    @property
    def quote(self) -> str:
        """The words around its best occurrence."""
        return quote_of(self.best.passage.text, self.best.start, self.best.end)

    @property
    def is_sure(self) -> bool:
        """Whether it is marked as sure."""
        return self.probability >= SURE


@cache
def fitted() -> dict[str, float]:
    """The fitted weight of every feature."""
    return json.loads(WEIGHTS.read_text(encoding="utf-8"))["weights"] if WEIGHTS.exists() else {}


def score(features: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """The weighted sum of features; one without a weight counts nothing."""
    return sum(weights.get(name, 0.0) * value for name, value in features.items())


def ranked(occurrences: Iterable[Occurrence], weights: Mapping[str, float] | None = None) -> dict[str, list[Candidate]]:
    """The candidates of every kind, the most probable first."""
    weights = fitted() if weights is None else weights
    by_kind: dict[str, list[Occurrence]] = defaultdict(list)
    for occurrence in occurrences:
        by_kind[occurrence.kind].append(occurrence)
    return {kind: _of_kind(kind, of_kind, weights) for kind, of_kind in by_kind.items()}


def grouped(occurrences: Iterable[Occurrence]) -> list[list[Occurrence]]:
    """Occurrences of one kind by value, in the order of the first of each."""
    groups: list[list[Occurrence]] = []
    for occurrence in occurrences:
        group_of_value = next((group for group in groups if group[0].is_value(occurrence.value)), None)
        if group_of_value is None:
            groups.append([occurrence])
        else:
            group_of_value.append(occurrence)
    return groups


def _of_kind(kind: str, occurrences: list[Occurrence], weights: Mapping[str, float]) -> list[Candidate]:
    scored = {id(occurrence): score(occurrence.features, weights) for occurrence in occurrences}
    highest = max(0.0, *scored.values())
    total = math.exp(weights.get(NOTHING + kind, 0.0) - highest) + sum(
        math.exp(value - highest) for value in scored.values()
    )
    candidates = []
    for group in grouped(occurrences):
        best = max(group, key=lambda occurrence: (not _is_of_name(occurrence), scored[id(occurrence)]))
        probability = sum(math.exp(scored[id(occurrence)] - highest) for occurrence in group) / total
        stated = (best.kind, best.value, best.written, best.derived)
        candidates.append(Candidate(*stated, best, tuple(group), probability, _why(best, group, weights)))
    return sorted(candidates, key=lambda candidate: -candidate.probability)


def _is_of_name(occurrence: Occurrence) -> bool:
    # "OPT-175B" has the figure, and a sentence that says it in words is the better quote.
    return (
        occurrence.features.get("parameters: wording 6", 0.0) > 0
        and sum(": wording" in name for name in occurrence.features) == 1
    )


def _why(best: Occurrence, group: list[Occurrence], weights: Mapping[str, float]) -> tuple[str, ...]:
    parts = {
        name: weights.get(name, 0.0) * value for name, value in best.features.items() if not NO_REASON.search(name)
    }
    order = sorted(parts, key=lambda name: -abs(parts[name]))[:MOST_REASONS]
    reasons = [f"{'+' if parts[name] > 0 else '−'} {name}" for name in order if abs(parts[name]) > 0.1]
    return (*reasons, *([f"+ stands {len(group)} times"] if len(group) > 1 else ()))
