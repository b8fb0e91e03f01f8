-- Networks that a total leaves out although their weights are in the model, or were its first: the most compute that
-- they may have taken. One without a number may have taken as much as the largest further base of any model.
with named as (
    select model_id, unnest(string_split(base_model, ' | ')) as part_id from models
), ranked as (
    select own_training_flop,
        row_number() over (partition by n.model_id order by own_training_flop desc) as place
    from named n join headlines h on h.model_id = part_id
)
select c.model_id, sum(coalesce(contribution_flop, own_training_flop,
    (select max(own_training_flop) from ranked where place > 1))) as omitted_flop
from contributions c left join headlines h on h.model_id = contributor_id
where accounting = 'pretraining'
group by c.model_id
