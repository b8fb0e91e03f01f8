"""Look up a record's quotes in its publications, report where they were found, and add missing places to the record."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from pipeline.records import yaml_text
from pipeline.tools.quotes.documents import Document
from pipeline.tools.quotes.locating import Index, Location, Match, letters
from schemas.records import Model

WRITTEN = (Match.VERBATIM, Match.CELLS, Match.BUT_FORMULAS)  # good enough matches to add the place to the record
LEAST_LETTERS = 25  # if a quote with at least this many letters is found in several places, we take the first place
NUMBERED = re.compile(r"(?:section|table|appendix|figure) [\w.-]+")
ARXIV = re.compile(r"(\d{4}\.\d{4,5})(v\d+)?")


class CheckError(LookupError):
    """A file or key that belongs to none of the record's sources. The message is one line."""


@dataclass(frozen=True)
class Checked:
    """A record's quote and its location in a document. `stated` is the place given in the record, or None."""

    quote: str
    text: str
    stated: str | None
    location: Location

    @property
    def is_new(self) -> bool:
        """Return whether the document gives a place that the record lacks."""
        passage = self.location.passage
        is_one_place = not self.location.others or len(letters(self.text)) >= LEAST_LETTERS
        return (
            self.stated is None
            and self.location.match in WRITTEN
            and is_one_place
            and passage is not None
            and bool(passage.where)
        )

    @property
    def differs(self) -> bool:
        """Return whether the record and the document give different numbered places.

        A place within a stated place, as section 2.1 is within section 2, is not different. Sections are not compared with tables.
        """
        passage = self.location.passage
        if self.stated is None or passage is None or self.location.match not in WRITTEN:
            return False
        stated, located, others = (
            set(NUMBERED.findall(places)) for places in (self.stated, passage.where, " ".join(self.location.others))
        )
        is_of_one_kind = {part.split()[0] for part in stated} == {part.split()[0] for part in located}
        is_within = any(f"{here}.".startswith(f"{there}.") for here in located | others for there in stated)
        return bool(stated and located) and not is_within and is_of_one_kind


def source_of(record: Model, document: Document, given: str | None = None) -> str:
    """Return the key of the record's source that a document belongs to.

    This is `given`, or the source with the arXiv number in the document's name, or the only source with its title.
    Raise CheckError if there is no such source.
    """
    keys = ", ".join(record.sources)
    if given is not None:
        if given not in record.sources:
            raise CheckError(f"{given!r} is not a source of the record; its sources are {keys}")
        return given
    number = ARXIV.search(Path(document.name).name)
    for key, source in record.sources.items():
        cited = ARXIV.search(source.url or "")
        if number and cited and number[1] == cited[1]:
            return key
    titles = {key: letters(source.title) for key, source in record.sources.items()}
    title = letters(document.title)
    alike = [
        key
        for key, other in titles.items()
        if len(other) > 12 and title and (other in title or title in other and len(title) > 12)
    ]
    if len(alike) == 1:
        return alike[0]
    raise CheckError(f"{document.name}: which of the record's sources is it? Give --source: {keys}")


def check(record: Model, documents: list[Document], source: str) -> list[Checked]:
    """Return each quote from this source, looked up in all files of the source together."""
    index = Index(documents)
    return [
        Checked(name, quote.text, quote.where, index.locate(quote.text))
        for name, quote in record.quotes.items()
        if quote.source == source
    ]


def with_places(written: str, places: Mapping[str, str]) -> str:
    """Return a record's text with `where` added after the source of each of these quotes, and otherwise unchanged."""
    text, _ = yaml_text.parse(written, "")
    assert text is not None
    quotes = _value(text.node, "quotes")
    insertions: list[tuple[int, str]] = []
    for name, place in places.items():
        quote = _value(quotes, name)
        source = _value(quote, "source")
        assert isinstance(quote, yaml.MappingNode)
        assert source is not None
        words = '"' + place.replace("\\", "\\\\").replace('"', '\\"') + '"'
        column = quote.value[0][0].start_mark.column
        gap = ", " if quote.flow_style else "\n" + " " * column
        insertions.append((source.end_mark.index, f"{gap}where: {words}"))
    # From the end, so that earlier positions remain valid.
    for at, words in sorted(insertions, reverse=True):
        written = written[:at] + words + written[at:]
    return written


def _value(node: yaml.Node | None, key: str) -> yaml.Node | None:
    assert isinstance(node, yaml.MappingNode)
    return next((value for name, value in node.value if name.value == key), None)


def report(record: Model, documents: list[Document], source: str | None) -> dict[str, Any]:
    """Return the `lines` to print, the missing `places` by quote, and the names of `absent` quotes. Raise CheckError."""
    by_source: dict[str, list[Document]] = {}
    for document in documents:
        by_source.setdefault(source_of(record, document, source), []).append(document)
    lines, quotes = list[str](), list[Checked]()
    for key, files in by_source.items():
        checked = check(record, files, key)
        lines.append(f"{len(checked)} quotes of {key} in {', '.join(file.name for file in files)}")
        lines += [f"  {line}" for line in map(_line, checked)]
        quotes += checked
    absent = [quote.quote for quote in quotes if quote.location.match is Match.ABSENT]
    missing = (Match.ABSENT, Match.NUMBERS)
    lines.append(f"{sum(quote.location.match not in missing for quote in quotes)} of {len(quotes)} quotes were found")
    places = {quote.quote: quote.location.passage.where for quote in quotes if quote.is_new and quote.location.passage}
    return {"lines": lines, "places": places, "absent": absent}


def _line(checked: Checked) -> str:
    """Return one line of the report: how a quote matches, its name, its place, and what differs from the record."""
    location = checked.location
    parts = [location.match.value, checked.quote, location.passage.where if location.passage else ""]
    if location.others:
        parts.append(f"also {', '.join(location.others[:3])}")
    if location.differing:
        parts.append(f"not in the document: {' '.join(location.differing[:8])}")
    if checked.differs:
        parts.append(f"the record states {checked.stated}")
    return "  ".join(part for part in parts if part)
