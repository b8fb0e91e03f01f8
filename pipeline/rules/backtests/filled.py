"""Known chips, precisions, utilizations and epochs, hidden and imputed by the rules of the stage impute. Chip counts and times are never imputed."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence

import narwhals as nw

from pipeline.formulas import operations
from pipeline.formulas.uncertainty import spread, variance
from pipeline.rules import imputation
from pipeline.rules.backtests.hidden import ALLOCATION, PHASE, Hidden, of_allocation, of_phase
from pipeline.rules.frames import Frame, Row, rows
from pipeline.rules.imputation import Spreads
from schemas import params
from schemas.vocabulary import SIXTEEN_BIT

NO_NUMBER, NO_WORD = nw.lit(None, nw.Float64), nw.lit(None, nw.String)


def chips_of_models(allocations: Frame, models: Frame, peaks: Frame) -> list[Row]:
    """Each model with each of its chips, and the chip's peak in FP32 and in its best 16-bit format."""
    used = allocations.filter(~nw.col("hardware_id").is_null()).select("model_id", "hardware_id").unique()
    rated = (
        used.join(models.select("model_id", "published_year"), on="model_id")
        .join(
            peaks.filter(nw.col("precision").is_in(["fp32", *(word.value for word in SIXTEEN_BIT)])), on="hardware_id"
        )
        .with_columns(applies_to=imputation.peak_kind())
        .group_by("model_id", "published_year", "hardware_id", "applies_to")
        .agg(nw.col("peak_flop_per_second").max())
    )
    return rows(rated, "published_year", "applies_to", "model_id", "hardware_id")


def mean_peak(chips: Sequence[Row]) -> float:
    """Geometric mean of the peaks of models' chips, FLOP/s."""
    return math.exp(math.fsum(math.log(chip["peak_flop_per_second"]) for chip in chips) / len(chips))


def most_common(chips: Sequence[Row]) -> tuple[str, float, int]:
    """The chip that most models used, its peak (FLOP/s) and their number; ties by name."""
    counted = Counter((chip["hardware_id"], chip["peak_flop_per_second"]) for chip in chips)
    (hardware_id, peak), number = min(counted.items(), key=lambda each: (-each[1], each[0]))
    return hardware_id, peak, number


def hardware(known: Frame, without_chip: Frame, chips: Sequence[Row], spreads: Spreads) -> Iterator[Hidden]:
    """Known chips against the year's default, and against the mean and the most common chip of the ledger's other models.

    Where the precision is not stated, it is inferred too, as for an unknown chip; each rule of precision is a separate quantity.

    `known` are completed allocations with the peaks of their chips, `without_chip` the same completed as if no chip were stated.
    """
    fills = without_chip.select(
        *ALLOCATION,
        applies_to=imputation.peak_kind(),
        fill="default_peak_flop_per_second",
        fill_rule="precision_rule",
        fill_spread=spread(variance(nw.col("default_peak_log_sd"), imputation.precision_log_sd(spreads))),
    )
    alike: dict[tuple[int, str], list[Row]] = defaultdict(list)
    for chip in chips:
        alike[chip["published_year"], chip["applies_to"]].append(chip)
    # An inferred precision is not a known fact, nor is a peak at it.
    stated = known.filter(nw.col("precision_basis") != "assumed")
    for row in rows(stated.join(fills, on=[*ALLOCATION]).filter(~nw.col("fill").is_null()), *ALLOCATION):
        found = {"year_default": row["fill"]}
        others = [
            chip for chip in alike[row["published_year"], row["applies_to"]] if chip["model_id"] != row["model_id"]
        ]
        if others:
            found |= {"year_mean_of_ledger": mean_peak(others), "year_most_common_of_ledger": most_common(others)[1]}
        quantity = "peak_by_year" if row["fill_rule"] == "stated" else f"peak_by_year_{row['fill_rule']}"
        for rule, fill in found.items():
            yield of_allocation(quantity, rule, row, row["peak_flop_per_second"], fill, row["fill_spread"])


def precision(known: Frame, without_precision: Frame, peaks: Frame, spreads: Spreads) -> Iterator[Hidden]:
    """The peak at a stated precision against that at the precision that the rules infer for the same chip."""
    fills = without_precision.join(peaks, on=["hardware_id", "precision"]).select(
        *ALLOCATION,
        fill="peak_flop_per_second",
        fill_rule="precision_rule",
        fill_spread=imputation.precision_log_sd(spreads),
    )
    stated = known.filter(nw.col("precision_rule") == "stated")
    for row in rows(stated.join(fills, on=[*ALLOCATION]), *ALLOCATION):
        known_peak = row["peak_flop_per_second"]
        yield of_allocation("precision", row["fill_rule"], row, known_peak, row["fill"], row["fill_spread"])


def utilization(runs: Frame, utilizations: Frame, default: Spreads, spreads: Spreads) -> Iterator[Hidden]:
    """Reported utilizations of models against the default and against the prediction from measurements of like cases, by case."""
    stated = runs.filter(nw.col("stated_utilization_basis") == "reported")
    for row in rows(stated, *PHASE):
        case, found = row["utilization_case"], row["stated_utilization_fraction"]
        yield of_phase(f"utilization_{case}", "default", row, found, default[case], spreads[case])
    for row in rows(stated.join(utilizations, on=[*PHASE]), *ALLOCATION):
        case, found = row["utilization_case"], row["stated_utilization_fraction"]
        median, width = row["utilization_middle_fraction"], row["utilization_log_sd"]
        yield of_allocation(f"utilization_{case}", "like_measurements", row, found, median, width)


def passes(
    runs: Frame, complete: Callable[[Frame], Frame], classes: Spreads, params: params.Impute
) -> Iterator[Hidden]:
    """Stated epochs against one epoch, and against steps x batch where steps are stated too; `complete` imputes phases."""
    known = runs.with_columns(
        known=operations.examples_seen_by_epochs(nw.col("examples"), nw.col("epochs")),
        epochs=NO_NUMBER,
    ).filter(~nw.col("known").is_null())
    for row in _completed(complete(known.with_columns(steps=NO_NUMBER))):
        quantity = "epochs_assumed" if row["published_year"] >= params.one_pass_first_year else "epochs_assumed_early"
        yield of_phase(quantity, "one_pass", row, row["known"], row["examples_seen"], row["examples_log_sd"])
    for row in _completed(complete(known.with_columns(examples=NO_NUMBER))):
        yield of_phase(
            "examples_product", "steps_x_batch", row, row["known"], row["examples_seen"], classes["examples_product"]
        )


def _completed(runs: Frame) -> list[Row]:
    return rows(runs.filter(~nw.col("examples_seen").is_null()), *PHASE)
