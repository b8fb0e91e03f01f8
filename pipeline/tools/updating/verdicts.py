"""Run this folder's SQL files to compare two snapshots of Epoch's table, judge the changes, and list what to do."""

import math
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import duckdb

from pipeline.catalogues import epoch, estimates
from pipeline.catalogues.epoch.columns import name_of, row_number, rows_of
from pipeline.catalogues.epoch.quantities import entries
from pipeline.catalogues.epoch.readings import readings
from pipeline.catalogues.sheets import Sheet
from pipeline.models import sql
from schemas.params import Params
from schemas.records import Records
from schemas.spelling import find

Table = Sequence[Mapping[str, str]]
QUERIES = ("changes", "moves", "findings", "work")  # each query reads the results of earlier ones
ROW = {"name": "varchar", "nth": "bigint", "link": "varchar", "organization": "varchar", "published": "varchar"}
CELL = {"name": "varchar", "nth": "bigint", "column": "varchar", "cell": "varchar"}
COLUMNS = {
    "rows_before": ROW, "rows_after": ROW, "cells_before": CELL, "cells_after": CELL,
    "rows_judged": {
        "name": "varchar", "model_id": "varchar", "ours_flop": "double", "middle_flop": "double",
        "theirs_flop": "double", "is_entered": "boolean", "no_estimate_reason": "varchar",
    },
    "adjudicated": {"name": "varchar", "corrected_flop": "double"},
    "missing": {"model_id": "varchar", "fact": "varchar"},
    "reviewed": {"model_id": "varchar", "reviewed": "varchar"},
    "lost_readings": {"name": "varchar", "figure": "varchar", "words": "varchar", "is_new": "boolean"},
    "unknown_chips": {"chip": "varchar", "is_new": "boolean", "reason": "varchar"},
    "lost_addresses": {"address": "varchar", "status": "varchar", "models": "varchar"},
    "rounds_moved": {"address": "varchar", "status": "varchar"},
}  # fmt: skip
SAME = 0.02  # largest relative difference that rounding can explain
HUB = re.compile(r"huggingface\.co/(?!papers|spaces|datasets|blog|docs)([\w.-]+/[\w.-]+)")


class Found(NamedTuple):
    """The result of an update: new, gone and renamed rows; changed cells; findings; and work, most urgent first."""

    changes: list[dict[str, Any]]
    moves: list[dict[str, Any]]
    findings: list[dict[str, Any]]
    work: list[dict[str, Any]]


class Tables:
    """The tables that the queries read, in a separate DuckDB connection. Tables are empty until they are filled."""

    def __init__(self, params: Params) -> None:
        self.connection = duckdb.connect()
        sql.set_params(self.connection, params.model_dump())
        for name, columns in COLUMNS.items():
            sql.create(self.connection, name, (), columns)

    def fill(self, name: str, rows: Iterable[Mapping[str, Any]]) -> None:
        """Add rows to one of the tables that the queries read."""
        sql.insert(self.connection, name, rows)

    def fill_table(self, when: str, table: Table) -> None:
        """Add the rows, cells and notes of a snapshot. `when` is "before" or "after"."""
        count_by_name: dict[str, int] = {}
        rows, cells = [], []
        for row in table:
            name = name_of(row)
            # Names may repeat, so a row is identified by its name and its number among rows with that name.
            count_by_name[name] = nth = count_by_name.get(name, 0) + 1
            row_key = {"name": name, "nth": nth}
            of_row = {"link": "Link", "organization": "Organization", "published": "Publication date"}
            rows.append(row_key | {ours: row.get(theirs) or None for ours, theirs in of_row.items()})
            cells += [row_key | {"column": column, "cell": cell.strip()} for column, cell in row.items()]
        self.fill(f"rows_{when}", rows)
        self.fill(f"cells_{when}", cells)

    def results(self, links: Mapping[str, str] = {}) -> Found:
        """Run the queries and return their results. `links` maps row names to addresses."""
        for name in QUERIES:
            query = Path(__file__).with_name(f"{name}.sql").read_text(encoding="utf-8")
            self.connection.execute(f"create or replace temp table {name} as\n{query}")
        changes, moves, findings, work = (sql.rows(self.connection.table(name)) for name in QUERIES)
        work = [row | {"next": next_command(row["kind"], row["name"], links.get(row["name"], ""))} for row in work]
        return Found(changes, moves, findings, work)


