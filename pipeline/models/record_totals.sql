-- Sums, flags and words from records, for each model's own training and for each fine-tuned model as a whole.
select p.model_id, is_own, is_whole,
    case when is_own then any_value(reported_flop) else whole_sum(reported_flop) end as reported_flop,
    case when is_own then any_value(reported_method) end as reported_method,
    case when is_own then any_value(reported_convention) end as reported_convention,
    case when is_own then any_value(dispute_sides_with) end as dispute_sides_with,
    any_value(m.scope) filter (p.model_id = part_id) as scope,
    any_value(network_evidence) filter (p.model_id = part_id) as network_evidence,
    max(stated_by) as stated_by, bool_or(has_erratum) as has_erratum, bool_or(has_untimed_phase) as has_untimed_phase,
    bool_or(is_reported_hardware_flop) as is_reported_hardware_flop,
    bool_or(is_total_of_others) as is_total_of_others,
    max(shared_input) as shared_input, joined_if_all(hardware) as hardware
from parts p left join models m on m.model_id = part_id
group by p.model_id, is_own, is_whole
