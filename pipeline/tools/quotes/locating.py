"""Find the words of a quote in a document, even if punctuation, spaces and line breaks differ."""

import re
import unicodedata
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from enum import StrEnum
from functools import cached_property

from pipeline.tools.quotes.documents import Document, Kind, Passage
from pipeline.tools.quotes.latex_words import words as words_of_latex
from schemas.written import amounts, plain

LEAST_LETTERS = 10  # shorter quotes match only as whole words
NEARLY = 0.8  # share of a quote's words that must appear in one place, in order
# Characters that appear in copied formulas.
GARBLED = re.compile(r"\S*(?:superscript|subscript|\\[a-zA-Z]+|[\U0001D400-\U0001D7FF⇥⇡✓])\S*")
CITATION = re.compile(r"\(?[A-Z][\w-]+ (?:et al\.?|(?:and|&) [A-Z][\w-]+),? ?\(?(?:19|20)\d\d[a-z]?\)*|\[[\d, ]+\]")
TAG = re.compile(r"</?(?:td|tr|th|b|i|br|strong|em|sup|sub|span|code)\b[^<>]*>")
WORD = re.compile(r"[^\W_]+(?:\.\d+)?")


class Match(StrEnum):
    """How much of a quote was found in a document."""

    VERBATIM = "verbatim"  # all letters and digits, in order
    CELLS = "cells of a row"  # all words, in order, in one row of a table, with other cells in between
    BUT_FORMULAS = "but formulas"  # all words except formulas and the figures in them
    NEARLY = "nearly"
    NUMBERS = "only its numbers"  # the document has the quote's numbers, but not its words in one place
    ABSENT = "absent"


@dataclass(frozen=True)
class Location:
    """The place of a quote. `others` lists further places with the same words, and `differing` the words that the document lacks."""

    match: Match
    passage: Passage | None = None
    others: tuple[str, ...] = ()
    differing: tuple[str, ...] = ()


def letters(text: str) -> str:
    """Return only the letters and digits in a text, in lower case.

    >>> letters("2.56 × 10^24 FLOPs") == letters("2.56×10²⁴ flops")
    True
    """
    return "".join(sign for sign in unicodedata.normalize("NFKC", text).lower() if sign.isalnum())


