"""Numbers as a reader meets them: powers of ten, prefixes, shares, dates. Unknown is a dash, never zero."""

import math
import re
from datetime import date

from markupsafe import Markup, escape

from pipeline.publishing import headline_text
from schemas.units import DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS

UNKNOWN = "–"
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
E_NOTATION = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)e([+-]?\d+)(?!\w)")
PREFIXES = ((1e12, "T"), (1e9, "B"), (1e6, "M"), (1e3, "k"))
MONTHS = "January February March April May June July August September October November December".split()


def parts(value: float) -> tuple[str, int]:
    """Mantissa with three digits, and exponent.

    >>> parts(2.5425e24), parts(9.999e5)
    (('2.54', 24), ('1.00', 6))
    """
    mantissa, _, exponent = f"{value:.2e}".partition("e")
    return mantissa, int(exponent)


def power(value: float | None) -> str:
    """A number as a power of ten, in characters alone.

    >>> power(2.5425e24), power(1e25), power(None), power(640.0), power(4963.2)
    ('2.54 × 10²⁴', '10²⁵', '–', '640', '4,960')
    """
    if value is None:
        return UNKNOWN
    if 0.01 <= abs(value) < 1e4:
        return f"{float(f'{value:.3g}'):,g}"
    mantissa, exponent = parts(value)
    whole = f"10{str(exponent).translate(RAISED)}"
    return whole if value == float(f"1e{exponent}") else f"{mantissa} × {whole}"


def flop(value: float | None) -> Markup:
    """A number as a power of ten, in HTML.

    >>> flop(2.5425e24)
    Markup('2.54&nbsp;×&nbsp;10<sup>24</sup>')
    """
    if value is None or 0.01 <= abs(value) < 1e4:
        return escape(power(value))
    mantissa, exponent = parts(value)
    if value == float(f"1e{exponent}"):
        return Markup("10<sup>{}</sup>").format(exponent)
    return Markup("{}&nbsp;×&nbsp;10<sup>{}</sup>").format(mantissa, exponent)


def interval(low: float | None, high: float | None) -> Markup:
    """Both ends of an interval in HTML; the power of ten once where it is the same.

    >>> interval(2.33e24, 2.77e24)
    Markup('2.33 to 2.77&nbsp;×&nbsp;10<sup>24</sup>')
    """
    if low is None or high is None:
        return Markup(UNKNOWN)
    if low >= 1e4 and parts(low)[1] == parts(high)[1]:
        return Markup("{} to {}").format(parts(low)[0], flop(high))
    return Markup("{} to {}").format(flop(low), flop(high))


def interval_text(low: float | None, high: float | None) -> str:
    """The same in characters alone.

    >>> interval_text(2.33e24, 2.77e24)
    '2.33 to 2.77 × 10²⁴'
    """
    if low is None or high is None:
        return UNKNOWN
    first = parts(low)[0] if low >= 1e4 and parts(low)[1] == parts(high)[1] else power(low)
    return f"{first} to {power(high)}"


def short(value: float | None) -> str:
    """A count with the prefix of its size.

    >>> short(5.4035e11), short(93e6), short(640), short(None), short(3.2e13)
    ('540B', '93M', '640', '–', '32T')
    """
    if value is None:
        return UNKNOWN
    for size, letter in PREFIXES:
        if abs(value) >= size * 0.9995 and abs(value) < 1e15:
            return f"{_three(value / size)}{letter}"
    return power(value) if abs(value) >= 1e15 else _three(value)


def _three(value: float) -> str:
    return f"{float(f'{value:.3g}'):g}" if abs(value) < 1000 else f"{value:,.0f}"


def whole(value: float | None) -> str:
    """A count in full below a million, else with the prefix of its size.

    >>> whole(6144), whole(2.5), whole(3e6), whole(None)
    ('6,144', '2.5', '3M', '–')
    """
    return f"{value:,.6g}" if value is not None and abs(value) < 1e6 else short(value)


