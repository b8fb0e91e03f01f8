"""The tables behind one model's estimate: as published, or by running the stages where its records are not the published ones.

Modules that read records or run stages are imported inside functions: reading published tables needs none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import duckdb

from pipeline import sql
from pipeline.commands import ledger, output, subset
from pipeline.paths import RECORDS, table_file
from pipeline.publishing import fingerprint
from pipeline.publishing.rows import rows
from schemas.spelling import chosen, spellings
from schemas.vocabulary import SEPARATOR

if TYPE_CHECKING:
    from schemas.records import Records

Tables = dict[str, list[dict[str, Any]]]
Written = dict[tuple[str, str], dict[str, Any]]  # the content of records' files, by kind and id
SHOWN = ("lineages", "models", "facts", "fact_quotes", "completed_runs", "completed_allocations", "operation_counts",
         "operation_estimates", "gpu_time_estimates", "estimates", "reconciliations", "dispute_causes", "sentences", "peaks")  # fmt: skip
SUMMARISED = tuple(name for name in SHOWN if name not in ("facts", "fact_quotes"))  # what a summary in words is made of
KEYS = {"facts": "record_id", "fact_quotes": "record_id", "operation_counts": "architecture_id", "peaks": "hardware_id"}
Revisions = Mapping[str, Any]  # of `in_memory.make`, which running stages alone imports
NONE: Revisions = MappingProxyType({})
OF_ALL = ("measured_cases",)  # what utilizations are predicted from


class Found(NamedTuple):
    """A model of the ledger: its id, and its tables where they stand in data/tables, else all records."""

    identifier: str
    tables: Tables | None
    records: Records | None


def find(name: str) -> Found:
    """The model of the ledger with this id, name or alias. Raises LookupError with the nearest names, and RecordError.

    Where data/tables was made from today's records, parameters and code, no record is read.
    """
    if fingerprint.is_present():
        with _book() as book:
            identifier = chosen(name, spellings(_published_names(book)), "a model of the ledger")
            return Found(identifier, _published(identifier, book), None)
    records = ledger.load()
    return Found(find_among(name, records), None, records)


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


def related(
    paths: Iterable[Path] = (),
    models: Iterable[str] = (),
    chips: Iterable[str] = (),
    without_model: str | None = None,
) -> tuple[Records, Revisions]:
    """The records of `paths` with those of the ledger that estimates of them and of these models on these chips need, for the functions below.

    Where data/tables was made from today's records, parameters and code, measurements are not read: the revisions bring their tables.
    Else all records are read, and there are no revisions. Raises RecordError.
    """
    if fingerprint.is_present():
        return ledger.load_related(paths, models, chips, without_model), _of_all()
    return ledger.load(paths, without_model=without_model), NONE


def find_among(name: str, records: Records) -> str:
    """The id of the model of these records with this id, name or alias. Raises LookupError with the nearest names."""
    named = [
        {"id": identifier, "name": model.name, "aliases": SEPARATOR.join([*model.aliases, *model.renamed_from])}
        for identifier, model in records.models.items()
    ]
    return chosen(name, spellings(named), "a model of the ledger")


def _book() -> duckdb.DuckDBPyConnection:
    return duckdb.connect(config={"threads": 1})  # for the rows of one model another thread costs more than it saves


def _published_names(book: duckdb.DuckDBPyConnection) -> list[dict[str, Any]]:
    models = "select model_id as id, name, aliases from read_parquet($1)"
    former = (
        "select record_id, record_id, former_ids from read_parquet($2) where record_kind = 'models' and not is_retired"
    )
    files = (str(table_file(name)) for name in ("models", "identifiers"))
    return rows(book, f"{models} union all {former}", *files)


def account(identifier: str, records: Records, of_all: Revisions = NONE, names: Sequence[str] = SHOWN) -> Tables:
    """These tables of one model and its base models, made by the stages."""
    made = _made(names, [identifier], records, of_all)
    relations = {name: made[name] for name in names}
    return _of(
        subset.lineage(identifier, records), names, lambda name, which: sql.rows(relations[name].filter(str(which)))
    )


def published(identifier: str) -> Tables:
    """The same from data/tables, without running stages."""
    with _book() as book:
        return _published(identifier, book)


def _published(identifier: str, book: duckdb.DuckDBPyConnection) -> Tables:
    def select(name: str, which: duckdb.Expression) -> list[dict[str, Any]]:
        return rows(book, f"from read_parquet($1) where {which}", str(table_file(name)))

    return _of([row["part_id"] for row in select("lineages", _is_one_of("model_id", [identifier]))], SHOWN, select)


def estimates(identifiers: Iterable[str], records: Records, of_all: Revisions = NONE) -> dict[str, dict[str, Any]]:
    """The rows of `estimates` of these models, by id, through the same stages."""
    wanted = set(identifiers)
    made = _made(["estimates"], wanted, records, of_all)
    return {row["model_id"]: row for row in sql.rows(made["estimates"]) if row["model_id"] in wanted}


def _made(names: Iterable[str], identifiers: Iterable[str], records: Records, of_all: Revisions) -> dict[str, Any]:
    from pipeline import in_memory
    from pipeline.records import params

    wanted = list(identifiers)
    revised = of_all if subset.has_chips(wanted, records) else {}
    return in_memory.make(names, subset.of_models(wanted, records, is_measured=bool(of_all)), params.load(), revised)


def _of_all() -> Revisions:
    files = {name: table_file(name) for name in OF_ALL}
    return {name: path for name, path in files.items() if path is not None}


def reconciliations(identifiers: Iterable[str], records: Records) -> list[dict[str, Any]]:
    """The rows of `reconciliations` of these models, without utilizations predicted from measurements."""
    from pipeline import in_memory
    from pipeline.records import params

    asked = set(identifiers)
    alone = subset.without_measurements(asked, records)
    made = in_memory.make(["reconciliations"], alone, params.load())
    return [row for row in sql.rows(made["reconciliations"]) if row["model_id"] in asked]


def _of(
    models: Iterable[str], names: Sequence[str], select: Callable[[str, duckdb.Expression], list[dict[str, Any]]]
) -> Tables:
    """The rows of these models, of their networks and of their chips; `select` has those of a table that an expression holds for."""
    parts = sorted(models)
    by_model = _is_one_of("model_id", parts)
    found = {name: select(name, by_model) for name in names if name not in KEYS}
    chips, networks = (
        sorted({row[key] for row in found[name] if row[key]})
        for name, key in (("completed_allocations", "hardware_id"), ("completed_runs", "architecture_id"))
    )
    kind = duckdb.ColumnExpression("record_kind")
    of_records = (kind == "models") & _is_one_of("record_id", parts)
    of_records |= (kind == "hardware") & _is_one_of("record_id", chips)
    which = {
        "record_id": of_records,
        "architecture_id": _is_one_of("architecture_id", networks),
        "hardware_id": _is_one_of("hardware_id", chips),
    }
    return {name: select(name, which[KEYS[name]]) if name in KEYS else found[name] for name in names}


def _is_one_of(column: str, values: Sequence[str]) -> duckdb.Expression:
    if not values:
        return duckdb.ConstantExpression(False)
    return duckdb.ColumnExpression(column).isin(*map(duckdb.ConstantExpression, values))


def as_json(tables: Tables, identifier: str) -> str:
    """The estimate of one model with the tables behind it, as JSON."""
    shown = {name: rows for name, rows in tables.items() if name not in ("estimates", "peaks")}
    for name in ("facts", "fact_quotes"):
        shown[name] = [row for row in tables[name] if row["record_kind"] == "models"]
    return output.as_json({**one(tables["estimates"], model_id=identifier), "account": shown})


def one(rows: list[dict[str, Any]], **keys: Any) -> dict[str, Any]:
    """The first row with these values."""
    return next(row for row in rows if all(row[key] == value for key, value in keys.items()))
