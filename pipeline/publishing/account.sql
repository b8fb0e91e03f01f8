-- The accounts of the models listed in $models, one nested row per model. Commands, pages and JSON render these rows.
with family as (select model_id, part_id from lineages where list_contains($models, model_id)),
phases as (
    select r.model_id as part_id, list(struct_pack(
        phase, r.accounting, r.example_unit, r.examples, r.epochs, c.examples_seen, c.examples_seen_basis,
        c.examples_class, c.examples_bound, c.is_examples_inconsistent, r.framework, r.stated_utilization_fraction,
        counted_parameters := k.parameters, counted_forward_flop := k.forward_flop,
        counted_backward_flop := k.backward_flop, passes_per_example := c.architecture_passes_per_example,
        o.forward_flop_per_example, o.backward_flop_per_example, o.operation_count_basis, o.operation_count_flop
    ) order by phase_index) as phases
    from runs r join completed_runs c using (model_id, phase) left join operation_estimates o using (model_id, phase)
    left join operation_counts k on k.architecture_id = c.architecture_id
    where r.model_id in (select part_id from family)
    group by r.model_id
), peak_words as (
    select f.record_id as hardware_id, f.path, any_value(f.title) as title, any_value(f.url) as url,
        any_value(f.text) as text
    from facts f where record_kind = 'hardware' and starts_with(path, 'peaks.') group by all
), allocations_of as (
    select c.model_id as part_id, list(struct_pack(
        phase, allocation, c.hardware_id, hardware := h.name, c.hardware_basis, a.chips,
        days := coalesce(a.duration_seconds, c.chip_seconds / a.chips) / 86400,
        is_days_worked_out := a.duration_seconds is null and c.chip_seconds / a.chips is not null,
        chip_hours := c.chip_seconds / 3600, c.chip_seconds, c.chip_seconds_basis, c.chip_seconds_class,
        c.chip_seconds_bound, c.is_from_operations, c.precision, c.precision_basis, c.precision_rule,
        peak_flop_per_second := g.chip_peak_flop / c.chip_seconds,
        peak_words := case when w.path is not null then struct_pack(w.title, w.url, w.text) end,
        g.default_utilization_fraction, g.utilization_fraction, g.utilization_basis, g.gpu_time_flop,
        g.gpu_time_informed_flop, e.energy_kwh, e.power_watts, e.chip_load_ratio, e.chip_load_case,
        e.facility_overhead_ratio, e.facility_overhead_basis, began_date := o.began_date::varchar, o.server_usd,
        o.rent_per_hour_usd, nearest_price_date := o.nearest_price_date::varchar, o.prices_number, o.electricity_usd,
        o.amortized_usd, o.purchase_usd, o.rent_usd, o.cost_usd, o.cost_basis, k.grid_place, k.grid_basis,
        k.grid_year, k.grid_g_per_kwh, k.co2_kg, k.water_litres
    ) order by phase_index, allocation) as allocations
    from completed_allocations c join runs using (model_id, phase)
    join allocations a using (model_id, phase, allocation)
    left join gpu_time_estimates g using (model_id, phase, allocation)
    left join energy_estimates e using (model_id, phase, allocation)
    left join costs o using (model_id, phase, allocation) left join carbon k using (model_id, phase, allocation)
    left join hardware h on h.hardware_id = c.hardware_id
    left join peak_words w on w.hardware_id = c.hardware_id and w.path = 'peaks.' || c.precision
    where c.model_id in (select part_id from family)
    group by c.model_id
), rested as (
    select c.model_id as part_id, list(struct_pack(
        accounting, model_id := contributor_id, m.name, flop := contribution_flop, evidence, text, c.note
    ) order by contribution) as contributions
    from contributions c left join models m on m.model_id = contributor_id
    where c.model_id in (select part_id from family) group by c.model_id
), parts as (
    select f.model_id, list(struct_pack(
        model_id := part_id, m.name, e.training_flop, r.own_training_flop, r.operation_count_flop, r.gpu_time_flop,
        r.gpu_time_informed_flop, r.gpu_time_used_flop, r.gpu_time_used_reason, r.reported_flop,
        r.reported_unused_reason, r.evidence_class, r.weak_reason, r.chip_seconds_class, m.stated_by,
        phases := coalesce(phases, []), allocations := coalesce(allocations, []),
        contributions := coalesce(contributions, [])
    ) order by part_id <> f.model_id, part_id) as parts
    from family f join models m on m.model_id = part_id join reconciliations r on r.model_id = part_id
    left join estimates e on e.model_id = part_id
    left join phases using (part_id) left join allocations_of using (part_id) left join rested using (part_id)
    group by f.model_id
), sourced as (select * from sources where record_kind = 'models' and list_contains($models, record_id)
), quoted as (
    select q.record_id, q.path, list(struct_pack(
        q.text, q.source, place := q.locator, q.read_in, q.found_at
    )
        order by quote_index) as quotes
    from fact_quotes q
    where q.record_kind = 'models' and list_contains($models, q.record_id)
    group by all
), stated as (
    select f.record_id as model_id, list(struct_pack(
        f.path, value := written, unit, bound, evidence, status := fact_status, derived, assumption_reasons, note, via,
        inherited_from, source := case when quotes is null then f.source end, s.source_kind,
        source_title := s.title, quotes := coalesce(quotes, [])
    ) order by f.path) as facts
    from facts f left join quoted q on q.record_id = f.record_id and q.path = f.path
    left join sourced s on s.record_id = f.record_id and s.source = f.source
    where f.record_kind = 'models' and list_contains($models, f.record_id)
    group by all
), cited as (
    select record_id as model_id, list(struct_pack(
        source, title, url, kind := source_kind, year := source_year
    )
        order by list_position(['authors', 'official', 'third_party', 'analysis', 'press'], source_kind), source)
        as publications
    from sourced group by all
), others as (
    select x.model_id, list(struct_pack(
        external_estimate_id, flop := stated_flop, times_ours := stated_flop / e.training_flop, outcome,
        bound := stated_bound, low := stated_flop_low, high := stated_flop_high, confidence := stated_confidence,
        method := stated_method, inputs, note, text, place := locator, s.title, s.url, year := s.source_year
    ) order by external_estimate_id) as others
    from external_estimates x join estimates e using (model_id)
    left join sourced s on s.record_id = x.model_id and s.source = x.source
    where list_contains($models, x.model_id)
    group by x.model_id
), unread as (
    select model_id, list(struct_pack(
        fact := path, looked_in, would_settle
    ) order by path) as missing
    from missing_facts where list_contains($models, model_id) group by model_id
), corrected as (
    select model_id, list(struct_pack(
        figure, published_figure, corrected_figure, factors, explanation
    ) order by figure) as errata
    from errata where list_contains($models, model_id) group by model_id
), tuned as (
    select base as model_id, list(struct_pack(
        model_id, name
    ) order by model_id) as base_of
    from (select model_id, name, unnest(string_split(base_model, ' | ')) as base from models)
    where list_contains($models, base) group by base
)
select e as estimate, m as model, s as sentences, t as terms, d.dispute_cause, parts, coalesce(facts, []) as facts,
    coalesce(c.publications, []) as publications,
    coalesce(others, []) as others, coalesce(missing, []) as missing,
    coalesce(errata, []) as errata, coalesce(base_of, []) as base_of
from estimates e join models m using (model_id) join reconciliations t using (model_id) join parts using (model_id)
left join sentences s using (model_id)
left join dispute_causes d using (model_id) left join stated using (model_id) left join cited c using (model_id)
left join others using (model_id) left join unread using (model_id) left join corrected using (model_id)
left join tuned using (model_id)
where list_contains($models, e.model_id)
order by model_id
