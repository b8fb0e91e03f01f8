-- Formulas and sums that several tables use, each defined once. tests/models/test_macros.py checks those that Python
-- needs too against pipeline/formulas.

-- Sums. FLOP are added as whole numbers of up to 38 digits, and smaller amounts with nine decimals, so that the order
-- of rows and the number of threads cannot change the result. A sum is null if any part is null.
create or replace temp macro whole_sum(x) as case when bool_and(x is not null) then sum(x::decimal(38, 0))::double end;
create or replace temp macro fine_sum(x) as case when bool_and(x is not null) then sum(x::decimal(38, 9))::double end;
-- The log standard deviation of a sum of fully correlated parts: the mean of the parts' deviations, each weighted by
-- its amount (methods, section 5).
create or replace temp macro sum_log_sd(log_sd, amount) as
    case when bool_and(amount is not null)
         then sum((amount * log_sd)::decimal(38, 0))::double / sum(amount::decimal(38, 0))::double end;
create or replace temp macro fine_sum_log_sd(log_sd, amount) as
    case when bool_and(amount is not null)
         then sum((amount * log_sd)::decimal(38, 9))::double / sum(amount::decimal(38, 9))::double end;
create or replace temp macro has_any(x) as bool_or(coalesce(x, false));

-- Words from several rows: the weakest of them, or the alphabetically first and last in a column.
create or replace temp macro weakness(word) as list_position(
    ['imputed', 'analysis', 'assumed', 'bound', 'table', 'range', 'length_assumed', 'product', 'exact',
     'stated_by_user', 'default_nearest_year', 'default_year', 'analyst', 'derived', 'reported', 'calibrated',
     'counted', 'gpu_time', 'unknown', 'operation_count'], word);
create or replace temp macro weakest(word) as arg_min(word, weakness(word));
create or replace temp macro joined(word) as case when min(word) = max(word) then min(word)
    else min(word) || ' + ' || max(word) end;
create or replace temp macro joined_if_all(word) as case when bool_and(word is not null) then joined(word) end;

-- (DuckDB 1.4 in browsers does not allow a type's name, such as `precision`, as a parameter.) The largest share of its
-- dense peak that a chip can reach. Fast convolutions on ordinary cores need fewer multiplications than their
-- definition; measured ratios are 1.3 to 1.75 (methods, section 4; formulas/utilization.py).
create or replace temp macro largest_utilization_fraction(is_dense_convolution, number_format) as
    case when is_dense_convolution and number_format in ('fp32', 'fp64') then 1.75::double else 1.0::double end;

-- Log-normal distributions: only energy has them (formulas/uncertainty.py).
create or replace temp macro normal_quantile_95() as 1.6448536269514722::double;
create or replace temp macro low(median, log_sd) as median * exp(-normal_quantile_95() * log_sd);
create or replace temp macro high(median, log_sd) as median * exp(normal_quantile_95() * log_sd);

-- Distance from the median to the quantile at probability p (above one half), in units of the half-width on its side
-- (methods, section 4). A count has a Lomax distribution with exponent 2 on each side, a GPU time a logistic one.
create or replace temp macro lomax_reach(p) as (2 * (1 - p)) ** -0.5 - 1;
create or replace temp macro logistic_reach(p) as ln(p / (1 - p));
create or replace temp macro reach(method, p) as case when method = 'gpu_time' then logistic_reach(p)
    else lomax_reach(p) end;
-- Probability that the truth is further than a distance, ln, on the side with this half-width.
create or replace temp macro lomax_beyond(distance, half) as 0.5 * (1 + distance / half) ** -2;
create or replace temp macro logistic_beyond(distance, half) as 1 / (1 + exp(distance / half));
create or replace temp macro beyond(method, distance, half) as
    case when method = 'gpu_time' then logistic_beyond(distance, half) else lomax_beyond(distance, half) end;
-- Probability that the truth exceeds e^distance times the median. The distance may be negative.
create or replace temp macro probability_above(method, distance, up, down) as
    case when distance >= 0 then beyond(method, distance, up) else 1 - beyond(method, -distance, down) end;

-- The kind of a headline: its evidence class, with counts of 2 x parameters as a separate kind.
create or replace temp macro headline_kind(evidence_class, weak_reason) as
    case when evidence_class = 'weak' and weak_reason = 'from_parameters' then weak_reason else evidence_class end;
