"""Look up a record's quotes in the text of its publications, and print how much of each was found."""

import json
import re
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from rapidfuzz import fuzz

from pipeline.base import deadline
from pipeline.base.text.numerals import amounts, worths
from pipeline.records import yaml_text
from schemas.records import Model

MATCHES = ("verbatim", "nearly", "only its numbers", "other numbers", "absent")
MOST_SECONDS, MOST_MEMORY_BYTES = 15, 1_000_000_000
_ARXIV = re.compile(r"\d{4}\.\d{4,5}")

MOST_BYTES = 100_000_000
NEARLY = 85  # percent of a quote's letters that must appear, in order, in one place
SHORTEST = 10  # letters; a shorter quote must appear as whole words
_MATH = re.compile(r'<math\b[^>]*?\balttext="([^"]*)".*?</math>', re.DOTALL)
_CITED = re.compile(r"\\(?:cite\w*|ref|label|url|href|footnote\w*|input|includegraphics)\*?(?:\[[^\]]*\])*\{[^{}]*\}")
_CITATION = re.compile(r"\[\d+(?:[,–-]\s*\d+)*\]")
_NAME = re.compile(r"\b[a-zA-Z]+\d\w*")  # such as V100
_COMMENT = re.compile(r"(?<!\\)%.*")
_COMMAND = re.compile(r"\\[a-zA-Z]+\*?|\\.")
_MACRO = re.compile(
    r"\\(?:(?:re)?newcommand\*?|def|DeclareMathOperator)\s*\{?\\([a-zA-Z]+)\}?\{((?:[^{}]|\{[^{}]*\})*)\}"
)
MOST_MACROS = 500
_SECTION = re.compile(r"\\(?:sub)*section\*?\{([^{}]*)\}")
_HEADING = re.compile(r"^\s*#{1,6}[ \t]+(.+)$", re.MULTILINE)
_LINK = re.compile(r"\]\([^()\s]*\)")
_TAG = re.compile(r"<[^<>]*>")


class UnreadableError(ValueError):
    """Raised if a file cannot be read as a publication. The message is one line."""


class Found(NamedTuple):
    """How a quote was found: one of MATCHES, and its place: a page of a PDF, or a heading."""

    match: str
    place: str | None = None


class Publication:
    """The text of a publication by place: each page of a PDF, or the text below each heading."""

    def __init__(self, path: Path) -> None:
        """Read a file. Raise UnreadableError if it is too large, or not a PDF, a page, TeX, Markdown or text."""
        try:
            if path.stat().st_size > MOST_BYTES:
                raise UnreadableError(f"{path}: has more than {MOST_BYTES:,} bytes")
            self.places = _places(path)
        except OSError as problem:
            raise UnreadableError(f"{path}: {problem.strerror}") from None
        self.letters = [letters(text) for _, text in self.places]
        self.whole = "".join(self.letters)
        self.numbers = worths(text for _, text in self.places)

    def find(self, quote: str) -> Found:
        """Return how much of a quote is in the publication."""
        plain = without_markup(quote)
        sought = letters(plain)
        if sought and sought in self.whole and (len(sought) >= SHORTEST or self._has_words(plain)):
            return Found("verbatim", self._place_of(sought))
        if len(sought) >= SHORTEST and fuzz.partial_ratio(sought, self.whole, score_cutoff=NEARLY):
            return Found("nearly" if self._has_numbers(plain) else "other numbers")
        return Found("only its numbers" if amounts(plain) and self._has_numbers(plain) else "absent")

    def _has_numbers(self, text: str) -> bool:
        """Return whether the publication has the text's numbers (not those of citations) and names with digits."""
        text = _CITATION.sub(" ", text)
        is_there = not any(self.numbers.isdisjoint(number.worths) for number in amounts(text))
        return is_there and all(letters(name) in self.whole for name in _NAME.findall(text))

    def _has_words(self, quote: str) -> bool:
        pattern = r"\W*".join(map(re.escape, re.findall(r"\w+", quote)))
        return any(re.search(rf"(?<!\w){pattern}(?!\w)", page, re.IGNORECASE) for _, page in self.places)

    def _place_of(self, sought: str) -> str | None:
        named = zip(self.places, self.letters, strict=True)
        return next((name for (name, _), inside in named if sought in inside and name), None)


