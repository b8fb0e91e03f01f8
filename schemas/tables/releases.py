"""Tables of Epoch's catalogue, and changes between releases."""

from schemas.columns import nulls
from schemas.tables.table import Table

TABLES: dict[str, Table] = {
    "catalogue_estimates": Table(
        "One row per model in Epoch's tables, which are merged; a row whose model has a record names it and has no"
        " estimate here.",
        "source_row",
        """
        published_date? name organization? source_row epoch_tables model_id? no_estimate_reason? training_flop?
        training_flop_low? training_flop_high? total_state? training_flop_at_least? confidence?
        own_training_flop? own_training_flop_low? own_training_flop_high? parameters=known_parameters?
        active_parameters? examples_seen=total_examples_seen? example_unit=main_example_unit? hardware?
        chips=most_chips? chip_hours? chip_days? cost_usd? cost_usd_low? cost_usd_high? energy_kwh? energy_kwh_low?
        energy_kwh_high? co2_kg? co2_kg_low? co2_kg_high? domain parent_organization? country? country_code?
        weights_access? base_model? base_training_flop? headline_method? operation_count_flop? gpu_time_flop?
        gpu_time_informed_flop? method_ratio? is_disputed? dispute_cause? independence? cumulative_flop?
        threshold_total? probability_above_1e23_fraction? probability_above_1e25_fraction?
        probability_above_1e26_fraction? own_to_base_ratio? precision=precisions? implied_utilization_fraction?
        cost_basis? operation_count_basis? hardware_basis? precision_basis? utilization_basis? imputed_inputs? rules?
        unread_cells? source_url? epoch_name? published? published_precision? off_by_two_fraction?
        training_flop_p2_5? training_flop_p10? training_flop_p25? training_flop_p75? training_flop_p90?
        training_flop_p97_5?
        """,
        {
            "confidence": nulls.NO_ROW_ESTIMATE,
            "weights_access": nulls.NOT_READ_FROM_ROWS,
            "source_url": nulls.NOT_READ_FROM_ROWS,
            "epoch_name": nulls.NOT_READ_FROM_ROWS,
        },
        "published_date desc, source_row",
    ),
    "changes": Table(
        "One row per value of `estimates` that changed from one release to the next, or per model that was added or"
        " removed.",
        "model_id release column_name",
        "model_id release column_name old? new? reason=change_reason",
    ),
    "epoch_results": Table(
        "One row per row of Epoch's table with training compute, a cost or a capabilities index, as in the table; no"
        " estimate uses it.",
        "source_row",
        """
        source_row name epoch_flop? epoch_confidence? epoch_cost_usd? epoch_cloud_usd? epoch_upfront_usd?
        epoch_chip_hours? eci? eci_low? eci_high? cost_note?
        """,
    ),
}
