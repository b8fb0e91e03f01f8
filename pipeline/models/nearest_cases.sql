-- The measurements and the whole runs with counted operations that are nearest to a case, by the sum of squared
-- differences in effects.
with whole_runs as (
    select g.*, peak_flop_per_second, 'production' as run_kind, null::double as intensity, null::double as work_flop
    from gold_runs g join peaks using (hardware_id, precision)
    where network is not null
), known as (
    select false as is_whole_run, measurement_id as case_source, "row" as case_name,
        measured_utilization_fraction as utilization_fraction, utilization_traits(m) as c
    from measured_cases m
    union all
    select true, gold_group_id, run, implied_utilization_fraction, utilization_traits(w) from whole_runs w
), cases as (
    select row_number() over () as case_number, * from known
), asked as (
    select model_id, phase, allocation, utilization_traits(a) as c from asked_cases a
), fitted as (
    select calibrate, slope_origins
    from params cross join (select slope_origins(effect, origin_size) as slope_origins from utilization_model)
), asked_effects as (
    select model_id, phase, allocation, unnest(utilization_effects(c, calibrate, slope_origins), recursive := true)
    from asked cross join fitted
), case_effects as (
    select case_number, unnest(utilization_effects(c, calibrate, slope_origins), recursive := true)
    from cases cross join fitted
), differences as (
    select model_id, phase, allocation, case_number, effect, fine_sum(difference) as difference
    from (
        select * exclude (effect_size), effect_size as difference
        from asked_effects cross join (select case_number from cases)
        union all by name
        select * exclude (effect_size), -effect_size as difference
        from case_effects cross join (select model_id, phase, allocation from asked)
    )
    where effect is not null and difference is not null
    group by all
), ranked as (
    select model_id, phase, allocation, case_number, fine_sum(difference ** 2) as squared_distance
    from differences group by all
)
select model_id, phase, allocation, is_whole_run, case_source, case_name, utilization_fraction, unnest(c),
    row_number() over (
        partition by model_id, phase, allocation, is_whole_run order by squared_distance, case_source, case_name)
        as nearness
from ranked join cases using (case_number)
