-- Utilization of allocations, predicted from measurements of similar cases: a log-normal distribution whose median and
-- width follow from the effects of the case (methods, section 6).
with cases as (
    select row_number() over () as case_number, c
    from (select distinct utilization_traits(asked_cases) as c from asked_cases)
), effects as (
    select case_number, unnest(utilization_effects(c, calibrate, slope_origins), recursive := true)
    from cases cross join params
    cross join (select slope_origins(effect, origin_size) as slope_origins from utilization_model)
), sized as (
    select * from effects where effect is not null and effect_size is not null
), medians as (
    select case_number, fine_sum(coalesce(effect_size * coefficient, 0)) as log_ratio
    from sized left join (from utilization_model where effect = other_effect) using (effect)
    group by case_number
), variances as (  -- effects without a measurement have their prior width and are independent
    select a.case_number,
        fine_sum(a.effect_size * b.effect_size * coalesce(covariance, (a.effect = b.effect)::int)) as variance
    from sized a join sized b using (case_number)
    left join utilization_model m
        on m.effect = least(a.effect, b.effect) and m.other_effect = greatest(a.effect, b.effect)
    group by a.case_number
), bands as (
    select c, round(ln(c.default_utilization_fraction) + log_ratio, 9) as log_median,
        round((variance + calibrate.source_sd ** 2 + calibrate.residual_sd ** 2) ** 0.5, 9) as log_sd
    from cases join medians using (case_number) join variances using (case_number) cross join params
)
select model_id, phase, allocation, network,
    least(low(exp(log_median), log_sd), 1) as utilization_low_fraction,
    least(exp(log_median), 1) as utilization_middle_fraction,
    least(high(exp(log_median), log_sd), 1) as utilization_high_fraction, log_sd as utilization_log_sd
from asked_cases join bands on c = utilization_traits(asked_cases)
