"""The headline of each model: the median of a mixture over its estimates, with the sources of its variance.

The rules are methods, section 4. Two estimates are set against each other: a count of operations and GPU time. A total that the authors
report stands for the method that it came from where it is better founded than ours; ours and theirs confirm each other where they agree.
"""

import itertools
from collections.abc import Mapping
from typing import Any, NamedTuple

import narwhals as nw

from pipeline.formulas import mixture as formulas
from pipeline.formulas.uncertainty import NORMAL_QUANTILE_75, NORMAL_QUANTILE_95, probability_above, spread, variance
from pipeline.rules import comparison, mixture
from pipeline.rules.frames import Frame, as_columns, materialised
from schemas.params import Reconcile
from schemas.vocabulary import (
    THRESHOLDS,
    Basis,
    Component,
    Confidence,
    GpuTimeReason,
    GpuTimeUsed,
    HeadlineMethod,
    Independence,
    Input,
    ReportedMethod,
    UnusedReport,
)

VARIANCES = {word: f"variance_{word.value}" for word in Input}
# Square roots of the same: standard deviations add over fully correlated parts.
PARTS = {word: f"headline_{word.value}" for word in Input}
QUANTILES = {
    "own_training_flop_low": -NORMAL_QUANTILE_95,
    "own_training_flop_p25": -NORMAL_QUANTILE_75,
    "own_training_flop": 0.0,
    "own_training_flop_p75": NORMAL_QUANTILE_75,
    "own_training_flop_high": NORMAL_QUANTILE_95,
}
CLASSES = ("utilization_class", "reported_class")  # of what a headline uses
SUMMED: dict[str, tuple[str, ...]] = dict.fromkeys(QUANTILES, ()) | {
    "own_training_flop": ("own_log_sd", *PARTS.values())
}  # over a fine-tuned model and its bases: percentiles of fully correlated parts add
_COMPONENTS = [f"{name}_{n}" for name in ("weight", "log_median", "log_sd") for n in mixture.NUMBERS]
SMALLEST_PROBABILITY = 1e-6
CONFIDENCE = {Confidence.CONFIDENT: 3, Confidence.LIKELY: 10}


def choose_headline(frame: Frame, params: Reconcile, log_sd: Mapping[str, float], rates: Mapping[str, float]) -> Frame:
    """The frame (one row a model without its bases, as `comparison.compared` makes it) with the terms of its headline.

    `log_sd` and `rates` are the fitted standard deviations and rates of gross errors (data/records/defaults/uncertainty.yaml). Adds the
    columns of `reconciliations` that the frame lacks, and those of `mixture.with_components`.
    """
    error_variance = log_sd["gross_error"] ** 2
    frame = frame.with_columns(**_report(log_sd)).with_columns(**_gpu_time_used(), **_other_format())
    frame = frame.with_columns(**_unused(params)).with_columns(**_sides(rates))
    frame = _with_posterior_error_rates(frame, error_variance)
    frame = frame.with_columns(**_chosen()).with_columns(**_uses(error_variance))
    frame = materialised(mixture.with_components(frame, error_variance))
    frame = frame.join(mixture.quantiles(frame, QUANTILES), on="model_id", how="left")
    frame = frame.with_columns(**{name: nw.col(name).exp() for name in QUANTILES}, **_weights())
    is_bound = (nw.col("is_count_bound") & (nw.col("operation_weight_fraction") > 0)).fill_null(False) | (
        nw.col("is_time_bound") & (nw.col("gpu_time_weight_fraction") > 0)
    ).fill_null(False)
    return frame.with_columns(**_variances(), is_bound=is_bound)


