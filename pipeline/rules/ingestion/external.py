"""Rows of `external_estimates`, `errata`, `adjudications` and `watched_sources`: publications by others."""

from pipeline.models.sql import Row
from pipeline.rules.ingestion import columns, origin
from schemas.records import Records


def external_estimates(records: Records) -> list[Row]:
    """Return one row per external estimate of a model's compute."""
    return [
        {
            "model_id": identifier,
            **columns(estimate, external_estimate_id="id", stated_flop="amount", stated_bound="bound"),
            "stated_flop_low": estimate.interval and estimate.interval[0],
            "stated_flop_high": estimate.interval and estimate.interval[1],
            **columns(estimate, stated_confidence="confidence", stated_method="method"),
            **columns(estimate, "inputs labelled_before outcome evidence via note"),
            **origin(model, estimate),
        }
        for identifier, model in records.models.items()
        for estimate in model.external_estimates
    ]


def errata(records: Records) -> list[Row]:
    """Return one row per published figure that contradicts its own factors."""
    return [
        {
            "erratum_id": identifier,
            **columns(erratum, "figure factors explanation", model_id="model"),
            **columns(erratum, published_figure="published_value", corrected_figure="corrected_value"),
        }
        for identifier, erratum in records.errata.items()
    ]


def adjudications(records: Records) -> list[Row]:
    """Return one row per value in someone else's table that we checked against its sources."""
    return [
        {
            **columns(
                row, "snapshot name published_flop corrected_flop reason certainty factors note stratum evidence"
            ),
            "sampling_weight": record.drawn.weight(row.stratum),
            "record_id": identifier,
            "path": f"rows[{index}]",
        }
        for identifier, record in records.adjudications.items()
        for index, row in enumerate(record.rows)
    ]


def watched_sources(records: Records) -> list[Row]:
    """Return one row per watched source, with a description of the raw file when it was last read."""
    return [
        {
            "watched_source_id": identifier,
            **columns(source, "name cadence_days", watched_kind="watched", source_address="address"),
            "source_licence": source.licence,
            **columns(source.fetched, fetched_on="on", fetched_sha256="sha256", fetched_bytes="bytes"),
        }
        for identifier, source in sorted(records.sources.items())
    ]
