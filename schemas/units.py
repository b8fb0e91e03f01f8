"""The units that records may use; only the units in our own list are defined.

A general library reads `1 PF` as a petafarad, `5 D` as a debye and a month as 30.44 days. None of these is defined
here, so a wrong unit is refused instead of converted.
"""

import math
import re
from collections.abc import Sequence
from functools import cache

from schemas.spelling import LONGEST_WORD, Spellings, nearest

MINUTE_SECONDS = 60
HOUR_SECONDS = 3_600
DAY_SECONDS = 86_400
LIST = f"""
second s = 1 time
minute = {MINUTE_SECONDS} time
hour = {HOUR_SECONDS} time
day = {DAY_SECONDS} time
week = {7 * DAY_SECONDS} time
chip_second gpu_second = 1 chip time
chip_hour gpu_hour = {HOUR_SECONDS} chip time
chip_day gpu_day = {DAY_SECONDS} chip time
core_second = 1 core time
core_hour = {HOUR_SECONDS} core time
core_day = {DAY_SECONDS} core time
flop FLOP = 1 operations
mac MAC multiply_add = 2 operations
flop_s_day = {DAY_SECONDS} operations
flop_per_second = 1 operations/time
byte B = 1 data
byte_per_second = 1 data/time
hertz Hz = 1 frequency
watt W = 1 power
watt_hour Wh = 1 energy
gram g = 1 mass
tonne t = 1e6 mass
usd USD = 1 money
image = 1 images
token = 1 tokens
sequence = 1 sequences
image_per_second = 1 images/time
token_per_second = 1 tokens/time
sequence_per_second = 1 sequences/time
"""
UNITS = {  # the size of each unit, and the quantity that it measures
    name: (float(measure.split()[0]), measure.split(maxsplit=1)[1])
    for names, measure in (line.split(" = ") for line in LIST.strip().splitlines())
    for name in names.split()
}
UNIT_NAMES = {name: line.split()[0] for line in LIST.strip().splitlines() for name in line.split(" = ")[0].split()}
PREFIXES = ("kilo", "mega", "giga", "tera", "peta", "exa")
PREFIX_FACTORS = {
    spelling: 1e3**power for power, names in enumerate(zip(PREFIXES, "kMGTPE", strict=True), 1) for spelling in names
}
QUANTITY = re.compile(r"(?P<number>[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?)\s+(?P<unit>[A-Za-z_]+(/[A-Za-z_]+)*)")


USUAL = {"second": "day, hour or second", "chip_second": "chip_day or chip_hour"}  # shown in place of the base unit
ELSEWHERE = {  # hints that name the key for a unit of another quantity
    "chip time": "; state chip time as chip_time, instead of chips and duration",
    "core time": "; state core time as chip_time, instead of chips and duration",
}
RANGE = "; a range has low and high in place of value"


class UnitError(ValueError):
    """Raised if a quantity cannot be parsed with our list of units; the message suggests the nearest valid unit."""


def nearest_unit(unit: str) -> str:
    """Return a hint for an unknown unit: a similar one, or a note on calendar units or money; otherwise "".

    >>> nearest_unit("dya")
    "; did you mean 'day'?"
    """
    if unit.lower().rstrip("s") in {"month", "year"}:
        return "; months and years have no fixed length: state days"
    if re.fullmatch("[A-Z]{3}", unit):
        return "; state money in usd of that day"
    prefix = next((known_prefix for known_prefix in PREFIXES if unit.lower().startswith(known_prefix)), "")
    names = Spellings({prefix + spelling: prefix + name for spelling, name in UNIT_NAMES.items()})
    return nearest(unit, names, longest_list=0)


def amount(written: str, unit: str) -> float:
    """Return the quantity `written` as a number of `unit`.

    >>> amount("2500 chip_day", "chip_second")
    216000000.0
    >>> amount("0.75 GMAC", "flop")
    1500000000.0
    >>> amount("3640 petaflop_s_day", "flop")
    3.14496e+23
    >>> amount("2 dya", "second")
    Traceback (most recent call last):
    schemas.units.UnitError: 'dya' is not a unit; did you mean 'day'?

    Raise UnitError if the number, the unit or its dimension is wrong.
    """
    return first_amount(written, [unit])[0]


def first_amount(written: str, expected: Sequence[str]) -> tuple[float, str]:
    """Return the quantity `written` as a number of the first expected unit with the same dimension, and that unit.

    >>> first_amount("10 core_day", ["chip_second", "core_second"])
    (864000.0, 'core_second')

    Raise UnitError like `amount`; if no unit has the same dimension, the message names the first.
    """
    unit = expected[0]
    # Skip long texts, because the regular expression takes quadratic time.
    match = QUANTITY.fullmatch(written.strip()) if len(written) <= LONGEST_WORD else None
    if match is None:
        raise UnitError(
            f"{written!r} is not a number with a unit, such as '5.5 day'; the expected unit is"
            f" {unit}{RANGE if ' to ' in written or re.search('[0-9]-[0-9]', written) else ''}"
        )
    number, named = float(match["number"]), match["unit"]
    if named.lower().endswith("flops"):
        raise UnitError(f"{named!r} may be a count or a rate; write FLOP or GFLOP for a count, TFLOP/s for a rate")
    if not math.isfinite(number):
        raise UnitError(f"{written!r} is not finite")
    measured = _size_and_quantity(named)
    if measured is None:
        raise UnitError(f"{named!r} is not a unit{nearest_unit(named)}")
    size, measures = measured
    for unit_name in expected:
        if UNITS[unit_name][1] == measures:
            return number * (size / UNITS[unit_name][0]), unit_name
    raise UnitError(
        f"{named!r} does not measure this quantity; the expected unit is"
        f" {USUAL.get(unit, unit)}{ELSEWHERE.get(measures, '')}"
    )


@cache
def _size_and_quantity(named: str) -> tuple[float, str] | None:
    """Return the size of a unit such as TFLOP/s and what it measures; None if the unit is not one of ours."""
    if "/" in named:
        whole, _, part = named.rpartition("/")
        above, below = _size_and_quantity(whole), _size_and_quantity(part)
        return (above[0] / below[0], f"{above[1]}/{below[1]}") if above and below else None
    for name in (named, named.removesuffix("s")):
        for prefix, factor in {"": 1.0, **PREFIX_FACTORS}.items():
            if name.startswith(prefix) and name[len(prefix) :] in UNITS:
                size, measures = UNITS[name[len(prefix) :]]
                return factor * size, measures
    return None
