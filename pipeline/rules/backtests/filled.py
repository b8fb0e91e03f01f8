"""Known chips, precisions, utilizations and epochs, hidden and imputed by the rules of the ledger.

Chip counts and times are never imputed.

Rules use one row, its model and its year only, so that hiding a fact in all rows at once equals hiding it one at a
time.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

import duckdb

from pipeline import sql
from pipeline.rules.backtests.hidden import ALLOCATION, PHASE, Hidden, Widths, of_allocation, of_log_sd, of_phase
from pipeline.sql import Row

CHIPS = """
    select distinct a.model_id, published_year, hardware_id, if(precision = 'fp32', 'fp32', '16bit') as applies_to,
        max(peak_flop_per_second) over (partition by a.model_id, hardware_id, precision = 'fp32')
            as peak_flop_per_second
    from allocations a join models using (model_id) join peaks using (hardware_id)
    where precision in ('fp32', 'fp16', 'bf16')
"""
# Allocations whose chip and precision are known, with their peaks, and what would be filled in for the chip.
HARDWARE = """
    select known.model_id, known.phase, known.allocation, published_year, peak_flop_per_second, filled.precision_rule,
        filled.default_peak_flop_per_second,
        if(filled.precision in ('fp16', 'bf16', 'fp8', 'fp4'), '16bit', 'fp32') as applies_to,
        (filled.default_peak_log_sd ** 2
         + if(filled.precision_basis = 'assumed', spread['precision_' || filled.precision_rule], 0) ** 2) ** 0.5
            as log_sd
    from completed_allocations known join peaks using (hardware_id, precision)
    join runs on runs.model_id = known.model_id and runs.phase = known.phase
    join without_chip filled on filled.model_id = known.model_id and filled.phase = known.phase
        and filled.allocation = known.allocation
    cross join constants
    where known.precision_basis <> 'assumed' and filled.default_peak_flop_per_second is not null
"""
PRECISION = """
    select known.model_id, known.phase, known.allocation, published_year, stated.peak_flop_per_second as known_peak,
        inferred.peak_flop_per_second as filled_peak, filled.precision_rule,
        if(filled.precision_basis = 'assumed', spread['precision_' || filled.precision_rule], 0) as log_sd
    from completed_allocations known
    join peaks stated on stated.hardware_id = known.hardware_id and stated.precision = known.precision
    join runs on runs.model_id = known.model_id and runs.phase = known.phase
    join without_precision filled on filled.model_id = known.model_id and filled.phase = known.phase
        and filled.allocation = known.allocation
    join peaks inferred on inferred.hardware_id = filled.hardware_id and inferred.precision = filled.precision
    cross join constants
    where known.precision_rule = 'stated'
"""
STATED_UTILIZATION = """
    select model_id, phase, published_year, utilization_case, stated_utilization_fraction, default_value, log_sd
    from runs join defaults on quantity = 'utilization' and applies_to = utilization_case
    where stated_utilization_basis = 'reported'
"""
PREDICTED_UTILIZATION = """
    select model_id, phase, allocation, published_year, utilization_case, stated_utilization_fraction,
        utilization_middle_fraction, utilization_log_sd
    from runs join utilizations using (model_id, phase) where stated_utilization_basis = 'reported'
"""
PASSES = """
    select model_id, phase, published_year, examples * epochs as known, hidden.examples_seen, hidden.examples_log_sd
    from runs join {table} hidden using (model_id, phase)
    where known is not null and hidden.examples_seen is not null
"""
HIDDEN = {  # a table of the rules, from a table with a fact hidden
    "without_chip": ("completed_allocations", {"allocations": "hardware_id"}),
    "without_precision": ("completed_allocations", {"runs": "stated_precision"}),
    "without_epochs_and_steps": ("completed_runs", {"runs": "epochs, steps"}),
    "without_epochs_and_examples": ("completed_runs", {"runs": "epochs, examples"}),
}


def hide(connection: duckdb.DuckDBPyConnection) -> None:
    """Makes the tables of HIDDEN in the connection, by the rules of the tables that they stand for."""
    for name, (table, hidden) in HIDDEN.items():
        cursor = connection.cursor()  # its temporary tables hide those of the connection, and end with it
        for source, columns in hidden.items():
            # nullif keeps the type. As soon as a temporary table has the name, main.<name> is that table.
            nulls = ", ".join(f"nullif({column}, {column}) as {column}" for column in columns.split(", "))
            cursor.execute(f"create temp table {source} as select * replace ({nulls}) from main.{source}")
        sql.set_params_of(cursor, connection)
        sql.run(cursor, [table])
        cursor.execute(f"create or replace table main.{name} as from {table}")


def chips_of_models(connection: duckdb.DuckDBPyConnection) -> Sequence[Row]:
    """Each model with each of its chips, and the chip's peak in FP32 and in its best 16-bit format."""
    return sql.rows(connection.sql(CHIPS), ["published_year", "applies_to", "model_id", "hardware_id"])