def components(reconciled: Frame) -> Frame:
    """One row a model and component of its own headline; a model without a headline has none."""
    own = []
    for number, word in enumerate(mixture.ORDER):
        named = nw.lit(word.value)
        if word == Component.OPERATION_COUNT:
            named = nw.when(nw.col("is_reported_count")).then(nw.lit(Component.REPORTED.value)).otherwise(named)
        if word == Component.BOTH:
            named = nw.when(nw.col("is_time_alone")).then(nw.lit(Component.OTHER_FORMAT.value)).otherwise(named)
        if word == Component.GPU_TIME:
            named = nw.when(nw.col("is_reported_time")).then(nw.lit(Component.REPORTED.value)).otherwise(named)
        weight, median, log_sd = mixture.components()[number]
        own.append(
            reconciled.filter((weight > 0).fill_null(False)).select(
                "model_id", component=named, weight_fraction=weight, median_flop=median.exp(), log_sd=log_sd
            )
        )
    return nw.concat(own)


def add_interval(frame: Frame, own: Frame, hit_rates: Mapping[str, float], params: Reconcile) -> Frame:
    """The frame (one row a model, its bases included) with the headline's interval, widest input and confidence.

    `own` has the headline of each model's own training, which is what `own_training_flop` then is. `hit_rates` is the share of models
    left out that 90 % intervals hold, by the basis of the operations or of the utilization.
    """
    widest: Any = nw
    largest = nw.max_horizontal(*PARTS.values())
    for word, column in PARTS.items():
        widest = widest.when(nw.col(column) == largest).then(nw.lit(word.value))
    factor = nw.max_horizontal(
        nw.col("own_training_flop_high") / nw.col("own_training_flop"),
        nw.col("own_training_flop") / nw.col("own_training_flop_low"),
    )
    class_of = {
        Input.EXAMPLES: "examples_class",
        Input.FORWARD_FLOP: "operation_count_basis",
        Input.CHIP_TIME: "chip_seconds_class",
        Input.PEAK: "hardware_basis",
        Input.PRECISION: "precision_basis",
        Input.UTILIZATION: "utilization_class",
        Input.REPORTED: "reported_class",
    }
    widest_class: Any = nw
    for word, column in class_of.items():
        widest_class = widest_class.when(nw.col(PARTS[word]) == largest).then(nw.col(column))
    framed = frame.with_columns(
        **{name.removeprefix("own_"): nw.col(name) for name in QUANTILES},
        widest_input=widest,
        widest_class=widest_class,
        confidence=confidence(factor, hit_rates, params),
    )
    return framed.drop("own_training_flop").join(own.select("model_id", "own_training_flop"), on="model_id", how="left")


def add_probabilities(frame: Frame, own: Frame, lineages: Frame) -> Frame:
    """The frame (one row a model, its bases included) with the probability that its total for thresholds is above each.

    `own` has the components of each model's own training. Those of the largest part, scaled to the whole, are the sum's.
    """
    largest = _largest_part(own, lineages).select("model_id", "part_flop", *_COMPONENTS)
    joined = frame.join(largest, on="model_id", how="left")
    total = nw.coalesce(nw.col("cumulative_flop"), nw.col("training_flop"))
    components = mixture.components()
    distances = [
        [
            _Distance(((each.flop * nw.col("part_flop") / total).log() - median) / log_sd)
            for _, median, log_sd in components
        ]
        for each in THRESHOLDS
    ]
    framed, *held = as_columns(joined, *distances)
    columns = {}
    for threshold, own in zip(THRESHOLDS, held, strict=True):
        above = sum(
            weight * probability_above(each.above) for (weight, _, _), each in zip(components, own, strict=True)
        )
        bounded = nw.max_horizontal(
            nw.min_horizontal(above, nw.lit(1 - SMALLEST_PROBABILITY)), nw.lit(SMALLEST_PROBABILITY)
        )
        columns[threshold.column] = nw.when(~total.is_null()).then(bounded)
    return framed.with_columns(**columns)


class _Distance(NamedTuple):
    above: Any  # how far a threshold lies above a component's median, in its standard deviations


