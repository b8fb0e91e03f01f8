"""Comparison of the two methods: their ratio, dispute, independence and imputed inputs."""

from typing import Any

import narwhals as nw

from pipeline.formulas import agreement, ceiling, gpu_time
from schemas.params import Reconcile
from schemas.vocabulary import SEPARATOR, Independence


def compared(totals: Any, params: Reconcile) -> Any:
    """The frame (one row a model, as `totals` makes it, with the columns of `models`) with the columns of the comparison."""
    return totals.with_columns(**_columns(params))


def without_unused(frame: Any) -> Any:
    """The frame with `precision` and the bases of GPU time null where no estimate uses them, as published."""
    has_time = ~nw.col("gpu_time_flop").is_null()
    has_precision = has_time | (nw.col("precision_basis") != "assumed")
    return frame.with_columns(
        utilization_basis=nw.when(has_time).then(nw.col("utilization_basis")),
        hardware_basis=nw.when(has_time | ~nw.col("hardware").is_null()).then(nw.col("hardware_basis")),
        precision=nw.when(has_precision).then(nw.col("precision")),
        precision_basis=nw.when(has_precision).then(nw.col("precision_basis")),
    )


def shared_variance(*variances: Any) -> Any:
    """Variance of the logarithm that a model's two estimates have in common: that of its data where both rest on one fact, else 0.

    It is at most each of `variances`, all that is uncertain of either; a report may be known better than the data.
    """
    is_shared = (nw.col("independence") == Independence.SHARED_INPUT.value).fill_null(False)
    return nw.when(is_shared).then(nw.min_horizontal(nw.col("examples_log_sd") ** 2, *variances)).otherwise(nw.lit(0.0))


def ratio_variance() -> Any:
    """Variance of ln of the ratio of the count to the GPU time."""
    count, time = (nw.col(f"{name}_log_sd") ** 2 for name in ("operation", "gpu_time"))
    return agreement.ratio_variance(count, time, shared_variance(count, time))


def _columns(params: Reconcile) -> dict[str, Any]:
    ratio = agreement.method_ratio(nw.col("operation_count_flop"), nw.col("gpu_time_flop"))
    has_time = ~nw.col("gpu_time_flop").is_null()
    is_fast_convolution = nw.col("is_convolution") & nw.col("precision").is_in(ceiling.ORDINARY_CORES)
    return {
        "method_ratio": ratio,
        "independence": nw.when(ratio.is_null())
        .then(nw.lit(None, nw.String))
        .when(nw.col("is_from_operations").fill_null(False))
        .then(nw.lit(Independence.CIRCULAR.value))
        .when(~nw.col("shared_input").is_null())
        .then(nw.lit(Independence.SHARED_INPUT.value))
        .otherwise(nw.lit(Independence.INDEPENDENT.value)),
        "is_disputed": nw.when(~ratio.is_null()).then(
            (ratio > params.dispute_ratio) | (ratio < 1 / params.dispute_ratio)
        ),
        "implied_utilization_fraction": gpu_time.utilization_fraction(
            nw.col("operation_count_flop"), nw.col("chip_peak_flop"), 1.0
        ),
        "utilization_ceiling_fraction": nw.when(is_fast_convolution)
        .then(nw.lit(ceiling.LARGEST_OF_CONVOLUTIONS))
        .otherwise(nw.lit(ceiling.LARGEST)),
        "is_hardware_imputed": nw.col("hardware_basis").str.starts_with("default"),
        "utilization_fraction": nw.col("gpu_time_informed_flop") / nw.col("chip_peak_flop"),
        "imputed_inputs": _imputed(has_time),
    }


def _imputed(has_time: Any) -> Any:
    imputed = {
        "hardware": has_time & nw.col("hardware_basis").str.starts_with("default"),
        "precision": has_time & (nw.col("precision_basis") == "assumed"),
        "epochs": nw.col("examples_seen_basis") == "assumed",
    }
    words = [nw.when(condition.fill_null(False)).then(nw.lit(word)) for word, condition in imputed.items()]
    named = nw.concat_str(words, separator=SEPARATOR, ignore_nulls=True)
    return nw.when(named.str.len_chars() > 0).then(named)
