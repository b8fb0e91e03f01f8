-- One row: how many imputed inputs, and headlines compared with what others state, are within their intervals.
select
    count(*) filter (where shown_as = 'input') as inputs,
    count(*) filter (where shown_as = 'input' and is_in_interval) as inputs_held,
    count(distinct model_id) filter (where shown_as = 'input') as input_models,
    count(*) filter (where quantity = 'training_flop') as headlines,
    count(*) filter (where quantity = 'training_flop' and is_in_interval) as headlines_held,
    count(distinct model_id) filter (where quantity = 'training_flop') as headline_models
from hidden_facts
