"""The tables behind one model's estimate: as published, or by running the stages where its records are not the published ones.

Modules that run stages are imported inside functions: reading published tables needs none of them.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import duckdb

from pipeline.commands import ledger, output, subset
from pipeline.paths import TABLES
from pipeline.publishing import freshness
from pipeline.publishing.rows import rows
from pipeline.records import params
from schemas.records import Records
from schemas.spelling import chosen, spellings
from schemas.vocabulary import SEPARATOR

Tables = dict[str, list[dict[str, Any]]]
SHOWN = ("lineages", "models", "facts", "fact_quotes", "completed_runs", "completed_allocations", "operation_counts",
         "operation_estimates", "gpu_time_estimates", "estimates", "reconciliations", "headline_components",
         "dispute_causes", "peaks")  # fmt: skip
Revisions = Mapping[str, Any]  # of `flow.make`, which running stages alone imports
NONE: Revisions = MappingProxyType({})
OF_ALL = ("measurements", "hardware", "peaks", "operation_counts")  # what utilizations are predicted from


class Found(NamedTuple):
    """A model of the ledger: its id, and its tables where they stand in data/tables, else all records."""

    identifier: str
    tables: Tables | None
    records: Records | None


def find(name: str) -> Found:
    """The model of the ledger with this id, name or alias. Raises LookupError with the nearest names, and RecordError.

    Where data/tables was made from today's records, parameters and code, no record is read.
    """
    if freshness.are_fresh([*SHOWN, "identifiers"]):
        identifier = chosen(name, spellings(_published_names()), "a model of the ledger")
        return Found(identifier, published(identifier), None)
    records = ledger.load()
    return Found(find_among(name, records), None, records)


def recorded(tables: Tables) -> Records:
    """The records of the models and chips of these tables, which were read and checked when the tables were made."""
    chips = {row["hardware_id"] for row in tables["completed_allocations"] if row["hardware_id"]}
    return ledger.load_checked({"models": [row["model_id"] for row in tables["models"]], "hardware": chips})


def related(
    paths: Iterable[Path] = (), models: Iterable[str] = (), without_model: str | None = None
) -> tuple[Records, Revisions]:
    """The records of `paths` with those of the ledger that estimates of them and of these models need, for the functions below.

    Where data/tables was made from today's records, parameters and code, measurements are not read: the revisions bring their tables.
    Else all records are read, and there are no revisions. Raises RecordError.
    """
    if freshness.are_fresh(OF_ALL):
        return ledger.load_related(paths, models, without_model), _of_all()
    return ledger.load(paths, without_model=without_model), NONE


def find_among(name: str, records: Records) -> str:
    """The id of the model of these records with this id, name or alias. Raises LookupError with the nearest names."""
    named = [
        {"id": identifier, "name": model.name, "aliases": SEPARATOR.join([*model.aliases, *model.renamed_from])}
        for identifier, model in records.models.items()
    ]
    return chosen(name, spellings(named), "a model of the ledger")


def _published_names() -> list[dict[str, Any]]:
    models = "select model_id as id, name, aliases from read_parquet($1)"
    former = (
        "select record_id, record_id, former_ids from read_parquet($2) where record_kind = 'models' and not is_retired"
    )
    with duckdb.connect() as book:
        return rows(
            book,
            f"{models} union all {former}",
            *(str(TABLES / f"{name}.parquet") for name in ("models", "identifiers")),
        )


def account(identifier: str, records: Records, of_all: Revisions = NONE) -> Tables:
    """The tables of one model and its base models, made by the stages up to reconcile."""
    made = _made(SHOWN, [identifier], records, of_all)
    return _of(subset.lineage(identifier, records), {name: made[name].to_native() for name in SHOWN})


def published(identifier: str) -> Tables:
    """The same from data/tables, without running stages."""
    with duckdb.connect() as book:
        every = {name: book.read_parquet(str(TABLES / f"{name}.parquet")) for name in SHOWN}
        own = every["lineages"].filter(_is_one_of("model_id", [identifier]))
        return _of([part for (part,) in own.select("part_id").fetchall()], every)


def estimates(identifiers: Iterable[str], records: Records, of_all: Revisions = NONE) -> dict[str, dict[str, Any]]:
    """The rows of `estimates` of these models, by id, through the same stages."""
    from pipeline.rules import frames

    wanted = set(identifiers)
    made = _made(["estimates"], wanted, records, of_all)
    return {row["model_id"]: row for row in frames.rows(made["estimates"]) if row["model_id"] in wanted}


def _made(names: Iterable[str], identifiers: Iterable[str], records: Records, of_all: Revisions) -> dict[str, Any]:
    from pipeline import flow

    wanted = list(identifiers)
    revised = of_all if subset.has_chips(wanted, records) else {}
    return flow.make(names, subset.of_models(wanted, records, is_measured=bool(of_all)), params.load(), revised)


def _of_all() -> Revisions:
    return {name: partial(_beside if name == "operation_counts" else _in_place, name) for name in OF_ALL}


def _beside(name: str, own: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The networks of the model with those of the ledger, which measurements name."""
    from pipeline.rules import frames

    networks = {row["architecture_id"]: row for row in frames.rows(_in_place(name, own))}
    return list((networks | {row["architecture_id"]: row for row in own}).values())


