-- Formulas that compare a case with similar cases: ranges of models without an estimate, and effects on utilization.

-- The ends of a range relative to its bound, in ln: the 5 % and 95 % points of known models. If the bound is a base
-- model's interval, the low end is the interval's, and nine in ten fine-tuned models are below the high end. The ends
-- are rounded, because versions of DuckDB interpolate differently.
create or replace temp macro range_low_log(basis, ratio_log) as
    case when basis = 'base_floor' then 0 else round(quantile_cont(ratio_log, 0.05), 9) end;
create or replace temp macro range_high_log(basis, ratio_log) as
    round(case when basis = 'base_floor' then quantile_cont(ratio_log, 0.9) else quantile_cont(ratio_log, 0.95) end, 9);
create or replace temp macro least_range_cases() as 20;
create or replace temp macro least_range_coverage_fraction() as 0.85;
-- Ranges from parameters use only models from similar years, because training tokens grow from year to year.
create or replace temp macro is_like_case(basis, published, case_published) as basis <> 'parameters_stated'
    or case_published between published - interval 1 year and published + interval 1 year;

-- Traits that make utilization cases similar, and their effects, each multiplied by its standard deviation
-- (params.yaml, `calibrate`). ln utilization is ln of the default plus all effects (methods, section 6). Cases with an
-- unknown trait do not share the effect of this trait.
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
-- The origin of a slope in the rows of `utilization_model`: for the network, otherwise for all networks (in rows that
-- name only the trait).
create or replace temp macro slope_origins(effect, origin_size) as coalesce(
    map_from_entries(list((effect, origin_size)) filter (origin_size is not null)), map());
