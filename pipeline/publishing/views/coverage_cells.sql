-- Models by period of publication and domain; a null `domain` or `period` means all of them.
with periods(period, first_year, last_year) as (
    values
        ('to 1999', 0, 1999), ('2000–2009', 2000, 2009), ('2010–2013', 2010, 2013), ('2014–2016', 2014, 2016),
        ('2017–2018', 2017, 2018), ('2019–2020', 2019, 2020), ('2021', 2021, 2021), ('2022', 2022, 2022),
        ('2023', 2023, 2023), ('2024', 2024, 2024), ('2025 on', 2025, 9999)
)
select
    first_year,
    period,
    e.domain,
    count(*) as models,
    count(method_ratio) as both_methods,
    count(*) filter (where e.training_evidence in ('quoted', 'table')) as seen
from estimates e
join models m using (model_id)
join periods on published_year between first_year and last_year
group by grouping sets ((first_year, period), (first_year, period, e.domain), (e.domain))
order by first_year nulls first, models desc, e.domain
