-- Gold runs, with their counted operations and several estimates of each run. Each group (one owner with one code base)
-- has a total weight of 1.
with timed as (
    select l.*, p.precision, h.generation, counts.*,
        l.chip_seconds * p.peak_flop_per_second as chip_peak_flop,
        l.architecture_passes_per_example * l.examples_seen as passes,
        d.default_value as default_utilization_fraction, u.utilization_middle_fraction
    from logged_runs l
    join hardware h using (hardware_id)
    join peaks p on p.hardware_id = l.hardware_id and p.precision = coalesce(l.stated_precision, h.only_precision)
    join defaults d on d.quantity = 'utilization' and d.applies_to = l.utilization_case
    join (
        select architecture_id, forward_flop + backward_flop as flop_per_pass, active_parameters as counted_parameters
        from operation_counts
    ) counts using (architecture_id)
    left join gold_utilizations u using (gold_group_id, run)
)
select gold_group_id, run, owner, name, model_id, published, network, utilization_case, example_unit, examples_seen,
    steps,
    batch, sequence_length, hardware_id, generation, chips, chip_seconds, precision, run_evidence, hours_cover,
    flop_per_pass * passes as operation_count_flop,
    default_utilization_fraction, utilization_middle_fraction,
    chip_peak_flop * default_utilization_fraction as gpu_time_flop,
    chip_peak_flop * utilization_middle_fraction as gpu_time_informed_flop,
    case when network = 'language_transformer' and example_unit = 'token' then 6 * counted_parameters * examples_seen
        end as six_nd_flop,
    flop_per_pass * passes / chip_peak_flop as implied_utilization_fraction,
    1 / count(*) over (partition by gold_group_id) as weight,
    data_text, data_found_at, time_text, time_found_at, note
from timed
