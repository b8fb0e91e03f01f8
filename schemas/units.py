"""Units as written in records; only those of our own list are defined.

pint's default registry reads `1 PF` as a petafarad, `5 D` as a debye and a month as 30.44 days; none of that is
defined here, so a wrong unit is refused instead of converted.
"""

import math
import re
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from schemas.spelling import LONGEST_WORD, Spellings, nearest

if TYPE_CHECKING:
    import pint

MINUTE_SECONDS = 60
HOUR_SECONDS = 3_600
DAY_SECONDS = 86_400
DEFINITIONS = f"""
kilo- = 1e3 = k-
mega- = 1e6 = M-
giga- = 1e9 = G-
tera- = 1e12 = T-
peta- = 1e15 = P-
exa- = 1e18 = E-
second = [time] = s
minute = {MINUTE_SECONDS} second
hour = {HOUR_SECONDS} second
day = {DAY_SECONDS} second
week = 7 day
chip = [chip] = _ = gpu = tpu
core = [core]
chip_second = chip * second = _ = gpu_second
chip_hour = chip * hour = _ = gpu_hour
chip_day = chip * day = _ = gpu_day
core_second = core * second
core_hour = core * hour
core_day = core * day
flop = [operation] = _ = FLOP
mac = 2 flop = _ = MAC = multiply_add
flop_s_day = {DAY_SECONDS} flop
flop_per_second = flop / second
byte = [data] = B
byte_per_second = byte / second
hertz = 1 / second = Hz
watt = [power] = W
watt_hour = [energy] = Wh
gram = [mass] = g
tonne = 1e6 gram = t
usd = [currency] = _ = USD
image = [example]
token = [token]
sequence = [sequence]
image_per_second = image / second
token_per_second = token / second
sequence_per_second = sequence / second
"""
UNIT_NAMES = {  # first spelling of a unit, by each spelling
    name.strip(): line.split("=")[0].strip()
    for line in DEFINITIONS.strip().splitlines()
    if "- =" not in line
    for name in [line.split("=")[0], *line.split("=")[2:]]
    if name.strip() != "_"
}
PREFIXES = ("kilo", "mega", "giga", "tera", "peta", "exa")
QUANTITY = re.compile(r"(?P<number>[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?)\s+(?P<unit>[A-Za-z_]+(/[A-Za-z_]+)*)")


USUAL = {"second": "day, hour or second", "chip_second": "chip_day or chip_hour"}  # what people write for these
ELSEWHERE = {  # where a quantity of another dimension is wanted
    "[chip] * [time]": "; chip time stands as chip_time, in place of chips and duration",
    "[core] * [time]": "; core time stands as chip_time, in place of chips and duration",
}
RANGE = "; a range has low and high in place of value"


# Of a unit in another, those that were asked for: NaN where they measure different things, None where it is no unit. A cache may bring some.
# These are the usual ones, for which an estimate of one model need not wait until pint is imported.
FACTORS: dict[tuple[str, str], float | None] = {
    **{(name, "second"): float(size) for name, size in (("hour", HOUR_SECONDS), ("day", DAY_SECONDS))},
    **{(f"chip_{name}", "chip_second"): float(size) for name, size in (("hour", HOUR_SECONDS), ("day", DAY_SECONDS))},
    **{
        (f"{prefix}flop_per_second", "flop_per_second"): size
        for prefix, size in (("giga", 1e9), ("tera", 1e12), ("peta", 1e15))
    },
    ("GB", "byte"): 1e9,
    ("MB", "byte"): 1e6,
    ("gigabyte_per_second", "byte_per_second"): 1e9,
    ("W", "watt"): 1.0,
    ("MHz", "hertz"): 1e6,
    ("FLOP", "flop"): 1.0,
    ("petaflop_s_day", "flop"): 1e15 * DAY_SECONDS,
}


class UnitError(ValueError):
    """A quantity that cannot be parsed with our list of units; the message has the nearest valid unit."""


