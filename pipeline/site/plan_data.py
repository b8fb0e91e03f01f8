"""The coefficients with which the plan page calculates in the browser, read from the tables that the rules use."""

from datetime import date
from typing import Any

import duckdb

from pipeline.models import sql
from pipeline.publishing.rows import rows
from pipeline.rules import operation_counts
from pipeline.site.ledger import Ledger, Row
from schemas import facts
from schemas.figures import declarations
from schemas.units import UNITS
from schemas.vocabulary import THRESHOLDS

EPOCH = date(1970, 1, 1)  # days of prices count from here
DIGITS = 10  # significant digits of a coefficient
# The distances of the ends of a 90 % interval from its middle, by kind of estimate.
REACH = "select normal_quantile_95() as normal, lomax_reach(0.95) as count, logistic_reach(0.95) as gpu_time"
GRIDS = "select place, arg_max(grid_g_per_kwh, grid_year) as grams from grid_factors group by place order by place"
OVERHEADS = r"""
    select regexp_extract(applies_to, '^(.*) \d+$', 1) as owner,
        arg_max([default_value, log_sd], regexp_extract(applies_to, '\d+$')) as ratio
    from defaults where quantity = 'facility_overhead' group by owner order by owner
"""
PRICES = """
    select hardware_id, price_kind, price_date, price_usd * default_value as usd
    from hardware_prices join defaults on quantity = 'price_terms' and applies_to = price_terms
    order by hardware_id, price_kind, price_date, usd
"""
WHOLE_RUNS = """
    select count(*) as number, quantile_cont(implied_utilization_fraction, 0.05) as low,
        quantile_cont(implied_utilization_fraction, 0.95) as high
    from gold_runs where network = 'language_transformer'
"""
# The last phase of each language model, as the network of runs on it. Models of several networks are left out.
BASES = """
    select model_id, name, m.parameters, r.architecture_id, architecture_passes_per_example as passes,
        r.active_parameters, training_flop, training_flop_low, training_flop_high
    from (
        select runs.*, min(c.parameters) over model as fewest, max(c.parameters) over model as most
        from runs left join operation_counts c using (architecture_id)
        window model as (partition by model_id)
        qualify row_number() over (partition by model_id order by phase_index desc) = 1
    ) r join (select model_id, parameters, scope from models) m using (model_id) join estimates using (model_id)
    where m.scope = 'single' and domain in ('language', 'multimodal') and network = 'language_transformer'
        and r.example_unit in ('token', 'word') and case when r.architecture_id is null then m.parameters is not null
            else passes is not null and fewest = most and abs(ln(most / coalesce(m.parameters, most))) < 0.1 end
    order by model_id
"""
LAYERS = "from layers where list_contains($1, architecture_id) order by architecture_id, layer_kind"
# Defaults of which we need the value, and those of which we need the log standard deviation.
VALUES = ("backward_ratio", "cost", "electricity_price", "uncertainty", "utilization")
SPREADS = ("grid_spread", "spread")
SHOWN = ("name", "manufacturer", "generation", "released", "power_watts", "only_precision", "fast_16bit_precision")


def coefficients(ledger: Ledger) -> dict[str, Any]:
    """Return all that assets/plan_rules.js needs: defaults and widths, chips with peaks and prices, grids, and base models."""
    macros = duckdb.connect()
    macros.execute(sql.macros())
    connection = ledger.connection
    loads = {row["applies_to"]: row for row in ledger.rows_with("defaults", "quantity", "chip_load")}
    return _round(
        {
            "version": ledger.version,
            "reach": rows(macros, REACH)[0],
            **{name: _default(ledger, name, "default_value") for name in VALUES},
            **{name: _default(ledger, name, "log_sd") for name in SPREADS},
            "chip_load": {case: [row["default_value"], row["log_sd"]] for case, row in loads.items()},
            "facility_overhead": {row["owner"]: row["ratio"] for row in rows(connection, OVERHEADS)},
            "grids": {row["place"]: row["grams"] for row in rows(connection, GRIDS)},
            "whole_runs": rows(connection, WHOLE_RUNS)[0],
            "most": _largest_amounts(),
            "thresholds": {threshold.word: threshold.flop for threshold in THRESHOLDS},
            "chips": _chips(ledger),
            "bases": _bases(connection),
        }
    )


def _round(value: Any) -> Any:
    """Return the value with all its floats rounded to DIGITS, and whole ones without a decimal point."""
    if isinstance(value, dict):
        return {key: _round(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_round(part) for part in value]
    if not isinstance(value, float):
        return value
    short = float(f"{value:.{DIGITS}g}")
    return int(short) if short.is_integer() and abs(short) < 1e15 else short


def _largest_amounts() -> dict[str, float]:
    """Return the largest amount that each figure may have, in its unit."""
    figures = {name: figure for name, (_, figure) in declarations().items() if figure.fact}
    return {
        name: getattr(facts, figure.fact).largest / (UNITS[figure.unit][0] if figure.unit else 1)
        for name, figure in figures.items()
    }


def _default(ledger: Ledger, quantity: str, column: str) -> Row:
    return {row["applies_to"]: row[column] for row in ledger.rows_with("defaults", "quantity", quantity)}


def _chips(ledger: Ledger) -> dict[str, Row]:
    """Return each chip that has a peak, with its peaks by precision, and its purchase and rent prices as [day, US dollars]."""
    prices: dict[str, dict[str, list[list[float]]]] = {}
    for row in rows(ledger.connection, PRICES):
        of_chip = prices.setdefault(row["hardware_id"], {})
        of_chip.setdefault(row["price_kind"], []).append([(row["price_date"] - EPOCH).days, row["usd"]])
    chips = {}
    for chip in sorted(ledger.rows("hardware"), key=lambda row: row["name"].lower()):
        chip_id = chip["hardware_id"]
        peaks = {
            row["precision"]: row["peak_flop_per_second"] for row in ledger.rows_with("peaks", "hardware_id", chip_id)
        }
        if peaks:
            shown = {name: chip[name] for name in SHOWN if chip[name] is not None}
            chips[chip_id] = {**shown, "peaks": peaks, **prices.get(chip_id, {})}
    return chips


def _bases(connection: duckdb.DuckDBPyConnection) -> dict[str, list[Any]]:
    """Return each language model on which a run can build: its name, its total [middle, low, high] or None, and FLOP per token.

    FLOP are those of the forward pass, of the backward pass, and of the backward pass with frozen weights. If they follow
    only from the active parameters, these come last.
    """
    base_rows = rows(connection, BASES)
    layers = rows(connection, LAYERS, [row["architecture_id"] for row in base_rows if row["architecture_id"]])
    trained, frozen = (
        {
            network["architecture_id"]: network
            for network in operation_counts.by_network({**layer, "is_frozen": is_frozen} for layer in layers)[0]
        }
        for is_frozen in (False, True)
    )
    bases = {}
    for row in base_rows:
        size, count = row["active_parameters"] or row["parameters"], trained.get(row["architecture_id"])
        if count:
            backward = frozen[row["architecture_id"]]["backward_flop"]
            flop = [row["passes"] * part for part in (count["forward_flop"], count["backward_flop"], backward)]
        else:
            flop = [2 * size, 4 * size, 2 * size, size]
        total = [row[f"training_flop{end}"] for end in ("", "_low", "_high")]
        bases[row["model_id"]] = [row["name"], total if total[0] else None, *flop]
    return bases