def mean_peak(chips: Sequence[Row]) -> float:
    """Geometric mean of the peaks of models' chips, FLOP/s."""
    return math.exp(math.fsum(math.log(chip["peak_flop_per_second"]) for chip in chips) / len(chips))


def most_common(chips: Sequence[Row]) -> tuple[str, float, int]:
    """The chip that most models used, its peak (FLOP/s) and their number; ties by name."""
    counted = Counter((chip["hardware_id"], chip["peak_flop_per_second"]) for chip in chips)
    (hardware_id, peak), number = min(counted.items(), key=lambda count: (-count[1], count[0]))
    return hardware_id, peak, number


def hardware(connection: duckdb.DuckDBPyConnection, chips: Sequence[Row]) -> Iterator[Hidden]:
    """Known chips against the year's default, and the mean and most common chip of the ledger's other models.

    Where the precision is not stated, it is inferred too, as for an unknown chip; each rule of precision is a separate
    quantity.
    """
    alike: dict[tuple[int, str], list[Row]] = defaultdict(list)
    for chip in chips:
        alike[chip["published_year"], chip["applies_to"]].append(chip)
    for row in sql.rows(connection.sql(HARDWARE), ALLOCATION):
        fills = {"year_default": row["default_peak_flop_per_second"]}
        others = [
            chip for chip in alike[row["published_year"], row["applies_to"]] if chip["model_id"] != row["model_id"]
        ]
        if others:
            fills |= {"year_mean_of_ledger": mean_peak(others), "year_most_common_of_ledger": most_common(others)[1]}
        quantity = "peak_by_year" if row["precision_rule"] == "stated" else f"peak_by_year_{row['precision_rule']}"
        for rule, fill in fills.items():
            ends = of_log_sd(fill, row["log_sd"])
            yield of_allocation(quantity, rule, row, row["peak_flop_per_second"], fill, ends)


def precision(connection: duckdb.DuckDBPyConnection) -> Iterator[Hidden]:
    """The peak at a stated precision against that at the precision that the rules infer for the same chip."""
    for row in sql.rows(connection.sql(PRECISION), ALLOCATION):
        ends = of_log_sd(row["filled_peak"], row["log_sd"])
        yield of_allocation("precision", row["precision_rule"], row, row["known_peak"], row["filled_peak"], ends)


def utilization(connection: duckdb.DuckDBPyConnection) -> Iterator[Hidden]:
    """Reported utilizations of models against the default and the prediction from like measurements, by case."""
    for row in sql.rows(connection.sql(STATED_UTILIZATION), PHASE):
        ends = of_log_sd(row["default_value"], row["log_sd"])
        known = row["stated_utilization_fraction"]
        yield of_phase(f"utilization_{row['utilization_case']}", "default", row, known, row["default_value"], ends)
    for row in sql.rows(connection.sql(PREDICTED_UTILIZATION), ALLOCATION):
        median, known = row["utilization_middle_fraction"], row["stated_utilization_fraction"]
        ends = of_log_sd(median, row["utilization_log_sd"])
        yield of_allocation(f"utilization_{row['utilization_case']}", "like_measurements", row, known, median, ends)


def passes(connection: duckdb.DuckDBPyConnection, widths: Widths, impute: Mapping[str, int]) -> Iterator[Hidden]:
    """Stated epochs against one epoch, and against steps x batch where steps are stated too."""
    for row in sql.rows(connection.sql(PASSES.format(table="without_epochs_and_steps")), PHASE):
        quantity = (
            "epochs_assumed" if row["published_year"] >= impute["one_pass_first_year"] else "epochs_assumed_early"
        )
        ends = of_log_sd(row["examples_seen"], row["examples_log_sd"])
        yield of_phase(quantity, "one_pass", row, row["known"], row["examples_seen"], ends)
    for row in sql.rows(connection.sql(PASSES.format(table="without_epochs_and_examples")), PHASE):
        ends = widths.of_count(row["examples_seen"], is_stated=True)
        yield of_phase("examples_product", "steps_x_batch", row, row["known"], row["examples_seen"], ends)
