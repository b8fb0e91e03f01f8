-- Measured training compared with the default utilization: the time that the default predicts / the measured time.
select measurement_id, row, network, hardware_id, precision, chips, default_utilization_fraction,
    measured_utilization_fraction,
    measured_utilization_fraction / default_utilization_fraction as time_ratio,
    time_ratio <= "check".near_ratio and time_ratio >= 1 / "check".near_ratio as is_within_factor_two
from rated_measurements cross join params
