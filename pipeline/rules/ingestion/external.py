"""Rows of `external_estimates`, `errata` and `adjudications`: figures that others publish, and their errors."""

from pipeline.models.sql import Row
from pipeline.rules.ingestion import same
from schemas.records import ExternalEstimate, Model, Records


def external_estimates(records: Records) -> list[Row]:
    """Return one row per external estimate of a model's compute."""
    return [
        _external_estimate(identifier, model, external_estimate)
        for identifier, model in records.models.items()
        for external_estimate in model.external_estimates
    ]


def errata(records: Records) -> list[Row]:
    """Return one row per published figure that contradicts its own factors."""
    return [
        {
            "erratum_id": identifier,
            "model_id": erratum.model,
            **same(erratum, "figure factors explanation"),
            "published_figure": erratum.published_value.amount,
            "corrected_figure": erratum.corrected_value.amount,
        }
        for identifier, erratum in records.errata.items()
    ]


def adjudications(records: Records) -> list[Row]:
    """Return one row per value in someone else's table that we checked against its sources."""
    return [
        {
            **same(row, "snapshot name published_flop corrected_flop reason certainty factors note stratum evidence"),
            "sampling_weight": record.drawn.weight(row.stratum),
            "record_id": identifier,
            "path": f"rows[{index}]",
        }
        for identifier, record in records.adjudications.items()
        for index, row in enumerate(record.rows)
    ]


def _external_estimate(identifier: str, model: Model, stated: ExternalEstimate) -> Row:
    first = next(iter(model.quotes_of(stated)), None)
    return {
        "model_id": identifier,
        "external_estimate_id": stated.id,
        "stated_flop": stated.amount,
        "stated_bound": stated.bound.value if stated.bound else None,
        "stated_flop_low": stated.interval and stated.interval[0],
        "stated_flop_high": stated.interval and stated.interval[1],
        "stated_confidence": stated.confidence.value if stated.confidence else None,
        "stated_method": stated.method.value if stated.method else None,
        **same(stated, "inputs labelled_before outcome evidence via note"),
        "source": model.source_of(stated),
        "locator": first.where if first else None,
        "text": first.text if first else None,
    }
