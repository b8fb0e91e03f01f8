-- Each known value, the value that we would impute if it were unknown, and whether the 90 % interval contains the known
-- value.
select quantity, rule, model_id, coalesce(place, phase || coalesce('/' || allocation, ''), 'total') as hidden_place,
    phase, allocation, published_year, known_value, filled_value, ln(filled_value / known_value) as log_error,
    filled_low, filled_high, filled_low <= known_value and known_value <= filled_high as is_in_interval
from (from hidden_facts union all by name from compared_figures)