@cache
def registry() -> "pint.UnitRegistry[float]":
    """Our unit list; any other unit is undefined."""
    import pint  # imports for 0.2 s, which cached records need not wait for

    units: pint.UnitRegistry[float] = pint.UnitRegistry(None, on_redefinition="raise")
    units.load_definitions(DEFINITIONS.strip().splitlines())
    return units


def nearest_unit(unit: str) -> str:
    """The words `did you mean 'day'?` for a misspelt unit, or the note on calendar units, or nothing.

    >>> nearest_unit("dya")
    "; did you mean 'day'?"
    """
    if unit.lower().rstrip("s") in {"month", "year"}:
        return "; months and years have no fixed length: state days"
    if re.fullmatch("[A-Z]{3}", unit):
        return "; money is in usd, of its day"
    prefix = next((known_prefix for known_prefix in PREFIXES if unit.lower().startswith(known_prefix)), "")
    names = Spellings({prefix + spelling: prefix + name for spelling, name in UNIT_NAMES.items()})
    return nearest(unit, names, longest_list=0)


def amount(written: str, unit: str) -> float:
    """The quantity `written` as a number of `unit`.

    >>> amount("2500 chip_day", "chip_second")
    216000000.0
    >>> amount("0.75 GMAC", "flop")
    1500000000.0
    >>> amount("3640 petaflop_s_day", "flop")
    3.14496e+23
    >>> amount("2 dya", "second")
    Traceback (most recent call last):
    schemas.units.UnitError: 'dya' is not a unit; did you mean 'day'?

    Raises UnitError where the number, the unit or its dimension is wrong.
    """
    return first_amount(written, [unit])[0]


def first_amount(written: str, wanted: Sequence[str]) -> tuple[float, str]:
    """The quantity `written` as a number of the first of these units that measures the same, and that unit.

    >>> first_amount("10 core_day", ["chip_second", "core_second"])
    (864000.0, 'core_second')

    Raises UnitError as `amount` does, where none measures the same in the words of the first.
    """
    unit = wanted[0]
    # The time of the expression, and of pint's search for prefixes, grows with the square of the length.
    match = QUANTITY.fullmatch(written.strip()) if len(written) <= LONGEST_WORD else None
    if match is None:
        raise UnitError(
            f"{written!r} is not a number with a unit, such as '5.5 day'; the unit wanted is {unit}{RANGE if ' to ' in written or re.search('[0-9]-[0-9]', written) else ''}"
        )
    number, named = float(match["number"]), match["unit"]
    if named.lower().endswith("flops"):
        raise UnitError(f"{named!r} may be a count or a rate; write FLOP or GFLOP for a count, TFLOP/s for a rate")
    if not math.isfinite(number):
        raise UnitError(f"{written!r} is not finite")
    for each in wanted:
        factor = _factor(named, each)
        if factor is None:
            raise UnitError(f"{named!r} is not a unit{nearest_unit(named)}")
        if not math.isnan(factor):
            return number * factor, each
    raise UnitError(
        f"{named!r} does not measure what is asked for here; the unit wanted is {USUAL.get(unit, unit)}{_elsewhere(named)}"
    )


def _elsewhere(named: str) -> str:
    """Where a quantity of this unit stands in a record, as the end of a message."""
    return ELSEWHERE.get(str(registry().parse_units(named).dimensionality), "")


def _factor(named: str, unit: str) -> float | None:
    """How many of `unit` one of `named` is; NaN where they measure different things, None where it is no unit."""
    if (named, unit) not in FACTORS:
        FACTORS[named, unit] = _worked_out(named, unit)
    return FACTORS[named, unit]


def _worked_out(named: str, unit: str) -> float | None:
    from pint import DimensionalityError, PintError

    try:
        return float((1.0 * registry().parse_units(named)).to(unit).magnitude)
    except DimensionalityError:
        return math.nan
    except (PintError, AttributeError, ValueError):
        return None
