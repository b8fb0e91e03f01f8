-- Formulas and sums that several tables use. Each stands here once; tests/test_macros.py holds those that Python needs
-- too equal to pipeline/formulas.

-- Sums. FLOP are added as whole numbers of 38 digits, smaller amounts with nine decimals: the order of rows and the
-- number of threads change no bit. A sum is null where any part is.
create or replace temp macro whole_sum(x) as case when bool_and(x is not null) then sum(x::decimal(38, 0))::double end;
create or replace temp macro fine_sum(x) as case when bool_and(x is not null) then sum(x::decimal(38, 9))::double end;
-- The log standard deviation of a sum of fully correlated parts: the mean of theirs, each weighted by its amount
-- (methods, section 5).
create or replace temp macro sum_log_sd(log_sd, amount) as
    case when bool_and(amount is not null)
         then sum((amount * log_sd)::decimal(38, 0))::double / sum(amount::decimal(38, 0))::double end;
create or replace temp macro fine_sum_log_sd(log_sd, amount) as
    case when bool_and(amount is not null)
         then sum((amount * log_sd)::decimal(38, 9))::double / sum(amount::decimal(38, 9))::double end;
create or replace temp macro has_any(x) as bool_or(coalesce(x, false));

-- Words of several rows: the weakest of all, and all of a column: the first and the last in the order of the alphabet.
create or replace temp macro weakness(word) as list_position(
    ['imputed', 'analysis', 'assumed', 'bound', 'table', 'range', 'product', 'exact', 'stated_by_user',
     'default_nearest_year', 'default_year', 'analyst', 'derived', 'reported', 'calibrated', 'counted', 'gpu_time',
     'unknown', 'operation_count'], word);
create or replace temp macro weakest(word) as arg_min(word, weakness(word));
create or replace temp macro joined(word) as case when min(word) = max(word) then min(word)
    else min(word) || ' + ' || max(word) end;
create or replace temp macro joined_if_all(word) as case when bool_and(word is not null) then joined(word) end;

