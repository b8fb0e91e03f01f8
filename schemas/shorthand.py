"""Numbers as people write them: 7B, 2T, 350k, 1.5e12, 1,307, 40%, and ranges of them, 5..6."""

import re
import unicodedata

EXPONENTS = {"%": -2, "k": 3, "m": 6, "b": 9, "t": 12, "thousand": 3, "million": 6, "billion": 9, "trillion": 12}
NUMBER = re.compile(
    r"(?P<digits>[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d*)?)(?:e(?P<exponent>[-+]?\d{1,9}))?\s?"
    r"(?P<letter>thousand|million|billion|trillion|[kmbt%]?)",
    re.IGNORECASE | re.ASCII,
)
POWER = re.compile(  # 10^25, 2 x 10^25
    r"(?:(?P<factor>\d+(?:\.\d+)?)\s?[x×*]\s?)?10\s?(?:\^|\*\*)\s?(?P<exponent>[-+]?\d{1,3})", re.ASCII
)
LONGEST = 40  # characters of a number shown in a message
EXAMPLES = "write for example 7B, 350k, 1.5e12, or a range 5..6"


class ShorthandError(ValueError):
    """Raised for text that is not a number of this kind; the message is one line with the text and an example."""


def ends(written: str) -> tuple[float, float]:
    """Return both ends of a range, or a single number twice. A number that is too large for a float becomes infinite.

    A letter at the end of a range applies to both ends, unless the low end would then exceed the high end.

    >>> ends("7B"), ends("1.5e12"), ends("40%")
    ((7000000000.0, 7000000000.0), (1500000000000.0, 1500000000000.0), (0.4, 0.4))
    >>> ends("5..6k"), ends("500..1k"), ends("5..6 billion")
    ((5000.0, 6000.0), (500.0, 1000.0), (5000000000.0, 6000000000.0))
    >>> ends("8..7B")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    schemas.shorthand.ShorthandError: '8..7B' has its higher end first, or lacks a letter; write for example 7B, ...

    Raise ShorthandError.
    """
    low, dots, high = written.partition("..")
    if dots and not (low.strip() and high.strip()):
        raise ShorthandError(f"{_excerpt(written)} is half a range; {EXAMPLES}")
    ends_of_range = number(low), number(high if dots else low)
    letter, letter_of_low = (_letter(end) for end in (high, low))
    if dots and letter and not letter_of_low:
        scaled = number(f"{low.strip()}{letter}")
        # In "8..7B", neither 8 nor 8B is a plausible low end: one is too far below, the other is above the high end.
        if scaled > ends_of_range[1] > 1000 * ends_of_range[0]:
            raise ShorthandError(f"{_excerpt(written)} has its higher end first, or lacks a letter; {EXAMPLES}")
        return (scaled if scaled <= ends_of_range[1] else ends_of_range[0]), ends_of_range[1]
    if ends_of_range[0] > ends_of_range[1]:
        raise ShorthandError(f"{written} is in descending order; write {high.strip()}..{low.strip()}")
    return ends_of_range


def _letter(written: str) -> str:
    """Return the letter or the word after a number; empty if there is none."""
    parts = NUMBER.fullmatch(written.strip())
    return parts["letter"] if parts else ""


def number(written: str) -> float:
    """Return the number in a text of this kind. Raise ShorthandError."""
    power = POWER.fullmatch(written.strip())
    if power is not None:
        return float(f"{power['factor'] or 1}e{power['exponent']}")
    parts = NUMBER.fullmatch(written.strip())
    if parts is None or not re.search(r"\d", parts["digits"]):
        raise ShorthandError(f"{_excerpt(written)} is not a number; {_suggestion(written)}{EXAMPLES}")
    exponent = int(parts["exponent"] or 0) + EXPONENTS.get(parts["letter"].lower(), 0)
    return float(f"{parts['digits'].replace(',', '')}e{exponent}")  # exact, unlike 1.3 * 1e9


def _suggestion(written: str) -> str:
    """Return a hint with Latin digits, a decimal point and letters for words; empty if that is not a number either."""
    latin = "".join(str(unicodedata.digit(sign, sign)) for sign in written.strip()[:LONGEST])
    meant = re.sub(r"(?<=[\d ][kmbt])[a-z]+$", "", latin.replace(",", "."), flags=re.IGNORECASE).replace(" ", "")
    return f"did you mean {meant}? " if meant != written and NUMBER.fullmatch(meant) and re.search(r"\d", meant) else ""


def _excerpt(written: str) -> str:
    return repr(written if len(written) <= LONGEST else f"{written[:LONGEST]}…")
