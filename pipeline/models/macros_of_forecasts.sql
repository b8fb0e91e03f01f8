-- Formulas for forecasts of a training run.

-- The middle or an end of a forecast (side 0, -1 or 1): an amount [middle, low, high] x the scale of the time, with the
-- errors of both. The driver is whichever of the two is less well known.
create or replace temp macro forecast_of(ends, scale, scale_error, side) as ends[1] * scale * exp(side * sqrt(
    scale_error ** 2 + case side when 0 then 0 when 1 then ln(ends[3] / ends[1]) else ln(ends[1] / ends[2]) end ** 2));
create or replace temp macro forecast_driver(ends, scale_width) as case when ends[1] is null then null
    when scale_width > ln(ends[3] / ends[2]) then 'chip_hours' else 'per_chip_hour' end;
-- The utilization to expect from a future training run. For language models it is the default, because logged whole
-- runs are closer to the default than to three quarters of the prediction.
create or replace temp macro run_utilization_rule(network) as
    case when network = 'language_transformer' then 'default' else 'whole_runs' end;
