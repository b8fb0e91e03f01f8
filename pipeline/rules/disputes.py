"""Causes of disputes between the two methods: the input whose other value makes the observed ratio most likely, and a sentence with its numbers.

An input's other value is the one nearest to agreement within what is known of it; the joint variance is then less by the input's own. A
cause is named where the likelihood of the ratio is at least `min_likelihood_ratio` times that of the inputs as they are.
"""

from collections.abc import Callable, Iterator, Mapping
from math import e
from typing import Any, NamedTuple

import narwhals as nw

from pipeline.formulas.uncertainty import NORMAL_QUANTILE_95, spread
from pipeline.rules import comparison
from pipeline.rules.frames import Frame, as_columns
from schemas.params import Reconcile
from schemas.vocabulary import (
    SEPARATOR,
    Basis,
    DisputeCause,
    Independence,
    InputClass,
    ParameterNetwork,
    Precision,
    Scope,
)

Row = Mapping[str, Any]
KNOWN_CLASSES = (InputClass.STATED_BY_USER, InputClass.EXACT, InputClass.PRODUCT)
OPEN_CLASSES = [word.value for word in InputClass if word not in KNOWN_CLASSES]


class _Alternative(NamedTuple):
    """Where an input's other value applies, ln of the ratio that it would give, and the variance that would be known."""

    applies: Any
    log_ratio: Any
    variance: Any


def with_causes(frame: Frame, params: Reconcile) -> Frame:
    """The frame (one row a model, its bases included) with `dispute_causes` and the first of them, `dispute_cause`; null without a dispute.

    Each step is a column of its own: written into one another, the query would grow with the square of the causes.
    """
    alternatives = _alternatives(params)
    gains = {cause: nw.col(f"gain_{cause.value}") for cause in alternatives}
    now = _Alternative(nw.lit(value=True), nw.col("method_ratio").log(), comparison.ratio_variance())
    frame, (before, *others) = as_columns(frame, [now, *alternatives.values()])
    frame = frame.with_columns(
        **{f"gain_{cause.value}": _gain(before, other) for cause, other in zip(alternatives, others, strict=True)}
    )
    frame = frame.with_columns(
        largest_gain=nw.max_horizontal(*gains.values()),
        is_impossible=(nw.col("implied_utilization_fraction") > nw.col("utilization_ceiling_fraction")).fill_null(
            False
        ),
    )
    is_named = nw.col("largest_gain") >= params.min_likelihood_ratio
    cause: Any = nw.when(~nw.col("is_disputed").fill_null(False)).then(nw.lit(None, nw.String))
    cause = cause.when(nw.col("is_impossible")).then(nw.lit(DisputeCause.IMPOSSIBLE_UTILIZATION.value))
    for word, gain in gains.items():
        cause = cause.when(is_named & (gain == nw.col("largest_gain"))).then(nw.lit(word.value))
    frame = frame.with_columns(dispute_cause=cause.otherwise(nw.lit(DisputeCause.UNEXPLAINED.value)))
    others = [
        nw.when((gain >= params.min_likelihood_ratio) & (nw.col("dispute_cause") != word.value)).then(
            nw.lit(word.value)
        )
        for word, gain in gains.items()
    ]
    every = nw.concat_str([nw.col("dispute_cause"), *others], separator=SEPARATOR, ignore_nulls=True)
    return frame.with_columns(dispute_causes=nw.when(~nw.col("dispute_cause").is_null()).then(every))


def _gain(now: _Alternative, other: _Alternative) -> Any:
    """Likelihood of the ratio at the input's other value, over that at the inputs as they are; 0 where the input has none."""
    before = now.variance
    # What is left is at least a tenth: no input explains everything by being all that is uncertain.
    after = nw.max_horizontal(before - other.variance, before / 10)
    exponent = now.log_ratio**2 / (2 * before) - other.log_ratio**2 / (2 * after)
    return (
        nw.when(other.applies.fill_null(False))
        .then(((before / after) ** 0.5 * exponent.exp()).fill_null(0.0))
        .otherwise(nw.lit(0.0))
    )


def _is_shared() -> Any:
    return (nw.col("independence") == Independence.SHARED_INPUT.value).fill_null(False)


def _nearer(log_ratio: Any, reach: Any) -> Any:
    """ln of the ratio after an input has moved it towards agreement by at most `reach`."""
    left = nw.max_horizontal(log_ratio.abs() - reach, nw.lit(0.0))
    return nw.when(log_ratio < 0).then(-left).otherwise(left)


