"""Tables of facts, as records state them."""

from schemas.columns import nulls
from schemas.tables.table import Table

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
        "One row per value in someone else's table that was checked against its sources; the values were drawn at"
        " random.",
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
        stated_peak_flop_per_second? stated_chip_seconds? chip_seconds_class? chip_seconds_range_log_sd?
        chip_seconds_bound? is_from_operations
        """,
        {"stated_hardware_basis": nulls.NO_CHIP},
    ),
    "benchmark_runs": Table(
        "One row per submitter, system and task of a table of measured runs: the median of its repeats, read from its"
        " log.",
        "measurement_id row",
        RUN,
        RUN_NULLS,
    ),
    "blind_test": Table(
        "One row per model whose estimate was sealed before we saw anyone's total: Epoch AI's figure, and what its"
        " sources decide.",
        "model_id",
        """
        model_id evidence_class p5_flop p50_flop p95_flop own_low_flop? own_high_flop? stated_flop
        compared_scope verdict decided_by? finding? text? found_at? answer? record_commit rules_commit
        """,
    ),
    "contributions": Table(
        "One row per model and contribution to its result, other than its own training and its base models':"
        " teachers, synthetic data, searches.",
        "model_id contribution",
        "model_id contribution accounting contributor_id? contribution_flop? evidence source? text? note?",
    ),
    "defaults": Table(
        "One row per default or standard deviation and case to which it applies.",
        "quantity applies_to",
        "quantity applies_to default_value log_sd? default_basis record_id source evidence note?",
    ),
    "errata": Table(
        "One row per published figure that contradicts its own factors.",
        "erratum_id",
        "erratum_id model_id? figure published_figure corrected_figure factors explanation",
    ),
    "executed_flop": Table(
        "One row per pass of a training step, or part of one, measured by hardware counters.",
        "network case pass_kind",
        """
        network=executed_network framework=executed_framework chip=executed_chip case=executed_case pass_kind
        kernels executed_flop counted_flop? tensor_core_fraction seconds=executed_seconds? place=executed_place
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
        "One row per fact in a record and sentence that supports it; `quotes` lists each sentence once.",
        "record_kind record_id path quote_index",
        "record_kind record_id path quote_index source locator? text read_in? found_at",
    ),
    "facts": Table(
        "One row per fact in a record, with the quote that decides its source; `fact_quotes` lists all quotes.",
        "record_kind record_id path",
        """
        record_kind record_id model_id? path written amount? unit? bound? evidence source? title? url? text?
        found_at? fact_status? via? derived? assumptions? assumption_reasons? note? inherited_from?
        """,
        {"amount": "For words and dates.", "unit": "For plain numbers, words and dates."},
    ),
    "grid_factors": Table(
        "One row per place and year: the emissions from its electricity.",
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
        "One row per model and part of its total: the training of the model itself and of its base models.",
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
    "measurements": Table(
        "One row per measured throughput.",
        "measurement_id row",
        """
        measurement_id row architecture_id network utilization_case hardware_id chips precision batch? timed
        run_kind is_whole_run is_recomputed is_circular examples_per_second reported_mfu_fraction?
        reported_hfu_fraction? evidence source licence note?
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
        published_precision published_year domain scope scope_note? note? base_model? base_evidence? base_share?
        parameter_network? parameters? active_parameters? reported_flop? reported_method? reported_convention?
        is_reported_hardware_flop is_total_of_others dispute_stated_cause? dispute_reason? dispute_sides_with?
        stated_by? training_evidence? network_evidence? shared_input? has_erratum is_search_counted
        has_read_contributions has_untimed_phase reported_energy_kwh? reported_co2_kg? trained_in? hardware?
        chips=most_chips? country? country_code? weights_access? source_url? sources epoch_name?
        """,
    ),
    "organization_parents": Table(
        "One row per organization and parent organization, from a given date on.",
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
        "One row per place in a public repository and passage that we looked for there, letter by letter except for"
        " spaces, signs and LaTeX.",
        "found_at text",
        "found_at text place_result checked_on",
    ),
    "quotes": Table(
        "One row per sentence that a record quotes, with its place in the source if known.",
        "record_kind record_id source text found_at",
        "record_kind record_id source locator? text read_in? found_at",
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
        parameters_class? allows_2n_rule stated_forward_flop? is_stated_in_multiply_adds? connections?
        is_forward_only has_frozen_weights framework? stated_precision? stated_precision_basis=precision_basis?
        stated_utilization_fraction? stated_utilization_basis? stated_utilization_log_sd?
        stated_facility_overhead_ratio? stated_facility_overhead_log_sd? organization_kind published
        published_year
        """,
        {"examples_class": "Examples or epochs are not stated.", "stated_precision_basis": nulls.NOT_STATED},
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
    "sources": Table(
        "One row per source of a record.",
        "record_kind record_id source",
        "record_kind record_id model_id? source source_kind? title url? source_year?",
    ),
    "watched_sources": Table(
        "One row per source that `flopledger update` checks.",
        "watched_source_id",
        """
        watched_source_id name watched_kind source_address? source_licence? cadence_days fetched_on?
        fetched_sha256? fetched_bytes?
        """,
    ),
    "year_peaks": Table(
        "One row per year and kind of precision: the peak used for an unknown chip.",
        "published_year applies_to",
        "published_year applies_to peak_flop_per_second log_sd peak_basis source",
    ),
}
