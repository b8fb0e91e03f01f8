"""Sums over the phases of a model, and over a model and its base models.

Parts are taken as fully correlated (methods, section 5): their log standard deviations are averaged with FLOP as weights."""

from collections.abc import Iterable, Mapping
from typing import Any

import narwhals as nw

from schemas import columns
from schemas.vocabulary import SEPARATOR

# A model's basis, and the class of an input, is the weakest of those of its phases and base models.
WEAKEST_FIRST = (
    "imputed", "analysis", "assumed", "bound", "table", "range", "product", "exact", "stated_by_user",
    "default_nearest_year", "default_year", "derived", "reported", "calibrated", "counted",
    "gpu_time", "unknown", "operation_count",  # ways of a reported total
)  # fmt: skip
WHOLE = nw.Decimal(
    38, 0
)  # sums of whole FLOP are exact, so that their last bits do not depend on the number of threads
FINE = nw.Decimal(38, 9)  # likewise of what may be less than one of its unit
# Totals of one model, each with the standard deviations that its parts weight by it.
COUNTED = {"operation_count_flop": ("operation_log_sd", "examples_log_sd")}
TIMED = {
    "gpu_time_flop": ("gpu_time_log_sd",),
    "gpu_time_informed_flop": ("gpu_time_informed_log_sd",),
    "chip_peak_flop": ("chip_seconds_log_sd", "peak_log_sd", "precision_log_sd"),
    "other_format_peak_flop": (),
    "chip_seconds": (),
}
DECIMALS = dict.fromkeys(("chip_seconds", "energy_kwh", "energy_log_sd"), FINE)  # of totals; WHOLE for all others
COUNTED_FLAGS = ("is_convolution", "is_examples_inconsistent", "is_from_parameters", "is_stated_in_multiply_adds")
COUNTED_BASES = ("operation_count_basis", "examples_seen_basis", "examples_class")
TIMED_BASES = ("hardware_basis", "precision_basis", "utilization_basis", "chip_seconds_class")
WORDS_OF = {"reported_class": "reported_method"}  # where another column's stand in it
BASES = (*COUNTED_BASES, *TIMED_BASES)
RECORD_FLAGS = ("has_erratum", "has_untimed_phase", "is_reported_hardware_flop", "has_unread_data")


def counted(operation_estimates: Any) -> Any:
    """One row a model of the phases in `operation_estimates`."""
    return totals(
        operation_estimates.with_columns(
            is_convolution=nw.col("utilization_case") == "convolution", is_count_bound=nw.col("is_bound")
        ),
        COUNTED,
        weakest=COUNTED_BASES,
        maximum=["counted_parameters"],
        any_true=[*COUNTED_FLAGS, "is_count_bound"],
    )


def timed(gpu_time_estimates: Any) -> Any:
    """One row a model of the allocations in `gpu_time_estimates`."""
    return totals(
        gpu_time_estimates.with_columns(is_time_bound=nw.col("is_bound"), **_ends("precision")),
        TIMED,
        weakest=TIMED_BASES,
        minimum=["utilization_low_fraction"],
        maximum=["format_ratio", "other_format_share_fraction", "utilization_high_fraction"],
        any_true=["is_from_operations", "is_time_bound"],
        joined=["precision"],
    )


def with_bases(own: Any, lineages: Any, sums: Mapping[str, Iterable[str]] | None = None, **more: Iterable[str]) -> Any:
    """One row a fine-tuned model, itself and its base models together.

    `own` has one row a model, with the totals of `counted` and `timed`; `sums` and the columns of `more` (as in `totals`) are summed or
    joined in addition to those.
    """
    is_base = nw.col("model_id") != nw.col("part_id")
    tuned = lineages.filter(is_base).select("model_id").unique()
    joined = [*more.pop("joined", ())]
    ends = {
        name: end
        for column in joined
        if f"{column}_first" not in own.collect_schema()
        for name, end in _ends(column).items()
    }
    parts = lineages.join(tuned, on="model_id", how="semi").join(
        own.with_columns(part_id=nw.col("model_id"), **ends).drop("model_id"), on="part_id", how="left"
    )
    summed = totals(
        parts,
        {**COUNTED, **TIMED, **(sums or {})},
        weakest=more.get("weakest", ()),
        minimum=["utilization_low_fraction"],
        maximum=["counted_parameters", "format_ratio", "utilization_high_fraction", *more.get("maximum", ())],
        any_true=[*COUNTED_FLAGS, *more.get("any_true", ())],
        joined=joined,
    )
    return summed.drop(*_end_names(joined))


