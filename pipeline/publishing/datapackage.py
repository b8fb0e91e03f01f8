"""Describe published files: typed columns with units (datapackage.json) and checksums (SHA256SUMS)."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pipeline.base import digests
from pipeline.publishing.citation import citation
from schemas.tables import TABLES, columns_of, grain

TYPES = {"text": "string", "number": "number", "whole number": "integer", "true or false": "boolean", "date": "date"}
# The standard has constraints for closed bounds, but none for open ones.
CONSTRAINTS = {"ge": "minimum", "le": "maximum", "isin": "enum", "str_matches": "pattern"}
LICENCE = {
    "name": "CC-BY-4.0",
    "path": "https://creativecommons.org/licenses/by/4.0/",
    "title": "Creative Commons Attribution 4.0",
}

# CC BY asks for the author, the licence with its address, the work's address, and whether the work was changed.
EPOCH_SOURCE = {
    "title": (
        f"Epoch AI, Data on AI Models, © Epoch AI, {LICENCE['title']} ({LICENCE['path']}). data/snapshots has"
        " unchanged copies; facts of records and catalogue_estimates are taken from its cells, in the units of this"
        " project, and the estimates are not Epoch's"
    ),
    "path": "https://epoch.ai/data/ai-models",
}


def description(version: str, tables: Mapping[str, str], folder: Path) -> str:
    """Return datapackage.json for these CSV files in `folder`, following the Data Package standard.

    It lists each file's digest, and each column's type, unit, bounds and meaning.
    """
    cited = citation(version)
    package = {
        "$schema": "https://datapackage.org/profiles/2.0/datapackage.json",
        "name": "flop-ledger",
        "title": cited.title,
        "description": cited.abstract,
        "version": version,
        "keywords": [*cited.keywords],
        "contributors": [{"title": cited.authors, "roles": ["creator"]}],
        **({"homepage": cited.url} if cited.url else {}),
        "licenses": [LICENCE],
        "sources": [
            {"title": "Records of this project, each fact with its source; see the table facts in ledger.duckdb"},
            EPOCH_SOURCE,
        ],
        "resources": [_resource(folder / f"{name}.csv", table) for name, table in sorted(tables.items())],
    }
    return json.dumps(package, indent=1, ensure_ascii=False) + "\n"


def _resource(path: Path, table: str) -> dict[str, Any]:
    return {
        "name": path.stem.replace("_", "-"),
        "path": path.name,
        "title": TABLES[table].row,
        "type": "table",
        "format": "csv",
        "mediatype": "text/csv",
        "encoding": "utf-8",
        "bytes": path.stat().st_size,
        "hash": f"sha256:{digests.sha256(path)}",
        "schema": {"fields": _fields(table), "primaryKey": list(grain(table)), "missingValues": [""]},
    }


def _fields(table: str) -> list[dict[str, Any]]:
    """Return the description of each column of a table, with its type, unit and constraints, in Frictionless terms."""
    fields = []
    for name, place in columns_of(table).items():
        column = place.column
        field: dict[str, Any] = {"name": name, "type": TYPES[column.kind], "description": place.description}
        if column.unit:
            field["unit"] = column.unit
        constraints: dict[str, Any] = {"required": True} if place.null is None else {}
        constraints |= {CONSTRAINTS[check]: bound for check, bound in column.checks.items() if check in CONSTRAINTS}
        if constraints:
            field["constraints"] = constraints
        fields.append(field)
    return fields


def checksums(folder: Path, former: Path | None = None, *, with_database: bool = False) -> str:
    """Return a line for each file in `folder`, and for each report that is only in `former`, as `sha256sum` prints it.

    The database has its own digest file, because its bytes differ from run to run. If `with_database` is true, as
    for a release, the list includes the database too.
    """
    reports = {f"report/{path.name}": path for path in (former / "report").glob("*")} if former else {}
    files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    listed = {name: path for name, path in {**reports, **files}.items() if with_database or path.stem != "ledger"}
    return digests.sums({name: digests.sha256(path) for name, path in sorted(listed.items())})
