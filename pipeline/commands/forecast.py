"""What a plan leaves out: days, chips, tokens or parameters, of the work of a run and of what its chips do, each with a 90 % interval."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import exp, hypot, log
from typing import Any, NamedTuple

from pipeline.commands import own_model
from pipeline.commands.terminal import Heading
from pipeline.records.own import Inputs
from pipeline.text.numbers import number

STATED_BY = {  # the figures of a plan, each with what states it
    "parameters": ("parameters", "config", "active_parameters"),
    "tokens": ("tokens", "steps", "images"),
    "chips": ("chips", "chip_hours"),
    "days": ("days", "chip_hours"),
}
TIME = {"chips": None, "days": None, "chip_hours": None, "hardware": None, "precision": None, "utilization": None}
DATA = {"tokens": None, "steps": None, "batch": None, "images": None, "epochs": None}
UNIT = {
    "parameters": 1e9,
    "tokens": 1e9,
    "chips": 1.0,
    "days": 1.0,
}  # of what is left out, by which the rules are asked
NAMES = {"tokens": "examples_seen"}  # of the JSON, where it is another


class Band(NamedTuple):
    """A value and the ends of its 90 % interval."""

    middle: float
    low: float
    high: float

    def over(self, other: Band) -> Band:
        """The quotient of two independent bands: their half-widths add as squares of logarithms.

        >>> Band(8.0, 4.0, 16.0).over(Band(2.0, 2.0, 2.0))
        Band(middle=4.0, low=2.0, high=8.0)
        """
        middle = self.middle / other.middle
        down = hypot(log(self.middle / self.low), log(other.high / other.middle))
        up = hypot(log(self.high / self.middle), log(other.middle / other.low))
        return Band(middle, middle * exp(-down), middle * exp(up))

    def times(self, factor: float) -> Band:
        """The band in another unit."""
        return Band(*(factor * each for each in self))

    def keys(self, name: str) -> dict[str, float]:
        """The three by key, the ends as `name`_low and `name`_high."""
        return {name: self.middle, f"{name}_low": self.low, f"{name}_high": self.high}


class Forecast(NamedTuple):
    """What a plan leaves out, by its name among the options; and with it the chips' hours, energy and utilization."""

    left_out: str
    answer: Band
    chip_hours: Band
    utilization: Band
    energy_kwh: Band | None


def left_out(inputs: Inputs) -> str | None:
    """The one figure that a plan leaves out; None where it leaves out none or several, or names no chip."""
    stated = inputs.stated()
    missing = [name for name, by in STATED_BY.items() if not any(each in stated for each in by)]
    return missing[0] if len(missing) == 1 and inputs.hardware and inputs.base_model is None else None


def forecast(inputs: Inputs) -> Forecast | None:
    """What the plan leaves out, where it leaves out one figure: operations over what the chips do at the utilization of whole runs.

    Both come from the same rules as every estimate, asked for an amount of what is left out, to which both are proportional.
    Raises InputError as `own_model.estimated` does.
    """
    name = left_out(inputs)
    if name is None:
        return None
    first = _solved(inputs, name, UNIT[name])
    # The utilization that is predicted depends on the number of chips, so it is asked for again at the answer.
    return _solved(inputs, name, max(1.0, round(first.answer.middle))) if name == "chips" else first


def _solved(inputs: Inputs, name: str, unit: float) -> Forecast:
    asked = replace(inputs, **{name: unit})
    work = dict(own_model.estimated(replace(asked, **TIME)).account)
    timed = dict(own_model.estimated(replace(asked, **DATA)).account)
    operations, done = _band(work, "training_flop"), _band(timed, "training_flop")
    if name in ("days", "chips"):
        scale = operations.over(done)
        answer, hours = scale.times(unit), scale.times(timed["chip_hours"])
    else:
        answer = done.over(operations).times(unit)
        hours, scale = Band(*[timed["chip_hours"]] * 3), Band(1.0, 1.0, 1.0)
    share = done.times(timed["utilization_fraction"] / timed["gpu_time_informed_flop"])
    energy = None
    if timed["energy_kwh"] is not None:
        per_unit = _band(timed, "energy_kwh")
        energy = scale.over(Band(1 / per_unit.middle, 1 / per_unit.high, 1 / per_unit.low))
    return Forecast(name, answer, hours, share, energy)


def _band(account: dict[str, Any], name: str) -> Band:
    return Band(account[name], account[f"{name}_low"], account[f"{name}_high"])


def keys(made: Forecast) -> dict[str, Any]:
    """The forecast as keys of the JSON."""
    found = {"solved_for": NAMES.get(made.left_out, made.left_out)}
    for name, band in (
        (found["solved_for"], made.answer),
        ("chip_hours", made.chip_hours),
        ("utilization", made.utilization),
        ("energy_kwh", made.energy_kwh),
    ):
        found |= band.keys(name) if band else {}
    return found


def lines(made: Forecast) -> Iterator[str]:
    """The forecast as text."""
    yield Heading(f"forecast of {made.left_out}, at the utilization of whole runs:")
    yield f"  {made.left_out}: {_words(made.answer)}"
    yield f"  utilization: {_words(made.utilization)}"
    yield f"  chip hours: {_words(made.chip_hours)}"
    if made.energy_kwh:
        yield f"  energy: {_words(made.energy_kwh, ' kWh')}"


def _words(band: Band, unit: str = "") -> str:
    if band.low == band.high:
        return f"{number(band.middle)}{unit}"
    return f"{number(band.middle)}{unit} (90 %: {number(band.low)} to {number(band.high)})"
