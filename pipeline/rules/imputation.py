"""The rules of imputation (methods, section 3): used by the stage impute, and by backtest on hidden facts."""

from collections.abc import Mapping
from math import e
from typing import Any

import narwhals as nw

from pipeline.formulas import gpu_time, operations
from pipeline.formulas.uncertainty import HALF_NORMAL_MEDIAN, HALF_NORMAL_SD, spread, variance
from pipeline.rules.frames import Frame
from schemas import params
from schemas.units import DAY_SECONDS
from schemas.vocabulary import Bound, InputClass

SIXTEEN_BIT_OF_UNKNOWN_CHIP = "fp16"
INFERRED = (
    "large_industry_run",
    "before_sixteen_bit",
    "best_sixteen_bit",
)  # inferred; the others are stated or follow from the chip
MEASURED_CLASSES = (InputClass.EXACT, InputClass.PRODUCT, InputClass.TABLE)  # with fitted standard deviations
# What makes these wider comes on top of that of a product.
WIDER_THAN_PRODUCT = (InputClass.RANGE, InputClass.ASSUMED, InputClass.BOUND)
LOW_PRECISIONS = ("fp16", "bf16", "fp8", "fp4")
Spreads = Mapping[str, float]  # standard deviations of logarithms by input


def completed_runs(runs: Frame, spreads: Spreads, classes: Spreads, params: params.Impute) -> Frame:
    """Phases with the examples seen: as stated, else one epoch over text.

    `spreads` and `classes` are log standard deviations: of imputed inputs, and of stated ones by the class of their evidence.
    """
    by_epochs = operations.examples_seen_by_epochs(nw.col("examples"), nw.col("epochs"))
    by_steps = operations.examples_seen_by_steps(nw.col("steps"), nw.col("batch"))
    stated = nw.coalesce(by_epochs, by_steps)
    # Without epochs the steps determine their number; fewer examples than one epoch point to another unit.
    apart = nw.coalesce(by_epochs, nw.when(nw.col("examples") > by_steps).then(nw.col("examples"))) / by_steps
    # Text is mostly seen once; images and sound are seen many times, so that one epoch would be wrong by a factor of 100.
    one_pass = nw.when(nw.col("utilization_case") == "text").then(nw.col("examples"))
    is_recent = nw.col("published_year") >= params.one_pass_first_year
    of_passes = (
        nw.when(is_recent).then(nw.lit(spreads["epochs_assumed"])).otherwise(nw.lit(spreads["epochs_assumed_early"]))
    )
    is_by_epochs, is_by_steps = ~by_epochs.is_null(), by_epochs.is_null() & ~by_steps.is_null()
    known = {
        name: nw.when(is_by_epochs).then(nw.col(f"examples_{name}")).when(is_by_steps).then(nw.col(f"steps_{name}"))
        for name in ("class", "range_log_sd", "bound")
    }
    is_one_pass = stated.is_null() & ~one_pass.is_null()
    return (
        runs.with_columns(
            examples_seen=nw.coalesce(stated, one_pass),
            examples_seen_basis=nw.when(~stated.is_null())
            .then(nw.lit("reported"))
            .when(is_one_pass)
            .then(nw.lit("assumed")),
            examples_class=known["class"].when(is_one_pass).then(nw.lit(InputClass.IMPUTED.value)),
            range_log_sd=known["range_log_sd"].fill_null(0.0),
            bound=known["bound"],
            is_examples_inconsistent=nw.when(~apart.is_null()).then(
                (apart > params.examples_tolerance) | (apart < 1 / params.examples_tolerance)
            ),
        )
        .with_columns(
            class_log_sd=nw.when(is_one_pass).then(of_passes).otherwise(class_log_sd("examples", classes)),
            is_bound=~nw.col("bound").is_null(),
            examples_seen=nw.col("examples_seen") * beyond(nw.col("bound"), classes["bound"]),
        )
        .with_columns(
            examples_log_sd=nw.when(~nw.col("examples_seen").is_null()).then(
                spread(variance(nw.col("class_log_sd"), nw.col("range_log_sd")))
            )
        )
    )


def beyond(bound: nw.Expr, log_sd: float) -> nw.Expr:
    """Factor from a stated end to the median of what lies beyond it, a half-normal in the logarithm; 1 where no end is stated."""
    factor = e ** (HALF_NORMAL_MEDIAN * log_sd)
    at_least, at_most = bound == Bound.AT_LEAST.value, bound == Bound.AT_MOST.value
    return (
        nw.when(at_least.fill_null(False))
        .then(nw.lit(factor))
        .when(at_most.fill_null(False))
        .then(nw.lit(1 / factor))
        .otherwise(nw.lit(1.0))
    )


def class_log_sd(name: str, classes: Spreads) -> nw.Expr:
    """Log standard deviation of an input by its class, in column `<name>_class`.

    The width of a range, and of an assumption, comes on top of that of a product; beyond a stated end lies a half-normal.
    """
    of = {word: classes[f"{name}_{word.value}"] for word in MEASURED_CLASSES}
    of[InputClass.STATED_BY_USER] = 0.0  # who ran it knows it; the width of a range comes on top
    of |= {InputClass.ANALYSIS: classes["analysis"]} | dict.fromkeys(WIDER_THAN_PRODUCT, of[InputClass.PRODUCT])
    of[InputClass.BOUND] = spread(variance(of[InputClass.PRODUCT], HALF_NORMAL_SD * classes["bound"]))
    chosen: Any = nw
    for word, log_sd in of.items():
        chosen = chosen.when(nw.col(f"{name}_class") == word.value).then(nw.lit(log_sd))
    return chosen


