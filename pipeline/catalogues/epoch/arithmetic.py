"""Recompute the equations in notes on training compute: `6 * 41e9 parameters * 45e12 tokens = 1.1e25 FLOP`.

We read only products, quotients and sums of plain numbers. We skip brackets, results in a unit other than FLOP, and
units of time, because a wrong reading would be a false alarm.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from pipeline.catalogues.epoch.columns import name_of, row_number
from pipeline.catalogues.epoch.readings import searched
from schemas.limits import LARGEST_FLOP

TIMES = {
    "k": 1e3, "thousand": 1e3, "m": 1e6, "million": 1e6, "b": 1e9, "billion": 1e9, "t": 1e12, "trillion": 1e12,
}  # fmt: skip
_RAISED = re.compile(r"10([⁰¹²³⁴⁵⁶⁷⁸⁹]+)")
_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
COMPUTE, COMPUTE_NOTES = "Training compute (FLOP)", "Training compute notes"
_POWER = r"\s?[*×x·∗]\s?10\s?(?:\^|\*\*)\s?\{?(?P<power>\d{1,2})\}?|\s?[eE]\s?\+?(?P<exponent>\d{1,2})(?!\d)"
_SIZE = r"\s?(?P<size>thousand|million|billion|trillion|[KMBT])(?![a-zA-Z\d])"
_NUMBER = rf"(?P<digits>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?)(?:{_POWER}|{_SIZE})?(?![\d.]*\d)"
_TOKEN = re.compile(
    rf"(?P<number>(?<![\w.,]){_NUMBER})|(?P<sign>[*×·∗/+=≈]|(?<![a-z])x(?![a-z]))|(?P<word>[A-Za-z#][\w'’-]*)|(?P<end>\S|\n)",
    re.IGNORECASE,
)
_SIX_ND = re.compile(r"\b6\s?\*?\s?N\s?\*?\s?D\b|\b6\s?FLOP", re.IGNORECASE)
_UNREADABLE = re.compile(
    r"[kmgtpez](?:flop|f$)|peta|tera|exa|zetta|day|week|month|year|hour|minute|second|^(?:hrs?|h|s|ms|min)$",
    re.IGNORECASE,
)
_PARAMETERS, _TOKENS = re.compile(r"param", re.IGNORECASE), re.compile(r"token", re.IGNORECASE)
_PERCENT = re.compile(r"(?<![\d.])(\d{1,2}(?:\.\d+)?)\s?%")
_BASE, _SIZE_NAMED = re.compile(r"\bbase\s+model", re.IGNORECASE), re.compile(r"\s*\([^()]*\)$")
SIX = 6.0
MOST_WORDS = 7  # words after a number that may name its unit


class _Side:
    """The left side of an equation: its numbers, the sign before each number, and the words after the numbers.

    A side is broken if one of its factors is a symbol or in brackets.
    """

    def __init__(self, *, is_broken: bool = False) -> None:
        self.start = -1
        self.numbers: list[float] = []
        self.signs: list[str] = []
        self.words: list[str] = []
        self.sign = ""  # the last sign, if its number has not been read yet
        self.is_broken = is_broken

    def add(self, number: float, start: int) -> "_Side":
        """Return the side with one more number. A number with no sign before it starts a new side."""
        side = self if self.sign else _Side()
        if not side.numbers:
            side.start = start
        side.numbers.append(number)
        side.signs.append(side.sign or "*")
        side.sign = ""
        return side

    def operate(self, sign: str) -> None:
        """Record a sign, which must be followed by a number."""
        self.is_broken = self.is_broken or bool(self.sign) or not self.numbers
        self.sign = sign

    def value(self) -> float:
        """Return the value of the side."""
        terms: list[float] = []
        for sign, number in zip(self.signs, self.numbers, strict=True):
            if sign == "+" or not terms:
                terms.append(number)
            else:
                terms[-1] = terms[-1] / number if sign == "/" else terms[-1] * number
        return math.fsum(terms)


class Equation(NamedTuple):
    """An equation in a note: its text, our result and the stated result, and whether the equation lacks the factor six."""

    written: str
    computed: float
    stated: float
    lacks_six: bool


def read(note: str) -> tuple[list[Equation], list[float]]:
    """Return the equations in a note, and the values of all its products and sums, with or without a stated result.

    >>> read("6ND = 41e9 active parameters * 45e12 tokens = 1.845e+24 FLOP")[0]
    [Equation(written='41e9 active parameters * 45e12 tokens = 1.845e+24', computed=1.845e+24, stated=1.845e+24, lacks_six=True)]
    >>> read("5.8e24 FLOP + 15e23 more")[1]
    [7.3e+24]
    """
    text = _RAISED.sub(lambda power: f"10^{power[1].translate(_SUPERSCRIPT)}", searched(note))
    note_equations, side, is_result = [], _Side(), False
    sides = [side]
    for token in _TOKEN.finditer(text):
        if token["number"]:
            amount = _amount(token)
            # A result also begins the next side, as 6 does in "2 * 3 = 6 * 4 = 24".
            if is_result and len(side.numbers) > 1 and (equation := _equation(side, amount, text, token)):
                note_equations.append(equation)
            side, is_result = (_Side() if is_result else side).add(amount, token.start()), False
        elif token["sign"] in ("=", "≈"):
            side = _Side() if side.sign or side.is_broken else side
            is_result = True
        elif token["sign"]:
            side.operate({"/": "/", "+": "+"}.get(token["sign"], "*"))
            side.is_broken, is_result = side.is_broken or is_result, False
        elif token["word"] and not is_result and len(side.words) < MOST_WORDS * max(len(side.numbers), 1):
            side.words.append(token["word"])
            side.sign = "" if side.sign == "/" else side.sign  # FLOP / token is a unit
        elif token[0] != "~":
            side, is_result = _Side(), False
        if side is not sides[-1]:
            sides.append(side)
    return note_equations, [part.value() for part in sides if len(part.numbers) > 1 and not part.is_broken]


def _equation(side: _Side, stated: float, text: str, result: re.Match[str]) -> Equation | None:
    """Return the equation of a side with its stated result; None if a number may be misread or is implausible.

    An equation lacks the factor six if it is the product of only two numbers, named as parameters and tokens or announced
    as 6ND, neither of which is 2, 3 or 6.
    """
    unit, continuation = re.findall(r"^\s?(\w*)(\s?[*×·/^x(]\s?\(?\d)?", text[result.end() : result.end() + 20])[0]
    computed = side.value()
    is_unreadable = side.is_broken or continuation or any(map(_UNREADABLE.search, [*side.words, unit]))
    if is_unreadable or not 0 < min(computed, stated) <= max(computed, stated) < LARGEST_FLOP:
        return None
    is_named = any(map(_PARAMETERS.search, side.words)) and any(map(_TOKENS.search, side.words))
    is_announced = _SIX_ND.search(text[max(0, side.start - 20) : side.start])
    is_pair = len(side.numbers) == 2 and side.signs[1] == "*" and not {2.0, 3.0, SIX} & {*side.numbers}
    written = " ".join(text[side.start : result.end()].split())
    return Equation(written, float(f"{computed:.6g}"), stated, is_pair and bool(is_named or is_announced))


def _amount(number: re.Match[str]) -> float:
    value = float(number["digits"].replace(",", ""))
    size = number["size"]
    return value * (TIMES[size.lower()] if size else 10.0 ** int(number["power"] or number["exponent"] or 0))


def _is_named(model: str, note: str) -> bool:
    return model in note and re.search(rf"(?<!\w){re.escape(model)}(?!\w)", note) is not None


def rows(table: Iterable[Mapping[str, str]]) -> Iterator[dict[str, object]]:
    """Yield rows of `catalogue_notes`: each equation and figure in the notes of Epoch's table, with the compute of the note's row.

    Figures are numbers in the note, values of products, growth by a percentage, and the compute of base models that the
    note names.
    """
    table_rows = list(table)
    # `known` lists every row's name, without a size in brackets, and compute: a note may name any of them as its base.
    known = [(_SIZE_NAMED.sub("", name_of(row)), row_number(row, COMPUTE)) for row in table_rows]
    for source_row, row in enumerate(table_rows, 1):
        note, value = row.get(COMPUTE_NOTES) or "", row_number(row, COMPUTE)
        if not note:
            continue
        name = name_of(row)
        row_columns = {"source_row": source_row, "name": name, "table_flop": value}
        equations, figures = read(note)
        text = searched(note)
        figures += [_amount(token) for token in _TOKEN.finditer(text) if token["number"]]
        figures += [1 + float(percent[1]) / 100 for percent in _PERCENT.finditer(text)]
        if _BASE.search(note):
            figures += [flop for base, flop in known if flop and base != name and _is_named(base, note)]
        bare_figures = [Equation("", figure, math.nan, False) for figure in figures if 0 < figure < LARGEST_FLOP]
        for place, equation in enumerate([*equations, *bare_figures], 1):
            yield row_columns | {
                "note_place": place,
                "note_flop": equation.computed,
                "note_result_flop": equation.stated if equation.written else None,
                "note_equation": equation.written or None,
                "lacks_six": equation.lacks_six,
            }
