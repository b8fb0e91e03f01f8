-- Training compute of each phase by method 1, counting operations (methods, section 2): from a counted architecture,
-- otherwise from stated forward FLOP, otherwise from the number of connections, otherwise from 2 FLOP per parameter.
with forward as (
    select r.*, c.parameters as counted_parameters, backward_ratio,
        c.forward_flop * architecture_passes_per_example as counted_forward,
        c.backward_flop * architecture_passes_per_example as counted_backward,
        coalesce(counted_forward, stated_forward_flop, connections * 2, case when allows_2n_rule
            then r.active_parameters * 2 end)
            as forward_flop_per_example,
        case when counted_forward is not null then 'counted'
             when stated_forward_flop is not null then 'reported'
             when forward_flop_per_example is not null then 'derived' end as operation_count_basis,
        -- The count under the two other conventions for attention: with full scores, and without scores.
        case when counted_forward is null then 1 else c.forward_flop_full_attention / c.forward_flop end
            as full_attention_ratio,
        case when counted_forward is null then 1 else 1 - c.attention_score_flop / c.forward_flop end as no_scores_ratio
    from completed_runs r cross join constants left join operation_counts c using (architecture_id)
), backward as (
    select *,  -- frozen weights have no gradient, so the backward pass costs only as much as the forward pass
        case when is_forward_only then 0.0::double
             else coalesce(counted_backward, forward_flop_per_example * case when has_frozen_weights then 1.0::double
                 else backward_ratio['all'] end) end as backward_flop_per_example,
        (forward_flop_per_example + backward_flop_per_example) * examples_seen as operation_count_flop
    from forward
)
select model_id, phase, utilization_case, examples_seen_basis, examples_class, examples_log_sd, examples_bound,
    is_examples_inconsistent, counted_parameters, is_stated_in_multiply_adds,
    operation_count_basis = 'derived' and connections is null as is_from_parameters,
    forward_flop_per_example, backward_flop_per_example, operation_count_basis, operation_count_flop,
    operation_count_flop * full_attention_ratio as full_attention_flop,
    operation_count_flop * no_scores_ratio as no_scores_flop
from backward