def _alternatives(params: Reconcile) -> dict[DisputeCause, _Alternative]:
    ratio, implied = nw.col("method_ratio"), nw.col("implied_utilization_fraction")
    log_ratio = ratio.log()
    is_low = ratio < 1
    searches = (nw.col("scope") == Scope.SEARCH.value).fill_null(False) & ~nw.col("is_search_counted")
    part = nw.col("parameters") / nw.col("counted_parameters")
    counts_a_part = (part > params.dispute_ratio).fill_null(False)
    of_part = nw.when(searches).then(nw.lit(0.0)).otherwise(_nearer(log_ratio, part.log()))
    doubled = nw.when(nw.col("is_stated_in_multiply_adds")).then(nw.lit(0.5)).otherwise(nw.lit(2.0))
    examples, hours, peak, precision = (
        nw.col(f"{name}_log_sd") for name in ("examples", "chip_seconds", "peak", "precision")
    )
    is_open = nw.col("examples_class").is_in(OPEN_CLASSES)
    inconsistent = nw.col("is_examples_inconsistent").fill_null(False)
    of_data = nw.when(inconsistent).then(nw.lit(0.0)).otherwise(_nearer(log_ratio, NORMAL_QUANTILE_95 * examples))
    low = nw.coalesce(nw.col("utilization_low_fraction"), nw.lit(params.min_dense_utilization))
    high = nw.coalesce(nw.col("utilization_high_fraction"), nw.lit(params.implausible_utilization))
    reached = nw.max_horizontal(nw.min_horizontal(implied, high), low)
    of_utilization = nw.col("gpu_time_log_sd") ** 2 - hours**2 - peak**2 - precision**2
    none = nw.lit(0.0)
    # In another format the chips may be asked for more than any run reaches: no value of the format repairs that.
    is_format_open = implied / nw.col("format_ratio") <= params.implausible_utilization
    is_used_once = (nw.col("parameter_network") == ParameterNetwork.DECODER_ONLY.value).fill_null(False)
    cause = DisputeCause
    return {
        cause.SCOPE_MISMATCH: _Alternative(is_low & (searches | counts_a_part), of_part, none),
        cause.PRECISION: _Alternative(is_format_open, log_ratio - nw.col("format_ratio").log(), precision**2),
        cause.MULTIPLY_ADD: _Alternative(nw.col("operation_count_basis") == "reported", log_ratio + doubled.log(), none),
        cause.EPOCHS_OR_PASSES: _Alternative((is_open & ~_is_shared()) | inconsistent, of_data, examples**2),
        cause.CHIP_VS_CORE: _Alternative(
            nw.col("chips_ratio") >= params.dispute_ratio, _nearer(log_ratio, nw.col("chips_ratio").log() / 2), hours**2
        ),
        cause.IMPUTED_HARDWARE: _Alternative(
            nw.col("hardware_basis").str.starts_with("default"), _nearer(log_ratio, NORMAL_QUANTILE_95 * peak), peak**2
        ),
        # An end of what like cases reach is no nearer to agreement than the default where the implied utilization lies beyond the default.
        cause.UTILIZATION: _Alternative(
            ~implied.is_null(), nw.min_horizontal((implied / reached).log().abs(), log_ratio.abs()), of_utilization
        ),
        cause.PARAMETERS_SHARED: _Alternative(
            nw.col("is_from_parameters") & is_low & ~is_used_once, nw.lit(0.0), none
        ),
    }  # fmt: skip


def _reach(log_sd: Any) -> Any:
    """Ratio of the upper end of a 90 % interval to its median."""
    return e ** (NORMAL_QUANTILE_95 * log_sd)


def _half(ratio: Any) -> Any:
    """Ratio of the upper end of a range to its geometric mean, with high / low = `ratio`."""
    return ratio**0.5


RESOLUTION = {
    DisputeCause.IMPOSSIBLE_UTILIZATION: "steps, batch and epochs, and chips and days, read again: one of them is wrong",
    DisputeCause.SCOPE_MISMATCH: "the time of the part that is counted, or a count of the other parts",
    DisputeCause.PRECISION: "the number format of the training, stated by its authors",
    DisputeCause.MULTIPLY_ADD: "a count of the network layer by layer",
    DisputeCause.EPOCHS_OR_PASSES: "the examples seen: data and epochs, or steps and batch, stated by the authors",
    DisputeCause.CHIP_VS_CORE: "the unit that the source counts: cards or dies, chips or cores, boards or chips",
    DisputeCause.IMPUTED_HARDWARE: "the chip",
    DisputeCause.UTILIZATION: "a throughput or a utilization of this run",
    DisputeCause.PARAMETERS_SHARED: "the network's layers, so that its operations are counted",
    DisputeCause.UNEXPLAINED: "a throughput of this run, or a second source of the data seen or of the chips and their time",
}