def totals(
    rows: Any, sums: Mapping[str, Iterable[str]], weakest: Iterable[str] = (), minimum: Iterable[str] = (),
    maximum: Iterable[str] = (), any_true: Iterable[str] = (), joined: Iterable[str] = (),
) -> Any:  # fmt: skip
    """One row a model. A sum (with the columns that weigh by it) is null where any part is.

    `joined` names columns whose first and last words are in `<column>_first` and `<column>_last`, so that sums of sums are sums.
    """
    widths = {width: total for total, own in sums.items() for width in own}
    amounts = {total: nw.col(total) for total in sums}
    amounts |= {width: nw.col(total) * nw.col(width) for width, total in widths.items()}
    grouped = (
        rows.with_columns(
            **{f"is_known_{total}": ~nw.col(total).is_null() for total in sums},
            **{column: amount.cast(DECIMALS.get(column, WHOLE)) for column, amount in amounts.items()},
        )
        .group_by("model_id")
        .agg(
            *(nw.col(f"is_known_{total}").all() for total in sums),
            *(nw.col(column).sum().cast(nw.Float64) for column in amounts),
            *(_rank(column).min().alias(column) for column in weakest),
            *(nw.col(column).min() for column in minimum),
            *(nw.col(column).max() for column in maximum),
            *(nw.col(column).fill_null(False).any() for column in any_true),
            *(nw.col(f"{column}_first").min() for column in joined),
            *(nw.col(f"{column}_last").max() for column in joined),
            *(nw.col(f"{column}_is_missing").fill_null(False).any() for column in joined),
        )
    )
    columns = {total: nw.when(nw.col(f"is_known_{total}")).then(nw.col(total)) for total in sums}
    columns |= {
        width: nw.when(nw.col(f"is_known_{total}")).then(nw.col(width) / nw.col(total))
        for width, total in widths.items()
    }
    columns |= {column: _basis(column) for column in weakest} | {column: _words(column) for column in joined}
    return grouped.with_columns(**columns).select(
        "model_id", *columns, *minimum, *maximum, *any_true, *_end_names(joined)
    )


def _ends(column: str) -> dict[str, Any]:
    own = nw.col(column)
    return {f"{column}_first": own, f"{column}_last": own, f"{column}_is_missing": own.is_null()}


def _end_names(joined: Iterable[str]) -> list[str]:
    return [f"{column}_{end}" for column in joined for end in ("first", "last", "is_missing")]


def _words(column: str) -> Any:
    first, last = nw.col(f"{column}_first"), nw.col(f"{column}_last")
    both = nw.when(first == last).then(first).otherwise(nw.concat_str([first, last], separator=SEPARATOR))
    return nw.when(~nw.col(f"{column}_is_missing")).then(both)


def _rank(column: str) -> Any:
    chain: Any = nw
    for rank, word in enumerate(_ranked(column)):
        chain = chain.when(nw.col(column) == word).then(nw.lit(rank))
    return chain


def _basis(column: str) -> Any:
    chain: Any = nw
    for rank, word in enumerate(_ranked(column)):
        chain = chain.when(nw.col(column) == rank).then(nw.lit(word))
    return chain


def _ranked(column: str) -> list[str]:
    """The words of a column, the weakest first."""
    words = getattr(columns, WORDS_OF.get(column, column)).checks["isin"]
    return [word for word in WEAKEST_FIRST if word in words]
