-- Each blind second reading, with the ledger's value of the same fact, or its former value if the ledger was wrong.
-- Readers were asked about pre-training phases, so use only these, or all phases if there are none.
with phases as (
    select model_id, phase, example_unit, examples_seen, stated_precision,
        coalesce(accounting = 'pretraining', false) as is_pretraining
    from runs join (select model_id, phase, examples_seen from completed_runs) using (model_id, phase)
    qualify is_pretraining or not bool_or(is_pretraining) over (partition by model_id)
), ledger as (
    select model_id, 'parameters' as path, 'parameter' as unit, parameters as value, null as word from estimates
    union all
    select model_id, 'active_parameters', 'parameter', active_parameters, null from estimates
    union all
    select model_id, 'examples_seen', example_unit, fine_sum(examples_seen), null from phases group by all
    union all
    select model_id, 'chip_hours', 'chip_hour', fine_sum(chip_seconds) / 3600, null
    from phases join completed_allocations using (model_id, phase) group by all
    union all
    select model_id, 'precision', null, null, joined(stated_precision) from phases group by all
), stated as (
    select * from ledger where value is not null or word is not null
), compared as (
    select r.reader, r.model_id, r.path, r.unit, r.written, r.amount, r.settlement, r.settlement_reason,
        r.settlement = 'ledger_wrong' as was_wrong,
        case when was_wrong then try_cast(r.ledger_had as double) else s.value end as ledger_amount,
        case when r.path <> 'precision' then null when was_wrong then r.ledger_had else s.word end as ledger_word,
        r.amount / ledger_amount as reading_ratio,
        coalesce(ledger_amount::varchar, ledger_word) is not null as is_in_ledger,
        not coalesce(was_wrong, false) and exists (
            select 1 from stated o where o.model_id = r.model_id and o.path = r.path) as is_in_some_unit
    from second_readings r left join stated s
        on s.model_id = r.model_id and s.path = r.path and coalesce(s.unit, '') = coalesce(r.unit, '')
    where r.path <> 'chip'
)
select reader, model_id, path, unit, written, amount, ledger_amount, ledger_word, reading_ratio,
    case when written is null then case when is_in_ledger or is_in_some_unit then 'only_ledger' else 'neither' end
         when not is_in_ledger then case when is_in_some_unit then 'other_unit' else 'only_reader' end
         when written = ledger_word
             or greatest(reading_ratio, 1 / reading_ratio) <= "check".same_reading_ratio then 'agrees'
         else 'differs' end as reading_outcome,
    settlement, settlement_reason
from compared cross join params