def explained(row: Row) -> Iterator[Row]:
    """Rows of `dispute_causes` of a disputed model: each cause with a sentence and the fact that would resolve it.

    `row` has the columns of `estimates` and `models` and the totals over the model and its bases; `base_share` is the bases' part of
    the count, `ratio_variance` as in `comparison`, `dispute_ratio` the factor between the methods from which on they dispute.
    """
    base = (
        f" {row['base_share']:.0%} of the count is the base model's: see {row['base_model']}."
        if row["base_model"]
        else ""
    )
    for rank, cause in enumerate(row["dispute_causes"].split(SEPARATOR), start=1):
        yield {
            "model_id": row["model_id"],
            "rank": rank,
            "cause": cause,
            "cause_evidence": _SENTENCES[DisputeCause(cause)](row) + base,
            "resolution": _resolution(DisputeCause(cause), row),
        }


def _resolution(cause: DisputeCause, row: Row) -> str:
    of_rate = cause in (DisputeCause.UTILIZATION, DisputeCause.UNEXPLAINED)
    if of_rate and row["independence"] == Independence.SHARED_INPUT:  # so a rate of this run is known
        return "the operations of one example, counted a second way"
    return RESOLUTION[cause]


def _times(number: float) -> str:
    return f"{number:.3g}x"


def _impossible(row: Row) -> str:
    reported = (
        f" The authors report {row['reported_flop']:.3g}, {_times(row['reported_flop'] / row['operation_count_flop'])}"
        f" the count and {_times(row['reported_flop'] / row['gpu_time_flop'])} the GPU time."
        if row["reported_flop"] is not None
        else ""
    )
    return (
        f"The counted {row['operation_count_flop']:.3g} FLOP are {row['implied_utilization_fraction']:.4g} of chip time x peak,"
        f" {row['chip_peak_flop']:.3g} FLOP.{reported}"
    )


def _scope(row: Row) -> str:
    if row["scope"] == Scope.SEARCH:
        return (
            f"The time is that of a search and covers more than the networks that are counted;"
            f" the count is {_times(row['method_ratio'])} the GPU time."
        )
    return (
        f"The counted network has {row['counted_parameters']:.3g} of the model's {row['parameters']:.3g} parameters;"
        f" the count is {_times(row['method_ratio'])} the GPU time."
    )


def _precision(row: Row) -> str:
    other = Precision.FP32.value if row["format_ratio"] < 1 else "its fast 16-bit format"
    return (
        f"The number format was inferred ({row['precision']}), not stated; in {other}, whose peak is {_times(row['format_ratio'])} this one's,"
        f" the ratio {row['method_ratio']:.3g} would be {row['method_ratio'] / row['format_ratio']:.3g}, at a utilization of"
        f" {row['implied_utilization_fraction'] / row['format_ratio']:.3g}."
    )


def _multiply_add(row: Row) -> str:
    unit = "multiply-adds, which were doubled" if row["is_stated_in_multiply_adds"] else "FLOP, which were not doubled"
    return f"The forward operations are stated in {unit}; the ratio {row['method_ratio']:.3g} would be {row['method_ratio'] * (0.5 if row['is_stated_in_multiply_adds'] else 2):.3g} otherwise."


def _passes(row: Row) -> str:
    if row["is_examples_inconsistent"]:
        return f"Epochs x examples and steps x batch are both stated and contradict each other; the count uses {row['examples_seen']:.3g}."
    reach, ratio = _reach(row["examples_log_sd"]), row["method_ratio"]
    needed = max(ratio, 1 / ratio)
    side = "more" if ratio < 1 else "less"
    if needed <= reach:
        return f"{_DATA[InputClass(row['examples_class'])]}, known within {_times(reach)} (90 %); {_times(needed)} {side} of them would make the methods agree."
    return (
        f"{_DATA[InputClass(row['examples_class'])]}, known within {_times(reach)} (90 %); with {_times(reach)} {side} of them the"
        f" ratio {ratio:.3g} would be {ratio * reach if ratio < 1 else ratio / reach:.3g}."
    )


_DATA = {
    InputClass.STATED_BY_USER: "The data are your own figures",
    InputClass.EXACT: "The data are stated as one figure",
    InputClass.PRODUCT: "The data are a product of stated figures",
    InputClass.RANGE: "The data are stated as a range",
    InputClass.TABLE: "Data or epochs are from another's table, or were not seen in a source",
    InputClass.BOUND: "One end of the data is stated",
    InputClass.ASSUMED: "The data rest on an assumption of the record",
    InputClass.ANALYSIS: "The data are what analysts or the press report",
    InputClass.IMPUTED: "The number of epochs is not stated; one is assumed",
}


