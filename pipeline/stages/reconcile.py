"""Sets the two methods side by side for each model, explains disputes, and chooses the headline with its interval."""

import narwhals as nw

from pipeline.formulas import agreement, gpu_time
from pipeline.formulas.uncertainty import high, low, spread
from schemas import params
from schemas.table import Table
from schemas.tables.defaults import Defaults, log_spreads
from schemas.tables.estimates import Estimates
from schemas.tables.gpu_time_estimates import GpuTimeEstimates
from schemas.tables.lineages import Lineages
from schemas.tables.models import Models
from schemas.tables.operation_estimates import OperationEstimates

TIMED = {
    "gpu_time_flop": "gpu_time_log_spread",
    "gpu_time_informed_flop": "informed_log_spread",
    "chip_peak_flop": None,
}
HEADLINE = ("training_flop", "headline_log_spread", "headline_method")
# A model's basis is the weakest of its phases' and of its base models'.
WEAKEST_FIRST = ("assumed", "default_nearest_year", "default_year", "derived", "reported", "measured", "counted")
WHOLE = nw.Int128  # sums of whole FLOP are exact, so that their last bits do not depend on the number of threads
NEAR_TWO = 1.25  # a ratio within this factor of 2 or 1/2 looks like a multiply-add taken for one operation
WINOGRAD_UTILIZATION = 1.75  # k x k convolutions on ordinary cores honestly reach this by fast algorithms


def build(
    models: Table[Models], lineages: Table[Lineages], operation_estimates: Table[OperationEstimates],
    gpu_time_estimates: Table[GpuTimeEstimates], defaults: Table[Defaults], params: params.Reconcile,
) -> Table[Estimates]:  # fmt: skip
    """Sets the two methods side by side for each model, explains disputes, and chooses the headline with its interval."""
    reported_spread = log_spreads(defaults, "spread")["reported"]
    bases = lineages.filter(nw.col("model_id") != nw.col("part_id"))
    tuned = bases.select("model_id").unique()

    def estimated(said, counted, timed):
        return (
            said.join(_counted(counted), on="model_id", how="left")
            .join(_timed(timed), on="model_id", how="left")
            .with_columns(nw.when(~nw.col("has_untimed_phase")).then(nw.col(total)).alias(total) for total in TIMED)
            .with_columns(**_comparison(params))
            .with_columns(**_dispute(params))
            .with_columns(**_headline(params, reported_spread))
        )

    def with_bases(rows):
        inherited = bases.join(rows.rename({"model_id": "part_id"}), on="part_id", how="left")
        own = rows.join(tuned, on="model_id", how="semi")
        return nw.concat([own, inherited.select(*rows.collect_schema().names())])

    alone = estimated(models, operation_estimates, gpu_time_estimates)
    together = estimated(
        _said(models, tuned, with_bases), with_bases(operation_estimates), with_bases(gpu_time_estimates)
    ).drop(*HEADLINE)
    whole = together.join(_summed_headlines(alone, lineages, tuned), on="model_id")
    everything = nw.concat(
        [alone.join(tuned, on="model_id", how="anti"), whole.select(*alone.collect_schema().names())]
    )
    return everything.with_columns(training_flop_low=_bound(low), training_flop_high=_bound(high))


def _counted(operation_estimates):
    return _totals(
        operation_estimates.with_columns(is_convolution=nw.col("utilization_case") == "convolution"),
        {"operation_count_flop": "operation_log_spread"},
        weakest=["operation_count_basis", "examples_seen_basis"],
        flags=["is_convolution"],
    )


def _timed(gpu_time_estimates):
    return _totals(
        gpu_time_estimates,
        TIMED,
        weakest=["hardware_basis", "precision_basis", "utilization_basis"],
        several=["precision"],
        most=["format_ratio"],
        flags=["is_from_operations"],
    )


def _said(models, tuned, with_bases):
    """What records say of fine-tuned models, each together with its base models."""
    together = _totals(
        with_bases(models),
        {"reported_flop": None},
        several=["hardware"],
        flags=["has_erratum", "has_untimed_phase", "is_reported_hardware_flop"],
    )
    own = models.join(tuned, on="model_id", how="semi")
    replaced = own.drop(*(column for column in together.collect_schema().names() if column != "model_id"))
    return replaced.join(together, on="model_id").select(*models.collect_schema().names())