def completed_allocations(
    runs: Frame, allocations: Frame, hardware: Frame, year_peaks: Frame, classes: Spreads, params: params.Impute
) -> Frame:
    """Allocations with chip time, the precision by the first rule that applies, and the year's default peak where the chip is unknown."""
    of_runs = runs.select(
        "model_id", "phase", "utilization_case", "stated_precision", "organization_kind", "published", "published_year",
        "stated_utilization_fraction", "stated_utilization_basis",
    )  # fmt: skip
    of_chips = hardware.select("hardware_id", "only_precision", "fast_16bit_precision", "sixteen_bit_ratio")
    of_years = year_peaks.select(
        "published_year",
        "applies_to",
        year_basis="peak_basis",
        default_peak_flop_per_second="peak_flop_per_second",
        default_peak_log_sd="log_sd",
    )
    chip_seconds = nw.coalesce(
        nw.col("stated_chip_seconds"), gpu_time.chip_seconds(nw.col("chips"), nw.col("duration_seconds"))
    )
    of_models = allocations.group_by("model_id").agg(model_chip_seconds=chip_seconds.sum())
    joined = (
        allocations.join(of_runs, on=["model_id", "phase"], how="left")
        .join(of_chips, on="hardware_id", how="left")
        .with_columns(
            chip_seconds=chip_seconds * beyond(nw.col("chip_seconds_bound"), classes["bound"]),
            is_bound=~nw.col("chip_seconds_bound").is_null(),
            chip_seconds_basis=nw.when(~nw.col("stated_chip_seconds").is_null())
            .then(nw.lit("reported"))
            .when(~chip_seconds.is_null())
            .then(nw.lit("derived")),
            chip_seconds_log_sd=nw.when(~chip_seconds.is_null()).then(
                spread(
                    variance(class_log_sd("chip_seconds", classes), nw.col("chip_seconds_range_log_sd").fill_null(0.0))
                )
            ),
            is_unknown=nw.col("hardware_id").is_null(),
        )
        .join(of_models, on="model_id", how="left")
        .with_columns(precision_rule=_precision_rule(params))
        .with_columns(precision=_precision())
        .with_columns(applies_to=peak_kind())
        .join(of_years, on=["published_year", "applies_to"], how="left")
    )
    filled, is_inferred = nw.col("is_unknown"), nw.col("precision_rule").is_in(INFERRED)
    return joined.with_columns(
        hardware_basis=nw.when(filled)
        .then(nw.coalesce(nw.col("year_basis"), nw.lit("assumed")))
        .otherwise(nw.lit("reported")),
        default_peak_flop_per_second=nw.when(filled).then(nw.col("default_peak_flop_per_second")),
        default_peak_log_sd=nw.when(filled).then(nw.col("default_peak_log_sd")),
        format_ratio=nw.when(is_inferred & (nw.col("precision") == "fp32"))
        .then(nw.col("sixteen_bit_ratio"))
        .when(is_inferred)
        .then(1 / nw.col("sixteen_bit_ratio")),
        precision_basis=nw.when(nw.col("precision_rule") == "stated")
        .then(nw.lit("reported"))
        .when(is_inferred)
        .then(nw.lit("assumed"))
        .otherwise(nw.lit("derived")),
    )


def peak_kind() -> nw.Expr:
    """Which of a year's default peaks is used for an unknown chip at a precision."""
    return nw.when(nw.col("precision").is_in(LOW_PRECISIONS)).then(nw.lit("16bit")).otherwise(nw.lit("fp32"))


def precision_log_sd(spreads: Spreads) -> nw.Expr:
    """Log standard deviation that an inferred precision adds to that of a peak."""
    return by_rule({rule: spreads[f"precision_{rule}"] for rule in INFERRED})


def by_rule(values: Mapping[str, float]) -> nw.Expr:
    """The value of the rule that inferred a precision; 0 where it was stated or follows from the chip."""
    chosen = nw.lit(0.0)
    for rule in INFERRED:
        chosen = nw.when(nw.col("precision_rule") == rule).then(nw.lit(values[rule])).otherwise(chosen)
    return chosen


def _precision_rule(params):
    is_large = (
        (nw.col("organization_kind") == "industry")
        & (nw.col("model_chip_seconds") >= params.large_run_chip_days * DAY_SECONDS)
        & (nw.col("published_year") >= params.large_run_first_year)
    )
    return (
        nw.when(~nw.col("stated_precision").is_null())
        .then(nw.lit("stated"))
        .when(~nw.col("only_precision").is_null())
        .then(nw.lit("only_format"))
        .when(~nw.col("is_unknown") & nw.col("fast_16bit_precision").is_null())
        .then(nw.lit("no_fast_16bit"))
        .when(is_large)
        .then(nw.lit("large_industry_run"))
        .when(nw.col("published") < params.sixteen_bit_since)
        .then(nw.lit("before_sixteen_bit"))
        .otherwise(nw.lit("best_sixteen_bit"))
    )


def _precision():
    rule = nw.col("precision_rule")
    return (
        nw.when(rule == "stated")
        .then(nw.col("stated_precision"))
        .when(rule == "only_format")
        .then(nw.col("only_precision"))
        .when(rule.is_in(["no_fast_16bit", "before_sixteen_bit"]))
        .then(nw.lit("fp32"))
        .otherwise(nw.coalesce(nw.col("fast_16bit_precision"), nw.lit(SIXTEEN_BIT_OF_UNKNOWN_CHIP)))
    )