def _chips(row: Row) -> str:
    half = _half(row["chips_ratio"])
    at_end = row["method_ratio"] * (half if row["method_ratio"] < 1 else 1 / half)
    return (
        f"The number of chips is stated as a range of {_times(row['chips_ratio'])}; at its end the ratio"
        f" {row['method_ratio']:.3g} would be {at_end:.3g}."
    )


def _hardware(row: Row) -> str:
    return (
        f"The chip is not stated; the default peak of {row['published_year']} is used, known within"
        f" {_times(_reach(row['peak_log_sd']))}; the methods differ by"
        f" {_times(max(row['method_ratio'], 1 / row['method_ratio']))}."
    )


def _utilization(row: Row) -> str:
    implied, ratio = row["implied_utilization_fraction"], row["method_ratio"]
    low, high = row["utilization_low_fraction"], row["utilization_high_fraction"]
    stated = f"The count implies a utilization of {implied:.3g}; the default is {implied / ratio:.3g}"
    if low is None:
        text = f"{stated}; nothing like it was measured, and small or irregular networks reach a few hundredths."
    elif low <= implied <= high:
        text = f"{stated}. Like cases reach {low:.3g} to {high:.3g} (90 %), so the implied one is ordinary, and the default does not fit this run."
    else:
        place, end = ("below", low) if implied < low else ("above", high)
        left = max(implied / end, end / implied)
        text = f"{stated}. It is {place} what like cases reach (90 %: {low:.3g} to {high:.3g}); at {end:.3g} the methods would differ by {_times(left)}"
        text += ", so that a part of the difference has another cause." if left > row["dispute_ratio"] else "."
    return text + _at_prediction(row) + _shared(row)


def _at_prediction(row: Row) -> str:
    if row["utilization_basis"] != Basis.CALIBRATED or row["gpu_time_informed_flop"] is None:
        return ""
    ratio = row["operation_count_flop"] / row["gpu_time_informed_flop"]
    return f" At the predicted {row['utilization_fraction']:.3g} the ratio is {ratio:.3g}."


def _shared(row: Row) -> str:
    if row["independence"] != Independence.SHARED_INPUT:
        return ""
    return " Data and time rest on one fact, so neither errs alone: a rate of this run is known, and what is left is the count of one example."


def _parameters(row: Row) -> str:
    return (
        f"The count is 2 x parameters, {row['active_parameters'] or row['parameters']:.3g} of them, each used once a token;"
        f" the GPU time corresponds to {1 / row['method_ratio']:.3g} uses."
    )


def _unexplained(row: Row) -> str:
    apart = max(row["method_ratio"], 1 / row["method_ratio"])
    open_reach = _reach(spread(row["ratio_variance"]))
    if apart <= open_reach:
        text = f"The methods differ by {_times(apart)}; what is known of their inputs leaves {_times(open_reach)} open (90 %), so no one input stands out."
    else:
        text = f"The methods differ by {_times(apart)}, more than their inputs leave open ({_times(open_reach)}, 90 %), and no input's other value explains it."
    return " ".join([text, *_what_is_open(row)])


def _what_is_open(row: Row) -> Iterator[str]:
    low, high = row["utilization_low_fraction"], row["utilization_high_fraction"]
    like = "" if low is None else f"; like cases reach {low:.3g} to {high:.3g}"
    yield f"The count implies a utilization of {row['implied_utilization_fraction']:.3g}{like}."
    if row["examples_class"] in OPEN_CLASSES:
        yield _passes(row)
    if row["chips_ratio"] is not None and row["chips_ratio"] > 1:
        yield _chips(row)
    if row["imputed_inputs"] is not None:
        yield f"Filled by defaults: {row['imputed_inputs']}."


_SENTENCES: dict[DisputeCause, Callable[[Row], str]] = {
    DisputeCause.IMPOSSIBLE_UTILIZATION: _impossible,
    DisputeCause.SCOPE_MISMATCH: _scope,
    DisputeCause.PRECISION: _precision,
    DisputeCause.MULTIPLY_ADD: _multiply_add,
    DisputeCause.EPOCHS_OR_PASSES: _passes,
    DisputeCause.CHIP_VS_CORE: _chips,
    DisputeCause.IMPUTED_HARDWARE: _hardware,
    DisputeCause.UTILIZATION: _utilization,
    DisputeCause.PARAMETERS_SHARED: _parameters,
    DisputeCause.UNEXPLAINED: _unexplained,
}
