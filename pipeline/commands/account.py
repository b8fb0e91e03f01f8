"""The tables behind one model's estimate, of the ledger or of a model of the user's own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from pipeline.commands import ledger, output
from pipeline.paths import RECORDS
from pipeline.publishing.rows import rows

if TYPE_CHECKING:
    import duckdb

Tables = dict[str, list[dict[str, Any]]]
Written = dict[tuple[str, str], dict[str, Any]]  # the content of records' files, by kind and id
SHOWN = ("lineages", "models", "facts", "fact_quotes", "completed_runs", "completed_allocations", "operation_counts",
         "operation_estimates", "gpu_time_estimates", "estimates", "reconciliations", "dispute_causes", "sentences", "peaks")  # fmt: skip
KEYS = {  # what the rows of a table are of, where that is not a model
    "facts": "record_kind || '/' || record_id",
    "fact_quotes": "record_kind || '/' || record_id",
    "operation_counts": "architecture_id",
    "peaks": "hardware_id",
}


def find(name: str) -> tuple[str, Tables, None]:
    """The model of the ledger with this id, name or alias, and its tables. Raises LookupError with the nearest names."""
    with ledger.opened() as connection:
        identifier = ledger.find_model(name, connection)
        return identifier, tables_of(connection, identifier), None


def tables_of(connection: duckdb.DuckDBPyConnection, identifier: str, names: Iterable[str] = SHOWN) -> Tables:
    """The rows of a model and its base models, their networks and chips, in a connection to the ledger or of `own_rows`."""

    def column(query: str, of: Iterable[str]) -> list[str]:
        return [str(value) for row in rows(connection, query, [*of]) for value in row.values()]

    among = "where list_contains($1::varchar[], {})".format
    parts = column(f"select part_id from lineages {among('model_id')}", [identifier])
    chips = column(
        f"select distinct hardware_id from allocations {among('model_id')} and hardware_id is not null", parts
    )
    networks = column(f"select architecture_id from runs {among('model_id')} and architecture_id is not null", parts)
    ids = [*parts, *chips, *networks, *(f"models/{part}" for part in parts), *(f"hardware/{chip}" for chip in chips)]
    return {name: rows(connection, f"from {name} {among(KEYS.get(name, 'model_id'))}", ids) for name in names}


def written(tables: Tables) -> Written:
    """What the files of the models and chips of these tables say, which were checked when the tables were made."""
    from pipeline.records import yaml_text

    chips = {row["hardware_id"] for row in tables["completed_allocations"] if row["hardware_id"]}
    found: Written = {}
    for kind, identifiers in (("models", {row["model_id"] for row in tables["models"]}), ("hardware", chips)):
        for each in identifiers:
            path = RECORDS / kind / f"{each}.yaml"
            text, mistakes = yaml_text.read(path, str(path))
            if text is None:
                raise yaml_text.RecordError(mistakes)
            found[kind, each] = text.content
    return found


def as_json(tables: Tables, identifier: str) -> str:
    """The estimate of one model with the tables behind it, as JSON."""
    shown = {name: rows for name, rows in tables.items() if name not in ("estimates", "peaks")}
    for name in ("facts", "fact_quotes"):
        shown[name] = [row for row in tables[name] if row["record_kind"] == "models"]
    return output.as_json({**one(tables["estimates"], model_id=identifier), "account": shown})


def one(rows: list[dict[str, Any]], **keys: Any) -> dict[str, Any]:
    """The first row with these values."""
    return next(row for row in rows if all(row[key] == value for key, value in keys.items()))
