-- Formulas that compare a case with similar cases: effects on utilization.

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
