-- Errors of the default and of the prediction, as factors, per kind of network (null means all kinds). Predictions
-- leave out each source in turn.
with errors as (
    select
        *,
        abs(ln(measured_utilization_fraction / default_utilization_fraction)) as default_error,
        abs(ln(measured_utilization_fraction / utilization_middle_fraction)) as middle_error,
        ln("check".near_ratio) as near,
        measured_utilization_fraction between utilization_low_fraction and utilization_high_fraction as is_covered
    from utilization_backtests cross join params
)
select
    network,
    count(*) as rows,
    count(distinct measurement_id) as sources,
    exp(median(default_error)) as default_ratio,
    exp(median(middle_error)) as middle_ratio,
    avg((default_error <= near)::int) as default_near,
    avg((middle_error <= near)::int) as middle_near,
    avg(is_covered::int) as covered
from errors
group by grouping sets ((), (network))
having count(*) > 0
order by network is null, rows desc, network
