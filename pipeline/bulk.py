"""The stages from imputation to the headline on tables that someone else holds: relations of DuckDB or data frames of Spark in, the same out.

On DuckDB each table made is one lazy query, the stages' compiled SQL over the relations given: nothing is created in their connection, and
what does not fit into memory is spilled. On Spark the stages' expressions run, and what several of them read is kept by local checkpoints.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from typing import Any

import duckdb
import narwhals as nw

from pipeline import compiled, flow
from pipeline.paths import TABLES
from pipeline.records import params
from pipeline.rules import frames
from pipeline.stages import compile_stages
from schemas.spelling import nearest
from schemas.table import ContractError, TableModel, contract_of
from schemas.vocabulary import InputClass, ReportedMethod

# Each kind of column as both engines hold it, and its name in the SQL of both.
KINDS = {
    "str": (nw.String, "STRING"),
    "float": (nw.Float64, "DOUBLE"),
    "int": (nw.Int64, "BIGINT"),
    "bool": (nw.Boolean, "BOOLEAN"),
    "date": (nw.Date, "DATE"),
}
ENGINES = {"duckdb": "DuckDB relation", "pyspark": "Spark data frame", "pyspark_connect": "Spark data frame"}
OWN = InputClass.STATED_BY_USER.value
# What is said of a figure that is stated without it, with the columns that state the figure, in one way or another: else it had no spread.
STATED = {
    "runs": {"examples_class": (OWN, [("examples", "epochs")]), "steps_class": (OWN, [("steps", "batch")])},
    "allocations": {"chip_seconds_class": (OWN, [("stated_chip_seconds",), ("chips", "duration_seconds")])},
    "models": {"reported_method": (ReportedMethod.UNKNOWN.value, [("reported_flop",)])},
}
EMPTY = ("operation_counts", "utilizations", "contributions")  # without rows where none are given
OURS = ("hardware", "peaks", "year_peaks", "defaults")  # the ledger's own where none are given


def estimated(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """The tables made from those given by name, by the engine that holds them; of `OURS` each may be missing, and all but runs,
    allocations and models.

    Raises ContractError with a line for each table or column that is not as its contract says, or for a table of the ledger's own that is
    needed and was not made.
    """
    tables = _as_contracted(given)
    ours = {
        name: frames.rows(flow.made_before(name), *contract_of(name).__grain__) for name in OURS if name not in tables
    }
    defaults = frames.rows(tables.pop("defaults")) if "defaults" in tables else ours.pop("defaults")
    if "lineages" not in tables:
        tables["lineages"] = tables["models"].select("model_id", part_id=nw.col("model_id"))
    ours |= {name: [] for name in EMPTY if name not in tables}
    on_engine = _on_duckdb if tables["models"].implementation is nw.Implementation.DUCKDB else _on_spark
    return on_engine(tables, ours, defaults)


def _as_contracted(given: Mapping[str, Any]) -> dict[str, nw.LazyFrame[Any]]:
    """The columns of each table's contract, in its order; one that may be null and is missing is null."""
    problems: list[str] = []
    tables = {}
    for name, table in given.items():
        frame = nw.from_native(table, pass_through=True)
        engine = ENGINES.get(frame.implementation.value) if isinstance(frame, nw.LazyFrame) else None
        if engine is None:
            kind = f"{type(table).__module__.partition('.')[0]}.{type(table).__qualname__}"
            problems.append(f"{name}: is a {kind}, not a DuckDB relation or a Spark data frame")
            continue
        first, of = next(iter(tables.items()), (name, frame))
        if of.implementation is not frame.implementation:
            problems.append(f"{name}: is a {engine}, and {first} is not; all are of one engine")
        elif (
            frame.implementation is nw.Implementation.DUCKDB
            and tables
            and not _is_same_connection(of.to_native(), table)
        ):
            problems.append(f"{name}: is of another DuckDB connection than {first}; all are of one")
        problems += _mistakes(name, frame.collect_schema(), contract_of(name))
        tables[name] = frame
    if problems:
        raise ContractError("\n".join(problems))
    tables = {name: _with_columns(frame, contract_of(name)) for name, frame in tables.items()}
    return tables | {name: tables[name].with_columns(_stated(name)) for name in STATED.keys() & tables.keys()}


def _mistakes(name: str, found: Mapping[str, Any], contract: type[TableModel]) -> Iterator[str]:
    wanted = contract.__columns__
    for column, kind in found.items():
        if column not in wanted:
            yield f"{name}: {column!r} is no column of this table{nearest(column, wanted)}"
        elif kind != KINDS[wanted[column].kind][0]:
            yield f"{name}: {column} is {kind}, not {KINDS[wanted[column].kind][1]}"
    for column, declared in wanted.items():
        if column not in found and not declared.is_nullable:
            yield f"{name}: has no column {column}, a {KINDS[declared.kind][1]} that is never null"


def _with_columns(frame: nw.LazyFrame[Any], contract: type[TableModel]) -> nw.LazyFrame[Any]:
    found = frame.collect_schema().names()
    return frame.select(
        nw.col(name) if name in found else nw.lit(None).cast(KINDS[declared.kind][0]).alias(name)
        for name, declared in contract.__columns__.items()
    )