def _summed_headlines(alone, lineages, tuned):
    """The headline of a fine-tuned model: its own and its bases', each by the method that is best for it."""
    parts = (
        lineages.join(tuned, on="model_id", how="semi")
        .join(alone.select(*HEADLINE, part_id="model_id"), on="part_id")
        .select("model_id", *HEADLINE)
    )
    summed = _totals(parts, {"training_flop": "headline_log_spread"}, several=["headline_method"])
    differs = nw.col("headline_method").str.contains("+", literal=True)
    method = nw.when(differs).then(nw.lit("sum_of_parts")).otherwise(nw.col("headline_method"))
    return summed.with_columns(headline_method=nw.when(~nw.col("training_flop").is_null()).then(method))


def _totals(rows, totals, weakest=(), several=(), most=(), flags=()):
    """One row a model. A total (with the column of its spread) is null where any part is; parts are fully correlated."""
    summed = {total: nw.col(total) for total in totals}
    summed |= {f"{total}_width": nw.col(total) * nw.col(width) for total, width in totals.items() if width}
    grouped = (
        rows.with_columns(
            **{f"is_known_{total}": ~nw.col(total).is_null() for total in totals},
            **{column: amount.cast(WHOLE) for column, amount in summed.items()},
        )
        .group_by("model_id")
        .agg(
            *(nw.col(f"is_known_{total}").all() for total in totals),
            *(nw.col(column).sum().cast(nw.Float64) for column in summed),
            *(_rank(column).min().alias(column) for column in weakest),
            *(nw.col(column).max() for column in most),
            *(nw.col(column).fill_null(False).any() for column in flags),
            *(nw.col(column).min().alias(f"{column}_first") for column in several),
            *(nw.col(column).max().alias(f"{column}_last") for column in several),
            *(nw.col(column).is_null().any().alias(f"{column}_is_missing") for column in several),
        )
    )
    columns = {total: nw.when(nw.col(f"is_known_{total}")).then(nw.col(total)) for total in totals}
    for total, width in totals.items():
        if width:
            columns[width] = nw.when(nw.col(f"is_known_{total}")).then(nw.col(f"{total}_width") / nw.col(total))
    columns |= {column: _basis(column) for column in weakest}
    return grouped.with_columns(**columns).select(
        "model_id", *columns, *most, *flags, **{column: _joined(column) for column in several}
    )


def _rank(column):
    chain = nw
    for rank, word in enumerate(WEAKEST_FIRST):
        chain = chain.when(nw.col(column) == word).then(nw.lit(rank))
    return chain


def _basis(column):
    chain = nw
    for rank, word in enumerate(WEAKEST_FIRST):
        chain = chain.when(nw.col(column) == rank).then(nw.lit(word))
    return chain


def _joined(column):
    first, last = nw.col(f"{column}_first"), nw.col(f"{column}_last")
    both = nw.when(first == last).then(first).otherwise(nw.concat_str([first, last], separator=" + "))
    return nw.when(~nw.col(f"{column}_is_missing")).then(both)


def _comparison(params):
    ratio = agreement.method_ratio(nw.col("operation_count_flop"), nw.col("gpu_time_flop"))
    has_time = ~nw.col("gpu_time_flop").is_null()
    imputed = {
        "hardware": has_time & nw.col("hardware_basis").str.starts_with("default"),
        "precision": has_time & (nw.col("precision_basis") == "assumed"),
        "epochs": nw.col("examples_seen_basis") == "assumed",
    }
    words = [nw.when(condition.fill_null(False)).then(nw.lit(word)) for word, condition in imputed.items()]
    named = nw.concat_str(words, separator=" + ", ignore_nulls=True)
    return {
        "method_ratio": ratio,
        "is_disputed": nw.when(~ratio.is_null()).then(
            (ratio > params.dispute_ratio) | (ratio < 1 / params.dispute_ratio)
        ),
        "implied_utilization_fraction": gpu_time.utilization_fraction(
            nw.col("operation_count_flop"), nw.col("chip_peak_flop"), 1.0
        ),
        "utilization_fraction": nw.col("gpu_time_informed_flop") / nw.col("chip_peak_flop"),
        "utilization_basis": nw.when(has_time).then(nw.col("utilization_basis")),
        "hardware_basis": nw.when(has_time | ~nw.col("hardware").is_null()).then(nw.col("hardware_basis")),
        "precision": nw.when(has_time | (nw.col("precision_basis") != "assumed")).then(nw.col("precision")),
        "precision_basis": nw.when(has_time | (nw.col("precision_basis") != "assumed")).then(nw.col("precision_basis")),
        "imputed_inputs": nw.when(named.str.len_chars() > 0).then(named),
    }


