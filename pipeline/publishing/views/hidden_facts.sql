-- Hidden facts, and totals stated by others: the imputed value divided by the known one, and where it is shown.
select
    b.*,
    exp(log_error) as error_ratio,
    case
        when quantity in ('operation_count_flop', 'training_flop') then 'total'
        when rule in ('year_mean_of_ledger', 'year_most_common_of_ledger') then 'other_chip'
        else 'input'
    end as shown_as
from imputation_backtests b
