"""The table behind `dense_peak`: every chip's dense peaks with the datasheet's wording, and all names of the chip."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pipeline.publishing.dense_peaks import plain_name
from pipeline.publishing.rows import rows

if TYPE_CHECKING:
    import duckdb

LICENCE = "Data CC BY 4.0, code Apache-2.0, FLOP Ledger"


def peak_table(connection: duckdb.DuckDBPyConnection) -> dict[str, Any]:
    """Return chips by id, and ids by plain name, without names that two chips share. Peaks are in FLOP/s per chip."""
    chips: dict[str, Any] = {}
    owners: dict[str, set[str]] = {}
    for row in rows(connection, "select * from hardware order by hardware_id"):
        identifier = row["hardware_id"]
        usual = None if (row["cores_per_chip"] or 1) > 1 else 1  # software may show each core as a device
        devices = row["devices_per_chip"] or row["dies_per_chip"] or usual
        chips[identifier] = {"name": row["name"], "devices_per_chip": devices, "peaks": {}}
        others = f"{row['aliases'] or ''} | {row['runtime_names'] or ''}".split(" | ")
        for name in (identifier, row["name"], *others):
            owners.setdefault(plain_name(name), set()).add(identifier)
    for peak in rows(
        connection,
        """select p.hardware_id, precision, peak_flop_per_second as flop_per_second, p.evidence, f.text as words,
            derived, coalesce(title, source) as source, url, coalesce(via, found_at) as read_at
        from peaks p left join facts f
            on record_kind = 'hardware' and record_id = p.hardware_id and path = 'peaks.' || precision
        order by 1, 2""",
    ):
        chips[peak.pop("hardware_id")]["peaks"][peak.pop("precision")] = peak
    names = {name: next(iter(ids)) for name, ids in sorted(owners.items()) if name and len(ids) == 1}
    return {"licence": LICENCE, "unit": "FLOP/s, dense", "chips": chips, "names": names}
