"""Tables that check estimates."""

from schemas.columns import nulls
from schemas.tables.table import Table

TABLES: dict[str, Table] = {
    "checks": Table(
        "One row per measurement compared with the default utilization.",
        "measurement_id row",
        """
        measurement_id row network hardware_id precision chips default_utilization_fraction
        measured_utilization_fraction time_ratio is_within_factor_two
        """,
    ),
    "gold_runs": Table(
        "One row per whole run whose operations and time are known, with the result of each method of estimating it.",
        "gold_group_id run",
        """
        gold_group_id run owner name model_id? published network? utilization_case example_unit examples_seen
        steps? batch? sequence_length? hardware_id generation? chips? chip_seconds precision run_evidence
        hours_cover operation_count_flop default_utilization_fraction utilization_middle_fraction? gpu_time_flop
        gpu_time_informed_flop? six_nd_flop? implied_utilization_fraction weight data_text? data_found_at?
        time_text? time_found_at? note?
        """,
        {"model_id": nulls.NOT_OF_LEDGER, "gpu_time_informed_flop": nulls.NO_LIKE_MEASUREMENTS},
    ),
    "gold_scores": Table(
        "One row per trait of gold runs and estimation method: how far the estimates are from the counted operations.",
        "gold_grouping group_name gold_method",
        """
        gold_grouping group_name gold_method runs_number groups_number median_ratio ratio_standard_deviation
        share_of_runs_within_1_25_fraction share_of_runs_within_2_fraction share_of_runs_held_fraction?
        """,
    ),
    "gold_utilizations": Table(
        "One row per gold run, with its utilization as predicted from measurements by others.",
        "gold_group_id run",
        "gold_group_id run utilization_low_fraction utilization_middle_fraction utilization_high_fraction",
    ),
    "imputation_backtests": Table(
        "One row per known fact that was hidden and imputed, or compared with another figure for it.",
        "quantity rule model_id hidden_place",
        """
        quantity rule model_id hidden_place phase? allocation? published_year known_value filled_value log_error
        filled_low filled_high is_in_interval
        """,
    ),
    "imputation_errors": Table(
        "One row per quantity, rule and year: errors of imputed values, and the coverage of intervals.",
        "quantity rule period",
        "quantity rule period errors_number median_log_error log_bias error_log_sd share_in_interval_fraction",
    ),
    "method_comparison": Table(
        "One row per model with two independent methods.",
        "model_id",
        "model_id published_year domain operation_count_flop gpu_time_flop method_ratio has_imputed_inputs",
    ),
    "method_comparison_summary": Table(
        "One row per group of models with two independent methods.",
        "grouping group",
        """
        grouping group models_number geometric_mean_ratio geometric_standard_deviation?
        share_within_1_7_fraction share_within_2_fraction share_within_3_fraction
        """,
    ),
    "reading_comparison": Table(
        "One row per blind second reading and the ledger's value of the same fact; chips are not compared.",
        "reader model_id path",
        """
        reader model_id path=read_path unit? written? amount? ledger_amount? ledger_word? reading_ratio?
        reading_outcome settlement? settlement_reason?
        """,
    ),
    "utilization_backtests": Table(
        "One row per measurement, predicted from all other sources.",
        "measurement_id row",
        """
        measurement_id row network precision generation? measured_utilization_fraction
        default_utilization_fraction utilization_low_fraction utilization_middle_fraction
        utilization_high_fraction
        """,
    ),
    "utilization_cells": Table(
        "One row per network family, precision and chip generation with measurements.",
        "network precision generation",
        """
        network precision generation rows sources_number default_utilization_fraction utilization_p10_fraction
        utilization_median_fraction utilization_p90_fraction share_within_factor_two_fraction default_log_error
        predicted_log_error?
        """,
    ),
    "year_peak_comparison": Table(
        "One row per year and kind of precision: the default peak, and the peak of the ledger's own chips.",
        "published_year applies_to",
        """
        published_year applies_to default_peak_flop_per_second peak_basis source own_mean_peak_flop_per_second
        log_sd models_number common_hardware_id common_peak_flop_per_second common_models_number
        """,
    ),
}