def fill_epoch(
    tables: Tables, old: Sheet, new: Sheet, records: Records, params: Params, headlines: estimates.Headlines
) -> dict[str, str]:
    """Fill the tables with both snapshots of Epoch's table, and with our estimates for the new one.

    Return the link of each row in the new snapshot, by name. Raise CatalogueError if a snapshot is not Epoch's.
    """
    before, after = [*old.by_header()], [*new.by_header()]
    tables.fill_table("before", before)
    tables.fill_table("after", after)
    estimated = estimates.estimate(epoch.read_rows(new, "the new snapshot", records), records, params, headlines)
    theirs = {name_of(row): row_number(row, "Training compute (FLOP)") for row in after}
    tables.fill("rows_judged", (_comparison(row, theirs.get(row["name"]), records) for row in estimated.estimates))
    of_epoch = (row for name, table in records.adjudications.items() if name.startswith("epoch_") for row in table.rows)
    corrected = ((row.name, row.corrected_flop) for row in of_epoch if row.corrected_flop and row.reason)
    tables.fill("adjudicated", ({"name": " ".join(name.split()), "corrected_flop": flop} for name, flop in corrected))
    tables.fill("lost_readings", _lost_readings(old, new))
    known, chips = set(map(name_of, before)), records.chip_ids()
    named = ((name_of(row), chip) for row in after for chip in entries(row.get("Training hardware") or ""))
    unknown = ((name, chip) for name, chip in named if find(chip, chips) is None)
    rows = ({"chip": chip, "is_new": name not in known, "reason": f"row {name}"} for name, chip in unknown)
    tables.fill("unknown_chips", rows)
    return {name_of(row): row.get("Link") or "" for row in after}


def _lost_readings(old: Sheet, new: Sheet) -> Iterable[dict[str, Any]]:
    """Yield each reading whose row is in a table, but whose words are in no note of that row in the new table."""
    before, after = (
        {(row["name"], row["organization"]): row.readings for row in rows_of(sheet, "").rows} for sheet in (old, new)
    )
    for key, read in readings().items():
        for figure, _, words in read:
            if key in before | after and figure not in after.get(key, {}):
                is_new = figure in before.get(key, {})
                yield {"name": " ".join(key[0].split()), "figure": figure, "words": words, "is_new": is_new}


def _comparison(row: Mapping[str, Any], theirs: float | None, records: Records) -> dict[str, Any]:
    """Return our estimate of a row next to Epoch's value, and whether our record already quotes that value."""
    low, high, model = row["training_flop_low"], row["training_flop_high"], records.models.get(row["model_id"] or "")
    entered = [estimate.amount for estimate in model.external_estimates] if model else []
    return {
        "name": row["name"],
        "model_id": row["model_id"],
        "ours_flop": row["training_flop"],
        "middle_flop": math.sqrt(low) * math.sqrt(high) if low and high else None,
        "theirs_flop": theirs,
        "is_entered": any(theirs and math.isclose(theirs, amount, rel_tol=SAME) for amount in entered),
        "no_estimate_reason": row["no_estimate_reason"],
    }


def fill_standing(tables: Tables, records: Records) -> None:
    """Fill the tables about the ledger itself: facts that nobody found, and when each record was last reviewed."""
    models = records.models.items()
    tables.fill("missing", ({"model_id": name, "fact": gap.fact} for name, model in models for gap in model.missing))
    reviewed = ((name, model.reviewed) for name, model in models if model.reviewed)
    tables.fill("reviewed", ({"model_id": name, "reviewed": day} for name, day in reviewed))


def next_command(kind: str, name: str, link: str) -> str:
    """Return the next command or step for an item of work.

    >>> next_command("new", "Composer 2", "https://arxiv.org/abs/2603.24477")
    'flopledger new model composer-2 --into-ledger  # https://arxiv.org/abs/2603.24477'
    >>> next_command("chip", "NVIDIA B300", "")
    'flopledger new chip nvidia-b300 --into-ledger'
    """
    slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "name"
    if kind in ("threshold", "new"):
        if hub := HUB.search(link):
            return f"flopledger count {hub[1]}"
        return f"flopledger new model {slug} --into-ledger" + (f"  # {link}" if link else "")
    return {
        "chip": f"flopledger new chip {slug} --into-ledger",
        "address": "replace it in the records that name it",
        "reading": "read the note again, for its line in data/records/catalogue_readings.csv",
        "round": "read its logs into data/records/measurements (pipeline/README.md, Maintain)",
        "unread": f"flopledger explain {name}",
    }.get(kind, f"flopledger show {shlex.quote(name)}")
