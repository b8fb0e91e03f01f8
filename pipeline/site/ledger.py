"""All that the site reads: the tables of the published database, and the report's files."""

import csv
import gzip
import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

import duckdb

from pipeline.publishing import database, report_views
from pipeline.publishing.account import accounts
from pipeline.publishing.citation import citation, release_of
from pipeline.publishing.rows import rows
from pipeline.records import params
from schemas.account import Account
from schemas.params import Params

Row = dict[str, Any]
# The site offers these files gzipped, at a tenth of the size.
PACKED = ("ledger.duckdb", "facts.csv", "benchmark_runs.csv", "changes.csv")


class Ledger:
    """The published tables and the reports' views, as lists of rows. Each is read only once."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, published: Path, chosen: Params | None = None) -> None:
        self.connection = connection
        self.published = published  # the folder of published files
        self.params = chosen or params.load()
        self._rows: dict[str, list[Row]] = {}
        report_views.create(connection, self.params.model_dump())
        self._grouped: dict[tuple[str, str], dict[Any, list[Row]]] = {}

    @property
    def root(self) -> Path:
        """Return the ledger's root folder, in a checkout or an unpacked release."""
        return self.published.parents[1]

    def rows(self, name: str) -> list[Row]:
        """Return the rows of a table or view, or an empty list if this ledger lacks it."""
        if name not in self._rows:
            self._rows[name] = rows(self.connection, f'from "{name}"') if name in self.names else []
        return self._rows[name]

    def rows_with(self, name: str, column: str, value: Any) -> list[Row]:
        """Return the rows of a table with this value in a column."""
        if (name, column) not in self._grouped:
            grouped: dict[Any, list[Row]] = {}
            for row in self.rows(name):
                grouped.setdefault(row[column], []).append(row)
            self._grouped[name, column] = grouped
        return self._grouped[name, column].get(value, [])

    def summary(self, name: str) -> Any:
        """Return the values in report/<name>.json, or None if this release lacks the file."""
        file = self.published / "report" / f"{name}.json"
        return json.loads(file.read_text(encoding="utf-8")) if file.is_file() else None

    def report_rows(self, name: str) -> list[Row]:
        """Return the rows of report/<name>.csv, with cells as text, or an empty list if this release lacks the file."""
        file = self.published / "report" / f"{name}.csv"
        if not file.is_file():
            return []
        with file.open(encoding="utf-8", newline="") as opened:
            return list(csv.DictReader(opened))

    @cached_property
    def names(self) -> set[str]:
        """Return the names of all tables and views."""
        sql = "select table_name from information_schema.tables where table_schema in ('main', 'work')"
        return {name for (name,) in self.connection.execute(sql).fetchall()}

    @cached_property
    def package(self) -> Row:
        """Return datapackage.json, which describes the site's files."""
        package: Row = json.loads((self.published / "datapackage.json").read_text(encoding="utf-8"))
        for resource in package["resources"]:
            if resource["path"] in PACKED:
                content = self.gzipped(resource["path"])
                size, digest = len(content), f"sha256:{hashlib.sha256(content).hexdigest()}"
                resource |= {"path": f"{resource['path']}.gz", "compression": "gz", "bytes": size, "hash": digest}
        return package

    def gzipped(self, name: str) -> bytes:
        """Return a published file, gzipped without a timestamp, so that its bytes are the same each time."""
        return gzip.compress((self.published / name).read_bytes(), 9, mtime=0)

    @cached_property
    def version(self) -> str:
        """Return the version of the published data, with a remark if they are not a release."""
        return release_of(str(self.package["version"]), self.root)

    @cached_property
    def accounts(self) -> dict[str, Account]:
        """Return the account of every model, by id."""
        all_accounts = accounts(
            self.connection, [row["model_id"] for row in self.rows("estimates")], citation(self.version)
        )
        return {account["model_id"]: account for account in all_accounts}

    @cached_property
    def models(self) -> list[Row]:
        """Return one row per model with columns of `models` and `estimates`, and names of its chips and base."""
        return [
            {
                **next(iter(self.rows_with("models", "model_id", row["model_id"])), {}),
                **next(iter(self.rows_with("models_without_estimate", "model_id", row["model_id"])), {}),
                **row,
                "hardware": self.chips_named(row["hardware"]),
                "base_model": self.names_of_models.get(row["base_model"], row["base_model"]),
            }
            for row in self.rows("estimates")
        ]

    def chips_named(self, hardware: str | None) -> str | None:
        """Return the names of the chips whose ids are in a `hardware` cell."""
        if hardware is None:
            return None
        names = {row["hardware_id"]: row["name"] for row in self.rows("hardware")}
        return " + ".join(names.get(chip, chip) for chip in hardware.split(" + "))

    @cached_property
    def names_of_models(self) -> dict[str, str]:
        """Return the name of each model, by id."""
        return {row["model_id"]: row["name"] for row in self.rows("estimates")}

    @cached_property
    def tables(self) -> list[Row]:
        """Return every table and view with a description of its rows, and its columns with their descriptions."""
        return rows(
            self.connection,
            """
            with described as (
                select table_name as name, comment from duckdb_tables() where not temporary
                union all select view_name, comment from duckdb_views() where not internal and not temporary
            )
            select name, coalesce(described.comment, '') as comment,
                list({name: column_name, comment: coalesce(c.comment, '')} order by column_index) as columns
            from described join duckdb_columns() c on table_name = name and database_name = current_database()
            group by all order by name
            """,
        )


@contextmanager
def open_ledger(root: Path) -> Iterator[Ledger]:
    """Yield the ledger that is published under `root`. Raise database.DatabaseError if there is none."""
    with database.reading(root) as connection:
        yield Ledger(connection, root / "data" / "published")
