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
select model_id, m.name, organization, parent_organization, published_date, published_precision, domain,
    training_flop, training_flop_low, training_flop_high, w.confidence, w.evidence_class, w.headline_method,
    range_low_flop, range_high_flop, range_basis,
    operation_count_flop, gpu_time_flop, gpu_time_informed_flop, w.reported_flop, w.method_ratio, is_disputed,
        dispute_cause, independence,
    training_flop_p2_5, training_flop_p10, training_flop_p25, training_flop_p75, training_flop_p90, training_flop_p97_5,
    off_by_two_fraction, w.named_second, w.gap_ratio, h.own_training_flop, cumulative_flop,
    case when training_flop is null then case when probability_above_1e23_fraction is not null
            then 'base_training_flop' end
         when cumulative_flop is not null then 'cumulative_flop' else 'training_flop' end as threshold_total,
    probability_above_1e23_fraction, probability_above_1e25_fraction, probability_above_1e26_fraction,
    case when m.base_model is not null and training_flop > h.own_training_flop
        then h.own_training_flop / (training_flop - h.own_training_flop) end as own_to_base_ratio,
    w.is_bound, d.parameters, m.active_parameters, examples_seen, example_unit, w.hardware, d.chips,
    chip_seconds / 3600 as chip_hours, precision, w.utilization_fraction, w.implied_utilization_fraction, m.base_model,
        m.scope, m.country,
    m.weights_access, energy_kwh, low(energy_kwh, energy_log_sd) as energy_kwh_low, high(energy_kwh, energy_log_sd)
        as energy_kwh_high,
    cost_usd, low(cost_usd, cost_log_sd) as cost_usd_low, high(cost_usd, cost_log_sd) as cost_usd_high, cost_basis,
    co2_kg, low(co2_kg, co2_log_sd) as co2_kg_low, high(co2_kg, co2_log_sd) as co2_kg_high,
    m.training_evidence, m.network_evidence, operation_count_basis, hardware_basis, precision_basis, utilization_basis,
        imputed_inputs,
    m.source_url, m.sources, m.epoch_name, m.published
from wholes w join headlines h using (model_id) join descriptions d using (model_id) join models m using (model_id)
left join footprints using (model_id) left join cumulative_totals using (model_id)
left join dispute_causes using (model_id)
left join threshold_probabilities using (model_id) left join ranges using (model_id)
