-- Growth of training compute with the date of publication: a least-squares line through ln(training_flop) of all models
-- in `trend_models`, and of the models among the 10, 5 or 1 largest when they were published. Models of one
-- organization are not independent, so the error of the slope is clustered by organization (CR1, as in Stata), with
-- Student's t and one degree of freedom fewer than there are organizations. There is no line for fewer than 25 models,
-- or for less than 5 years. The site's explorer.js does the same for a selection, and a test compares the two.
with ranked as (
    select *, (
        select count(*) from trend_models e
        where e.training_flop > m.training_flop and e.published_date <= m.published_date
    ) as larger_number
    from trend_models m
), points as (
    select frontier, parent_organization, published_date, ln(training_flop) as flop_log,
        date_diff('day', date '2000-01-01', published_date) / 365.25 as years
    from ranked join (values ('all sizes', 1000000), ('top 10', 10), ('top 5', 5), ('top 1', 1)) as f(frontier, most)
        on larger_number < most
    where is_in_period
), middles as (
    select frontier, count(*) as models_number, count(distinct parent_organization) as organizations_number,
        min(published_date) as first_published_date, max(published_date) as last_published_date,
        min(years) as first_years, max(years) as last_years,
        sum(years::decimal(38, 9))::double / models_number as years_mean,
        sum(flop_log::decimal(38, 9))::double / models_number as flop_log_mean
    from points group by frontier
    having models_number >= 25 and last_years - first_years >= 5 and organizations_number > 5
), centred as (
    select frontier, parent_organization, years - years_mean as x, flop_log - flop_log_mean as y
    from points join middles using (frontier)
), slopes as (
    select frontier, sum((x * x)::decimal(38, 9))::double as spread,
        sum((x * y)::decimal(38, 9))::double / spread as slope
    from centred group by frontier
), scores as (
    select frontier, parent_organization, sum((x * (y - slope * x))::decimal(38, 9))::double as score
    from centred join slopes using (frontier) group by all
), errors as (
    select frontier, sqrt(sum((score * score)::decimal(38, 9))::double) as score_error from scores group by frontier
), lines as (
    select *, organizations_number - 1 as freedom,
        -- Student's t at 95 %: Abramowitz and Stegun, 26.7.5.
        1.644854 + 1.523769 / freedom + 1.420203 / freedom ** 2 + 0.983002 / freedom ** 3 as student,
        organizations_number / freedom * (models_number - 1) / (models_number - 2) as correction,
        student * sqrt(correction) * score_error / spread as half_width
    from middles join slopes using (frontier) join errors using (frontier)
)
select frontier, models_number, organizations_number, first_published_date, last_published_date,
    exp(slope) as growth_factor, exp(slope - half_width) as growth_factor_low,
    exp(slope + half_width) as growth_factor_high, 12 * ln(2) / slope as doubling_months,
    12 * ln(2) / (slope + half_width) as doubling_months_low,
    case when slope > half_width then 12 * ln(2) / (slope - half_width) end as doubling_months_high,
    exp(flop_log_mean + slope * (first_years - years_mean)) as first_flop,
    exp(flop_log_mean + slope * (last_years - years_mean)) as last_flop,
    format('×{:#.3g} a year (90 %: {:#.3g} to {:#.3g}), ', growth_factor, growth_factor_low, growth_factor_high)
    || case when doubling_months_high is null then 'no doubling time' else format(
        'doubling in {:.1f} months ({:.1f} to {:.1f})', doubling_months, doubling_months_low, doubling_months_high
    ) end || format(': {} models of {} organizations, ', models_number, organizations_number)
    || format('{} to {}', year(first_published_date), year(last_published_date)) as growth_sentence
from lines
order by models_number desc
