"""Training compute of an allocation of chips by their time, peak and utilization, with the standard deviation of its logarithm."""

from collections.abc import Mapping
from typing import Any

import narwhals as nw

from pipeline.formulas import gpu_time
from pipeline.formulas.uncertainty import spread, variance
from pipeline.rules import imputation
from pipeline.rules.frames import Frame


def with_peaks(
    completed_allocations: Frame, peaks: Frame, log_sd: Mapping[str, float], other_format: Mapping[str, float]
) -> Frame:
    """Allocations with `chip_peak_flop`, chip time x peak, the same at the chip's other format, and the standard deviations of peak and precision.

    The peak is the chip's at the precision, else the year's. `log_sd` has the inputs' standard deviations by name; `other_format` the
    probability, by the rule that inferred the precision, that the chip's other format was used.
    """
    chip_peak_flop = gpu_time.training_flop(nw.col("chip_seconds"), _peak(), 1.0)
    ratio = nw.col("format_ratio")
    # FP32 inferred for a chip that has a fast 16-bit format is one of two: the headline weighs both, so neither has a width of its own.
    is_one_of_two = (ratio > 1).fill_null(False)
    added = nw.when(is_one_of_two).then(nw.lit(0.0)).otherwise(imputation.precision_log_sd(log_sd))
    return completed_allocations.join(peaks, on=["hardware_id", "precision"], how="left").with_columns(
        chip_peak_flop=chip_peak_flop,
        other_format_peak_flop=chip_peak_flop * ratio.fill_null(1.0),
        other_format_share_fraction=nw.when(~ratio.is_null()).then(imputation.by_rule(other_format)),
        peak_log_sd=nw.coalesce(nw.col("default_peak_log_sd"), nw.lit(log_sd["peak"])),
        precision_log_sd=added,
    )


def estimated(allocations: Frame) -> Frame:
    """Allocations of `with_peaks` whose utilization is chosen, with GPU time at the default and at the informed utilization, in FLOP."""
    seconds = nw.col("chip_seconds")
    return allocations.with_columns(
        gpu_time_flop=gpu_time.training_flop(seconds, _peak(), nw.col("default_utilization_fraction")),
        gpu_time_informed_flop=gpu_time.training_flop(seconds, _peak(), nw.col("utilization_fraction")),
        gpu_time_log_sd=_log_sd("default_utilization_log_sd"),
        gpu_time_informed_log_sd=_log_sd("informed_utilization_log_sd"),
    )


def _peak() -> Any:
    return nw.coalesce(nw.col("peak_flop_per_second"), nw.col("default_peak_flop_per_second"))


def _log_sd(of_utilization: str) -> Any:
    factors = (nw.col("chip_seconds_log_sd"), nw.col("peak_log_sd"), nw.col("precision_log_sd"))
    known = ~nw.col("chip_peak_flop").is_null()
    return nw.when(known).then(spread(variance(*factors, nw.col(of_utilization))))