-- (DuckDB 1.4 of browsers takes no parameter by the name of a type's word, such as `precision`.)
-- The largest share of its dense peak that a chip can reach: fast convolutions on ordinary cores need fewer
-- multiplications than their definition; 1.3 to 1.75 was measured (methods, section 4; formulas/utilization.py).
create or replace temp macro largest_utilization_fraction(is_dense_convolution, number_format) as
    case when is_dense_convolution and number_format in ('fp32', 'fp64') then 1.75::double else 1.0::double end;

-- Log-normals: energy alone has them (formulas/uncertainty.py).
create or replace temp macro normal_quantile_95() as 1.6448536269514722::double;
create or replace temp macro low(median, log_sd) as median * exp(-normal_quantile_95() * log_sd);
create or replace temp macro high(median, log_sd) as median * exp(normal_quantile_95() * log_sd);

-- How far the point of probability p (over one half) lies from the middle, in units of the error's half on its side
-- (methods, section 4): of a count a Lomax distribution with exponent 2 on each side, of a GPU time a logistic
-- distribution.
create or replace temp macro lomax_reach(p) as (2 * (1 - p)) ** -0.5 - 1;
create or replace temp macro logistic_reach(p) as ln(p / (1 - p));
create or replace temp macro reach(method, p) as case when method = 'gpu_time' then logistic_reach(p)
    else lomax_reach(p) end;
-- Probability that the truth lies beyond a distance, ln, on the side whose half is given.
create or replace temp macro lomax_beyond(distance, half) as 0.5 * (1 + distance / half) ** -2;
create or replace temp macro logistic_beyond(distance, half) as 1 / (1 + exp(distance / half));
create or replace temp macro beyond(method, distance, half) as
    case when method = 'gpu_time' then logistic_beyond(distance, half) else lomax_beyond(distance, half) end;
-- Probability that the truth exceeds e^distance times the middle; the distance may be negative.
create or replace temp macro probability_above(method, distance, up, down) as
    case when distance >= 0 then beyond(method, distance, up) else 1 - beyond(method, -distance, down) end;

-- What a range adds to what bounds it, ln: 5 and 95 % points of known models. Under a base model's interval lies
-- nothing, and above it what nine in ten fine-tuned models stay under. Rounded, since versions of DuckDB interpolate
-- otherwise.
create or replace temp macro range_low_log(basis, ratio_log) as
    case when basis = 'base_floor' then 0 else round(quantile_cont(ratio_log, 0.05), 9) end;
create or replace temp macro range_high_log(basis, ratio_log) as
    round(case when basis = 'base_floor' then quantile_cont(ratio_log, 0.9) else quantile_cont(ratio_log, 0.95) end, 9);
create or replace temp macro least_range_cases() as 20;
create or replace temp macro least_range_coverage_fraction() as 0.85;
-- The tokens that models are trained on grow from year to year; the time that machines run does not.
create or replace temp macro is_like_case(basis, published, case_published) as basis <> 'parameters_stated'
    or case_published between published - interval 1 year and published + interval 1 year;

-- Traits by which a case of utilization is like others, and their effects, each times its standard deviation
-- (params.yaml, `calibrate`): ln utilization is that of the default plus all of them (methods, section 6). What is
-- unknown shares no effect.
create or replace temp macro utilization_traits(c) as {
    'network': c.network, 'precision': c.precision, 'generation': c.generation, 'hardware_id': c.hardware_id,
    'peak_flop_per_second': c.peak_flop_per_second, 'chips': c.chips, 'run_kind': c.run_kind,
    'default_utilization_fraction': c.default_utilization_fraction, 'intensity': c.intensity,
    'work_flop': c.work_flop};
create or replace temp macro utilization_effect(trait, of_what, effect_size, is_slope) as
    {'effect': trait || ' ' || of_what, 'effect_size': effect_size, 'is_slope': is_slope};
create or replace temp macro utilization_slope(trait, of_what, effect_size, origins) as utilization_effect(trait,
    of_what, effect_size - coalesce(origins[trait || ' ' || of_what], origins[trait], 0), true);
create or replace temp macro units_of(c) as
    c.network || case when c.precision in ('fp32', 'fp64') then ' vector' else ' matrix' end;
create or replace temp macro utilization_effects(c, sizes, origins) as [
    utilization_effect('run', 'any', sizes.intercept_sd, false),
    utilization_effect('network', c.network, sizes.network_sd, false),
    utilization_effect('units', units_of(c), sizes.units_sd, false),
    utilization_effect('generation', c.generation || ' ' || c.precision, sizes.generation_sd, false),
    utilization_effect('precision', c.network || ' ' || c.precision, sizes.precision_sd, false),
    utilization_effect('hardware_id', c.network || ' ' || c.precision || ' ' || c.hardware_id, sizes.chip_sd, false),
    utilization_effect('run_kind', c.run_kind, sizes.run_sd, false),
    utilization_effect('peak', units_of(c), sizes.peak_slope_sd * ln(c.peak_flop_per_second / 1e14), false),
    utilization_slope('chips', c.network, sizes.chips_slope_sd * ln(c.chips), origins),
    utilization_slope('intensity', c.network, sizes.intensity_slope_sd * ln(c.intensity), origins),
    utilization_slope('work_flop', c.network, sizes.flop_per_step_slope_sd * ln(c.work_flop), origins)];
-- Where slopes are centred, of rows of `utilization_model`: of the network, else of all (named by the trait alone).
create or replace temp macro slope_origins(effect, origin_size) as coalesce(
    map_from_entries(list((effect, origin_size)) filter (origin_size is not null)), map());

-- Of a forecast: a point of an amount [middle, low, high] a unit of time, times the time, whose error on that side is
-- given (side -1, 0, 1); and whether the time or the amount a unit of time is known worse.
create or replace temp macro forecast_of(ends, scale, scale_error, side) as ends[1] * scale * exp(side * sqrt(
    scale_error ** 2 + case side when 0 then 0 when 1 then ln(ends[3] / ends[1]) else ln(ends[1] / ends[2]) end ** 2));
create or replace temp macro forecast_driver(ends, scale_width) as case when ends[1] is null then null
    when scale_width > ln(ends[3] / ends[2]) then 'chip_hours' else 'per_chip_hour' end;
