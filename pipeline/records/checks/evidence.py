"""Checks of a record's evidence: that sources and quotes exist, are used, and contain the figures."""

import itertools
import re
from collections.abc import Iterator, Mapping
from typing import Any

from pipeline.base.text import numerals
from pipeline.records import evidence, meanings
from pipeline.records.checks.record import LoadedRecord, RecordChecks
from pipeline.records.yaml_text import Mistake, Steps
from schemas import records as schema
from schemas.facts import Fact, Quote, Seen, Utilization
from schemas.records import Architecture, GoldRuns, Measurement, Model, Setting
from schemas.vocabulary import KINDS_OF_EXAMPLES, OF_MAKERS, WORDS_OF_SOURCE, Evidence, SourceKind

# The words by which sources distinguish model FLOP from hardware FLOP in a utilization.
NAMED_AS = {
    "mfu": re.compile(r"\bMFU\b|model[- ]FLOPS?[- ]utili[sz]ation", re.IGNORECASE),
    "hfu": re.compile(r"\bHFU\b|hardware[- ]FLOPS?[- ]utili[sz]ation", re.IGNORECASE),
}
OTHER_SCRIPT = re.compile(r"[\u0400-\u04ff\u0590-\u06ff\u0900-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
LIST_MARK = re.compile(r"[-*+•·▪]\s|\d+[.)]\s")
WORDS_THERE = re.compile(r"(?:The paper's words|Quoted) there: (.+)", re.DOTALL)  # in the note of a fact from a table
SHORT_ROW = 40  # characters; a shorter quote must not consist only of table cells
NOTHING_SEEN = "needs a quote, or a source if nobody read its words"


class EvidenceChecks(RecordChecks):
    """Checks of the sources, quotes and facts of one record."""

    def __init__(self, loaded: LoadedRecord) -> None:
        super().__init__(loaded)
        # The raw content, because a fact that is invalid in another respect still names its quote.
        self.content = loaded.text.content
        self.is_stated_by_user = isinstance(self.record, Model) and self.record.stated_by_user
        named = self.record.assumptions if isinstance(self.record, Model) else {}
        self.assumptions = {name: assumption for name, assumption in named.items() if assumption is not None}
        self.wrong_assumptions = {str(name) for name in self._mapping("assumptions")} - set(self.assumptions)

    def mistakes(self) -> Iterator[Mistake]:
        """Yield every mistake in the evidence of the record."""
        yield from self._references()
        yield from self._repeated_quotes()
        yield from self._words()
        yield from self._unused_assumptions()
        yield from self._looked_in()
        figures = self._figures()
        for path, fact in schema.facts(self.record):
            yield from self._fact(fact, path, figures)
        for architecture, steps in self._architectures():
            yield from self._architecture(architecture, steps)
        yield from self._sources()
        yield from self._example_units()

    def _figures(self) -> dict[str, set[float]]:
        """Return the figures of each fact by path, as written and in its unit; "rows" has those of measured rows."""
        by_path = {path: _figures_of(fact) for path, fact in schema.facts(self.record)}
        rows = self.record.rows if isinstance(self.record, Measurement) else []
        sizes = (size for row in rows for size in (row.chips, row.batch, row.sequence_length, row.target_length))
        return {**by_path, "rows": {float(size) for size in sizes if size is not None}}

    def _sources(self) -> Iterator[Mistake]:
        """Yield a mistake for a model without sources (unless a user states it), and for each source without a kind."""
        if not isinstance(self.record, Model) or self.is_stated_by_user or not self.content:
            return
        if "sources" not in self.content:
            yield self._mistake("is missing; if the figures are your own, write stated_by_user: true", "sources")
        elif self.content["sources"] == {}:
            yield self._mistake("is empty; state at least one", "sources")
        for name, source in self.record.sources.items():
            if source is not None and source.kind is None:
                yield self._mistake(f"is missing; one of {', '.join(SourceKind)}", "sources", name, "kind")

    def _references(self) -> Iterator[Mistake]:
        """Yield a mistake for each source or quote that is named but missing, and for each quote that no fact names."""
        sources, quotes = ({str(name) for name in self._mapping(key)} for key in ("sources", "quotes"))
        used = set()
        for key, name, steps in _references(self.content):
            if key == "source" and sources and name not in sources:
                yield self._refusal(name, "one of this record's sources", sources, *steps)
            if key == "quote":
                used.add(name)
                if name not in quotes:
                    yield self._refusal(name, "one of this record's quotes", quotes, *steps)
        for name in self._mapping("quotes"):
            if str(name) not in used:
                yield self._mistake("is not used by any fact; name it in `quote:`, or delete it", "quotes", name)

    def _mapping(self, key: str) -> dict[Any, Any]:
        inner = self.content.get(key)
        return inner if isinstance(inner, dict) else {}

    def _repeated_quotes(self) -> Iterator[Mistake]:
        """Yield a mistake for each quote with the same words, source and place as an earlier quote."""
        first_with_words: dict[tuple[str, str, str], str] = {}
        for name, quote in self.record.quotes.items():
            if quote is not None:
                first_name = first_with_words.setdefault((quote.source, quote.text, quote.found_at), name)
                if first_name != name:
                    message = f"has the same words as {first_name!r}; keep one, and name it in both facts"
                    yield self._mistake(message, "quotes", name)

    def _words(self) -> Iterator[Mistake]:
        """Yield a mistake for each quote of a maker's source in other words than its own, and for each list mark."""
        for name, quote in self.record.quotes.items():
            source = self.record.sources.get(quote.source) if quote else None
            if quote is None or source is None:
                continue
            if source.kind in OF_MAKERS and quote.read_in not in (None, *WORDS_OF_SOURCE):
                cited = "cite what was read as a third_party source whose title names the work"
                message = f"is {quote.read_in}, but the source is of kind {source.kind}; {cited}"
                yield self._mistake(message, "quotes", name, "read_in")
            if source.kind in OF_MAKERS and quote.read_in is None and OTHER_SCRIPT.search(quote.text):
                written = "publication if the source is written so, otherwise translation"
                message = f"is not in Latin script; state read_in: {written}"
                yield self._mistake(message, "quotes", name, "text")
            if LIST_MARK.match(quote.text):
                message = f"begins with the list mark {quote.text.split()[0]!r}; leave it out"
                yield self._mistake(message, "quotes", name, "text")

    def _looked_in(self) -> Iterator[Mistake]:
        """Yield a mistake for each source that `missing` names but the record lacks."""
        sources = {str(source) for source in self._mapping("sources")}
        for index, missing in enumerate(self.record.missing if isinstance(self.record, Model) else []):
            for place, name in enumerate(missing.looked_in):
                if name not in sources:
                    steps = ("missing", index, "looked_in", place)
                    yield self._refusal(name, "one of this record's sources", sources, *steps)

    def _unused_assumptions(self) -> Iterator[Mistake]:
        if not self.assumptions:
            return
        used = {name for _, fact in schema.facts(self.record) if isinstance(fact, Fact) for name in fact.assumptions}
        for name in self.assumptions:
            if name not in used:
                yield self._mistake("is not used in any derived; name it there, or delete it", "assumptions", name)

    def _fact(self, fact: Seen, path: str, figures: Mapping[str, set[float]]) -> Iterator[Mistake]:
        """Yield a mistake if quotes do not support a fact or name another utilization, or nothing supports it."""
        quotes = self._quotes_of(fact)
        other_figures = {other: stated for other, stated in figures.items() if other != path} if fact.derived else {}
        doubt = evidence.doubt(fact, quotes, itertools.chain.from_iterable(other_figures.values()), self.assumptions)
        if doubt is None and isinstance(fact, Fact):
            doubt = meanings.doubt(str(steps_of(path)[-1]), fact, quotes)
        used_assumptions = fact.assumptions if doubt and isinstance(fact, Fact) else []
        # A doubt may come only from a wrong assumption, which is already reported.
        if doubt and self.wrong_assumptions.isdisjoint(used_assumptions):
            yield self._mistake(doubt, *steps_of(path))
        kind = fact.kind.value if isinstance(fact, Utilization) else path.rpartition("reported_")[2]
        if kind in NAMED_AS:
            kinds_named = [
                name for name, word in NAMED_AS.items() if any(word.search(quote.text) for quote in quotes.values())
            ]
            if kinds_named and kind not in kinds_named:
                quoted = f"quote {' and '.join(map(repr, quotes))}"
                message = f"is {kind.upper()}, but {quoted} mentions {kinds_named[0].upper()}"
                yield self._mistake(message, *steps_of(path))
        is_assumed = fact.evidence == Evidence.ASSUMED
        if not (fact.quote or fact.source or is_assumed or self.is_stated_by_user or isinstance(fact, Setting)):
            yield self._mistake(NOTHING_SEEN, *steps_of(path))

    def _example_units(self) -> Iterator[Mistake]:
        """Yield a mistake for each phase whose example unit does not fit the kinds of examples in its quotes."""
        for index, phase in enumerate(self.record.training if isinstance(self.record, Model) else []):
            quotes = self._quotes_of(phase.examples) if phase.examples else {}
            texts = [f"{quote.text} {quote.where or ''}" for quote in quotes.values()]
            kinds_named = {kind for text in texts for kind in numerals.examples(text)}
            if kinds_named and phase.example_unit and KINDS_OF_EXAMPLES[phase.example_unit].isdisjoint(kinds_named):
                quoted = f"quote {' and '.join(map(repr, quotes))}"
                message = f"is {phase.example_unit}, but {quoted} mentions {' and '.join(sorted(kinds_named))}"
                yield self._mistake(message, "training", index, "example_unit")

    def _quotes_of(self, fact: Seen) -> dict[str, Quote]:
        """Return the quotes of a fact by name; without any, the words that its note quotes."""
        if not fact.quote and (words := WORDS_THERE.match(fact.note or "")):
            return {"note": Quote.model_construct(text=words[1], where=None, source="")}
        quotes_by_name = ((name, self.record.quotes.get(name)) for name in fact.quote)
        return {name: quote for name, quote in quotes_by_name if quote is not None}

    def _architectures(self) -> Iterator[tuple[Architecture, Steps]]:
        if isinstance(self.record, Model):
            yield from ((network, steps_of(path)) for path, network in self.record.networks().items())
        if isinstance(self.record, Measurement | GoldRuns):
            for name, architecture in self.record.architectures.items():
                yield architecture, ("architectures", name)

    def _architecture(self, architecture: Architecture, steps: Steps) -> Iterator[Mistake]:
        """Yield a mistake for evidence without a source, unknown keys that it covers, and settings without evidence."""
        for index, cited in enumerate(architecture.evidence):
            if not (cited.quote or cited.source or self.is_stated_by_user):
                yield self._mistake(NOTHING_SEEN, *steps, "evidence", index)
            for key in cited.covers:
                if key not in architecture.settings:
                    place = (*steps, "evidence", index, "covers")
                    yield self._refusal(key, "a key of this architecture", architecture.settings, *place)
        covered = {"family", *(key for cited in architecture.evidence for key in cited.covers)}
        uncovered = [key for key in architecture.settings if key not in covered]
        if uncovered and architecture.source is None and not self.is_stated_by_user:
            yield self._mistake(f"needs a source: no evidence covers {', '.join(uncovered)}", *steps)


def _figures_of(fact: Seen) -> set[float]:
    if isinstance(fact, Fact):
        return {*fact.bounds, *fact.numbers}
    return {float(digits) for digits in re.findall(r"\d+(?:\.\d+)?", fact.value if isinstance(fact, Setting) else "")}


def is_bare_row(quote: Quote) -> bool:
    """Return whether a quote contains only table cells, so that it is unclear what its numbers describe."""
    is_row = "|" in quote.text or "&" in quote.text or not re.search(r"[A-Za-z]{3}", quote.text)
    return is_row and len(quote.text) < SHORT_ROW and quote.where is None


def _references(content: Any, steps: Steps = ()) -> Iterator[tuple[str, str, Steps]]:
    """Yield each reference to a source or quote in the content: its key (source or quote), the name, and its place."""
    for step, inside in content.items() if isinstance(content, dict) else enumerate(content):
        names = inside if step == "quote" and isinstance(inside, list) else [inside]
        if step in ("source", "quote") and all(isinstance(name, str) for name in names):
            yield from ((step, name, (*steps, step)) for name in names)
        elif isinstance(inside, dict | list):
            yield from _references(inside, (*steps, step))


def steps_of(path: str) -> Steps:
    """Return the keys and indices in a fact's path, such as `training[0].chip`."""
    parts: list[str | int] = []
    for part in path.replace("]", "").replace("[", ".").split("."):
        parts.append(int(part) if part.isdigit() else part)
    return tuple(parts)