def _stated(table: str) -> Iterator[nw.Expr]:
    for name, (word, ways) in STATED[table].items():
        known = [nw.all_horizontal(*(~nw.col(each).is_null() for each in way), ignore_nulls=True) for way in ways]
        own = nw.when(nw.any_horizontal(*known, ignore_nulls=True)).then(nw.lit(word))
        yield nw.coalesce(nw.col(name), own).alias(name)


def _on_duckdb(
    tables: Mapping[str, Any], ours: Mapping[str, list[dict[str, Any]]], defaults: list[Any]
) -> Mapping[str, Any]:
    relations = {name: frame.to_native() for name, frame in tables.items()}
    # What a relation reads of Python's lives as long as a relation made from it, and not for its text alone.
    held = reduce(lambda one, other: one.union(other), (each.project("true") for each in relations.values()))
    # Names of the caller's own tables stand in the texts of relations: those of the stages may hide none of them.
    parts = [f'"flop_ledger_{name}" as materialized ({each.sql_query()})' for name, each in relations.items()]
    parts += [f'"{name}" as not materialized (from "flop_ledger_{name}")' for name in relations]
    parts += [f'"{name}" as materialized ({_as_sql(rows, name)})' for name, rows in ours.items()]
    outputs = {name for stage in compiled.STAGES for name in flow.wiring(stage).outputs}
    queries = {}
    statements = _statements(defaults)
    for stage in compiled.STAGES:
        for name, sql, view in statements[stage]:
            if view is None:
                parts.append(f'"{name}" as materialized ({sql})')
            else:
                parts.append(f'"{name}{compiled.ROWS}" as materialized ({sql})')
                parts.append(f'"{name}" as not materialized ({view})')
            if name in outputs:
                queries[name] = f'with {", ".join(parts)} from "{name}"'
    return _Queries(held, queries)


class _Queries(Mapping[str, Any]):
    """Relations by name; each is bound when it is asked for, which takes a second or two."""

    def __init__(self, held: duckdb.DuckDBPyRelation, queries: Mapping[str, str]) -> None:
        self._held, self._queries = held, queries

    def __getitem__(self, name: str) -> duckdb.DuckDBPyRelation:
        return self._held.query("flop_ledger", self._queries[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._queries)

    def __len__(self) -> int:
        return len(self._queries)


def _is_same_connection(one: duckdb.DuckDBPyRelation, other: duckdb.DuckDBPyRelation) -> bool:
    try:
        one.project("true").union(other.project("true"))
    except duckdb.InvalidInputException:
        return False
    return True


def _statements(defaults: list[dict[str, Any]]) -> Mapping[str, list[compiled.Statement]]:
    parameters = params.load()
    stored = compiled.stored(TABLES / compiled.FILE, compiled.digest(parameters, defaults))
    return stored or compile_stages.statements(defaults, parameters)


def _as_sql(rows: Iterable[Mapping[str, Any]], name: str) -> str:
    """A query of these rows, in a text: a caller's connection may be allowed to read no file and no variable of Python's."""
    columns = contract_of(name).__columns__
    lines = [f"({', '.join(_literal(row[column]) for column in columns)})" for row in rows]
    typed = ", ".join(f'"{column}"::{KINDS[each.kind][1]} as "{column}"' for column, each in columns.items())
    values = ", ".join(lines or [f"({', '.join('null' for _ in columns)})"])
    return f"select {typed} from (values {values}) as rows({', '.join(columns)}) where {'true' if lines else 'false'}"


def _literal(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool | int):
        return str(value)
    return f"{value!r}::DOUBLE" if isinstance(value, float) else "'" + str(value).replace("'", "''") + "'"


def _on_spark(
    tables: Mapping[str, Any], ours: Mapping[str, list[dict[str, Any]]], defaults: list[Any]
) -> dict[str, Any]:
    session = tables["models"].to_native().sparkSession
    made = {**tables}
    for name, rows in ours.items():
        columns = contract_of(name).__columns__
        schema = ", ".join(f"`{column}` {KINDS[each.kind][1]}" for column, each in columns.items())
        made[name] = nw.from_native(
            session.createDataFrame([tuple(row[column] for column in columns) for row in rows], schema)
        )
    parameters = params.load()
    stages = [flow.expressions(name, parameters) for name in compiled.STAGES]
    read = {name for stage in stages for name in stage.tables}
    with duckdb.connect() as connection, frames.holding(_checkpointed):
        # Stages look up numbers in the defaults: each look would be a job of Spark's.
        made["defaults"] = nw.from_native(connection.sql(_as_sql(defaults, "defaults")))
        for stage in stages:
            result = stage.build(**{name: made[name] for name in stage.tables}, **stage.others)
            results = result._asdict() if hasattr(result, "_asdict") else dict.fromkeys(stage.outputs, result)
            for name, contract in stage.outputs.items():
                table = results[name].select(*contract.__columns__)
                made[name] = _checkpointed(table) if name in read else table
    return {name: made[name].to_native() for stage in stages for name in stage.outputs}


def _checkpointed(frame: Any) -> Any:
    # With how they were made cut off, since Spark plans all of that anew for each query on them; released when nothing refers to them.
    return nw.from_native(frame.to_native().localCheckpoint())
