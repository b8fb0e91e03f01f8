"""The five stages in the order in which they run, with the tables that each reads and writes."""

import json
from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.base import digests
from pipeline.base.paths import SUMS, snapshots
from pipeline.engines.in_memory import CHECKED, ESTIMATED
from pipeline.models import sql
from pipeline.rules import impossible_amounts
from pipeline.rules.ingestion.tables import INGESTED
from schemas import contracts
from schemas.errors import ContractError
from schemas.params import Params
from schemas.tables import TABLES as CONTRACTS
from schemas.tables import columns_of, grain

Tables = Mapping[str, duckdb.DuckDBPyRelation]
Rows = duckdb.DuckDBPyRelation | Iterable[Mapping[str, Any]]
TABLES = {  # the tables that each stage writes
    "ingest": tuple(INGESTED),
    "estimate": ESTIMATED,
    "check": CHECKED,
    "catalogue": ("catalogue_estimates", "epoch_results"),
    "publish": ("changes",),
}
BEFORE = {  # the stages whose tables each stage reads
    "ingest": (),
    "estimate": ("ingest",),
    "check": ("ingest", "estimate"),
    "catalogue": ("ingest", "estimate"),
    "publish": ("ingest", "estimate", "check", "catalogue"),
}


class Given(NamedTuple):
    """The inputs of a stage (checkout, params.yaml, tables of earlier stages) and its output folders."""

    root: Path
    params: Params
    tables: Tables
    tables_folder: Path  # for the stage's own tables
    release: Path  # for published files


def ingest(given: Given) -> dict[str, Rows]:
    """Turn hand-written records into tables of facts. Nothing is imputed; absent facts are null."""
    from pipeline.base import untrusted_files
    from pipeline.records import ledger, model_table

    if strange := sorted(untrusted_files.unlisted_files(given.root / "data")):
        raise ContractError("\n".join(strange))
    read, states = digests.sha256_of_files(given.root), model_table.states(given.root / "data/records")
    records = ledger.load_all(given.root)
    digests.refuse_changed(given.root, read)
    model_table.write(given.root / "data/records", states, records.models)
    digests.write(given.tables_folder, read)
    # Made when they are written, so that few tables are in memory at once.
    return {name: chain.from_iterable(map(rows, [records], [given.params])) for name, rows in INGESTED.items()}


def estimate(given: Given) -> dict[str, Rows]:
    """Estimate training compute: impute facts, apply and compare both methods, and give the headline and its error."""
    needed = {*sql.inputs(ESTIMATED), "external_estimates"}
    read = {name: given.tables[name] for name in sorted(needed & given.tables.keys())}
    connection = sql.connection_with(read, given.params)
    impossible_amounts.run(connection, ESTIMATED)
    impossible_amounts.refuse_contradictions(connection)
    return {name: connection.table(name) for name in ESTIMATED}


def check(given: Given) -> dict[str, Rows]:
    """Check estimates: compare defaults with measured utilizations, and imputed values with facts known but hidden."""
    connection = sql.connection_with(given.tables, given.params)
    impossible_amounts.run(connection, CHECKED, given.tables)
    return {name: connection.table(name) for name in CHECKED}


def catalogue(given: Given) -> dict[str, Rows]:
    """Estimate each row of Epoch's merged tables by the rules for records."""

    from pipeline.catalogues import epoch, tier
    from pipeline.catalogues.epoch import results
    from pipeline.catalogues.epoch.tables import merge
    from pipeline.catalogues.estimates import estimate as estimate_catalogue
    from pipeline.catalogues.sheets import CatalogueError
    from pipeline.records import ledger

    records = ledger.load_all(given.root)
    headlines = {row["model_id"]: row for row in sql.rows(given.tables["estimates"], ["model_id"])}
    try:
        sheet = merge(snapshots(given.root))
        catalogue = epoch.read_rows(sheet, "data/snapshots", records)
        rows = list(tier.catalogue_rows(estimate_catalogue(catalogue, records, given.params, headlines)))
    except CatalogueError as problem:
        raise ContractError(str(problem)) from None
    digests.refuse_changed(given.root)
    return {"catalogue_estimates": rows, "epoch_results": list(results.rows(sheet))}