def readable(text: str) -> Markup:
    """A sentence with its numbers in e-notation as powers of ten, in HTML.

    >>> readable("a <b> of 2.542e+24 x/÷ 1.06")
    Markup('a &lt;b&gt; of 2.542&nbsp;×&nbsp;10<sup>24</sup> ×/÷ 1.06')
    """
    safe = str(escape(text)).replace("x/÷", "×/÷")
    return Markup(E_NOTATION.sub(lambda found: f"{found[1]}&nbsp;×&nbsp;10<sup>{int(found[2])}</sup>", safe))


def fraction(value: float | None) -> str:
    """A share between 0 and 1 as per cent.

    >>> fraction(0.462), fraction(0.0251), fraction(None)
    ('46.2 %', '2.51 %', '–')
    """
    return UNKNOWN if value is None else f"{100 * value:.3g} %"


def probability(value: float | None) -> str:
    """A probability; near its ends as a bound.

    >>> probability(0.5), probability(1e-6), probability(0.999999)
    ('50 %', 'less than 0.1 %', 'more than 99.9 %')
    """
    return UNKNOWN if value is None else headline_text.probability(value)


def times(value: float | None) -> str:
    """A factor.

    >>> times(2.0), times(0.664)
    ('2×', '0.664×')
    """
    return UNKNOWN if value is None else f"{value:.3g}×"


def days(seconds: float | None) -> str:
    """A time in the largest unit that it fills.

    >>> days(86400 * 50), days(5400), days(None)
    ('50 days', '1.5 hours', '–')
    """
    if seconds is None:
        return UNKNOWN
    units = ((DAY_SECONDS, "day", 2 * DAY_SECONDS), (HOUR_SECONDS, "hour", HOUR_SECONDS), (MINUTE_SECONDS, "minute", 0))
    size, unit, _ = next(each for each in units if seconds >= each[2])
    number = f"{seconds / size:,.3g}" if seconds / size < 1000 else f"{seconds / size:,.0f}"
    return f"{number} {unit}{'' if number == '1' else 's'}"


def energy(kwh: float | None) -> str:
    """An energy, given in kWh, in the unit of its size.

    >>> energy(1.301e6), energy(8052.7), energy(123.9), energy(0.0021), energy(None)
    ('1.3 GWh', '8.05 MWh', '124 kWh', '0.0021 kWh', '–')
    """
    if kwh is None:
        return UNKNOWN
    size, unit = (1e6, "GWh") if kwh >= 999.5e3 else (1e3, "MWh") if kwh >= 999.5 else (1, "kWh")
    return f"{_three(kwh / size)} {unit}"


def written_date(text: str | None) -> str:
    """A date of its own precision, as a reader writes it.

    >>> written_date("2022-04-04"), written_date("2022-04"), written_date("1989")
    ('4 April 2022', 'April 2022', '1989')
    """
    year, *rest = (text or UNKNOWN).split("-")
    month = f"{MONTHS[int(rest[0]) - 1]} " if rest else ""
    return f"{f'{int(rest[1])} ' if len(rest) > 1 else ''}{month}{year}"


def middle(text: str) -> date:
    """The middle of the day, month or year that a date states: where a chart places it.

    >>> middle("1989"), middle("2022-05"), middle("2022-05-03")
    (datetime.date(1989, 7, 2), datetime.date(2022, 5, 16), datetime.date(2022, 5, 3))
    """
    year, *rest = (int(each) for each in text.split("-"))
    if not rest:
        return date(year, 7, 2)
    return date(year, rest[0], rest[1] if len(rest) > 1 else 16)


def position(value: float, low: float, high: float) -> float:
    """Place of a value on a log axis between two ends, in per cent, held within them.

    >>> position(1e20, 1e10, 1e30), position(1e40, 1e10, 1e30)
    (50.0, 100.0)
    """
    share = math.log(max(value, 1e-300) / low) / math.log(high / low)
    return round(100 * min(1.0, max(0.0, share)), 2)