class Index:
    """An index of one publication's files, in which many quotes can be looked up."""

    def __init__(self, documents: Iterable[Document]) -> None:
        """Join the letters of all passages into one text, so that a quote may span passages.

        `starts` holds the position at which each passage begins.
        """
        self.passages = [passage for document in documents for passage in document.passages]
        starts, parts, at = [], [], 0
        for passage in self.passages:
            starts.append(at)
            parts.append(letters(passage.text))
            at += len(parts[-1])
        self.starts, self.text = starts, "".join(parts)

    @cached_property
    def words(self) -> list[tuple[str, int]]:
        """Return each word of the publication with the number of its passage."""
        return [(word, number) for number, passage in enumerate(self.passages) for word in _words(passage.text)]

    @cached_property
    def pairs(self) -> dict[tuple[str, str], list[int]]:
        """Return the positions of each pair of consecutive words."""
        places_by_pair: dict[tuple[str, str], list[int]] = defaultdict(list)
        for place, (first, second) in enumerate(zip(self.words, self.words[1:], strict=False)):
            places_by_pair[first[0], second[0]].append(place)
        return places_by_pair

    @cached_property
    def worths(self) -> frozenset[float]:
        """Return every value that a number in the document can have."""
        return frozenset(
            worth for passage in self.passages for number in amounts(passage.text) for worth in number.worths
        )

    def locate(self, quote: str) -> Location:
        """Return the location of a quote: a verbatim match if there is one; otherwise a table row, a match without formulas, or a near match.

        If there is none of these, the match tells whether each number in the quote occurs somewhere in the document.
        """
        shown = TAG.sub(" ", quote)
        for written in dict.fromkeys((shown, words_of_latex(shown) if "\\" in shown or "$" in shown else shown)):
            location = self.verbatim(letters(written), written)
            if location:
                return location
        location = self.in_a_row(shown) or self.nearly(shown)
        numbers = amounts(shown) if location.match is Match.ABSENT else []
        if numbers and not any(self.worths.isdisjoint(number.worths) for number in numbers):
            return replace(location, match=Match.NUMBERS)
        return location

    def in_a_row(self, quote: str) -> Location | None:
        """Return the table row that begins with the quote's first word and has its other words in order; None if no word has a digit."""
        sought = _words(quote)
        if len(sought) < 2 or len(sought) > 12 or not any(re.search(r"\d", word) for word in sought):
            return None
        for passage in self.passages:
            if passage.kind is Kind.ROW:
                row = _words(passage.text)
                if row[:1] == sought[:1] and _in_order(sought, row):
                    return Location(Match.CELLS, passage)
        return None

    def verbatim(self, sought: str, written: str) -> Location | None:
        """Return the location of the passages in which these letters begin, or None. A short quote matches only whole words."""
        if not sought:
            return None
        numbers: list[int] = []
        at = self.text.find(sought)
        while at >= 0 and len(numbers) < 50:
            number = self.passage_at(at)
            if len(sought) >= LEAST_LETTERS or _holds_words(self.passages[number].text, written):
                numbers.append(number)
            at = self.text.find(sought, at + 1)
        if not numbers:
            return None
        matching = [self.passages[number] for number in numbers]
        # Prefer rendered text to headings and Markdown source, unless the words occur nowhere else.
        passages = [passage for passage in matching if passage.kind not in (Kind.HEADING, Kind.SOURCE)] or matching
        places = list(dict.fromkeys(passage.where for passage in passages))
        differing = min((_other_numbers(written, passage.text) for passage in passages), key=len)
        return Location(Match.NEARLY if differing else Match.VERBATIM, passages[0], tuple(places[1:]), differing)

    def passage_at(self, place: int) -> int:
        """Return the number of the passage that contains the letter at this position."""
        return bisect_right(self.starts, place) - 1

    def nearly(self, quote: str) -> Location:
        """Return the location with the most words of the quote in order, or an absent location if too few match."""
        sought = _words(GARBLED.sub(" ", CITATION.sub(" ", quote)))
        if len(sought) < 4:
            return Location(Match.ABSENT)
        votes: Counter[int] = Counter()
        for place, pair in enumerate(zip(sought, sought[1:], strict=False)):
            for at in self.pairs.get(pair, ())[:200]:
                # Each shared pair of words votes for the position at which the quote would begin, and less for its neighbours,
                # because a word may be missing or added.
                for shift in (-1, 0, 1):
                    votes[at - place + shift] += 2 if shift == 0 else 1
        best = _Alignment(0, 0, (), False)
        for start, _ in votes.most_common(5):
            window = self.words[max(start - 2, 0) : start + len(sought) + 6]
            aligned = _aligned(sought, window)
            best = max(best, aligned, key=lambda location: location.same)
        share = best.same / len(sought)
        is_formulas = not best.is_replaced and all(re.search(r"\d", word) or len(word) == 1 for word in best.differing)
        if share >= NEARLY or (is_formulas and best.same >= 5 and share >= NEARLY / 2):
            match = Match.BUT_FORMULAS if is_formulas else Match.NEARLY
            return Location(match, self.passages[best.number], (), best.differing)
        return Location(Match.ABSENT, None, (), best.differing)


@dataclass(frozen=True)
class _Alignment:
    same: int  # number of matching words
    number: int  # index of the passage
    differing: tuple[str, ...]
    is_replaced: bool  # whether a figure in the quote differs in the document


def _aligned(sought: list[str], window: list[tuple[str, int]]) -> _Alignment:
    """Align the words of a quote with the words in a window of the text."""
    matcher = SequenceMatcher(None, sought, [word for word, _ in window], autojunk=False)
    blocks = [block for block in matcher.get_matching_blocks() if block.size]
    if not blocks:
        return _Alignment(0, 0, tuple(sought), False)
    matched_places = {place for block in blocks for place in range(block.a, block.a + block.size)}
    is_replaced = any(
        kind == "replace" and any(re.search(r"\d", word) for word, _ in window[start:end])
        for kind, _, _, start, end in matcher.get_opcodes()
    )
    differing = tuple(word for place, word in enumerate(sought) if place not in matched_places)
    return _Alignment(len(matched_places), window[blocks[0].b][1], differing, is_replaced)


def _words(text: str) -> list[str]:
    return WORD.findall(unicodedata.normalize("NFKC", text).lower())


def _other_numbers(quote: str, passage: str) -> tuple[str, ...]:
    """Return the quote's numbers that the passage lacks although it has the same digits, such as 1.5 if the passage has 15."""
    if letters(quote) not in letters(passage):  # the quote does not end in this passage
        return ()
    worths = {worth for number in amounts(passage) for worth in number.worths}
    text = plain(quote)
    return tuple(text[number.start : number.end] for number in amounts(quote) if worths.isdisjoint(number.worths))


def _in_order(sought: list[str], among: list[str]) -> bool:
    rest = iter(among)
    return all(word in rest for word in sought)


def _holds_words(text: str, written: str) -> bool:
    pattern = r"\W*".join(re.escape(word) for word in re.findall(r"\w+", written))
    return re.search(rf"(?<!\w){pattern}(?!\w)", text, re.IGNORECASE) is not None