def confidence(factor: Any, hit_rates: Mapping[str, float], params: Reconcile) -> Any:
    """The confidence of a 90 % interval that reaches `factor` from its median; one step lower where such intervals hold too little.

    By the basis of the operations, else of the utilization; a basis without a hit rate has that of all.
    """
    held = {word: rate >= params.min_hit_rate for word, rate in hit_rates.items()}
    of_operations = nw.concat_str(nw.lit("operations_"), nw.col("operation_count_basis"))
    of_time = nw.concat_str(nw.lit("gpu_time_"), nw.col("utilization_class"))
    of_model = nw.coalesce(of_operations, of_time)
    own = of_model.is_in([word for word, is_held in held.items() if is_held])
    is_held = nw.when(of_model.is_in([*held]).fill_null(False)).then(own).otherwise(nw.lit(held["all"]))
    chain: Any = nw
    for word, lower in itertools.pairwise(Confidence):
        within = factor <= CONFIDENCE[word]
        chain = chain.when(within & is_held).then(nw.lit(word.value)).when(within).then(nw.lit(lower.value))
    return chain.when(~factor.is_null()).then(nw.lit([*Confidence][-1].value))


def _largest_part(own: Frame, lineages: Frame) -> Frame:
    parts = lineages.select("model_id", "part_id").join(
        own.select(*_COMPONENTS, part_id=nw.col("model_id"), part_flop=nw.col("own_training_flop")), on="part_id"
    )
    largest = parts.group_by("model_id").agg(part_flop=nw.col("part_flop").max())
    chosen = parts.join(largest, on=["model_id", "part_flop"]).group_by("model_id").agg(part_id=nw.col("part_id").min())
    return parts.join(chosen, on=["model_id", "part_id"]).drop("part_id")


def _report(log_sd: Mapping[str, float]) -> dict[str, Any]:
    # The fitted standard deviations are of the difference to our estimate by the same method: both rest on the same data.
    data = nw.coalesce(nw.col("examples_log_sd"), nw.lit(log_sd["examples_product"]))
    apart: Any = nw
    chain: Any = nw
    for method in ReportedMethod:
        is_so, own = nw.col("reported_method") == method.value, nw.lit(log_sd[f"reported_{method.value}"])
        apart = apart.when(is_so).then(own)
        chain = chain.when(is_so).then(own if method == ReportedMethod.GPU_TIME else spread(variance(own, data)))
    is_known = ~nw.col("reported_flop").is_null()
    return {
        "reported_log_sd": nw.when(is_known).then(chain),
        "reported_apart_log_sd": nw.when(is_known).then(apart),
    }


def _gpu_time_used() -> dict[str, Any]:
    # A stated MFU may be derived from the operation count, which would then count twice; a measured one is not.
    has_time = ~nw.col("gpu_time_flop").is_null()
    has_stated = (nw.col("utilization_basis") == "reported").fill_null(False)
    has_count = ~nw.col("operation_count_flop").is_null()
    is_rule_of_thumb = nw.col("is_from_parameters").fill_null(False) & has_stated
    by_default = has_stated & has_count & ~is_rule_of_thumb
    is_like_measured = nw.col("utilization_basis") == "calibrated"
    used, reason = GpuTimeUsed, GpuTimeReason
    cases = [
        (by_default, used.DEFAULT, reason.STATED_MAY_REST_ON_COUNT),
        (has_stated & has_count, used.INFORMED, reason.STATED_BEATS_TWO_N),
        (has_stated, used.INFORMED, reason.STATED),
        (is_like_measured, used.CALIBRATED, reason.MEASURED),
    ]
    words: dict[str, Any] = {"gpu_time_used": nw, "gpu_time_used_reason": nw}
    for applies, *own in cases:
        for name, word in zip(words, own, strict=True):
            words[name] = words[name].when(has_time & applies).then(nw.lit(word.value))
    for name, word in zip(words, (used.DEFAULT, reason.NOTHING_BETTER), strict=True):
        words[name] = words[name].when(has_time).then(nw.lit(word.value))
    chosen = nw.when(by_default)
    stated = nw.col("utilization_basis")
    return words | {
        "utilization_class": nw.when(by_default).then(nw.lit(Basis.ASSUMED.value)).otherwise(stated),
        "gpu_time_used_flop": chosen.then(nw.col("gpu_time_flop")).otherwise(nw.col("gpu_time_informed_flop")),
        "gpu_time_used_log_sd": chosen.then(nw.col("gpu_time_log_sd")).otherwise(nw.col("gpu_time_informed_log_sd")),
    }


