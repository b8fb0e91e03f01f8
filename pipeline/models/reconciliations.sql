-- The terms of each model's headline without its base models: the two methods, the choice between them, and the
-- headline's error.
select c.* exclude (is_own, is_whole, scope, stated_by, network_evidence, reported_convention, dispute_sides_with,
        has_erratum, has_untimed_phase, is_language, is_reported_hardware_flop, is_total_of_others, hardware,
        hardware_basis, precision, stated_utilization_log_sd, precision_basis, examples_seen_basis, imputed_inputs,
        energy_kwh,
        energy_log_sd, utilization_fraction, method_ratio, is_disputed, is_of_stated_parameters),
    h.* exclude (model_id, lean_log)
from comparison c join headlines h using (model_id) where is_own
