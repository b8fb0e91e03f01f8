-- Operation counts summed over phases: one row for each model's own training, and one for each fine-tuned model as a
-- whole. A sum is null if any part is null.
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
    has_any(network = 'language_transformer') as is_language,
    has_any(is_examples_inconsistent) as is_examples_inconsistent,
    has_any(is_from_parameters) as is_from_parameters,
    -- For a text transformer whose makers state its size, 6 x parameters x tokens omits only attention. Small
    -- transformers are excluded, because a tenth or more of their parameters are embeddings.
    bool_and(is_from_parameters and network = 'language_transformer'
        and domain in ('language', 'multimodal') and active_parameters >= 1e9
        and parameters_class in ('exact', 'product', 'stated_by_user', 'user_range')) as is_of_stated_parameters,
    has_any(is_stated_in_multiply_adds) as is_stated_in_multiply_adds
from parts p left join operation_estimates e on e.model_id = part_id
left join (select model_id, phase, network, active_parameters, parameters_class from runs) r
    on r.model_id = part_id and r.phase = e.phase
left join (select model_id, domain from models) m on m.model_id = part_id
group by p.model_id, is_own, is_whole