def _dispute(params):
    implied, ratio = nw.col("implied_utilization_fraction"), nw.col("method_ratio")
    is_fast_convolution = nw.col("is_convolution") & (nw.col("precision") == "fp32")
    ceiling = nw.when(is_fast_convolution).then(nw.lit(WINOGRAD_UTILIZATION)).otherwise(nw.lit(1.0))
    explained = ratio / nw.col("format_ratio")
    near_two = ((ratio > 2 / NEAR_TWO) & (ratio < 2 * NEAR_TWO)) | ((ratio > 0.5 / NEAR_TWO) & (ratio < 0.5 * NEAR_TWO))
    cause = (
        nw.when(implied > ceiling)
        .then(nw.lit("impossible_utilization"))
        .when(~explained.is_null() & (explained < params.dispute_ratio) & (explained > 1 / params.dispute_ratio))
        .then(nw.lit("precision"))
        .when((nw.col("operation_count_basis") == "reported") & near_two)
        .then(nw.lit("multiply_add"))
        .when(nw.col("hardware_basis").str.starts_with("default"))
        .then(nw.lit("imputed_hardware"))
        .when((implied >= params.lowest_utilization) & (implied <= params.implausible_utilization))
        .then(nw.lit("utilization"))
        .otherwise(nw.lit("unexplained"))
    )
    return {"dispute_cause": nw.when(nw.col("is_disputed")).then(cause)}


def _headline(params, reported_spread):
    counted, timed, reported = nw.col("operation_count_flop"), nw.col("gpu_time_flop"), nw.col("reported_flop")
    # An MFU that its source worked out from operations would count them twice; what others measured does not.
    has_own_mfu = nw.col("utilization_basis") == "reported"
    best = nw.when(has_own_mfu).then(timed).otherwise(nw.col("gpu_time_informed_flop"))
    best_spread = nw.when(has_own_mfu).then(nw.col("gpu_time_log_spread")).otherwise(nw.col("informed_log_spread"))
    counted_variance, timed_variance = nw.col("operation_log_spread") ** 2, best_spread**2
    chi_square = agreement.chi_square((counted / best).log(), counted_variance, timed_variance)
    inflation = nw.when(chi_square > 1).then(chi_square).otherwise(nw.lit(1.0))
    mean = agreement.combined(counted, best, agreement.weight(timed_variance, counted_variance))
    mean_spread = spread(agreement.combined_variance(counted_variance, timed_variance) * inflation)
    can_combine = ~nw.col("method_ratio").is_null() & ~nw.col("is_from_operations").fill_null(False)
    stands_alone = (
        _is_far(reported, counted, params) & _is_far(reported, timed, params) & can_combine & ~nw.col("is_disputed")
    )
    is_set_aside = nw.col("has_erratum") | nw.col("is_reported_hardware_flop") | stands_alone.fill_null(False)
    is_reported = ~reported.is_null() & ~is_set_aside
    has_time_alone = counted.is_null() & ~timed.is_null()

    def choose(by_report, by_both, by_count, by_time):
        return (
            nw.when(is_reported).then(by_report)
            .when(can_combine).then(by_both)
            .when(~counted.is_null()).then(by_count)
            .when(has_time_alone).then(by_time)
        )  # fmt: skip

    return {
        "headline_method": choose(
            nw.lit("reported"), nw.lit("combined"), nw.lit("operation_count"), nw.lit("gpu_time")
        ),
        "training_flop": choose(reported, mean, counted, nw.col("gpu_time_informed_flop")),
        "headline_log_spread": choose(
            nw.lit(reported_spread), mean_spread, nw.col("operation_log_spread"), nw.col("informed_log_spread")
        ),
    }


def _is_far(first, second, params):
    return (first / second > params.dispute_ratio) | (second / first > params.dispute_ratio)


def _bound(side):
    return side(nw.col("training_flop"), nw.col("headline_log_spread"))
