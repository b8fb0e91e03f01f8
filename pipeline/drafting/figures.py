"""Figures as publications write them: 1.28 million, 2.56 × 10^24, 4.30E+23, 2^20, 512 * 2048, five."""

import math
import re
from dataclasses import dataclass

from schemas.arithmetic import COUNT_WORDS

SCALES = {
    "k": 1e3, "K": 1e3, "M": 1e6, "m": 1e6, "B": 1e9, "b": 1e9, "bn": 1e9, "G": 1e9, "T": 1e12,
    "thousand": 1e3, "million": 1e6, "millions": 1e6, "mn": 1e6, "mio": 1e6, "billion": 1e9, "billions": 1e9, "trillion": 1e12, "trillions": 1e12, "hundred": 1e2,
}  # fmt: skip
PLAIN = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:[\u2009\u202f ]\d{3})+(?![\d.])|\d+(?:\.\d+)?|\.\d+)"
SCALE = r"(?:[ -]?(?:[Tt]housand|[Mm]illions?|[Bb]illions?|[Tt]rillions?|hundred|mn|bn|[Mm]io)\b|[ ]?(?:[kKMBTG]|m|b)(?![A-Za-z0-9]))"
POWER = r"(?:\s?(?:×|·|x|\*|∗)\s?10\s?\^?\s?\{?[−–-]?\d{1,2}\}?|[eE][+]?\d{1,2}\b)"
# One figure: its number, then a power of ten or a scale, or a power alone; number words stand in WORDS.
FIGURE = rf"(?:10\s?\^\s?\d{{1,2}}|2\s?\^\s?\d{{1,2}}|{PLAIN}(?:{POWER})?(?:{SCALE})?)"
WORDS = (
    rf"(?:{'|'.join(sorted(COUNT_WORDS, key=len, reverse=True))})(?:[ -](?:hundred|thousand|million|billion|trillion))?"
)
EITHER = rf"(?:{FIGURE}|(?<![\w-]){WORDS}(?!\w))"
PRODUCT = rf"{PLAIN}(?:{SCALE})?\s?(?:×|\*|∗|x|·)\s?{PLAIN}(?:{SCALE})?"


@dataclass(frozen=True)
class Figure:
    """A figure of a text: its value, and how it follows from its words where they are not its digits alone."""

    value: float
    derived: str | None = None

    def times(self, factor: float, shown: str) -> "Figure":
        """The figure in a smaller unit, `shown` being the factor as `derived` writes it."""
        if factor == 1:
            return self
        base = (
            self.derived
            if self.derived and not self.derived.isalpha() and " " not in self.derived.replace(" * ", "")
            else f"{self.value:.15g}"
        )
        return Figure(self.value * factor, f"{base} * {shown}")


def figure(written: str) -> Figure | None:
    """The figure that a piece of text is; None where it is none.

    >>> figure("1.28 million"), figure("4.30E+23"), figure("2.56 × 10^24").derived, figure("eight"), figure("2^20").value
    (Figure(value=1280000.0, derived='1.28 * 1e6'), Figure(value=4.3e+23, derived=None), '2.56 * 10**24', Figure(value=8.0, derived='eight'), 1048576.0)
    >>> figure("1.5 Million").value, figure("512 * 2048")
    (1500000.0, Figure(value=1048576.0, derived='512 * 2048'))
    """
    text = written.strip().replace("\u2009", " ").replace("\u202f", " ").replace("−", "-").replace("–", "-")
    if re.fullmatch(WORDS, text.lower()):
        return _of_words(text.lower())
    power = re.fullmatch(r"(10|2)\s?\^\s?(\d{1,2})", text)
    if power:
        return Figure(float(int(power[1]) ** int(power[2])), f"{power[1]}**{power[2]}")
    product = re.fullmatch(rf"({PLAIN}(?:{SCALE})?)\s?(?:×|\*|∗|x|·)\s?({PLAIN}(?:{SCALE})?)", text)
    if product and not re.fullmatch(rf"{PLAIN}{POWER}", text):
        first, second = figure(product[1]), figure(product[2])
        if first and second:
            return Figure(first.value * second.value, f"{_shown(first)} * {_shown(second)}")
    parts = re.fullmatch(rf"({PLAIN})({POWER})?({SCALE})?", text)
    if not parts:
        return None
    number = parts[1].replace(",", "").replace(" ", "")
    if len(number) > 30:
        return None
    value, derived = float(number), None
    if parts[2]:
        exponent = re.search(r"(-?\d{1,2})\}?$", parts[2])
        assert exponent is not None
        value *= 10.0 ** int(exponent[1])
        if not re.match(r"\s?[eE]", parts[2]):
            derived = (
                f"{number} * 10**{exponent[1]}" if int(exponent[1]) >= 0 else f"{number} / 10**{-int(exponent[1])}"
            )
    if parts[3]:
        word = parts[3].strip(" -")
        scale = SCALES[word if len(word) == 1 else word.lower()]
        value *= scale
        derived = f"{derived or number} * {'1000' if scale == 1e3 else '100' if scale == 1e2 else f'1e{len(str(int(scale))) - 1}'}"
    return Figure(float(f"{value:.15g}"), derived)


def _of_words(text: str) -> Figure:
    parts = re.split("[ -]", text)
    value = float(COUNT_WORDS[parts[0]])
    for part in parts[1:]:
        value *= SCALES[part]
    return Figure(value, text.replace("-", " "))


def _shown(stated: Figure) -> str:
    return stated.derived or f"{stated.value:.15g}"


def shown(value: float) -> str:
    """A value as records write it: large round ones by thousands.

    >>> shown(175e9), shown(1.28e6), shown(2048), shown(2.56e24), shown(1.6666666666666667)
    ('175e9', '1.28e6', '2048', '2.56e24', '1.6666666666666667')
    """
    digits = f"{value:.15g}"
    if value < 1e5 or not float(value).is_integer():
        return f"{value:.17g}" if float(digits) != value else digits
    power = int(math.log10(value) + 1e-9)
    power = power // 3 * 3 if power < 15 else power
    mantissa = f"{value / 10**power:.12g}"
    return f"{mantissa}e{power}" if len(mantissa) <= 6 else f"{int(value)}" if value < 1e15 else digits


def is_same(one: float, other: float, tolerance: float = 5e-3) -> bool:
    """Whether two values are the same figure, up to rounding."""
    return abs(one - other) <= tolerance * max(abs(one), abs(other))
