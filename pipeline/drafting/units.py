"""Figures with their units as values of a kind of fact, in the units that the ledger counts in."""

import math
import re
from typing import NamedTuple

from pipeline.drafting import kinds
from pipeline.drafting.figures import Figure, shown
from schemas.units import DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS

TIMES = {
    "minute": MINUTE_SECONDS,
    "hour": HOUR_SECONDS,
    "day": DAY_SECONDS,
    "week": 7 * DAY_SECONDS,
    "year": 365 * DAY_SECONDS,
}
WORDS_OF_TIME = {
    "duration": re.compile(r"(?:^|\s)(?P<word>minute|min|hour|hr|h|day|d|week|year)s?$"),
    "chip_time": re.compile(r"(?P<word>minute|hour|hr|day|year|(?<![a-z])[hd](?=$))s?$"),
}
SHORT = {"min": "minute", "hr": "hour", "h": "hour", "d": "day"}
PREFIXES = {"": 1.0, "mega": 1e6, "giga": 1e9, "g": 1e9, "tera": 1e12, "t": 1e12, "peta": 1e15, "p": 1e15, "exa": 1e18, "e": 1e18, "zetta": 1e21, "z": 1e21, "yotta": 1e24, "y": 1e24, "m": 1e6}  # fmt: skip


class Value(NamedTuple):
    """A figure in the unit that the ledger counts in, and as a record writes it; `found` is its text where a table has it."""

    value: float
    written: str
    derived: str | None
    found: str = ""


def in_unit(kind: kinds.Kind, stated: Figure, unit: str | None) -> Value | None:
    """The figure as a value of this kind, in the unit that the ledger counts in; None where it cannot be one."""
    spelled = (unit or "").strip().lower()
    if kind.name in WORDS_OF_TIME:
        time = WORDS_OF_TIME[kind.name].search(spelled)
        if not time:
            return None
        word = SHORT.get(time["word"], time["word"])
        whose = "" if kind.name == "duration" else "core_" if "core" in spelled else "chip_"
        number = stated.times(365, "365") if word == "year" else stated
        written = f"{number.value:.15g} {whose}{'day' if word == 'year' else word}"
        return _in_bounds(kind, Value(stated.value * TIMES[word], written, number.derived))
    if kind.name == "reported_flop":
        return _in_bounds(kind, _flop(stated, unit or ""))
    if kind.name == "utilization":
        fraction = stated.value / 100
        return _in_bounds(kind, Value(fraction, f"{fraction:.15g}", f"{stated.value:.15g} / 100"))
    if kind.name == "examples" and spelled.startswith("hour"):
        seconds_stated = stated.times(HOUR_SECONDS, str(HOUR_SECONDS))
        return _in_bounds(kind, Value(seconds_stated.value, shown(seconds_stated.value), seconds_stated.derived))
    return _in_bounds(kind, Value(stated.value, shown(stated.value), stated.derived))


def _flop(stated: Figure, unit: str) -> Value | None:
    spelled = re.sub("floating-?pointoperations", "flops", re.sub("[ ·⋅]", "", unit.lower()))
    match = re.fullmatch(
        r"(yotta|zetta|exa|peta|tera|giga|mega|[yzeptgm])?-?(?:flops?|f)?(/s|/sec|ps|-?s)?-?(days?)?", spelled
    )
    if not match:
        return None
    factor = PREFIXES[match[1] or ""]
    if match[3]:
        scaled = stated.value * factor * DAY_SECONDS
        prefix = {1e15: "petaflop", 1e18: "exaflop", 1e12: "teraflop"}.get(factor)
        return Value(scaled, f"{stated.value:.15g} {prefix}_s_day", stated.derived) if prefix else None
    if match[2] and match[2] not in ("s",) and "day" not in spelled and factor >= 1e9:
        return None  # a rate
    value = float(f"{stated.value * factor:.15g}")
    derived = (
        f"{stated.derived or f'{stated.value:.15g}'} * 1e{round(math.log10(factor))}" if factor > 1 else stated.derived
    )
    return Value(value, f"{shown(value)} FLOP", derived)


def _in_bounds(kind: kinds.Kind, value: Value | None) -> Value | None:
    if value is None or not kind.low <= value.value <= kind.high:
        return None
    return value if kind.name not in kinds.WHOLE_NUMBERS or value.value.is_integer() else None