def _places(path: Path) -> list[tuple[str | None, str]]:
    """Return the name of each place in a file, or None before the first heading, and its text."""
    if path.suffix.lower() == ".pdf":
        import pypdfium2

        try:
            pages = [page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(path)]
            return [(f"page {number}", text) for number, text in enumerate(pages, 1)]
        except pypdfium2.PdfiumError as problem:
            raise UnreadableError(f"{path}: cannot be read as a PDF ({problem})") from None
    written = path.read_text(encoding="utf-8", errors="replace")
    if path.suffix.lower() in (".html", ".htm", ".xhtml"):
        from selectolax.lexbor import LexborHTMLParser

        page = LexborHTMLParser(_MATH.sub(r" \1 ", written))
        page.strip_tags(["script", "style", "svg", "nav", "noscript"])
        for heading in page.css("h1, h2, h3, h4, h5, h6"):
            heading.replace_with(f"\n# {' '.join(heading.text(separator=' ').split())}\n")
        written = _COMMAND.sub(" ", page.text(separator=" "))
    if path.suffix.lower() == ".tex":
        written = _SECTION.sub(r"\n# \1\n", _COMMENT.sub("", written))
        for name, words in list(dict(_MACRO.findall(written)).items())[:MOST_MACROS]:
            written = re.sub(rf"\\{name}(?![a-zA-Z])", lambda _, words=words: words, written)
    before, *parts = _HEADING.split(written)
    named = zip(parts[::2], parts[1::2], strict=True)
    return [
        (None, without_markup(before)),
        *((name.strip(), without_markup(f"{name}\n{text}")) for name, text in named),
    ]


def with_places(written: str, places: Mapping[str, str]) -> str:
    """Return a record's text with `where` added after the source of each of these quotes, and otherwise unchanged."""
    text, _ = yaml_text.parse(written, "")
    quotes = dict(yaml_text.entries(text.node))["quotes"] if text else None
    insertions: list[tuple[int, str]] = []
    for name, quote in yaml_text.entries(quotes):
        if name in places:
            gap = ", " if quote.flow_style else "\n" + " " * quote.value[0][0].start_mark.column
            at = dict(yaml_text.entries(quote))["source"].end_mark.index
            insertions.append((at, f"{gap}where: {json.dumps(places[name], ensure_ascii=False)}"))
    for at, words in sorted(insertions, reverse=True):  # from the end, so that earlier positions remain valid
        written = written[:at] + words + written[at:]
    return written


def without_markup(text: str) -> str:
    """Return text without commands of LaTeX, addresses of Markdown links, and tags."""
    return _TAG.sub(" ", _LINK.sub("]", _COMMAND.sub(" ", _CITED.sub(" ", text).replace("\\%", "%"))))


def letters(text: str) -> str:
    """Return only the letters and digits of a text, in lower case.

    >>> letters("2.56 × 10^24 FLOPs") == letters("2.56×10²⁴ flops")
    True
    """
    return "".join(sign for sign in unicodedata.normalize("NFKC", text).lower() if sign.isalnum())


def source_of(record: Model, files: list[Path], given: str | None) -> str:
    """Return the source that the files belong to: `given`, the one with their arXiv number, or the only one."""
    keys = [
        key
        for key, source in record.sources.items()
        if source.url and any((number := _ARXIV.search(file.name)) and number[0] in source.url for file in files)
    ]
    keys = [given] if given else keys or [*record.sources]
    if len(keys) != 1 or keys[0] not in record.sources:
        raise UnreadableError(f"which source are these files? Give --source: {', '.join(record.sources)}")
    return keys[0]


def look_up(quotes: Mapping[str, str], files: list[Path]) -> dict[str, Found]:
    """Return how each quote was found in the best of the files, in limited time and memory if this is a child process.

    Raise UnreadableError if a file cannot be read or exceeds a limit.
    """
    message = f"{files[0]}: takes more than {MOST_SECONDS} s, or too much memory"
    deadline.shorten(MOST_SECONDS, 1, message)
    deadline.limit_memory(MOST_MEMORY_BYTES)
    try:
        publications = [Publication(file) for file in files]
        return {
            name: min((one.find(text) for one in publications), key=lambda found: MATCHES.index(found.match))
            for name, text in quotes.items()
        }
    except MemoryError:
        raise UnreadableError(message) from None
