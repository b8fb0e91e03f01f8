"""What a number in a quote means, by the words next to it and by the heading of its column.

A quote may have a fact's number and be about something else: in "16 days on 64 GPUs", 16 is no number of chips.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from pipeline.base.text import numerals
from schemas.arithmetic import arithmetic, numbers
from schemas.facts import Fact, Quote

WORDS: dict[str, Any] = yaml.safe_load(Path(__file__).with_suffix(".yml").read_text(encoding="utf-8"))
MEANINGS = WORDS["meanings"]
FACTS = {fact for meaning in MEANINGS.values() for fact in meaning.get("fits", ())}


def _any(side: str) -> str:
    return "|".join(f"(?P<m{place}>{words[side]})" for place, words in enumerate(MEANINGS.values()) if side in words)


AFTER = re.compile(
    rf"[ \-–~*$}}]*(?:(?!(?:{WORDS['between']})\b)[^\W\d][\w/-]*[ -]+){{0,3}}?(?:{_any('after')})(?![\w-])",
    re.IGNORECASE,
)
BEFORE = re.compile(
    rf"(?<![\w-])(?<!\d )(?:{_any('before')})(?:\s+(?:of|is|was|to)|\s*[:=])?[\s~*|&]*(?:about |around )?$",
    re.IGNORECASE,
)
UP_TO = re.compile(rf"\b{WORDS['bound']}\s+[~$]?$", re.IGNORECASE)
CELL = re.compile(r"\s*(?:\||&(?!#?\w+;)|\t|</t[dh]>\s*<t[dh][^>]*>)\s*")
COLUMNS = re.compile(r"\bcolumns?:? ([^;:.]+(?:\.(?! |$)[^;:.]*)*)", re.IGNORECASE)
NEXT = re.compile(r", (?:and )?| and | & | \| ")


def doubt(key: str, fact: Fact, quotes: Mapping[str, Quote]) -> str | None:
    """Return why the number of the fact `key` means something else in its quotes, or is in another column, or None."""
    derived = [arithmetic(number) or 0.0 for number in numbers(numerals.in_digits(fact.derived or ""), scales=True)]
    places = [*_places({*fact.numbers, *fact.bounds, *derived}, fact, quotes)]
    if fact.column and fact.column not in (above := [_heading(*place) for place in places]):
        where = f"is under {above[0]!r}" if above and above[0] else "is under no heading that `where:` names"
        return f"{where}, not under its column {fact.column!r}; correct one of them"
    if key not in FACTS or not places or fact.assumptions or len(derived) > 1:
        return None
    meanings = [_meaning(text, amount) for text, amount, _ in places]
    if all(meaning and key not in MEANINGS[meaning].get("fits", ()) for meaning in meanings):
        effect = MEANINGS[meanings[0]].get("effect", "add the arithmetic that leads to it")
        return f"{fact.written} is {meanings[0]} in the quote; correct it, or {effect} in derived"
    bounds = [UP_TO.search(text[: amount.start]) for text, amount, _ in places]
    if None in bounds or fact.bound or fact.is_range or fact.note or key in MEANINGS["a length"]["fits"]:
        return None
    return f"is a bound in the quote (“{bounds[0][1]}”); write at_most, or the reason in a note"


def _places(
    worths: Collection[float], fact: Fact, quotes: Mapping[str, Quote]
) -> Iterator[tuple[str, numerals.Amount, list[str]]]:
    """Yield the texts of quotes with one of these numbers, the number, and the headings that are named."""
    for quote in quotes.values():
        for amount in numerals.amounts(quote.text):
            if amount.worths.intersection(worths):
                yield numerals.plain_text(quote.text), amount, _headings(f"{quote.where or ''}; {fact.note or ''}")


def _meaning(text: str, amount: numerals.Amount) -> str | None:
    if words := BEFORE.search(text[: amount.start][-60:]) or AFTER.match(amount.after):
        return [*MEANINGS][int(words.lastgroup[1:])]
    return "an article" if text[amount.start : amount.end].lower() in ("a", "an") else None


def _headings(where: str) -> list[str]:
    """Return the headings of columns that a place names, as in "table 3, columns GPUs, time (h) and tokens"."""
    named = COLUMNS.search(where)
    return [name for words in NEXT.split(named[1]) if (name := words.strip(" '“”"))] if named else []


def _heading(text: str, amount: numerals.Amount, named: list[str]) -> str | None:
    """Return the heading of a number's column; None unless there is one for each cell, or each but the row's name."""
    start, end = text.rfind("\n", 0, amount.start) + 1, (text + "\n").find("\n", amount.end)
    cells = CELL.split(text[start:end])
    unnamed = len(cells) - (not cells[0]) - (not cells[-1]) - len(named)
    place = len(CELL.findall(text[start : amount.start])) - (not cells[0]) - unnamed
    return named[place] if len(cells) > 1 and unnamed in (0, 1) and place >= 0 else None
