"""The cumulative compute of a model: its training with what other models and runs contributed, and the total that thresholds are asked of."""

import narwhals as nw

from pipeline.rules.frames import Frame
from pipeline.rules.totals import WHOLE
from schemas.vocabulary import TRAINED_ELSEWHERE, ThresholdTotal


def with_cumulative(estimates: Frame, models: Frame, lineages: Frame, contributions: Frame) -> Frame:
    """The frame (one row a model) with `cumulative_flop`, `threshold_total` and `own_to_base_ratio`.

    A teacher and a search contribute all their training where no compute is stated for them; made data what is stated. The cumulative
    total is null where the record, or that of a base model, does not say what contributed, or the compute of a contribution is not known.
    """
    of_contributors = estimates.select(contributor_id=nw.col("model_id"), contributor_flop=nw.col("training_flop"))
    is_training = nw.col("accounting").is_in([word.value for word in TRAINED_ELSEWHERE])
    added = (
        contributions.join(of_contributors, on="contributor_id", how="left")
        .with_columns(flop=nw.coalesce(nw.col("contribution_flop"), nw.when(is_training).then(nw.col("contributor_flop"))))
        .with_columns(is_unknown=nw.col("flop").is_null(), flop=nw.col("flop").cast(WHOLE))
        .group_by("model_id")
        .agg(part_is_unknown=nw.col("is_unknown").any(), part_flop=nw.col("flop").sum())
    )  # fmt: skip
    parts = models.select("model_id", "has_read_contributions").join(added, on="model_id", how="left").select(
        part_id=nw.col("model_id"),
        is_unknown=~nw.col("has_read_contributions") | nw.col("part_is_unknown").fill_null(False),
        added_flop=nw.col("part_flop"),
    )  # fmt: skip
    whole = (
        lineages.join(parts, on="part_id")
        .group_by("model_id")
        .agg(is_cumulative_unknown=nw.col("is_unknown").any(), added_flop=nw.col("added_flop").sum().cast(nw.Float64))
    )
    total, own = nw.col("training_flop"), nw.col("own_training_flop")
    cumulative = nw.when(~nw.col("is_cumulative_unknown")).then(total + nw.col("added_flop").fill_null(0.0))
    joined = estimates.join(whole, on="model_id", how="left").with_columns(cumulative_flop=cumulative)
    of_total = nw.when(~nw.col("cumulative_flop").is_null()).then(nw.lit(ThresholdTotal.CUMULATIVE_FLOP.value))
    is_tuned = ~nw.col("base_model").is_null() & (total > own)
    return joined.with_columns(
        threshold_total=nw.when(~total.is_null()).then(of_total.otherwise(nw.lit(ThresholdTotal.TRAINING_FLOP.value))),
        own_to_base_ratio=nw.when(is_tuned.fill_null(False)).then(own / (total - own)),
    )
