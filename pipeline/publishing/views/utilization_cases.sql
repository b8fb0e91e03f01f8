-- Utilizations that follow from counted operations and a stated time, for gold runs and models with both methods, and
-- utilizations that models' authors state; only for models on one kind of chip in one precision.
with machines as (
    select model_id, any_value(hardware_id) as hardware_id, any_value(a.precision) as precision,
        any_value(network) as network
    from completed_allocations a join runs using (model_id, phase)
    group by model_id
    having count(distinct hardware_id) = 1 and count(distinct a.precision) = 1 and count(distinct network) = 1
), models_by_both as (
    select m.model_id, m.name, published_year, network, hardware_id, machines.precision, e.chips,
        implied_utilization_fraction, utilization_fraction, utilization_basis
    from estimates e join models m using (model_id) join machines using (model_id)
)
select 'gold' as kind, gold_group_id || '/' || run as case_id, model_id, name, left(published::varchar, 4)::int as year,
    network, hardware_id, precision, chips, implied_utilization_fraction as utilization_fraction
from gold_runs
where implied_utilization_fraction is not null
union all
select 'implied', model_id, model_id, name, published_year, network, hardware_id, precision, chips,
    implied_utilization_fraction
from models_by_both
where implied_utilization_fraction is not null
union all
select 'stated', model_id, model_id, name, published_year, network, hardware_id, precision, chips, utilization_fraction
from models_by_both
where utilization_basis = 'reported'
order by kind, case_id
