-- Measured training compared with the default utilization: the time that the default predicts / the measured time.
select measurement_id, row, measurement_source, network, hardware_id, precision, chips, default_utilization_fraction,
    measured_utilization_fraction,
    measured_utilization_fraction / default_utilization_fraction as time_ratio,
    time_ratio <= "check".near_ratio and time_ratio >= 1 / "check".near_ratio as is_within_factor_two,
    utilization_case, generation
from rated_measurements cross join params