def _other_format() -> dict[str, Any]:
    """What GPU time would be at the chips' other format, where theirs was inferred, as ln of its ratio, and the prior probability of that."""
    ratio, share = nw.col("other_format_peak_flop") / nw.col("chip_peak_flop"), nw.col("other_format_share_fraction")
    none = nw.lit(0.0)
    is_open = (~share.is_null() & (ratio > 0)).fill_null(False)
    return {
        "time_other_log_ratio": nw.when(is_open).then(ratio.log()).otherwise(none),
        "time_other_share": nw.when(is_open).then(share).otherwise(none),
    }


def _unused(params: Reconcile) -> dict[str, Any]:
    reported, counted, timed = nw.col("reported_flop"), nw.col("operation_count_flop"), nw.col("gpu_time_flop")
    is_two = nw.col("independence") != Independence.CIRCULAR.value
    implied = nw.col("implied_utilization_fraction")
    is_credible = (implied <= nw.col("utilization_ceiling_fraction")) & (implied >= params.min_credible_utilization)
    far = (
        _is_far(reported, counted, params)
        & _is_far(reported, timed, params)
        & is_two
        & is_credible
        & ~nw.col("is_disputed")
    )
    reason = (
        nw.when(nw.col("has_erratum"))
        .then(nw.lit(UnusedReport.ERRATUM.value))
        .when(nw.col("is_reported_hardware_flop"))
        .then(nw.lit(UnusedReport.HARDWARE_FLOP.value))
        .when(far.fill_null(False))
        .then(nw.lit(UnusedReport.FAR_FROM_BOTH.value))
    )
    return {
        "reported_unused_reason": nw.when(~reported.is_null()).then(reason),
        "is_report_used": ~reported.is_null() & reason.is_null(),
        "reported_class": nw.when(~reported.is_null() & reason.is_null()).then(nw.col("reported_method")),
    }


def _sides(rates: Mapping[str, float]) -> dict[str, Any]:
    is_counted = nw.col("operation_count_basis") == "counted"
    own = {
        "counted": ("operation_count_flop", nw.col("operation_log_sd") ** 2),
        "timed": ("gpu_time_used_flop", nw.col("gpu_time_used_log_sd") ** 2),
        "reported": ("reported_flop", nw.col("reported_log_sd") ** 2),
    }
    error = {
        "counted": nw.when(is_counted).then(nw.lit(rates["counted"])).otherwise(nw.lit(rates["not_counted"])),
        "timed": nw.lit(rates["gpu_time"]),
        "reported": nw.lit(rates["reported"]),
    }
    columns: dict[str, Any] = {}
    for name, (flop, own_variance) in own.items():
        columns |= {
            f"{name}_log_flop": nw.when(nw.col(flop) > 0).then(nw.col(flop)).log(),
            f"{name}_variance": own_variance,
            f"{name}_error_rate": error[name],
        }
    return columns


def _side(name: str) -> mixture.Side:
    return mixture.Side(*(nw.col(f"{name}_{part}") for part in mixture.Side._fields))


