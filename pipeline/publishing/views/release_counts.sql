-- One row: how many records of each kind the ledger has, and how many models have each property.
with of_models as (
    select
        count(*) as models,
        min(published_year) as first_year,
        max(published_year) as last_year,
        count(training_flop) as estimated,
        count(training_flop) filter (where m.base_model is not null) as tuned_estimated,
        count(method_ratio) as both_methods,
        count(method_ratio) filter (where e.training_evidence in ('quoted', 'table')) as both_methods_seen,
        count(method_ratio) filter (
            where e.training_evidence in ('quoted', 'table') and e.network_evidence in ('quoted', 'table')
        ) as both_methods_all_seen,
        count(m.reported_flop) as reported,
        count(m.base_model) as tuned,
        count(*) filter (where is_disputed) as disputed
    from models m left join estimates e using (model_id)
), of_runs as (
    select model_id, count(*) as parts, bool_or(architecture_id is not null) as is_counted from runs group by model_id
), of_allocations as (
    select model_id, count(*) as parts from allocations group by model_id
), of_parts as (
    select
        count(*) filter (where is_counted) as counted,
        count(*) filter (where greatest(r.parts, a.parts) > 1) as several_parts
    from of_runs r full join of_allocations a using (model_id)
), of_measurements as (
    select count(*) as measurements, count(distinct measurement_id) as measurement_sources from measurements
), of_checks as (
    select count(*) as checks, count(*) filter (where is_within_factor_two) as checks_near from checks
), of_adjudications as (
    select count(*) as adjudications, count(*) filter (where reason is null) as adjudications_standing
    from adjudications
)
select
    *,
    (select count(*) from hardware) as hardware,
    (select count(*) from errata) as errata,
    (select count(distinct model_id) from external_estimates) as externally_estimated
from of_models
cross join of_parts
cross join of_measurements
cross join of_checks
cross join of_adjudications
