"""Rows of `watched_sources`."""

from collections.abc import Iterator

from pipeline.sql import Row
from schemas.records import Records


def watched_sources(records: Records) -> Iterator[Row]:
    """One row a watched source, with the raw file as it was last read."""
    for identifier, each in sorted(records.sources.items()):
        yield {
            "watched_source_id": identifier,
            "name": each.name,
            "watched_kind": each.watched,
            "source_address": each.address,
            "source_licence": each.licence,
            "cadence_days": float(each.cadence_days),
            "fetched_on": each.fetched.on if each.fetched else None,
            "fetched_sha256": each.fetched.sha256 if each.fetched else None,
            "fetched_bytes": each.fetched.bytes if each.fetched else None,
        }
