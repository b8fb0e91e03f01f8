"""Given allocations, peaks and utilizations, the training compute by GPU time."""

import pytest

from pipeline.rules.gpu_time_estimates import estimated, with_peaks

LOG_SD = {"peak": 0.1, "precision_large_industry_run": 0.2, "precision_before_sixteen_bit": 0.3, "precision_best_sixteen_bit": 0.4}  # fmt: skip
OTHER_FORMAT = {"large_industry_run": 0.01, "before_sixteen_bit": 0.5, "best_sixteen_bit": 0.05}
PEAKS = [{"hardware_id": "chip", "precision": "fp16", "peak_flop_per_second": 1e14}]
ALLOCATION = {
    "model_id": "m", "hardware_id": "chip", "precision": "fp16", "precision_rule": "stated", "chip_seconds": 1000.0,
    "chip_seconds_log_sd": 0.2, "default_peak_flop_per_second": None, "default_peak_log_sd": None,
    "default_utilization_fraction": 0.3, "utilization_fraction": 0.45, "default_utilization_log_sd": 0.4,
    "informed_utilization_log_sd": 0.2, "format_ratio": None,
}  # fmt: skip
TYPED = {
    **ALLOCATION,
    "model_id": "typed",
    "default_peak_flop_per_second": 1.0,
    "default_peak_log_sd": 1.0,
    "format_ratio": 2.0,
}
UNKNOWN = {"hardware_id": None, "default_peak_flop_per_second": 2e13, "default_peak_log_sd": 0.5}


def row_of(frame_of, **stated):
    frame = estimated(with_peaks(frame_of([{**ALLOCATION, **stated}, TYPED]), frame_of(PEAKS), LOG_SD, OTHER_FORMAT))
    (row,) = (row for row in frame.collect("pyarrow").rows(named=True) if row["model_id"] == "m")
    return row


def test_time_times_peak_times_utilization(frame_of):
    row = row_of(frame_of)
    assert (row["chip_peak_flop"], row["gpu_time_flop"], row["gpu_time_informed_flop"]) == pytest.approx((1e17, 3e16, 4.5e16))  # fmt: skip
    # 0.2 of the time, 0.1 of the peak, 0.4 or 0.2 of the utilization, as squares
    assert row["gpu_time_log_sd"] == pytest.approx(0.21**0.5)
    assert row["gpu_time_informed_log_sd"] == pytest.approx(0.3)


@pytest.mark.parametrize(
    ("stated", "peak", "log_sd"),
    [
        (UNKNOWN, 2e16, (0.2**2 + 0.5**2 + 0.4**2) ** 0.5),  # the year's peak, with its own deviation
        ({"precision_rule": "before_sixteen_bit"}, 1e17, (0.2**2 + 0.1**2 + 0.3**2 + 0.4**2) ** 0.5),
        ({"precision": "fp32"}, None, None),  # no such peak, and the chip is known
        ({"chip_seconds": None}, None, None),
    ],
)
def test_what_is_not_known_widens_or_leaves_no_estimate(frame_of, stated, peak, log_sd):
    row = row_of(frame_of, **stated)
    assert row["chip_peak_flop"] == (None if peak is None else pytest.approx(peak))
    assert row["gpu_time_log_sd"] == (None if log_sd is None else pytest.approx(log_sd))
    assert (row["gpu_time_flop"] is None) == (peak is None)


@pytest.mark.parametrize(
    ("stated", "other_peak", "share", "log_sd"),
    [
        ({}, 1e17, None, 0.0),  # stated
        # an inferred FP32 is one of two formats, weighed by the headline: no width of its own
        ({"precision_rule": "before_sixteen_bit", "format_ratio": 8.0}, 8e17, 0.5, 0.0),
        # beside an inferred 16-bit format there are FP8 and TF32, which its width is for
        ({"precision_rule": "best_sixteen_bit", "format_ratio": 0.125}, 1.25e16, 0.05, 0.4),
        ({"precision_rule": "best_sixteen_bit"}, 1e17, None, 0.4),  # the chip has one of the two
    ],
)
def test_an_inferred_format_leaves_the_chips_other_one(frame_of, stated, other_peak, share, log_sd):
    row = row_of(frame_of, **stated)
    assert row["other_format_peak_flop"] == pytest.approx(other_peak)
    assert (row["other_format_share_fraction"], row["precision_log_sd"]) == (share, log_sd)
