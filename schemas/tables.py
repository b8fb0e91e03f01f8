"""One contract per table: what a row is, the columns that identify it, and all columns in order.

Columns are declared in schemas/columns. `?` marks a column that may be null, with the meaning in its declaration unless
the table gives another; `name=column` gives a column another name in the table.
"""

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from schemas import spelling
from schemas.columns import COLUMNS, Column, nulls
from schemas.errors import ContractError


class Table(NamedTuple):
    """A table: what a row is, its grain, its columns, and what null means in columns whose declaration does not apply."""

    row: str
    grain: str
    columns: str
    nulls: Mapping[str, str] = {}


class Place(NamedTuple):
    """A column in a table, and what null means there; None if null is not allowed."""

    column: Column
    null: str | None

    @property
    def description(self) -> str:
        """Return the column's description, with the condition under which it is null, if null means a condition.

        >>> columns_of("models")["hardware"].description
        'Chips that trained the model, joined by +; null if not stated.'
        """
        described, null = self.column.description, self.null or ""
        is_condition = null.startswith(("If ", "For "))
        return f"{described.removesuffix('.')}; null {null[0].lower()}{null[1:]}" if is_condition else described


@cache
def columns_of(name: str) -> dict[str, Place]:
    """Return the columns of a table by their names in the table.

    Raise LookupError if there is no such table, and ContractError if the table names an unknown column.
    """
    if name not in TABLES:
        raise LookupError(f"{name!r} is not a table{spelling.nearest(name, TABLES)}")
    table, places = TABLES[name], dict[str, Place]()
    for written in table.columns.split():
        local_name, _, shared = written.removesuffix("?").partition("=")
        if (shared or local_name) not in COLUMNS:
            hint = spelling.nearest(shared or local_name, COLUMNS)
            raise ContractError(f"tables.py, {name}: {shared or local_name!r} is not a column of columns.csv{hint}")
        column = COLUMNS[shared or local_name]
        places[local_name] = Place(column, table.nulls.get(local_name, column.null) if written.endswith("?") else None)
    return places


def grain(name: str) -> tuple[str, ...]:
    """Return the columns that identify one row of a table; a table is sorted by them."""
    return tuple(TABLES[name].grain.split())


RUN = """
    measurement_id row submitter division? task architecture_id? network? utilization_case? not_counted_reason?
    predicts stated_chip? hardware_id? chips? nodes? tensor_parallel? pipeline_parallel? expert_parallel?
    precision? precision_words? precision_place? batch? run_kind examples_seen=logged_examples_seen? run_seconds
    evaluation_seconds? node_watts? repeats repeats_log_sd? place=log_place
"""  # columns of a run in a benchmark table, rated or not
RUN_NULLS = {
    "architecture_id": nulls.NOT_COUNTED,
    "network": nulls.NOT_COUNTED,
    "hardware_id": "The chip is not stated, or no record has its name.",
    "chips": nulls.NO_SYSTEM,
    "batch": nulls.NOT_LOGGED,
}

