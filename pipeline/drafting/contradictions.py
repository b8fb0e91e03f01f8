"""Where the first candidate of a kind is sure and is not what the record has from the same publication."""

from collections import defaultdict
from collections.abc import Iterator, Mapping

from pipeline.drafting import ranking
from pipeline.drafting.candidates import Extractor
from pipeline.drafting.documents import Document
from pipeline.drafting.known import Known, known_facts
from pipeline.drafting.locating import Index
from pipeline.drafting.names import Target
from schemas.records import Model


def of_record(
    record: Model, source: str, document: Document, target: Target, chips: Mapping[str, str]
) -> Iterator[str]:
    """One line for every kind whose sure candidate is not among the record's values of this source."""
    stated: dict[str, list[Known]] = defaultdict(list)
    for fact in known_facts(record.name, record, document.name, source, Index(document)):
        stated[fact.kind].append(fact)
    occurrences = Extractor(target, chips).occurrences(document)
    for kind, candidates in ranking.ranked(occurrences).items():
        first = candidates[0]
        own = stated.get(kind, [])
        if not own or not first.is_sure or any(first.best.is_value(value) for fact in own for value in fact.values):
            continue
        if any(fact.sort != "as_is" for fact in own):
            continue  # the record worked it out; the text's figure is one of its factors
        values = ", ".join(
            f"{value:.6g}" if isinstance(value, float) else value for fact in own for value in fact.values
        )
        yield f"contradicts {kind}: the record has {values}, the text {first.written} ({first.best.passage.where}): “{first.quote}”"
