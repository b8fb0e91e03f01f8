-- Errors of each rule as factors, over all years; `is_short` is true if too few facts are within the intervals in use.
select
    *,
    exp(median_log_error) as typical_ratio,
    exp(log_bias) as bias_ratio,
    exp(error_log_sd) as spread_ratio,
    errors_number >= 8
    and share_in_interval_fraction < 0.8
    and rule not in ('year_mean_of_ledger', 'year_most_common_of_ledger') as is_short
from imputation_errors
where period = 'all'
