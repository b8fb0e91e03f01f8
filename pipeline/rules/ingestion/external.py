"""Rows of tables about publications by others: estimates, the blind test, errata, adjudications, watched sources."""

import math

from pipeline.models.sql import Row
from pipeline.rules.ingestion import columns, origin
from schemas.records import BlindFigure, Records
from schemas.vocabulary import Evidence, Outcome, SourceKind, Verdict

BLIND = "epoch-blind"  # id of the figures of the blind test, and of their source
SETTLED = {Verdict.REFUTED: Outcome.REFUTED, Verdict.OTHER_SCOPE: Outcome.OTHER_SCOPE}
EPOCH = {"source": BLIND, "title": "Epoch AI, Data on AI Models", "url": "https://epoch.ai/data/ai-models",
         "source_kind": SourceKind.THIRD_PARTY, "source_year": 2026}  # fmt: skip


def external_estimates(records: Records) -> list[Row]:
    """Return one row per external estimate of a model's compute: those of records, and those of the blind test."""
    stated = [
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
    blind = [
        _blind_estimate(*records.blind[identifier]) for identifier in records.models if identifier in records.blind
    ]
    return stated + blind


def _blind_estimate(figure: BlindFigure, sealed: dict[str, str]) -> Row:
    """Return a figure of the blind test as an external estimate; its outcome compares it with the sealed estimate."""
    is_near = abs(math.log(figure.stated_flop / float(sealed["p50_flop"]))) <= math.log(2)
    return {
        "external_estimate_id": BLIND,
        **columns(figure, "model_id stated_flop inputs", note="finding"),
        "labelled_before": True,
        "outcome": SETTLED.get(figure.verdict, Outcome.AGREES if is_near else Outcome.DIFFERS),
        "evidence": Evidence.TABLE,
        "source": BLIND,
    }


def blind_test(records: Records) -> list[Row]:
    """Return one row per figure of the blind test, with the ends and the middle of the sealed interval."""
    return [
        {
            **columns(
                figure, "model_id stated_flop compared_scope verdict decided_by finding own_low_flop own_high_flop"
            ),
            **columns(figure, "answer", text="words", found_at="place"),
            **{name: float(sealed[name]) for name in ("p5_flop", "p50_flop", "p95_flop")},
            **{name: sealed[name] for name in ("evidence_class", "record_commit", "rules_commit")},
        }
        for figure, sealed in records.blind.values()
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
