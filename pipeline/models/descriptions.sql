-- The columns of estimates other than compute: parameters, chips and examples, including base models.
with counted as (  -- parameters of the counted network, if all phases train the same network
    select model_id, case when min(counted_parameters) = max(counted_parameters)
        and count(counted_parameters) = count(*)
        then max(counted_parameters) end as parameters
    from operation_estimates group by model_id
), by_unit as (
    select l.model_id, example_unit, whole_sum(examples_seen) as examples_seen,
        sum(operation_count_flop::decimal(38, 0))::double as flop, bool_or(operation_count_flop is null) as is_unknown
    from lineages l join completed_runs r on r.model_id = part_id
    join operation_estimates o on o.model_id = r.model_id and o.phase = r.phase
    where not is_forward_only
    group by l.model_id, example_unit
), main_unit as (  -- the example unit of the phases with most operations
    select model_id, example_unit, examples_seen from by_unit
    window of_model as (partition by model_id)
    qualify count(*) over of_model = 1 or (not bool_or(is_unknown) over of_model and flop = max(flop) over of_model)
), chips as (
    select l.model_id, case when count(chips) = count(*) then max(chips) end as chips
    from lineages l join models on models.model_id = part_id group by l.model_id
)
select m.model_id, coalesce(m.parameters, case when scope = 'single' then counted.parameters end) as parameters,
    chips.chips,
    example_unit, examples_seen
from models m left join counted using (model_id) left join chips using (model_id) left join main_unit using (model_id)
