"""The tables behind one model's estimate: as published, or by running the stages where its records are not the published ones.

Modules that run stages are imported inside functions: reading published tables needs none of them.
"""

from collections.abc import Container, Iterable
from typing import Any

from pipeline.commands import output, subset
from pipeline.paths import TABLES
from pipeline.publishing import freshness
from pipeline.publishing.rows import rows
from pipeline.records import params
from pipeline.rules import frames
from schemas.records import Records
from schemas.spelling import chosen, spellings

Tables = dict[str, list[dict[str, Any]]]
SHOWN = ("lineages", "models", "facts", "fact_quotes", "completed_runs", "completed_allocations", "operation_counts",
         "operation_estimates", "gpu_time_estimates", "estimates", "reconciliations", "headline_components",
         "dispute_causes", "peaks")  # fmt: skip


def find(name: str, records: Records) -> str:
    """The id of the model with this id, name or alias. Raises LookupError with the nearest names."""
    named = [
        {"id": identifier, "name": model.name, "aliases": " | ".join([*model.aliases, *model.renamed_from])}
        for identifier, model in records.models.items()
    ]
    return chosen(name, spellings(named), "a model of the ledger")


def account(identifier: str, records: Records) -> Tables:
    """The tables of one model and its base models, made by the stages up to reconcile."""
    from pipeline import flow

    made = flow.make(SHOWN, subset.of_models([identifier], records), params.load())
    return _only(subset.lineage(identifier, records), {name: frames.rows(made[name]) for name in SHOWN})


def published(identifier: str) -> Tables | None:
    """The same from data/tables, without running stages; None where these were made from other records, parameters or code."""
    import duckdb

    if not freshness.are_fresh(SHOWN):
        return None
    with duckdb.connect() as book:
        every = {name: rows(book, "from read_parquet($1)", str(TABLES / f"{name}.parquet")) for name in SHOWN}
    return _only({row["part_id"] for row in every["lineages"] if row["model_id"] == identifier}, every)


def estimates(identifiers: Iterable[str], records: Records) -> dict[str, dict[str, Any]]:
    """The rows of `estimates` of these models, by id, through the same stages."""
    from pipeline import flow

    wanted = set(identifiers)
    made = flow.make(["estimates"], subset.of_models(wanted, records), params.load())
    return {row["model_id"]: row for row in frames.rows(made["estimates"]) if row["model_id"] in wanted}


def reconciliations(identifiers: Iterable[str], records: Records) -> list[dict[str, Any]]:
    """The rows of `reconciliations` of these models, without utilizations predicted from measurements."""
    from pipeline import flow

    asked = set(identifiers)
    alone = subset.without_measurements(asked, records)
    made = flow.make(["reconciliations"], alone, params.load())
    return [row for row in frames.rows(made["reconciliations"]) if row["model_id"] in asked]


def _only(models: Container[str], tables: Tables) -> Tables:
    """The rows of these models, of their networks, and of chips."""
    networks = {row["architecture_id"] for row in tables["completed_runs"] if row["model_id"] in models}

    def is_own(row: dict[str, Any]) -> bool:
        if "record_kind" in row:
            return row["record_kind"] == "hardware" or row["record_id"] in models
        if "model_id" in row:
            return row["model_id"] in models
        return "architecture_id" not in row or row["architecture_id"] in networks

    return {name: [row for row in rows if is_own(row)] for name, rows in tables.items()}


def as_json(tables: Tables, identifier: str) -> str:
    """The estimate of one model with the tables behind it, as JSON."""
    shown = {name: rows for name, rows in tables.items() if name not in ("estimates", "peaks")}
    for name in ("facts", "fact_quotes"):
        shown[name] = [row for row in tables[name] if row["record_kind"] == "models"]
    return output.as_json({**one(tables["estimates"], model_id=identifier), "account": shown})


def one(rows: list[dict[str, Any]], **keys: Any) -> dict[str, Any]:
    """The first row with these values."""
    return next(row for row in rows if all(row[key] == value for key, value in keys.items()))
