"""What a row of `estimates` says of a model beside its compute: data, parameters and chips, base models included."""

import narwhals as nw

from pipeline.rules.frames import Frame
from pipeline.rules.totals import WHOLE
from schemas.units import HOUR_SECONDS
from schemas.vocabulary import Scope

# Columns of `models` that no rule of the headline reads: texts, which are joined last, since each step would copy them.
TOLD = (
    "name", "organization", "parent_organization", "published", "published_date", "published_precision", "domain", "active_parameters",
    "training_evidence", "network_evidence", "country", "weights_access", "source_url", "sources", "epoch_name",
)  # fmt: skip


def described(models: Frame, lineages: Frame, completed_runs: Frame, operation_estimates: Frame) -> Frame:
    """One row a model with the columns of TOLD, `parameters`, `chips`, `examples_seen` and `example_unit`."""
    return (
        _parameters(models, operation_estimates)
        .join(_chips(models, lineages), on="model_id", how="left")
        .join(_examples(lineages, completed_runs, operation_estimates), on="model_id", how="left")
    )


def with_description(estimates: Frame, described: Frame) -> Frame:
    """The frame (one row a model, its bases included, with `chip_seconds`) with the columns of `described` and `chip_hours`."""
    own = described.collect_schema().names()
    kept = [name for name in estimates.collect_schema().names() if name not in own]
    return (
        estimates.select("model_id", *kept)
        .with_columns(chip_hours=nw.col("chip_seconds") / HOUR_SECONDS)
        .join(described, on="model_id", how="left")
    )


def _parameters(models: Frame, operation_estimates: Frame) -> Frame:
    counted = operation_estimates.group_by("model_id").agg(
        least=nw.col("counted_parameters").min(),
        most=nw.col("counted_parameters").max(),
        has_other=nw.col("counted_parameters").is_null().any(),
    )
    is_only = (nw.col("scope") == Scope.SINGLE.value) & (nw.col("least") == nw.col("most")) & ~nw.col("has_other")
    return models.join(counted, on="model_id", how="left").select(
        "model_id", *TOLD, parameters=nw.coalesce(nw.col("parameters"), nw.when(is_only).then(nw.col("most")))
    )


def _chips(models: Frame, lineages: Frame) -> Frame:
    parts = lineages.join(models.select("chips", part_id=nw.col("model_id")), on="part_id")
    most = parts.group_by("model_id").agg(chips=nw.col("chips").max(), is_unknown=nw.col("chips").is_null().any())
    return most.select("model_id", chips=nw.when(~nw.col("is_unknown")).then(nw.col("chips")))


def _examples(lineages: Frame, completed_runs: Frame, operation_estimates: Frame) -> Frame:
    """Examples by unit, and of several units that of which most operations were done, where those are known."""
    phases = completed_runs.filter(~nw.col("is_forward_only")).join(
        operation_estimates.select("model_id", "phase", "operation_count_flop"), on=["model_id", "phase"]
    )
    parts = lineages.join(
        phases.select("example_unit", "examples_seen", "operation_count_flop", part_id=nw.col("model_id")), on="part_id"
    )
    by_unit = parts.group_by("model_id", "example_unit").agg(
        examples_seen=nw.col("examples_seen").cast(WHOLE).sum().cast(nw.Float64),
        flop=nw.col("operation_count_flop").cast(WHOLE).sum().cast(nw.Float64),
        has_unknown=nw.col("examples_seen").is_null().any(),
        has_unknown_flop=nw.col("operation_count_flop").is_null().any(),
    )
    units = by_unit.group_by("model_id").agg(
        units=nw.len(), most_flop=nw.col("flop").max(), is_unknown=nw.col("has_unknown_flop").any()
    )
    is_main = (nw.col("units") == 1) | (~nw.col("is_unknown") & (nw.col("flop") == nw.col("most_flop")))
    return (
        by_unit.join(units, on="model_id")
        .filter(is_main)
        .select("model_id", "example_unit", examples_seen=nw.when(~nw.col("has_unknown")).then(nw.col("examples_seen")))
    )