TABLES: dict[str, Table] = {
    "adjudications": Table(
        "One row per value of someone else's table that was checked in its sources; the values were drawn at random.",
        "snapshot name published_flop",
        """
        snapshot name published_flop corrected_flop? reason? certainty factors? note stratum sampling_weight
        evidence record_id path
        """,
    ),
    "allocations": Table(
        "One row per allocation of chips to a phase, as stated in its record.",
        "model_id phase allocation",
        """
        model_id phase allocation hardware_id? stated_hardware_basis=hardware_basis? chips? duration_seconds?
        stated_chip_seconds? chip_seconds_class? chip_seconds_range_log_sd? chip_seconds_bound?
        is_from_operations
        """,
        {"stated_hardware_basis": nulls.NO_CHIP},
    ),
    "benchmark_runs": Table(
        "One row per submitter, system and task of a table of measured runs: the median of its repeats, read from its log.",
        "measurement_id row",
        RUN,
        RUN_NULLS,
    ),
    "carbon": Table(
        "One row per allocation: the emissions of its electricity, and the grid used.",
        "model_id phase allocation",
        """
        model_id phase allocation grid_place grid_basis grid_year? grid_g_per_kwh? co2_kg? co2_log_sd?
        water_litres? water_log_sd?
        """,
    ),
    "catalogue_estimates": Table(
        "One row per model in Epoch's tables, which are merged; a row whose model has a record names it and has no estimate here.",
        "source_row",
        """
        source_row epoch_tables model_id? no_estimate_reason? base_training_flop? rules? unread_cells? name organization?
        parent_organization? published_date? published_precision? domain training_flop? training_flop_low?
        training_flop_high? confidence? headline_method? operation_count_flop? gpu_time_flop?
        gpu_time_informed_flop? method_ratio? is_disputed? dispute_cause? independence? training_flop_p2_5?
        training_flop_p10? training_flop_p25? training_flop_p75? training_flop_p90? training_flop_p97_5?
        off_by_two_fraction? own_training_flop? cumulative_flop? threshold_total?
        probability_above_1e23_fraction? probability_above_1e25_fraction? probability_above_1e26_fraction?
        own_to_base_ratio? parameters=known_parameters? active_parameters? examples_seen=total_examples_seen?
        example_unit=main_example_unit? hardware? chips=most_chips? chip_hours? precision=precisions?
        implied_utilization_fraction? base_model? country? weights_access? energy_kwh? energy_kwh_low?
        energy_kwh_high? cost_usd? cost_usd_low? cost_usd_high? cost_basis? co2_kg? co2_kg_low? co2_kg_high?
        operation_count_basis? hardware_basis? precision_basis? utilization_basis? imputed_inputs? source_url?
        epoch_name? published?
        """,
        {
            "confidence": nulls.NO_ROW_ESTIMATE,
            "weights_access": nulls.NOT_READ_FROM_ROWS,
            "source_url": nulls.NOT_READ_FROM_ROWS,
            "epoch_name": nulls.NOT_READ_FROM_ROWS,
        },
    ),
    "catalogue_notes": Table(
        "One row per figure or equation of a note on training compute in Epoch's table; no estimate uses it.",
        "source_row note_place",
        "source_row note_place name table_flop? note_flop note_result_flop? note_equation? lacks_six",
    ),
    "changes": Table(
        "One row per value of `estimates` that changed from one release to the next, or per model that was added or removed.",
        "model_id release column",
        "model_id release column old? new? reason=change_reason?",
    ),
    "checks": Table(
        "One row per measurement compared with the default utilization.",
        "measurement_id row",
        """
        measurement_id row network hardware_id precision chips default_utilization_fraction
        measured_utilization_fraction time_ratio is_within_factor_two
        """,
    ),
    "completed_allocations": Table(
        "One row per allocation, with missing facts imputed and marked.",
        "model_id phase allocation",
        """
        model_id phase allocation utilization_case hardware_id? hardware_basis precision precision_basis
        precision_rule format_ratio? chip_seconds? chip_seconds_basis? chip_seconds_class? chip_seconds_log_sd?
        chip_seconds_bound? default_peak_flop_per_second? default_peak_log_sd? stated_utilization_fraction?
        stated_utilization_basis? is_from_operations
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
    "contributions": Table(
        "One row per model and contribution to its result, other than its own training and its base models': teachers, synthetic data, searches.",
        "model_id contribution",
        "model_id contribution accounting contributor_id? contribution_flop? evidence source? text? note?",
    ),
    "costs": Table(
        "One row per allocation: the cost of its chips calculated in three ways, and the prices behind it.",
        "model_id phase allocation",
        """
        model_id phase allocation began_date server_usd? rent_per_hour_usd? nearest_price_date? prices_number
        electricity_usd? amortized_usd? purchase_usd? rent_usd? cost_usd? cost_log_sd? cost_basis
        """,
    ),
    "defaults": Table(
        "One row per default or standard deviation and case to which it applies.",
        "quantity applies_to",
        "quantity applies_to default_value log_sd? default_basis record_id source evidence note?",
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
    "epoch_results": Table(
        "One row per row of Epoch's table with training compute or a cost, as in the table; no estimate uses it.",
        "source_row",
        """
        source_row name epoch_flop? epoch_confidence? epoch_cost_usd? epoch_cloud_usd? epoch_upfront_usd?
        epoch_chip_hours? cost_note?
        """,
    ),
    "errata": Table(
        "One row per published figure that contradicts its own factors.",
        "erratum_id",
        "erratum_id model_id? figure published_figure corrected_figure factors explanation",
    ),
    "estimates": Table(
        "One row per model: the estimate by each method, the headline with its interval, and the evidence behind it.",
        "model_id",
        """
        model_id name organization parent_organization? published_date published_precision domain training_flop?
        training_flop_low? training_flop_high? confidence? evidence_class? headline_method? range_low_flop?
        range_high_flop? range_basis? operation_count_flop? gpu_time_flop? gpu_time_informed_flop?
        reported_flop? method_ratio? is_disputed? dispute_cause? independence? training_flop_p2_5?
        training_flop_p10? training_flop_p25? training_flop_p75? training_flop_p90? training_flop_p97_5?
        off_by_two_fraction? named_second? gap_ratio? own_training_flop? cumulative_flop? threshold_total?
        probability_above_1e23_fraction? probability_above_1e25_fraction? probability_above_1e26_fraction?
        own_to_base_ratio? is_bound parameters=known_parameters? active_parameters?
        examples_seen=total_examples_seen? example_unit=main_example_unit? hardware? chips=most_chips?
        chip_hours? precision=precisions? utilization_fraction? implied_utilization_fraction? base_model? scope
        country? weights_access? energy_kwh? energy_kwh_low? energy_kwh_high? cost_usd? cost_usd_low?
        cost_usd_high? cost_basis co2_kg? co2_kg_low? co2_kg_high? training_evidence? network_evidence?
        operation_count_basis? hardware_basis? precision_basis? utilization_basis? imputed_inputs? source_url?
        sources epoch_name? published
        """,
        {
            "training_flop_p2_5": nulls.NO_HEADLINE,
            "training_flop_p10": nulls.NO_HEADLINE,
            "training_flop_p25": nulls.NO_HEADLINE,
            "training_flop_p75": nulls.NO_HEADLINE,
            "training_flop_p90": nulls.NO_HEADLINE,
            "training_flop_p97_5": nulls.NO_HEADLINE,
            "off_by_two_fraction": nulls.NO_HEADLINE,
            "own_training_flop": nulls.NO_OWN_HEADLINE,
            "threshold_total": nulls.NO_PROBABILITY,
            "probability_above_1e23_fraction": nulls.NO_PROBABILITY,
            "probability_above_1e25_fraction": nulls.NO_PROBABILITY,
            "probability_above_1e26_fraction": nulls.NO_PROBABILITY,
            "example_unit": nulls.NO_MAIN_UNIT,
            "chip_hours": nulls.NO_CHIP_HOURS,
        },
    ),
    "executed_flop": Table(
        "One row per pass of a training step, or part of one, measured by hardware counters.",
        "network case pass_kind",
        """
        network=executed_network framework=executed_framework chip=executed_chip case=executed_case pass_kind kernels
        executed_flop counted_flop? tensor_core_fraction seconds=executed_seconds? place=executed_place
        """,
    ),
    "external_estimates": Table(
        "One row per figure that someone else gives for a model's training compute; no estimate uses it.",
        "model_id external_estimate_id",
        """
        model_id external_estimate_id stated_flop stated_bound? stated_flop_low? stated_flop_high?
        stated_confidence? stated_method? inputs labelled_before? outcome evidence source? locator? text? via?
        note?
        """,
    ),
    "fact_quotes": Table(
        "One row per fact of a record and sentence that supports it; `quotes` has each sentence once.",
        "record_kind record_id path quote_index",
        "record_kind record_id path quote_index source locator? text read_in? found_at",
    ),
    "facts": Table(
        "One row per fact of a record, with the words of its first quote; `fact_quotes` has all quotes.",
        "record_kind record_id path",
        """
        record_kind record_id path written amount? unit? bound? evidence source? title? url? text? found_at?
        via? derived? assumptions? assumption_reasons? note? inherited_from?
        """,
        {"amount": "For words and dates.", "unit": "For plain numbers, words and dates."},
    ),
    "footprints": Table(
        "One row per model: cost and carbon summed over all its parts.",
        "model_id",
        "model_id cost_usd? cost_log_sd? cost_basis purchase_usd? rent_usd? co2_kg? co2_log_sd?",
        {
            "purchase_usd": "The number of chips or a purchase price is not known, or there are several allocations of chips."
        },
    ),
    "gold_runs": Table(
        "One row per whole run whose operations and time are known, with the result of each way of estimating it.",
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
        "One row per trait of gold runs and way of estimating: how far the estimates are from the counted operations.",
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
    "gpu_time_estimates": Table(
        "One row per allocation.",
        "model_id phase allocation",
        """
        model_id phase allocation hardware_basis precision precision_basis format_ratio? chip_seconds?
        chip_peak_flop? default_utilization_fraction utilization_fraction utilization_basis
        utilization_low_fraction? utilization_high_fraction? chip_seconds_class? chip_seconds_log_sd?
        chip_seconds_bound? peak_log_sd? precision_log_sd? chip_peak_log_sd? gpu_time_flop?
        gpu_time_informed_flop? is_from_operations
        """,
    ),
    "grid_factors": Table(
        "One row per place and year: the emissions of its electricity.",
        "place grid_year",
        "place aliases? grid_year grid_g_per_kwh record_id title url? via",
    ),
    "hardware": Table(
        "One row per chip.",
        "hardware_id",
        """
        hardware_id name aliases? runtime_names? manufacturer generation? released cores_per_chip?
        dies_per_chip? devices_per_chip? memory_bytes? memory_bandwidth_bytes_per_second? power_watts?
        only_precision? fast_16bit_precision? sixteen_bit_ratio?
        """,
    ),
    "hardware_prices": Table(
        "One row per price of a chip, for purchase or for rent.",
        "record_id price_index",
        """
        record_id price_index hardware_id price_date price_kind price_terms price_usd vendor? evidence title
        url? via? text? note?
        """,
    ),
    "identifiers": Table(
        "One row per id that is or was in use; ids are permanent.",
        "record_kind record_id",
        "record_kind record_id is_retired replaced_by? former_ids?",
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
    "layers": Table(
        "One row per layer of a recorded architecture.",
        "architecture_id layer_index",
        """
        architecture_id layer_index layer_name layer_kind input_shape arguments has_trainable_below is_frozen
        times
        """,
    ),
    "keys": Table(
        "One row per key under which another database knows a model.",
        "system key",
        "model_id system=key_system key=model_key relation=key_relation place=key_place",
    ),
    "lineages": Table(
        "One row per model and model whose training is part of its total: itself and its base models.",
        "model_id part_id",
        "model_id part_id",
    ),
    "logged_runs": Table(
        "One row per gold run, as stated in its record or in its model's.",
        "gold_group_id run",
        """
        gold_group_id run owner measured_by? name model_id? published architecture_id network? utilization_case
        example_unit examples_seen steps? batch? sequence_length? architecture_passes_per_example
        stated_precision? hardware_id chips? chip_seconds data_text? data_found_at? time_text? time_found_at?
        run_evidence hours_cover note?
        """,
        {"model_id": nulls.NOT_OF_LEDGER},
    ),
    "measured_cases": Table(
        "One row per measurement from which we predict the utilization of similar cases.",
        "measurement_id row",
        """
        measurement_id row measurement_source network precision generation? hardware_id peak_flop_per_second
        chips run_kind measured_utilization_fraction default_utilization_fraction intensity? work_flop?
        """,
    ),
    "measurements": Table(
        "One row per measured throughput.",
        "measurement_id row",
        """
        measurement_id row architecture_id network utilization_case hardware_id chips precision batch? timed
        run_kind is_whole_run is_recomputed is_circular examples_per_second reported_mfu_fraction?
        reported_hfu_fraction? evidence source licence note?
        """,
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
    "missing_facts": Table(
        "One row per fact that we looked for and did not find.",
        "model_id path",
        "model_id path looked_in? would_settle?",
    ),
    "models": Table(
        "One row per model: the facts in its record about the model as a whole.",
        "model_id",
        """
        model_id name aliases? organization parent_organization? organization_kind published published_date
        published_precision published_year domain scope scope_note? note? base_model? parameter_network?
        parameters? active_parameters? reported_flop? reported_method? reported_convention?
        is_reported_hardware_flop is_total_of_others dispute_stated_cause? dispute_reason? dispute_sides_with? stated_by?
        training_evidence? network_evidence? shared_input? chips_ratio? has_erratum is_search_counted
        has_read_contributions has_untimed_phase reported_energy_kwh? reported_co2_kg? trained_in? hardware?
        chips=most_chips? country? weights_access? source_url? sources epoch_name?
        """,
    ),
    "note_findings": Table(
        "One row per row of Epoch's table whose note on training compute contradicts the row or itself, for the table's maintainers.",
        "source_row finding_reason",
        "source_row finding_reason name table_flop? note_flop finding_ratio note_equation",
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
        "One row per recorded architecture and kind of layer; a multiply-add is 2 FLOP, and attention counts the query-key pairs of its definition.",
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
    "organization_parents": Table(
        "One row per organization and organization to which it belonged, from a given day on.",
        "organization_id parent_organization_id",
        "organization_id parent_organization_id since?",
    ),
    "organizations": Table(
        "One row per organization that trained a model, or that owns one that did.",
        "organization_id",
        "organization_id name aliases? country? organization_kind?",
    ),
    "peaks": Table(
        "One row per chip and precision.",
        "hardware_id precision",
        "hardware_id precision peak_flop_per_second narrow_accumulate_peak_flop_per_second? evidence",
    ),
    "places": Table(
        "One row per place in a public repository and passage that we looked for there, letter by letter except for spaces, signs and LaTeX.",
        "found_at text",
        "found_at text place_result checked_on",
    ),
    "quotes": Table(
        "One row per sentence that a record quotes, with its place in the source if known.",
        "record_kind record_id source text found_at",
        "record_kind record_id source locator? text read_in? found_at",
    ),
    "range_backtests": Table(
        "One row per basis of ranges and direction: how often its ranges contain known models of other organizations.",
        "range_basis is_forwards",
        "range_basis is_forwards models_number=range_models_number coverage_fraction median_width_decades",
    ),
    "range_cases": Table(
        "One row per basis of ranges and known model from which we make the ranges of other models.",
        "range_basis model_id",
        """
        model_id range_basis parent_organization? published_date low_log middle_log high_log training_log
        ratio_log
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
        {
            **RUN_NULLS,
            "chip_load_ratio": "No power is logged, or the chips' power or number is not known.",
        },
    ),
    "reading_comparison": Table(
        "One row per blind second reading and the ledger's value of the same fact; chips are not compared.",
        "reader model_id path",
        """
        reader model_id path=read_path unit? written? amount? ledger_amount? ledger_word? reading_ratio?
        reading_outcome settlement? settlement_reason?
        """,
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
        gpu_time_used_flop? headline_method? evidence_class? weak_reason? confidence? own_training_flop?
        own_training_flop_p2_5? own_training_flop_low? own_training_flop_p10? own_training_flop_p25?
        own_training_flop_p75? own_training_flop_p90? own_training_flop_high? own_training_flop_p97_5? up_log?
        down_log? named_second? gap_ratio? reported_unused_reason? nearest_convention? is_bound
        """,
        {"examples_log_sd": nulls.NO_COUNT, "own_training_flop": nulls.NO_HEADLINE},
    ),
    "rejected_measurements": Table(
        "One row per published measurement that we examined and do not use.",
        "measurement_id row",
        "measurement_id row rejection_reason note",
    ),
    "reported_utilizations": Table(
        "One row per utilization that a source states without a throughput to check it against.",
        "measurement_id row",
        """
        measurement_id row about network? hardware_id? precision? stated_utilization_fraction utilization_kind
        evidence note?
        """,
        {"precision": nulls.NO_PRECISION},
    ),
    "runs": Table(
        "One row per phase of training, as stated in its record.",
        "model_id phase",
        """
        model_id phase phase_index architecture_id? network? accounting? example_unit utilization_case examples?
        epochs? steps? batch? examples_class? examples_range_log_sd? examples_bound? steps_class?
        steps_range_log_sd? steps_bound? lengths_log_sd? architecture_passes_per_example? active_parameters?
        parameters_class? allows_2n_rule stated_forward_flop? is_stated_in_multiply_adds? connections? is_forward_only
        has_frozen_weights framework? stated_precision? stated_precision_basis=precision_basis?
        stated_utilization_fraction? stated_utilization_basis? stated_facility_overhead_ratio? organization_kind
        published published_year
        """,
        {"examples_class": nulls.NO_CLASS_OF_EXAMPLES, "stated_precision_basis": nulls.NOT_STATED},
    ),
    "second_readings": Table(
        "One row per fact of a sampled model, as read by someone who had seen neither its record nor its estimate.",
        "reader model_id path",
        """
        seed reader model_id path=read_path written? amount? bound? unit? words? found_at? locator? derived?
        doubt? note? is_not_found read_on saw_estimates settlement? settlement_reason? settlement_words?
        settlement_place? ledger_had?
        """,
        {
            "bound": "It was not read as a bound.",
            "found_at": nulls.NOT_READ,
            "locator": "Not stated.",
            "derived": "The words contain the value.",
        },
    ),
    "sentences": Table(
        "One row per model: sentences about its number.",
        "model_id",
        """
        model_id covers_sentence? how_sentence? interval_sentence? confidence_sentence? second_sentence?
        independence_sentence? dispute_sentence? dispute_resolution?
        """,
    ),
    "sources": Table(
        "One row per source of a record.",
        "record_kind record_id source",
        "record_kind record_id source source_kind? title url? source_year?",
    ),
    "statement_counts": Table(
        "One row per kind of headline: how totals stated by others compare with such headlines.",
        "headline_kind",
        """
        headline_kind statements_number far_number held_number not_restating_number far_not_restating_number
        independent_number independent_held_number
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
        "One row per family of networks, precision and generation of chips with measurements.",
        "network precision generation",
        """
        network precision generation rows sources_number default_utilization_fraction utilization_p10_fraction
        utilization_median_fraction utilization_p90_fraction share_within_factor_two_fraction default_log_error
        predicted_log_error?
        """,
    ),
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
    "watched_sources": Table(
        "One row per source that `flopledger update` checks.",
        "watched_source_id",
        """
        watched_source_id name watched_kind source_address? source_licence? cadence_days fetched_on?
        fetched_sha256? fetched_bytes?
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
    "year_peaks": Table(
        "One row per year and kind of precision: the peak used for an unknown chip.",
        "published_year applies_to",
        "published_year applies_to peak_flop_per_second log_sd peak_basis source",
    ),
}
