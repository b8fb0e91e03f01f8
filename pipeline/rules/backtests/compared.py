"""Two figures for one quantity: stated and counted, ours and others', the two methods."""

from collections.abc import Iterator, Sequence

import duckdb

from pipeline import sql
from pipeline.rules.backtests.hidden import PHASE, Hidden, Widths, of_log_sd, of_model, of_phase
from pipeline.sql import Row

SAME_PARAMETERS = 1.1  # counted and stated parameters within this factor are of one network
NETWORKS = """
    select r.*, c.forward_flop, c.backward_flop, c.active_parameters as counted_parameters,
        backward_ratio['all'] as backward_ratio
    from runs r join operation_counts c using (architecture_id) cross join constants
    where architecture_passes_per_example is not null
"""
REPORTED = """
    select e.model_id, published_year, e.reported_flop, operation_count_flop, reported_method
    from estimates e join models using (model_id)
    where not is_reported_hardware_flop and e.reported_flop is not null and operation_count_flop is not null
"""
# Models without base model of which both methods are known and independent: neither utilization nor chip time may rest
# on the operations.
METHODS = """
    select r.model_id, m.published_year, r.operation_count_flop, gpu_time_informed_flop, chip_peak_flop,
        r.operation_count_basis = 'counted' and r.examples_class = 'exact' and is_machine_known as is_certain,
        utilization_case, default_value, log_sd
    from reconciliations r join models m using (model_id)
    join (select model_id, bool_and(hardware_basis = 'reported' and precision_basis <> 'assumed') as is_machine_known,
              bool_or(is_from_operations or utilization_basis = 'reported') as is_derived
          from gpu_time_estimates group by model_id) using (model_id)
    join (select model_id, arg_min(utilization_case, phase) as utilization_case
        from operation_estimates group by model_id)
        using (model_id)
    join defaults on quantity = 'utilization' and applies_to = utilization_case
    where m.base_model is null and r.operation_count_flop is not null and chip_peak_flop is not null and not is_derived
"""
EXTERNAL = """
    select s.*, e.headline_method, e.training_flop, e.training_flop_low, e.training_flop_high,
        e.base_model, published_year,
        r.operation_count_flop, r.examples_class
    from external_estimates s join estimates e using (model_id) join models using (model_id)
    join reconciliations r using (model_id)
    where e.training_flop is not null
"""
STATED_CLASSES = ("exact", "product", "stated_by_user")


def networks(connection: duckdb.DuckDBPyConnection, widths: Widths) -> Iterator[Hidden]:
    """Counted networks against 2 FLOP a parameter and against the forward FLOP that their authors state."""
    for row in sql.rows(connection.sql(NETWORKS), PHASE):
        per_example = row["architecture_passes_per_example"]
        if _has_one_use_parameters(row):
            counted = (row["forward_flop"] + row["backward_flop"]) * per_example
            filled = 2 * row["active_parameters"] * (1 + row["backward_ratio"])
            yield of_phase("derived", "two_a_parameter", row, counted, filled, widths.of_count(filled))
        if row["stated_forward_flop"]:
            counted, stated = row["forward_flop"] * per_example, row["stated_forward_flop"]
            yield of_phase("reported_forward", "counted", row, counted, stated, widths.of_count(stated))


def _has_one_use_parameters(row: Row) -> bool:
    is_language = row["network"] == "language_transformer" and row["example_unit"] in ("token", "word")
    is_trained = not row["is_forward_only"] and not row["has_frozen_weights"]
    stated, counted = row["active_parameters"], row["counted_parameters"]
    is_whole = bool(stated) and counted / SAME_PARAMETERS < stated < counted * SAME_PARAMETERS
    return is_language and is_trained and is_whole


def reported(connection: duckdb.DuckDBPyConnection, widths: Widths) -> Iterator[Hidden]:
    """Totals that authors report against counted operations; a figure with recomputation is another quantity."""
    for row in sql.rows(connection.sql(REPORTED), ["model_id"]):
        counted, stated = row["operation_count_flop"], row["reported_flop"]
        yield of_model(f"reported_{row['reported_method']}", "counted", row, counted, stated, widths.of_count(stated))


def methods(connection: duckdb.DuckDBPyConnection, widths: Widths) -> Iterator[Hidden]:
    """Counted operations against GPU time, and the utilization that certain counts imply against the default."""
    for row in sql.rows(connection.sql(METHODS), ["model_id"]):
        counted, timed = row["operation_count_flop"], row["gpu_time_informed_flop"] * widths.whole_run
        yield of_model("operation_count_flop", "gpu_time_used", row, counted, timed, widths.of_time(timed))
        if row["is_certain"]:
            implied, default = counted / row["chip_peak_flop"], row["default_value"]
            ends = of_log_sd(default, row["log_sd"])
            quantity = f"utilization_{row['utilization_case']}"
            yield of_model(quantity, "default_on_counted_runs", row, implied, default, ends)


def external_estimates(connection: duckdb.DuckDBPyConnection, widths: Widths) -> Iterator[Hidden]:
    """External estimates against the headline, by its method, and those that agree against the operation count.

    An estimate further than 2x away covers other training or is wrong, as its record states; it tests the headline's
    interval nonetheless.
    """
    for row in sql.rows(connection.sql(EXTERNAL), ["model_id", "external_estimate_id"]):
        stated, place = row["stated_flop"], f"external_estimates.{row['external_estimate_id']}"
        ends = (row["training_flop_low"], row["training_flop_high"])
        yield of_model("training_flop", row["headline_method"], row, stated, row["training_flop"], ends, place)
        counted = row["operation_count_flop"]
        if counted is not None and row["base_model"] is None and row["outcome"] == "agrees":
            is_stated = row["examples_class"] in STATED_CLASSES
            quantity = f"examples_{row['examples_class']}"
            ends = widths.of_count(counted, is_stated)
            yield of_model(quantity, "agreeing_statement", row, stated, counted, ends, place)


def all_of(connection: duckdb.DuckDBPyConnection, widths: Widths) -> Sequence[Hidden]:
    """All comparisons of two figures, of the tables of the connection."""
    return [
        *networks(connection, widths),
        *reported(connection, widths),
        *methods(connection, widths),
        *external_estimates(connection, widths),
    ]
