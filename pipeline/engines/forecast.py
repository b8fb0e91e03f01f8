"""Forecast the figure that a plan leaves out (days, chips, data or parameters) from its operations and its chips."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.engines import one_model
from pipeline.models import sql
from pipeline.publishing.rows import rows
from pipeline.records.run_record import DATA_OF
from pipeline.rules import impossible_amounts
from schemas import facts
from schemas.units import DAY_SECONDS
from schemas.vocabulary import ParameterNetwork

if TYPE_CHECKING:
    import duckdb

    from schemas.records import Model

FORECASTS = Path(__file__).with_name("forecasts.sql")  # reads `plans`: each plan's models and missing figure
UNIT = {"parameters": 1e9, "tokens": 1e9, "images": 1e6, "examples": 1e6, "chips": 1.0, "days": 1.0}  # trial amounts
AT_THE_ANSWER = {  # utilization and prices depend on these figures, so the rules run again with the answer
    "chips": "update allocations set chips = greatest(1, round($1)) where model_id = 'timed'",
    "days": f"update allocations set duration_seconds = $1 * {DAY_SECONDS} where model_id = 'timed'",
}
GIVEN = {*one_model.OF_ALL_MODELS, "gold_runs", "constants", "operation_counts", "operation_counts_by_kind"}
NEAREST = """
    select case_source as gold_group_id, case_name as run, network, hardware_id, precision, chips, utilization_fraction
    from nearest_cases where model_id = 'timed' and is_whole_run and nearness <= 3 order by nearness
"""
OF_CHIP_HOURS = ("energy_kwh", "cost_usd", "co2_kg")
AMOUNTS = ("chip_hours", "utilization", *OF_CHIP_HOURS)
ENDS = ("", "_low", "_high")
PLANS = {"solved_for": "varchar", "work_id": "varchar", "timed_id": "varchar", "amount": "double"}
NAMES = dict.fromkeys(("tokens", "images", "examples"), "examples_seen")  # figures that have another name in JSON


def missing_figure(model: Model) -> str | None:
    """Return the figure that a plan leaves out; None if it leaves out none or several figures, or names no chip."""
    if not model.training or not model.stated_by_user:
        return None
    phase = model.training[0]
    if not phase.hardware:
        return None
    chips = phase.hardware[0]
    data = DATA_OF.get(phase.example_unit, "examples")
    is_stated = {
        "parameters": model.parameters or model.architecture or model.forward_flop,
        data: phase.examples or phase.steps,
        "chips": chips.chips or chips.chip_time,
        "days": chips.duration or chips.chip_time,
    }
    missing = [name for name, fact in is_stated.items() if not fact]
    is_solvable = data == "tokens" or missing != ["parameters"]  # an image model's size does not give its operations
    return missing[0] if len(missing) == 1 and (chips.chip or chips.peak) and is_solvable else None


def parts(model: Model) -> dict[str, Model]:
    """Return the two halves of a plan as models: `work` states operations, `timed` states chips and time.

    The operations or the speed are proportional to the missing figure, for which both models have a trial amount.
    """
    name = missing_figure(model)
    if name is None:
        return {}
    phase, *later_phases = model.training
    chips = phase.hardware[0]
    network_facts: dict[str, Any] = {}
    if name == "parameters":
        network_facts = {
            "parameters": facts.Parameters(value=UNIT[name]),
            "network": model.network or ParameterNetwork.DECODER_ONLY,
        }
    elif name == "chips":
        chips = chips.model_copy(update={"chips": facts.Chips(value=UNIT[name])})
    elif name == "days":
        chips = chips.model_copy(update={"duration": facts.Duration(value=f"{UNIT[name]:g} day")})
    else:
        phase = phase.model_copy(update={"examples": facts.Count(value=UNIT[name]), "epochs": facts.Epochs(value=1)})
    work = [part.model_copy(update={"hardware": [], "timed_with": None}) for part in (phase, *later_phases)]
    no_data = dict.fromkeys(("examples", "epochs", "steps", "batch"))
    timed = [phase.model_copy(update={**no_data, "hardware": [chips]})]
    return {
        # A plan is for the model's own training: its base model needs no more chips.
        "work": model.model_copy(update={**network_facts, "base_model": [], "training": work}),
        "timed": model.model_copy(update={**network_facts, "base_model": [], "training": timed}),
    }


def forecast(connection: duckdb.DuckDBPyConnection, model: Model) -> dict[str, Any]:
    """Return the figure that a plan leaves out, as keys of its account, or an empty dict if it leaves out nothing.

    The forecast divides operations by the speed of the chips at the utilization of whole runs. Both come from the same
    rules as every estimate. These rules must already have run on the `parts` of the model.
    """
    name = missing_figure(model)
    if name is None:
        return {}
    size, row = UNIT[name], {}
    for is_last in (False, True) if name in AT_THE_ANSWER else (True,):
        plan = {"solved_for": name, "work_id": "work", "timed_id": "timed", "amount": size}
        sql.create(connection, "plans", [plan], PLANS)
        (row,) = rows(connection, FORECASTS.read_text(encoding="utf-8"))
        if row["solved"] is None:
            return {}
        if not is_last:
            connection.execute(AT_THE_ANSWER[name], [row["solved"]])
            size = max(1.0, round(row["solved"])) if name == "chips" else row["solved"]
            impossible_amounts.run(connection, ["estimates"], GIVEN)
    impossible_amounts.run(connection, ["nearest_cases"], {*GIVEN, "asked_cases"})
    ((whole_runs_number,),) = connection.execute("select count(*) from gold_runs").fetchall()
    key = NAMES.get(name, name)
    drivers = {key: row["solved_driver"]} | {kind: row[f"{kind.partition('_')[0]}_driver"] for kind in OF_CHIP_HOURS}
    return {
        "left_out": name,
        "solved_for": key,
        **{f"{key}{end}": row[f"solved{end}"] for end in ENDS},
        **{f"{kind}{end}": row[f"{kind}{end}"] for kind in AMOUNTS for end in ENDS},
        "cost_basis": row["cost_basis"],
        "utilization_rule": row["utilization_rule"],
        "interval_drivers": {kind: driver for kind, driver in drivers.items() if driver},
        "nearest_whole_runs": rows(connection, NEAREST),
        "whole_runs_number": whole_runs_number,
    }
