"""Numbers in HTML: powers of ten, intervals, sentences, positions on an axis; base/text/numbers.py has plain text."""

import math
import re
from collections.abc import Mapping
from typing import Any

from markupsafe import Markup, escape

from pipeline.base.text import numbers
from pipeline.base.text.numbers import UNKNOWN

RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
LOWERED = {raised: plain for plain, raised in RAISED.items()}
E_NOTATION = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)e\+?(-?)0*(\d+)(?!\w)")
FACTOR = re.compile(r"(?<=\d)x\b")


def parts(value: float) -> tuple[str, int]:
    """Return the mantissa, with three digits, and the exponent.

    >>> parts(2.5425e24), parts(9.999e5)
    (('2.54', 24), ('1.00', 6))
    """
    mantissa, _, exponent = f"{value:.2e}".partition("e")
    return mantissa, int(exponent)


def power(value: float | None) -> str:
    """Return a number as a power of ten, in plain text.

    >>> power(2.5425e24), power(1e25), power(None), power(640.0), power(4963.2)
    ('2.54 × 10²⁴', '10²⁵', '–', '640', '4,960')
    """
    if value is None:
        return UNKNOWN
    if value == 0 or 0.01 <= abs(value) < 1e4:
        return f"{float(f'{value:.3g}'):,g}"
    mantissa, exponent = parts(value)
    whole = f"10{str(exponent).translate(RAISED)}"
    return whole if value == float(f"1e{exponent}") else f"{mantissa} × {whole}"


def flop(value: float | None) -> Markup:
    """Return a number as a power of ten, in HTML.

    >>> flop(2.5425e24), flop(0.0)
    (Markup('2.54&nbsp;×&nbsp;10<sup>24</sup>'), Markup('0'))
    """
    return _superscript(power(value))


def total_text(row: Mapping[str, Any]) -> str:
    """Return the training compute of a row in plain text: the total, otherwise its lower bound.

    >>> total_text({"training_flop": None, "training_flop_at_least": 3.53e20})
    'at least 3.53 × 10²⁰'
    """
    least = row["training_flop_at_least"]
    return power(row["training_flop"]) if least is None else f"at least {power(least)}"


def total(row: Mapping[str, Any]) -> Markup:
    """Return `total_text` in HTML."""
    return _superscript(total_text(row))


def interval(low: float | None, high: float | None) -> Markup:
    """Return both ends of an interval in HTML, sharing a power of ten if it is the same.

    >>> interval(2.33e24, 2.77e24)
    Markup('2.33 to 2.77&nbsp;×&nbsp;10<sup>24</sup>')
    """
    return _superscript(interval_text(low, high))


def interval_text(low: float | None, high: float | None) -> str:
    """Return both ends of an interval in plain text, sharing a power of ten if it is the same.

    >>> interval_text(2.33e24, 2.77e24)
    '2.33 to 2.77 × 10²⁴'
    """
    if low is None or high is None:
        return UNKNOWN
    first = parts(low)[0] if low >= 1e4 and parts(low)[1] == parts(high)[1] else power(low)
    return f"{first} to {power(high)}"


def _superscript(text: str) -> Markup:
    """Return text as HTML, with `sup` for superscript digits and no line breaks around multiplication signs."""
    raised = re.sub(
        f"[{''.join(map(chr, LOWERED))}]+", lambda digits: f"<sup>{digits[0].translate(LOWERED)}</sup>", text
    )
    return Markup(raised.replace(" × ", "&nbsp;×&nbsp;"))


def readable(text: str) -> Markup:
    """Return a sentence in HTML, with powers of ten for `e24`, × for `x` and wide gaps, except in quotes.

    >>> readable('a <b> of 2.542e24   1.06x: "6 x 8"')
    Markup('a &lt;b&gt; of 2.542&nbsp;×&nbsp;10<sup>24</sup>&emsp;1.06×: &#34;6 x 8&#34;')
    """
    parts = str(escape(text)).split("&#34;")  # every second part is a quote
    for place in range(0, len(parts), 2):
        words = FACTOR.sub("×", parts[place].replace(" x ", " × ").replace("   ", "&emsp;"))
        parts[place] = E_NOTATION.sub(r"\1&nbsp;×&nbsp;10<sup>\2\3</sup>", words)
    return Markup("&#34;".join(parts))


def position(value: float, low: float, high: float) -> float:
    """Return the position of a value on a log axis, as a percentage of its length, clipped to the two ends.

    >>> position(1e20, 1e10, 1e30), position(1e40, 1e10, 1e30)
    (50.0, 100.0)
    """
    share = math.log(max(value, 1e-300) / low) / math.log(high / low)
    return round(100 * min(1.0, max(0.0, share)), 2)


def times(ratio: float | None) -> str:
    """Return a ratio, or its inverse if that is larger, with a multiplication sign.

    >>> times(0.25), times(1.75)
    ('4×', '1.75×')
    """
    return numbers.times(ratio).replace("x", "×")


def to(value: float | None, form: str) -> str:
    """Return a number in a printf format, or nothing if it is unknown.

    >>> to(0.256, "%.2f"), to(None, "%.2f")
    ('0.26', '')
    """
    return "" if value is None else form % value


def share(part: float | None) -> str:
    """Return a fraction as a percentage, or nothing if it is unknown."""
    return "" if part is None else numbers.percent(part)


def used(utilization: float | None) -> str:
    """Return a utilization with two digits, or nothing if it is unknown.

    >>> used(0.314), used(0.0123)
    ('0.31', '0.012')
    """
    return to(utilization, "%.2g" if utilization is not None and utilization < 0.095 else "%.2f")


def factor(ratio: float | None) -> str:
    """Return a ratio after a multiplication sign, or nothing if it is unknown.

    >>> factor(0.25), factor(12.3)
    ('×0.25', '×12')
    """
    return to(ratio, "×%.3g" if ratio is not None and ratio < 10 else "×%.0f")
