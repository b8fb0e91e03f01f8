-- How many of other people's totals exceed 1e23 FLOP, compared with our probability that they do, by ranges of the
-- probability.
select low as low_fraction, high as high_fraction, count(*) as statements_number,
    avg(probability_above_1e23_fraction) as predicted_fraction, avg((stated_flop > 1e23)::int) as observed_fraction
from external_estimates join estimates using (model_id)
join (values (0::double, 0.02::double), (0.02, 0.2), (0.2, 0.8), (0.8, 0.98), (0.98, 1)) as ranges(low, high)
    on probability_above_1e23_fraction >= low and probability_above_1e23_fraction < high
where training_flop is not null and stated_flop is not null and stated_bound is null
    and outcome not in ('refuted', 'other_scope')
group by all order by low