def _with_posterior_error_rates(frame: Frame, error_variance: float) -> Frame:
    # What the authors' total and our estimate by the same method differ by, apart from what both rest on.
    apart = {
        "counted": _apart(nw.col("operation_log_sd"), nw.col("examples_log_sd")),
        "timed": _apart(nw.col("gpu_time_used_log_sd"), nw.col("chip_seconds_log_sd")),
    }
    is_of = {
        "counted": nw.col("reported_method") != ReportedMethod.GPU_TIME.value,
        "timed": nw.col("reported_method") == ReportedMethod.GPU_TIME.value,
    }
    reported = _side("reported")
    frame, likelihoods = as_columns(
        frame,
        [mixture.likelihoods(_side(name), reported, each, error_variance) for name, each in apart.items()],
        prefix="likelihood",
    )
    columns = {"reported_error_rate": reported.error_rate}
    for name, likely in zip(apart, likelihoods, strict=True):
        own = _side(name)
        columns[f"{name}_error_rate"] = own.error_rate
        is_both = nw.col("is_report_used") & is_of[name] & ~own.log_flop.is_null()
        for whose, first, second in ((name, own, reported), ("reported", reported, own)):
            posterior = mixture.posterior_error_rate(first.error_rate, second.error_rate, likely)
            columns[f"{whose}_error_rate"] = (
                nw.when(is_both.fill_null(False)).then(posterior).otherwise(columns[f"{whose}_error_rate"])
            )
    return frame.with_columns(**columns)


def _apart(own_log_sd: Any, shared_log_sd: Any) -> Any:
    return nw.col("reported_apart_log_sd") ** 2 + nw.max_horizontal(own_log_sd**2 - shared_log_sd**2, nw.lit(0.0))


def _chosen() -> dict[str, Any]:
    """The count or the authors' total of that method, whichever is better founded; likewise the time."""
    is_time = nw.col("reported_method") == ReportedMethod.GPU_TIME.value
    columns: dict[str, Any] = {}
    for side, own, is_of in (("count", "counted", ~is_time), ("time", "timed", is_time)):
        is_better = nw.col(f"{own}_log_flop").is_null() | (nw.col("reported_variance") <= nw.col(f"{own}_variance"))
        is_reported = (nw.col("is_report_used") & is_of & is_better).fill_null(False)
        columns[f"is_reported_{side}"] = is_reported
        for part in mixture.Side._fields:
            columns[f"{side}_{part}"] = (
                nw.when(is_reported).then(nw.col(f"reported_{part}")).otherwise(nw.col(f"{own}_{part}"))
            )
    # A total that authors report is of the format that they used.
    is_own = ~columns["is_reported_time"]
    columns["time_other_share"] = nw.when(is_own).then(nw.col("time_other_share")).otherwise(nw.lit(0.0))
    return columns


def _uses(error_variance: float) -> dict[str, Any]:
    has_count, has_time = ~nw.col("count_log_flop").is_null(), ~nw.col("time_log_flop").is_null()
    is_circular = (nw.col("independence") == Independence.CIRCULAR.value).fill_null(False)
    # Of two estimates of which one was worked out from the other, the better founded is used alone.
    is_count_better = (
        nw.col("count_variance") + nw.col("count_error_rate") * error_variance
        <= nw.col("time_variance") + nw.col("time_error_rate") * error_variance
    ).fill_null(False)
    both = has_count & has_time
    is_two = both & ~is_circular
    is_count_alone = (has_count & ~has_time) | (both & is_circular & is_count_better)
    is_time_alone = (has_time & ~has_count) | (both & is_circular & ~is_count_better)
    shared = comparison.shared_variance(
        nw.col("gpu_time_used_log_sd") ** 2, nw.col("count_variance"), nw.col("time_variance")
    )
    return {
        "shared_variance": shared,
        "is_two": is_two,
        "is_count_alone": is_count_alone,
        "is_time_alone": is_time_alone,
        "headline_method": nw.when(is_two)
        .then(nw.lit(HeadlineMethod.MIXTURE.value))
        .when((is_count_alone & nw.col("is_reported_count")) | (is_time_alone & nw.col("is_reported_time")))
        .then(nw.lit(HeadlineMethod.REPORTED.value))
        .when(is_count_alone)
        .then(nw.lit(HeadlineMethod.OPERATION_COUNT.value))
        .when(is_time_alone)
        .then(nw.lit(HeadlineMethod.GPU_TIME.value)),
    }


