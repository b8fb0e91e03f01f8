-- Formulas and sums that several tables use. tests/models/test_macros.py compares the formulas that also exist in
-- Python with pipeline/formulas.

-- Sums. FLOP are added as whole numbers of up to 38 digits, and smaller amounts as decimals with nine places, so that
-- the order of rows and the number of threads cannot change the result. A sum is null if any part is null.
create or replace temp macro whole_sum(x) as case when bool_and(x is not null) then sum(x::decimal(38, 0))::double end;
create or replace temp macro known_sum(x) as sum(x::decimal(38, 0))::double;
create or replace temp macro fine_sum(x) as case when bool_and(x is not null) then sum(x::decimal(38, 9))::double end;
-- The log standard deviation of a sum of fully correlated parts: the mean of the deviations of the parts, weighted by
-- their amounts (methods, section 5).
create or replace temp macro sum_log_sd(log_sd, amount) as
    case when bool_and(amount is not null)
         then sum((amount * log_sd)::decimal(38, 0))::double / sum(amount::decimal(38, 0))::double end;
create or replace temp macro fine_sum_log_sd(log_sd, amount) as
    case when bool_and(amount is not null)
         then sum((amount * log_sd)::decimal(38, 9))::double / sum(amount::decimal(38, 9))::double end;
create or replace temp macro has_any(x) as bool_or(coalesce(x, false));

-- One word for several rows: the weakest evidence, or the first and last word of a column in alphabetical order.
create or replace temp macro weakness(word) as list_position(
    ['imputed', 'analysis', 'assumed', 'bound', 'unread', 'table', 'range', 'part_left_out', 'length_assumed',
     'product', 'exact', 'user_range', 'stated_by_user', 'default_nearest_year', 'default_year', 'default_maker',
     'analyst', 'derived', 'reported', 'calibrated', 'counted', 'gpu_time', 'unknown', 'operation_count'], word);
create or replace temp macro weakest(word) as arg_min(word, weakness(word));
create or replace temp macro joined(word) as case when min(word) = max(word) then min(word)
    else min(word) || ' + ' || max(word) end;
create or replace temp macro joined_if_all(word) as case when bool_and(word is not null) then joined(word) end;

-- The largest share of its dense peak that a chip can reach. Fast convolutions on ordinary cores need fewer
-- multiplications than their definition; measured ratios are 1.3 to 1.75 (methods, section 4; formulas/utilization.py).
-- The parameter is not called `precision`, because some versions of DuckDB refuse names of types.
create or replace temp macro largest_utilization_fraction(is_dense_convolution, number_format) as
    case when is_dense_convolution and number_format in ('fp32', 'fp64') then 1.75::double else 1.0::double end;

-- The ends of the 90 % interval of a log-normal error (formulas/uncertainty.py).
create or replace temp macro normal_quantile_95() as 1.6448536269514722::double;
create or replace temp macro low(median, log_sd) as median * exp(-normal_quantile_95() * log_sd);
create or replace temp macro high(median, log_sd) as median * exp(normal_quantile_95() * log_sd);

-- Distance from the median to the quantile at a probability p above one half, in units of the half-width on that side
-- (methods, section 4). Counts have a two-sided Lomax distribution with exponent 2, GPU times a logistic one.
create or replace temp macro lomax_reach(p) as (2 * (1 - p)) ** -0.5 - 1;
create or replace temp macro logistic_reach(p) as ln(p / (1 - p));
create or replace temp macro reach(method, p) as case when method = 'gpu_time' then logistic_reach(p)
    else lomax_reach(p) end;
-- Probability that the truth is on the side with this half-width, further from the median than a distance in ln.
create or replace temp macro lomax_beyond(distance, half) as 0.5 * (1 + distance / half) ** -2;
create or replace temp macro logistic_beyond(distance, half) as 1 / (1 + exp(distance / half));
create or replace temp macro beyond(method, distance, half) as
    case when method = 'gpu_time' then logistic_beyond(distance, half) else lomax_beyond(distance, half) end;
-- Probability that the truth exceeds e^distance x the median. The distance may be negative.
create or replace temp macro probability_above(method, distance, up, down) as
    case when distance >= 0 then beyond(method, distance, up) else 1 - beyond(method, -distance, down) end;
