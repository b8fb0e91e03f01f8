-- The published estimates, one row per model. Columns include base models, except own_training_flop.
with wholes as (
    select h.*, c.* exclude (model_id, is_own, is_whole, utilization_basis, hardware_basis, precision, precision_basis),
        -- Publish these columns only if an estimate uses them.
        case when gpu_time_flop is not null then c.utilization_basis end as utilization_basis,
        case when gpu_time_flop is not null or hardware is not null then c.hardware_basis end as hardware_basis,
        case when gpu_time_flop is not null or c.precision_basis <> 'assumed' then c.precision end as precision,
        case when gpu_time_flop is not null or c.precision_basis <> 'assumed' then c.precision_basis end
            as precision_basis
    from headline_totals h join comparison c using (model_id)
    where is_whole
)
select published_date, m.name, organization, model_id, training_flop, training_flop_low, training_flop_high,
    case when training_flop is null then if(training_flop_at_least is null, 'unknown', 'at_least')
         when is_own_imputed then 'own_imputed' when is_base_assumed then 'base_assumed'
         else 'known' end as total_state,
    training_flop_at_least, w.confidence, w.evidence_class,
    coalesce(h.own_training_flop, o.flop) as own_training_flop,
    coalesce(h.own_training_flop_low, o.flop_low) as own_training_flop_low,
    coalesce(h.own_training_flop_high, o.flop_high) as own_training_flop_high,
    d.parameters, m.active_parameters, examples_seen, example_unit, w.hardware, d.chips,
    chip_seconds / 3600 as chip_hours, chip_seconds / 86400 as chip_days,
    cost_usd, low(cost_usd, cost_log_sd) as cost_usd_low, high(cost_usd, cost_log_sd) as cost_usd_high,
    energy_kwh, low(energy_kwh, energy_log_sd) as energy_kwh_low, high(energy_kwh, energy_log_sd) as energy_kwh_high,
    co2_kg, low(co2_kg, co2_log_sd) as co2_kg_low, high(co2_kg, co2_log_sd) as co2_kg_high,
    domain, parent_organization, m.country, m.country_code, m.weights_access, m.base_model, m.scope, w.headline_method,
    operation_count_flop, gpu_time_flop, gpu_time_informed_flop, w.reported_flop, w.method_ratio, is_disputed,
    dispute_cause, independence, w.named_second, w.gap_ratio, cumulative_flop,
    case when training_flop is null then null when cumulative_flop is not null then 'cumulative_flop'
         else 'training_flop' end as threshold_total,
    probability_above_1e23_fraction, probability_above_1e25_fraction, probability_above_1e26_fraction,
    coalesce(own_share, 1 / base_share - 1) as own_to_base_ratio, w.is_bound, w.omits_network, precision,
    w.utilization_fraction, w.implied_utilization_fraction, cost_basis, m.training_evidence, m.network_evidence,
    operation_count_basis, hardware_basis, precision_basis, utilization_basis, imputed_inputs, m.source_url,
    m.sources, m.epoch_name, m.published, published_precision, off_by_two_fraction, training_flop_p2_5,
    training_flop_p10, training_flop_p25, training_flop_p75, training_flop_p90, training_flop_p97_5
from wholes w join headlines h using (model_id) join descriptions d using (model_id) join models m using (model_id)
left join (select model_id, own_share from made_from_others) using (model_id)
left join (select model_id, flop, flop_low, flop_high from total_parts where is_in_share) o using (model_id)
left join footprints using (model_id) left join cumulative_totals using (model_id)
left join dispute_causes using (model_id)
left join threshold_probabilities using (model_id)
