"""Where the first candidate of a kind is sure and is not what the record has from the same publication."""

import math
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping

from pipeline.drafting import kinds, ranking
from pipeline.drafting.candidates import Extractor
from pipeline.drafting.documents import Document
from pipeline.drafting.locating import Match
from pipeline.drafting.names import Target
from schemas import records as schema
from schemas.facts import Fact, Seen
from schemas.records import Model, Setting


def of_record(
    record: Model, matches: Mapping[str, Match], document: Document, target: Target, chips: Mapping[str, str]
) -> Iterator[str]:
    """One line for every kind whose sure candidate is not among the record's values of this document.

    `matches` says of its quotes from there how far they stand in it. What the record worked out is left: the text's figure is
    one of its factors.
    """
    stated: dict[str, list[Seen]] = defaultdict(list)
    for path, fact in schema.facts(record):
        kind = kind_of(path)
        if kind and any(name in matches for name in fact.quote) and values_of(fact):
            stated[kind].append(fact)
    occurrences = Extractor(target, chips).occurrences(document)
    for kind, candidates in ranking.ranked(occurrences).items():
        first, facts = candidates[0], stated.get(kind, [])
        values = [value for fact in facts for value in values_of(fact)]
        is_plain = all(is_as_written(kind, fact) and stands(fact, matches) for fact in facts)
        if facts and is_plain and first.is_sure and not any(map(first.best.is_value, values)):
            shown = ", ".join(f"{value:.6g}" if isinstance(value, float) else value for value in values)
            yield (
                f"contradicts {kind}: the record has {shown}, the text {first.written}"
                f" ({first.best.passage.where}): “{first.quote}”"
            )


def kind_of(path: str) -> str | None:
    """The kind of a fact by its path in a record; None where it is none of the twenty."""
    last = re.sub(r"\[\d+\]$", "", re.sub(r" \(\d+\)$", "", path).split(".")[-1])
    return last if last in kinds.BY_NAME else None


def values_of(fact: Seen) -> tuple[float | str, ...]:
    """The values by which a text may state a fact."""
    if isinstance(fact, Setting):
        return (float(fact.value),) if re.fullmatch(r"\d+(\.\d+)?", fact.value) else ()
    if isinstance(fact, Fact):
        return tuple(dict.fromkeys(bound for bound in (*fact.bounds, fact.amount) if math.isfinite(bound)))
    return (str(getattr(fact, "value", "")),)


def stands(fact: Seen, matches: Mapping[str, Match]) -> bool:
    """Whether any of a fact's quotes stands in the text."""
    return any(matches.get(name, Match.ABSENT) is not Match.ABSENT for name in fact.quote)


def is_definition(kind: str, fact: Seen) -> bool:
    """Whether a fact is one pass over data that are tokens seen."""
    derived, note = fact.derived or "", getattr(fact, "note", None) or ""
    return kind == "epochs" and values_of(fact) == (1.0,) and ("/" in derived or "definition" in note)


def factors(fact: Seen) -> str:
    """The arithmetic of a fact, without powers of ten and units: 2^20 is one figure, as the text has it."""
    derived = re.sub(r"\b2\*\*\d+", "2", fact.derived or "")
    return re.sub(r"\b(?:1e\d+|10\*\*\d+|1000|100|3600|10\*\*-\d+)\b", "", re.sub("[()]", "", derived))


def is_as_written(kind: str, fact: Seen) -> bool:
    """Whether a fact is one figure of the text."""
    return not is_definition(kind, fact) and len(re.findall(r"\d[\d.]*", factors(fact))) < 2
