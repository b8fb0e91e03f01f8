-- Operation counts summed over phases: one row a model's own training, and one a fine-tuned model's whole. A sum is
-- null where any part is.
select p.model_id, is_own, is_whole,
    whole_sum(operation_count_flop) as operation_count_flop,
    whole_sum(full_attention_flop) as full_attention_flop,
    whole_sum(no_scores_flop) as no_scores_flop,
    sum_log_sd(examples_log_sd, operation_count_flop) as examples_log_sd,
    case when count(operation_count_flop) = count(*) then weakest(operation_count_basis) end as operation_count_basis,
    weakest(examples_seen_basis) as examples_seen_basis,
    weakest(examples_class) as examples_class,
    has_any(examples_bound = 'at_least') as has_count_at_least, has_any(examples_bound = 'at_most')
        as has_count_at_most,
    max(counted_parameters) as counted_parameters,
    has_any(network = 'dense_convolution') as is_convolution,
    has_any(is_examples_inconsistent) as is_examples_inconsistent,
    has_any(is_from_parameters) as is_from_parameters,
    has_any(is_stated_in_multiply_adds) as is_stated_in_multiply_adds
from parts p left join operation_estimates e on e.model_id = part_id
left join (select model_id, phase, network from runs) r on r.model_id = part_id and r.phase = e.phase
group by p.model_id, is_own, is_whole