def _in_place(name: str, _: Any) -> Any:
    from pipeline import flow

    return flow.made_before(name)


def reconciliations(identifiers: Iterable[str], records: Records) -> list[dict[str, Any]]:
    """The rows of `reconciliations` of these models, without utilizations predicted from measurements."""
    from pipeline import flow
    from pipeline.rules import frames

    asked = set(identifiers)
    alone = subset.without_measurements(asked, records)
    made = flow.make(["reconciliations"], alone, params.load())
    return [row for row in frames.rows(made["reconciliations"]) if row["model_id"] in asked]


def _of(models: Iterable[str], relations: Mapping[str, duckdb.DuckDBPyRelation]) -> Tables:
    """The rows of these models, of their networks and of their chips."""
    parts = sorted(models)
    allocations = relations["completed_allocations"].filter(_is_one_of("model_id", parts)).select("hardware_id")
    runs = relations["completed_runs"].filter(_is_one_of("model_id", parts)).select("architecture_id")
    chips, networks = (sorted({key for (key,) in each.fetchall() if key}) for each in (allocations, runs))

    def condition(columns: Sequence[str]) -> duckdb.Expression:
        if "record_kind" in columns:
            of_models = (duckdb.ColumnExpression("record_kind") == "models") & _is_one_of("record_id", parts)
            return of_models | ((duckdb.ColumnExpression("record_kind") == "hardware") & _is_one_of("record_id", chips))
        if "model_id" in columns:
            return _is_one_of("model_id", parts)
        return (
            _is_one_of("architecture_id", networks)
            if "architecture_id" in columns
            else _is_one_of("hardware_id", chips)
        )

    return {name: _rows(relation.filter(condition(relation.columns))) for name, relation in relations.items()}


def _is_one_of(column: str, values: Sequence[str]) -> duckdb.Expression:
    if not values:
        return duckdb.ConstantExpression(False)
    return duckdb.ColumnExpression(column).isin(*map(duckdb.ConstantExpression, values))


def _rows(relation: duckdb.DuckDBPyRelation) -> list[dict[str, Any]]:
    names = relation.columns
    return [dict(zip(names, row, strict=True)) for row in relation.fetchall()]


def as_json(tables: Tables, identifier: str) -> str:
    """The estimate of one model with the tables behind it, as JSON."""
    shown = {name: rows for name, rows in tables.items() if name not in ("estimates", "peaks")}
    for name in ("facts", "fact_quotes"):
        shown[name] = [row for row in tables[name] if row["record_kind"] == "models"]
    return output.as_json({**one(tables["estimates"], model_id=identifier), "account": shown})


def one(rows: list[dict[str, Any]], **keys: Any) -> dict[str, Any]:
    """The first row with these values."""
    return next(row for row in rows if all(row[key] == value for key, value in keys.items()))
