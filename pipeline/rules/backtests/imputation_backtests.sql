-- Each known value next to the value that would be used if it were unknown, and whether its 90 % interval contains it.
select quantity, rule, model_id, coalesce(place, phase || coalesce('/' || allocation, ''), 'total') as hidden_place, phase,
    allocation, published_year, known_value, filled_value, ln(filled_value / known_value) as log_error,
    filled_low, filled_high, filled_low <= known_value and known_value <= filled_high as is_in_interval
from (from hidden_facts union all by name from compared_figures)
