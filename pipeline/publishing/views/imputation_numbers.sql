-- One row: how many imputed inputs and headlines are within their intervals, and how many headlines are near what
-- others state.
select
    count(*) filter (where shown_as = 'input') as inputs,
    count(*) filter (where shown_as = 'input' and is_in_interval) as inputs_held,
    count(distinct model_id) filter (where shown_as = 'input') as input_models,
    count(*) filter (where quantity = 'training_flop') as headlines,
    count(*) filter (where quantity = 'training_flop' and is_in_interval) as headlines_held,
    count(distinct model_id) filter (where quantity = 'training_flop') as headline_models,
    count(*) filter (where quantity = 'training_flop' and is_near) as headlines_near,
    count(*) filter (where quantity = 'training_flop' and is_near and is_in_interval) as headlines_near_held
from hidden_facts
