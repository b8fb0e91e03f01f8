"""Rows of `watched_sources`."""

from collections.abc import Iterator

from pipeline.models.sql import Row
from schemas.records import Records


def watched_sources(records: Records) -> Iterator[Row]:
    """Yield one row per watched source, with a description of the raw file when it was last read."""
    for identifier, source in sorted(records.sources.items()):
        yield {
            "watched_source_id": identifier,
            "name": source.name,
            "watched_kind": source.watched,
            "source_address": source.address,
            "source_licence": source.licence,
            "cadence_days": float(source.cadence_days),
            "fetched_on": source.fetched.on if source.fetched else None,
            "fetched_sha256": source.fetched.sha256 if source.fetched else None,
            "fetched_bytes": source.fetched.bytes if source.fetched else None,
        }
