-- The own training of models made from others, as a share of their bases': its points by kind.
-- The middle one stands for an own training that is not known. The fractions show how well it would do for
-- each known model, if the models of its maker were not known.
with cases as (
    select model_id, parent_organization, own_share, unnest([added_kind, 'any']) as added_kind
    from made_from_others where own_share is not null and is_like_base
), left_out as (
    select a.added_kind, ln(1 + a.own_share) as total_log, ln(1 + median(b.own_share)) as middle_log,
        ln(1 + quantile_cont(b.own_share, 0.95)) as high_log
    from cases a join cases b using (added_kind)
    where coalesce(b.parent_organization <> a.parent_organization, a.model_id <> b.model_id)
    group by a.added_kind, a.model_id, a.own_share
), tested as (
    select added_kind, count(*) filter (abs(total_log - middle_log) <= ln(1.25)) / count(*) as within_quarter_fraction,
        count(*) filter (total_log <= high_log) / count(*) as coverage_fraction
    from left_out group by added_kind
)
select added_kind, count(*) as models_number, any_value(within_quarter_fraction) as within_quarter_fraction,
    any_value(coverage_fraction) as coverage_fraction,
    round(quantile_cont(own_share, 0.25), 9) as p25_share, round(median(own_share), 9) as middle_share,
    round(quantile_cont(own_share, 0.75), 9) as p75_share, round(quantile_cont(own_share, 0.9), 9) as p90_share,
    round(quantile_cont(own_share, 0.95), 9) as high_share, round(quantile_cont(own_share, 0.975), 9) as p97_5_share
from cases join tested using (added_kind)
group by added_kind having count(*) >= 20
