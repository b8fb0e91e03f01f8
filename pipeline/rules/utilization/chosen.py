"""The utilization of each GPU-time estimate: the default, and the informed one of an allocation."""

from collections.abc import Mapping

import narwhals as nw

from pipeline.rules.frames import Frame
from pipeline.rules.utilization.cases import by_case, looked_up
from pipeline.rules.utilization.gaussian_process import Band
from schemas.tables.allocations import Allocations
from schemas.vocabulary import Precision


def with_utilization(
    allocations: Frame, utilizations: Frame, default: Mapping[str, float], default_log_sd: Mapping[str, float], stated_log_sd: float,
    production: Mapping[str, float],
) -> Frame:  # fmt: skip
    """Allocations with `default_utilization_fraction` and `utilization_fraction`, the standard deviations of the logarithms of both
    (`default_` and `informed_utilization_log_sd`), `utilization_basis`, and the 5 % and 95 % points of the prediction from like measurements.

    A utilization stated for the model precedes the prediction from measurements, times `production` effects by format, and that the default.
    """
    of_measurements = utilizations.select(
        *Allocations.__grain__,
        "utilization_middle_fraction",
        "utilization_log_sd",
        "utilization_low_fraction",
        "utilization_high_fraction",
    )
    stated = nw.col("stated_utilization_fraction")
    calibrated = nw.col("utilization_middle_fraction") * production_effect(production)
    by_default = by_case(default_log_sd)
    # A source's judgement changes the median only; its uncertainty is that of the default.
    informed = (
        nw.when(nw.col("stated_utilization_basis") == "reported")
        .then(nw.lit(stated_log_sd))
        .when(~stated.is_null())
        .then(by_default)
        .otherwise(nw.coalesce(nw.col("utilization_log_sd") * production["utilization_scale"], by_default))
    )
    calibrated_basis = nw.when(~calibrated.is_null()).then(nw.lit("calibrated"))
    return allocations.join(of_measurements, on=[*Allocations.__grain__], how="left").with_columns(
        default_utilization_fraction=by_case(default),
        utilization_fraction=nw.coalesce(stated, calibrated, by_case(default)),
        utilization_basis=nw.coalesce(nw.col("stated_utilization_basis"), calibrated_basis, nw.lit("assumed")),
        default_utilization_log_sd=by_default,
        informed_utilization_log_sd=informed,
    )


def production_effect(production: Mapping[str, float]) -> nw.Expr:
    """What whole training runs reach of the utilization that measurements of like cases predict, by the format of their products."""
    return looked_up("precision", {word.value: effect_of(word, production) for word in Precision})


def effect_of(precision: str, production: Mapping[str, float]) -> float:
    """The fitted effect of a precision, a factor."""
    return production[f"production_{production_format(precision)}"]


def of_whole_runs(band: Band, precision: str, production: Mapping[str, float]) -> Band:
    """The utilization of a whole training run whose like measurements predict `band`: what estimates take where none is stated."""
    return Band(band.median * effect_of(precision, production), band.log_sd * production["utilization_scale"])


def production_format(precision: str) -> str:
    """The format that stands for a precision in the fitted production effects.

    >>> production_format("fp8"), production_format("tf32")
    ('bf16', 'fp32')
    """
    if precision in (Precision.BF16, Precision.FP8, Precision.FP4):
        return Precision.BF16.value
    return Precision.FP16.value if precision == Precision.FP16 else Precision.FP32.value
