"""Writes the release: what changed since those before, tables as CSV and parquet, and a DuckDB file with every table."""

from pathlib import Path
from typing import Any

import duckdb

from pipeline import contracts, sql
from pipeline.paths import SUMS
from pipeline.publishing import consistency, csv_cells, database, datapackage, history, published_ids, summaries
from pipeline.publishing.files import CSV_TABLES, EXPECTATIONS, STATED
from pipeline.publishing.history import Releases
from schemas import expectations, params
from schemas.table import ContractError, Ledger, Table, columns, contract_of
from schemas.tables.changes import Changes


def build(
    ledger: Ledger, params: params.Params, releases: Releases, release: Path, last_release: Path, made_from: str
) -> Table[Changes]:
    """Writes the release: what changed since those before, tables as CSV and parquet, and a DuckDB file with every table."""

    def rows(name: str) -> list[dict[str, Any]]:
        return sql.rows(ledger[name], contract_of(name).__grain__)

    estimates = rows("estimates")
    bases = {row["model_id"]: row["base_model"] for row in estimates if row["base_model"]}
    changes = history.changes(releases, params.publish.version, estimates, rows("facts"), bases)
    changed = contracts.arrow_table(changes, Changes)
    ledger["changes"] = duckdb.from_arrow(changed).order(", ".join(f'"{name}"' for name in Changes.__grain__))
    contracts.check("changes", changed)
    version, digits = params.publish.version, params.publish.significant_digits
    exact = {name: None if name in STATED else digits for name in CSV_TABLES}
    shown = {name: _rounded(ledger[table], contract_of(table), exact[name]) for name, table in CSV_TABLES.items()}
    evaluated = expectations.evaluated(
        expectations.Release(
            estimates=shown["estimates"].df(),
            sums=consistency.ratios(ledger),
            ids_before=list(published_ids.of_release(last_release)),
            ids=published_ids.of_rows(rows("identifiers")),
        )
    )
    problems = expectations.broken(evaluated)
    if problems:
        raise ContractError("\n".join(problems))
    for name, table in shown.items():
        text = csv_cells.text(table.columns, table.fetchall(), exact[name])
        (release / f"{name}.csv").write_text(text, encoding="utf-8", newline="")
    for name in ("estimates", "catalogue_estimates"):
        shown[name].write_parquet(str(release / f"{name}.parquet"))
    described = {f"{name}.csv": contract_of(table) for name, table in CSV_TABLES.items()}
    (release / "datapackage.json").write_text(datapackage.description(version, described), encoding="utf-8")
    (release / "report").mkdir()
    summaries.write(release / EXPECTATIONS, [each._asdict() for each in evaluated])
    (release / SUMS).write_text(datapackage.checksums(release), encoding="utf-8")
    tables = dict(ledger)
    database.write(release / "ledger.duckdb", tables, made_from)
    return ledger["changes"]


def _rounded(table: Any, contract: Any, digits: int | None) -> Any:
    # Parquet has the digits of the CSV; the database has all.
    shown = [
        f'cast(printf(\'%.{digits}g\', "{name}") as double) as "{name}"' if digits and kind == "float" else f'"{name}"'
        for name, kind in columns(contract).items()
    ]
    grain = ", ".join(f'"{name}"' for name in contract.__grain__)
    return table.project(", ".join(shown)).order(grain)
