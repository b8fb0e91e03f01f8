-- Allocations of chips with their time, their precision (from the first rule that applies) and, if the chip is unknown,
-- its stated peak, or the default peak of the year or of the owner of its maker, if that owner builds its own chips.
with timed as (
    select a.*, coalesce(stated_chip_seconds, chips * duration_seconds) as known_chip_seconds,
        sum(known_chip_seconds::decimal(38, 9)) over (partition by model_id) as model_chip_seconds,
        (select max(y.applies_to) from year_peaks y where y.peak_basis = 'default_maker'
            and y.published_year = m.published_year and a.hardware_id is null
            and list_contains(string_split(m.parent_organization, ' + '), y.applies_to)) as chip_maker
    from allocations a left join (select model_id, published_year, parent_organization from models) m using (model_id)
), ruled as (
    select timed.*, r.* exclude (model_id, phase), h.* exclude (hardware_id),
        case when stated_precision is not null then 'stated'
             when only_precision is not null then 'only_format' when chip_maker is not null then 'maker_chip'
             when timed.hardware_id is not null and fast_16bit_precision is null then 'no_fast_16bit'
             when organization_kind = 'industry' and model_chip_seconds >= impute.large_run_chip_days * 86400
                  and published_year >= impute.large_run_first_year then 'large_industry_run'
             when published < impute.sixteen_bit_since then 'before_sixteen_bit'
             else 'best_sixteen_bit' end as precision_rule,
        case precision_rule when 'stated' then stated_precision when 'only_format' then only_precision
             when 'maker_chip' then 'bf16' when 'no_fast_16bit' then 'fp32' when 'before_sixteen_bit' then 'fp32'
             else coalesce(fast_16bit_precision, 'fp16') end as precision,
        precision_rule in ('large_industry_run', 'before_sixteen_bit', 'best_sixteen_bit') as is_inferred
    from timed cross join params
    left join (
        select model_id, phase, utilization_case, stated_precision, stated_precision_basis, organization_kind,
            published, published_year,
            stated_utilization_fraction, stated_utilization_basis, stated_utilization_log_sd from runs
    ) r using (model_id, phase)
    left join (select hardware_id, only_precision, fast_16bit_precision, sixteen_bit_ratio from hardware) h
        using (hardware_id)
)
select model_id, phase, allocation, utilization_case, hardware_id,
    case when hardware_id is not null or stated_peak_flop_per_second is not null
            then coalesce(stated_hardware_basis, 'reported')
         else coalesce(year_peaks.peak_basis, 'assumed') end as hardware_basis,
    precision,
    case when precision_rule = 'stated' then coalesce(stated_precision_basis, 'reported')
         when is_inferred then 'assumed' else 'derived' end as precision_basis,
    precision_rule,
    -- The chip's peak at the alternative precision / its peak at the inferred precision. FP32 is the alternative to 16
    -- bits, and vice versa.
    case when is_inferred and precision = 'fp32' then sixteen_bit_ratio when is_inferred
        then 1 / sixteen_bit_ratio end as format_ratio,
    known_chip_seconds as chip_seconds,
    case when chip_seconds_class = 'analysis' then 'analyst' when stated_chip_seconds is not null then 'reported'
         when known_chip_seconds is not null then 'derived' end as chip_seconds_basis,
    chip_seconds_class,
    case when known_chip_seconds is not null then (
        case when chip_seconds_class = 'analysis' then uncertainty_spread['analysis'] else 0 end ** 2
        + coalesce(chip_seconds_range_log_sd, 0) ** 2) ** 0.5 end as chip_seconds_log_sd,
    chip_seconds_bound,
    case when hardware_id is null then coalesce(stated_peak_flop_per_second, peak_flop_per_second) end
        as default_peak_flop_per_second,
    case when hardware_id is null and stated_peak_flop_per_second is null then year_peaks.log_sd end
        as default_peak_log_sd,
    stated_utilization_fraction, stated_utilization_basis, stated_utilization_log_sd, is_from_operations
from ruled cross join constants
left join year_peaks on year_peaks.published_year = ruled.published_year
    and year_peaks.applies_to = case when precision in ('fp16', 'bf16', 'fp8', 'fp4')
        then coalesce(chip_maker, '16bit') else 'fp32' end
