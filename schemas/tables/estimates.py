"""Tables of the estimates for records, and of their inputs."""

from schemas.columns import nulls
from schemas.tables.facts import RUN, RUN_NULLS
from schemas.tables.table import Table

TABLES: dict[str, Table] = {
    "carbon": Table(
        "One row per allocation: the emissions from its electricity, and the grid used.",
        "model_id phase allocation",
        """
        model_id phase allocation grid_place grid_basis grid_year? grid_g_per_kwh? co2_kg? co2_log_sd?
        water_litres? water_log_sd?
        """,
    ),
    "completed_allocations": Table(
        "One row per allocation, with missing facts imputed and marked.",
        "model_id phase allocation",
        """
        model_id phase allocation utilization_case hardware_id? hardware_basis precision precision_basis
        precision_rule format_ratio? chip_seconds? chip_seconds_basis? chip_seconds_class? chip_seconds_log_sd?
        chip_seconds_bound? default_peak_flop_per_second? default_peak_log_sd? stated_utilization_fraction?
        stated_utilization_basis? stated_utilization_log_sd? is_from_operations
        """,
    ),
    "completed_runs": Table(
        "One row per phase, with the examples seen.",
        "model_id phase",
        """
        model_id phase architecture_id? utilization_case example_unit examples_seen? examples_seen_basis?
        examples_class? examples_log_sd? examples_bound? is_examples_inconsistent?
        architecture_passes_per_example? active_parameters? allows_2n_rule stated_forward_flop?
        is_stated_in_multiply_adds? connections? is_forward_only has_frozen_weights stated_utilization_fraction?
        stated_utilization_basis?
        """,
    ),
    "costs": Table(
        "One row per allocation: the cost of its chips, calculated in three ways, and the prices used.",
        "model_id phase allocation",
        """
        model_id phase allocation began_date server_usd? rent_per_hour_usd? nearest_price_date? prices_number
        electricity_usd? amortized_usd? purchase_usd? rent_usd? cost_usd? cost_log_sd? cost_basis
        """,
    ),
    "dispute_causes": Table(
        "One row per model whose two methods disagree, with the cause and the numbers for its sentence.",
        "model_id",
        """
        model_id dispute_cause is_cause_stated dispute_reason? method_ratio implied_utilization_fraction
        default_utilization_fraction is_measured like_low_fraction? like_high_fraction? ratio_at_predicted
        ratio_at_other_format? is_hardware_imputed is_from_parameters scope examples_class
        is_examples_inconsistent data_reach_ratio needed_ratio
        """,
    ),
    "energy_estimates": Table(
        "One row per allocation: its energy, and the factors behind it.",
        "model_id phase allocation",
        """
        model_id phase allocation chip_seconds? power_watts? chip_load_ratio? chip_load_case?
        facility_overhead_ratio? facility_overhead_basis? energy_kwh? energy_log_sd?
        """,
    ),
    "estimates": Table(
        "One row per model: the estimate by each method, the headline with its interval, and the evidence behind it.",
        "model_id",
        """
        published_date name organization model_id training_flop? training_flop_low? training_flop_high? total_state
        training_flop_at_least? confidence? evidence_class? own_training_flop? own_training_flop_low?
        own_training_flop_high? parameters=known_parameters? active_parameters? examples_seen=total_examples_seen?
        example_unit=main_example_unit? hardware? chips=most_chips? chip_hours? chip_days? cost_usd? cost_usd_low?
        cost_usd_high? energy_kwh? energy_kwh_low? energy_kwh_high? co2_kg? co2_kg_low? co2_kg_high? domain
        parent_organization? country? country_code? weights_access? base_model? scope headline_method?
        operation_count_flop? gpu_time_flop? gpu_time_informed_flop? reported_flop? method_ratio? is_disputed?
        dispute_cause? independence? named_second? gap_ratio? cumulative_flop? threshold_total?
        probability_above_1e23_fraction? probability_above_1e25_fraction? probability_above_1e26_fraction?
        own_to_base_ratio? is_bound omits_network precision=precisions? utilization_fraction?
        implied_utilization_fraction? cost_basis training_evidence? network_evidence? operation_count_basis?
        hardware_basis? precision_basis? utilization_basis? imputed_inputs? source_url? sources epoch_name?
        published published_precision off_by_two_fraction? training_flop_p2_5? training_flop_p10? training_flop_p25?
        training_flop_p75? training_flop_p90? training_flop_p97_5?
        """,
        {
            **dict.fromkeys(
                """
                training_flop_p2_5 training_flop_p10 training_flop_p25 training_flop_p75 training_flop_p90
                training_flop_p97_5 off_by_two_fraction threshold_total probability_above_1e23_fraction
                probability_above_1e25_fraction probability_above_1e26_fraction
                """.split(),
                nulls.NO_HEADLINE,
            ),
            "own_training_flop": "Its own training has no estimate: neither method has its inputs, and the authors"
            " report no total.",
            "example_unit": "The record has no phase of training, or its phases have several units and not all"
            " operations are known.",
            **dict.fromkeys(
                ("chip_hours", "chip_days"),
                "The chips or the time of a phase or base model are not known, and they are never imputed.",
            ),
        },
        "published_date desc, model_id",
    ),
    "footprints": Table(
        "One row per model: cost and carbon summed over all its parts.",
        "model_id",
        "model_id cost_usd? cost_log_sd? cost_basis purchase_usd? rent_usd? co2_kg? co2_log_sd?",
        {
            "purchase_usd": "The number of chips or a purchase price is not known, or there are several allocations"
            " of chips."
        },
    ),
    "gpu_time_estimates": Table(
        "One row per allocation.",
        "model_id phase allocation",
        """
        model_id phase allocation hardware_basis precision precision_basis format_ratio? chip_seconds?
        chip_peak_flop? default_utilization_fraction utilization_fraction utilization_basis
        utilization_low_fraction? utilization_high_fraction? stated_utilization_log_sd? chip_seconds_class?
        chip_seconds_log_sd? chip_seconds_bound? peak_log_sd? precision_log_sd? chip_peak_log_sd? gpu_time_flop?
        gpu_time_informed_flop? is_from_operations
        """,
    ),
    "measured_cases": Table(
        "One row per measurement from which we predict the utilization of similar cases.",
        "measurement_id row",
        """
        measurement_id row measurement_source network precision generation? hardware_id peak_flop_per_second
        chips run_kind measured_utilization_fraction default_utilization_fraction intensity? work_flop?
        """,
    ),
    "operation_counts": Table(
        "One row per recorded architecture.",
        "architecture_id",
        """
        architecture_id parameters active_parameters forward_flop forward_flop_full_attention
        attention_score_flop backward_flop elementwise_flop
        """,
    ),
    "operation_counts_by_kind": Table(
        "One row per recorded architecture and kind of layer; a multiply-add is 2 FLOP, and attention counts the"
        " query-key pairs of its definition.",
        "architecture_id layer_kind",
        """
        architecture_id layer_kind layers parameters active_parameters kind_forward_flop
        kind_forward_flop_full_attention attention_score_flop backward_flop elementwise_flop
        """,
    ),
    "operation_estimates": Table(
        "One row per phase.",
        "model_id phase",
        """
        model_id phase utilization_case examples_seen_basis? examples_class? examples_log_sd? examples_bound?
        is_examples_inconsistent? counted_parameters? is_stated_in_multiply_adds? is_from_parameters?
        forward_flop_per_example? backward_flop_per_example? operation_count_basis? operation_count_flop?
        full_attention_flop? no_scores_flop?
        """,
    ),
    "own_shares": Table(
        "One row per kind of training that is added to other models: its share of their compute, and how well the"
        " middle share predicts.",
        "added_kind",
        """
        added_kind models_number within_quarter_fraction coverage_fraction p25_share middle_share p75_share
        p90_share high_share p97_5_share
        """,
    ),
    "rated_runs": Table(
        "One row per run of `benchmark_runs`, with its utilization, or with the reason why it has none or is not used.",
        "measurement_id row",
        f"""
        {RUN}
        generation? peak_flop_per_second? forward_flop? elementwise_flop? examples_per_second?
        measured_utilization_fraction? chip_load_ratio? default_utilization_fraction? left_out_reason?
        """,
        {**RUN_NULLS, "chip_load_ratio": "No power is logged, or the chips' power or number is not known."},
    ),
    "reconciliations": Table(
        "One row per model: the terms of its own headline, without base models.",
        "model_id",
        """
        model_id reported_flop? reported_method? shared_input? operation_count_flop? full_attention_flop?
        no_scores_flop? examples_log_sd? operation_count_basis? examples_class? has_count_at_least
        has_count_at_most counted_parameters? is_convolution is_examples_inconsistent is_from_parameters
        is_stated_in_multiply_adds gpu_time_flop? gpu_time_informed_flop? chip_peak_flop? chip_peak_log_sd?
        chip_seconds? utilization_basis? chip_seconds_class? utilization_low_fraction?
        utilization_high_fraction? format_ratio? is_from_operations is_time_bound independence?
        implied_utilization_fraction? utilization_ceiling_fraction is_hardware_imputed? gpu_time_used_reason?
        gpu_time_used_flop? headline_method? evidence_class? weak_reason? is_hearsay is_sound own_training_flop?
        own_training_flop_p2_5? own_training_flop_low? own_training_flop_p10? own_training_flop_p25?
        own_training_flop_p75? own_training_flop_p90? own_training_flop_high? own_training_flop_p97_5? up_log?
        down_log? named_second? gap_ratio? reported_unused_reason? nearest_convention? is_bound
        """,
        {"examples_log_sd": nulls.NO_COUNT, "own_training_flop": nulls.NO_HEADLINE},
    ),
    "sentences": Table("One row per model whose two methods disagree: why.", "model_id", "model_id dispute_sentence"),
    "utilization_model": Table(
        "One row per pair of effects from which utilization is predicted.",
        "effect other_effect",
        "effect other_effect covariance coefficient? origin_size?",
    ),
    "utilizations": Table(
        "One row per allocation whose utilization is predicted from measurements of similar cases.",
        "model_id phase allocation",
        """
        model_id phase allocation network utilization_low_fraction utilization_middle_fraction
        utilization_high_fraction utilization_log_sd
        """,
    ),
}