def _weights() -> dict[str, Any]:
    of_count = sum(nw.col(f"weight_{n}") * nw.col(f"count_weight_{n}") for n in mixture.NUMBERS)
    none = nw.lit(0.0)
    is_known = ~nw.col("weight_0").is_null()
    count, time = (nw.when(nw.col(f"is_reported_{side}")) for side in ("count", "time"))
    return {
        "count_share": of_count,
        "operation_weight_fraction": nw.when(is_known).then(count.then(none).otherwise(of_count)),
        "gpu_time_weight_fraction": nw.when(is_known).then(time.then(none).otherwise(1 - of_count)),
        "reported_weight_fraction": nw.when(is_known).then(
            nw.when(nw.col("is_reported_count"))
            .then(of_count)
            .when(nw.col("is_reported_time"))
            .then(1 - of_count)
            .otherwise(none)
        ),
        "count_square": sum(nw.col(f"weight_{n}") * nw.col(f"count_weight_{n}") ** 2 for n in mixture.NUMBERS),
        "time_square": sum(nw.col(f"weight_{n}") * (1 - nw.col(f"count_weight_{n}")) ** 2 for n in mixture.NUMBERS),
        "own_log_sd": nw.when(is_known).then(spread(formulas.variance(mixture.components()))),
    }


def _variances() -> dict[str, Any]:
    is_known = ~nw.col("weight_0").is_null()
    shared, count, time = nw.col("shared_variance"), nw.col("count_square"), nw.col("time_square")
    is_own_count, is_own_time = ~nw.col("is_reported_count"), ~nw.col("is_reported_time")
    examples, hours, peak, precision = (
        nw.col(f"{name}_log_sd").fill_null(0.0) ** 2 for name in ("examples", "chip_seconds", "peak", "precision")
    )
    counted, timed = (nw.col(f"{name}_log_sd").fill_null(0.0) ** 2 for name in ("operation", "gpu_time_used"))
    unshared = nw.max_horizontal(hours, shared)  # the shared fact may be less precise than the time derived from it
    none = nw.lit(0.0)
    is_two = nw.col("is_two")
    known = {
        Input.EXAMPLES: nw.when(is_own_count & (count > 0)).then(
            nw.when(is_two).then(shared + count * (examples - shared)).otherwise(count * examples)
        ),
        Input.FORWARD_FLOP: nw.when(is_own_count).then(count * (counted - examples)),
        Input.CHIP_TIME: nw.when(is_own_time).then(time * (unshared - shared)),
        Input.PEAK: nw.when(is_own_time).then(time * peak),
        Input.PRECISION: nw.when(is_own_time).then(time * (precision + _between_formats())),
        Input.UTILIZATION: nw.when(is_own_time).then(time * (timed - (unshared + peak + precision))),
        Input.REPORTED: nw.when(~is_own_count)
        .then(shared + count * (nw.col("reported_variance") - shared))
        .when(~is_own_time)
        .then(time * (nw.col("reported_variance") - shared)),
    }
    parts = {word: nw.max_horizontal(variance.otherwise(none), none) for word, variance in known.items()}
    # What the inputs leave: gross errors, and the distance between the methods.
    left = nw.col("own_log_sd") ** 2 - sum(parts.values())
    parts[Input.GROSS_ERROR] = nw.max_horizontal(left, none)
    parts = {word: nw.when(is_known).then(variance) for word, variance in parts.items()}
    return {VARIANCES[word]: variance for word, variance in parts.items()} | {
        PARTS[word]: spread(variance) for word, variance in parts.items()
    }


def _between_formats() -> Any:
    """Variance of ln GPU time between the two formats that the chips may have been used in."""
    other = nw.col("other_format_weight_fraction")
    return other * (1 - other) * nw.col("time_other_log_ratio") ** 2


def _is_far(first: Any, second: Any, params: Reconcile) -> Any:
    return (first / second > params.dispute_ratio) | (second / first > params.dispute_ratio)