def publish(given: Given) -> dict[str, Rows]:
    """Write the release: changes since earlier releases, tables as CSV and parquet, and a DuckDB file of all tables."""
    from pipeline.publishing import (
        changes,
        csv_cells,
        database,
        datapackage,
        fingerprint,
        report_views,
        summaries,
        verification,
    )
    from pipeline.publishing.files import CSV_TABLES, EXPECTATIONS, METRICS, STATED

    if differences := [*verification.changed_releases(given.root)]:
        raise ContractError("\n".join(differences))
    tables, release = dict(given.tables), given.release
    version, digits = given.params.publish.version, given.params.publish.significant_digits
    texts: dict[str, str] = {}

    def rounded_table(name: str) -> duckdb.DuckDBPyRelation:
        """Return a table with the digits of its CSV file, whose text is added to `texts`."""
        digits_shown = None if name in STATED else digits
        table = _round(tables[CSV_TABLES[name]], CSV_TABLES[name], digits_shown)
        texts[name] = csv_cells.text(table.columns, table.fetchall(), digits_shown)
        return table

    shown = {name: rounded_table(name) for name, table in CSV_TABLES.items() if table != "changes"}
    moved = list(changes.history(version, {name: texts[name].encode() for name in changes.TABLES}, given.root))
    changed = contracts.arrow_table(moved, "changes")
    contracts.check("changes", changed)
    # `changes` compares the published text of other tables with earlier releases, so it comes after them.
    tables["changes"] = duckdb.from_arrow(changed)
    shown["changes"] = rounded_table("changes")
    evaluated = _evaluate(tables, shown, given.root)
    for name, text in texts.items():
        (release / f"{name}.csv").write_text(text, encoding="utf-8", newline="")
    for name in ("estimates", "catalogue_estimates"):
        pq.write_table(_with_pandas_types(shown[name].to_arrow_table()), release / f"{name}.parquet")
    (release / "datapackage.json").write_text(datapackage.description(version, CSV_TABLES, release), encoding="utf-8")
    (release / "report").mkdir()
    summaries.write(release / EXPECTATIONS, [row._asdict() for row in evaluated])
    summaries.write(release / METRICS, report_views.product_metrics(tables, given.params))
    (release / SUMS).write_text(datapackage.checksums(release, given.root / "data" / "published"), encoding="utf-8")
    database.write(release / "ledger.duckdb", tables, fingerprint.input_digests(given.root))
    digests.refuse_changed(given.root)
    return {"changes": moved}


def _evaluate(tables: Tables, shown: Tables, root: Path) -> list[Any]:
    """Return the outcome of each expectation of a published table, and of each rule across tables.

    Raise ContractError if one that is required fails.
    """
    from pipeline.publishing import consistency
    from pipeline.publishing.files import CSV_TABLES
    from schemas import expectations

    evaluated = expectations.evaluate({name: table.df() for name, table in shown.items()}, CSV_TABLES, root)
    for rule, rows in consistency.outcomes(tables, root / "data" / "published" / "identifiers.csv"):
        words = consistency.violations(rows)
        evaluated.append(expectations.Evaluated(*rule[:3], words, not rows, is_required=True))
    if problems := expectations.failures(evaluated):
        raise ContractError("\n".join(problems))
    return evaluated


STAGES: dict[str, Callable[[Given], dict[str, Rows]]] = {
    stage.__name__: stage for stage in (ingest, estimate, check, catalogue, publish)
}


def _with_pandas_types(table: pa.Table) -> pa.Table:
    """Return the table with metadata that makes pandas read dates as dates, and booleans and integers despite nulls."""
    kinds = {"bool": "boolean", "date32[day]": "date32[day][pyarrow]", "int64": "Int64"}
    columns = [
        {"name": name, "field_name": name, "pandas_type": kind, "numpy_type": kinds[kind], "metadata": None}
        for name, kind in zip(table.schema.names, map(str, table.schema.types), strict=True)
        if kind in kinds
    ]
    description = {"index_columns": [], "column_indexes": [], "columns": columns}
    return table.replace_schema_metadata({"pandas": json.dumps(description)})


def _round(table: duckdb.DuckDBPyRelation, name: str, digits: int | None) -> duckdb.DuckDBPyRelation:
    """Return the table in its published order, with this many significant digits, or all if `digits` is None."""
    # Parquet files have as many digits as CSV files; only the database has every digit.
    shown = [
        f'cast(printf(\'%.{digits}g\', "{column}") as double) as "{column}"'
        if digits and place.column.kind == "number"
        else f'"{column}"'
        for column, place in columns_of(name).items()
    ]
    return table.project(", ".join(shown)).order(CONTRACTS[name].order or ", ".join(f'"{key}"' for key in grain(name)))
