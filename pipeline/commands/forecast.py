"""What a plan leaves out: days, chips, tokens or parameters, of the work of a run and of what its chips do, each with a 90 % interval."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from pipeline.base.text.numbers import amount, energy, mass, money, number, short
from pipeline.commands.terminal import Heading
from pipeline.engines import one_model
from pipeline.models import sql
from pipeline.publishing.rows import Row, rows
from pipeline.records.own import Inputs
from pipeline.rules import possible
from schemas.units import DAY_SECONDS
from schemas.vocabulary import CostBasis

STATED_BY = {  # the figures of a plan, each with what states it
    "parameters": ("parameters", "config", "active_parameters"),
    "tokens": ("tokens", "steps", "images"),
    "chips": ("chips", "chip_hours"),
    "days": ("days", "chip_hours"),
}
TIME = {"chips": None, "days": None, "chip_hours": None, "hardware": None, "precision": None, "utilization": None}
DATA = {"tokens": None, "steps": None, "batch": None, "images": None, "epochs": None}
AT_THE_ANSWER = {  # utilization and prices depend on these, so the rules are asked again
    "chips": "update allocations set chips = greatest(1, round($1))",
    "days": f"update allocations set duration_seconds = $1 * {DAY_SECONDS}",
}
GIVEN = {*one_model.OF_ALL_MODELS, "gold_runs"}
OF_THE_WORK = {"constants", "completed_runs", "operation_counts", "operation_counts_by_kind", "operation_estimates"}
NEAREST = """
    select case_source as gold_group_id, case_name as run, network, hardware_id, precision, chips,
        utilization_fraction
    from nearest_cases where is_whole_run and nearness <= 3 order by nearness
"""
AMOUNTS: dict[str, tuple[str, Callable[[float], str]]] = {  # of the JSON, and as text
    "chip_hours": ("chip-hours", short),
    "utilization": ("utilization", number),
    "energy_kwh": ("energy", energy),
    "cost_usd": ("cost", money),
    "co2_kg": ("CO2", mass),
}
PER_CHIP_HOUR = {"energy_kwh": "power", "cost_usd": "price of a chip-hour", "co2_kg": "grid and power"}
ENDS = ("", "_low", "_high")
PLANS = {"plan": "varchar", "solved_for": "varchar", "work_id": "varchar", "timed_id": "varchar", "amount": "double"}
NAMES = {"tokens": "examples_seen"}  # of the JSON, where it is another


class Forecast(NamedTuple):
    """What a plan leaves out, by its name among the options; a row of `forecasts`; the whole runs nearest to it, of how many."""

    left_out: str
    row: Row
    nearest: list[Row]
    whole_runs_number: int


def left_out(inputs: Inputs) -> str | None:
    """The one figure that a plan leaves out; None where it leaves out none or several, or names no chip."""
    stated = inputs.stated()
    missing = [name for name, by in STATED_BY.items() if not any(each in stated for each in by)]
    return missing[0] if len(missing) == 1 and inputs.hardware and inputs.base_model is None else None


def forecast(inputs: Inputs) -> Forecast | None:
    """What the plan leaves out, where it leaves out one figure: operations over what the chips do at the utilization of whole runs.

    Both come from the same rules as every estimate, asked for an amount of what is left out, to which both are proportional.
    """
    name = left_out(inputs)
    if name is None:
        return None
    size = one_model.UNIT[name]
    asked = replace(inputs, **{name: size})
    with one_model.of_plan(replace(asked, **TIME), replace(asked, **DATA)) as connection:
        for is_again in (False, True) if name in AT_THE_ANSWER else (False,):
            plan = {"plan": "plan", "solved_for": name, "work_id": "work", "timed_id": "timed", "amount": size}
            sql.create(connection, "plans", PLANS, [plan])
            possible.run(connection, ["estimates"], GIVEN | (OF_THE_WORK if is_again else set()))
            (row,) = rows(connection, one_model.FORECASTS.read_text(encoding="utf-8"))
            if name in AT_THE_ANSWER:
                connection.execute(AT_THE_ANSWER[name], [row["solved"]])
                size = max(1.0, round(row["solved"])) if name == "chips" else row["solved"]
        possible.run(connection, ["nearest_cases"], {*GIVEN, "asked_cases"})
        ((whole_runs_number,),) = connection.execute("select count(*) from gold_runs").fetchall()
        return Forecast(name, row, rows(connection, NEAREST), whole_runs_number)


def keys(made: Forecast) -> dict[str, Any]:
    """The forecast as keys of the JSON."""
    name = NAMES.get(made.left_out, made.left_out)
    found = {f"{name}{end}": made.row[f"solved{end}"] for end in ENDS}
    found |= {f"{each}{end}": made.row[f"{each}{end}"] for each in AMOUNTS for end in ENDS}
    drivers = {each: driver for each, driver, _ in _drivers(made) if driver}
    return {
        "solved_for": name,
        **found,
        "interval_drivers": drivers,
        "nearest_whole_runs": made.nearest,
        "whole_runs_number": made.whole_runs_number,
    }


def lines(made: Forecast) -> Iterator[str]:
    """The forecast as text."""
    row = made.row
    widest = {each: f"; widest: {words}" for each, driver, words in _drivers(made) if driver}
    yield Heading(f"forecast of {made.left_out}, at the utilization of whole runs:")
    yield f"  {made.left_out}: {_words(row, 'solved', number)}{widest[NAMES.get(made.left_out, made.left_out)]}"
    for name, (label, words) in AMOUNTS.items():
        if row[name] is not None:
            yield f"  {label}: {_words(row, name, words)}{widest.get(name, '')}"
        elif name == "cost_usd":
            yield f"  cost: {CostBasis(row['cost_basis']).words}"
    yield f"  nearest of {made.whole_runs_number} whole runs whose operations are counted:"
    for near in made.nearest:
        count = f"{amount(near['chips'])} x " if near["chips"] else ""
        machines = f"{count}{near['hardware_id']}, {near['precision']}"
        yield f"    utilization {number(near['utilization_fraction'])}: {near['gold_group_id']}, {near['run']} ({machines})"


def _drivers(made: Forecast) -> Iterator[tuple[str, str | None, str]]:
    """What is widest in the interval of each amount, as a word of the JSON and in words."""
    solved = made.row["solved_driver"]
    yield NAMES.get(made.left_out, made.left_out), solved, solved
    for name, of_rate in PER_CHIP_HOUR.items():
        driver = made.row[f"{name.partition('_')[0]}_driver"]
        yield name, driver, of_rate if driver == "per_chip_hour" else "chip-hours"


def _words(row: Row, name: str, words: Callable[[float], str]) -> str:
    middle, low, high = (row[f"{name}{end}"] for end in ENDS)
    return words(middle) if low == high else f"{words(middle)} (90 %: {words(low)} to {words(high)})"
