"""The rules on tables that someone else holds: relations of one DuckDB connection in, relations out. Spark data frames go to on_spark.py.

The rules run on a cursor of the caller's connection: it shares their database, limit of memory and place for spilled rows, and has
temporary tables of its own. So nothing of the caller's is hidden or changed, and a connection that may only read is enough.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import chain
from typing import Any

import duckdb
import pyarrow.parquet as pq

from pipeline import contracts, sql
from pipeline.paths import table_file
from pipeline.records import params
from schemas.errors import ContractError
from schemas.spelling import nearest

RESULTS = ("completed_runs", "completed_allocations", "operation_estimates", "gpu_time_estimates", "energy_estimates",
           "reconciliations", "dispute_causes", "estimates")  # fmt: skip
EMPTY = ("operation_counts", "utilizations", "contributions")  # without rows where none are given
LEDGER = ("hardware", "peaks", "year_peaks", "defaults")  # the ledger's where none are given
DUCKDB, SPARK = "DuckDB relation", "Spark data frame"
TYPES = {
    "string": "VARCHAR",
    "double": "DOUBLE",
    "int64": "BIGINT",
    "bool": "BOOLEAN",
    "date32[day]": "DATE",
}  # Arrow's in SQL
# By column, what counts for a figure whose evidence nobody states: it is the caller's.
STATED = {
    "examples_class": "if(examples + epochs is not null, 'stated_by_user', null)",
    "steps_class": "if(steps + batch is not null, 'stated_by_user', null)",
    "chip_seconds_class": "if(coalesce(stated_chip_seconds, chips * duration_seconds) is not null, 'stated_by_user', null)",
    "reported_method": "if(reported_flop is not null, 'unknown', null)",
}


@cache
def declared(name: str) -> tuple[dict[str, str], list[str], tuple[str, ...]]:
    """What the data dictionary says of a table: its columns with their types in SQL, those that are never null, those that identify a row."""
    contract = contracts.contract_of(name)
    types = {field.name: TYPES[str(field.type)] for field in contracts.arrow_schema(contract)}
    return (
        types,
        [column for column, null in contracts.nulls(contract).items() if null is None],
        contracts.grain(contract),
    )


def estimated(given: Mapping[str, Any]) -> dict[str, Any]:
    """The tables of `RESULTS` by name, held by the engine that holds those given; `runs`, `allocations` and `models` are needed.

    Raises ContractError with a line for each mistake.
    """
    files = {name: table_file(name) for name in LEDGER if name not in given}
    mistakes = [line for name, table in given.items() for line in _column_mistakes(name, table, given)]
    mistakes += [
        f"{name}: is missing in data/tables; `make repro` makes it" for name, file in files.items() if file is None
    ]
    if mistakes:
        raise ContractError("\n".join(mistakes))
    small = {name: pq.read_table(file) for name, file in files.items()}
    small |= {name: contracts.arrow_table([], contracts.contract_of(name)) for name in EMPTY if name not in given}
    choices = params.load().model_dump()
    if _engine(given["models"]) == SPARK:
        from pipeline import on_spark

        return on_spark.estimated(given, small, choices)
    cursor = given["models"]._con.cursor()  # duckdb has no public way from a relation to its connection
    relations = (
        (name, relation.to_arrow_reader()) for name, relation in given.items()
    )  # a connection has one open reader at most
    make(cursor, chain(small.items(), relations), choices)
    return {name: cursor.table(name) for name in RESULTS}


def make(connection: duckdb.DuckDBPyConnection, tables: Iterable[tuple[str, Any]], choices: Mapping[str, Any]) -> None:
    """Makes the results in the connection, as temporary tables, from names with Arrow tables or readers, and the blocks of params.yaml.

    Raises ContractError with a line for each column with nulls or numbers that are not finite, and each table with a key twice.
    """
    mistakes, given = [], set()
    for (
        name,
        rows,
    ) in tables:  # copied: no cursor sees temporary tables, the schema or the transaction of the caller's connection
        types, _, _ = declared(name)
        columns = (
            column if column in rows.schema.names else f"null::{kind} as {column}" for column, kind in types.items()
        )
        stated = ", ".join(f"coalesce({column}, {STATED[column]}) as {column}" for column in types if column in STATED)
        connection.register("given_rows", rows)
        connection.execute(f"""create temp table {name} as select * {stated and f"replace ({stated})"}
            from (select {", ".join(columns)} from given_rows)""")
        connection.unregister("given_rows")
        mistakes += _row_mistakes(connection, name)
        given.add(name)
    if mistakes:
        raise ContractError("\n".join(mistakes))
    if "lineages" not in given:
        connection.execute("create temp table lineages as select model_id, model_id as part_id from models")
    sql.set_params(connection, choices)
    try:
        made = sql.run(connection, RESULTS, given)
    except sql.RuleError as problem:
        raise ContractError(str(problem)) from None
    for name in {*made, *given} - {*RESULTS}:  # they would stay in memory as long as a result does
        connection.execute(f"drop table {name}")


def _engine(table: Any) -> str | None:
    if isinstance(table, duckdb.DuckDBPyRelation):
        return DUCKDB
    return SPARK if "pyspark" in sys.modules and isinstance(table, sys.modules["pyspark"].sql.DataFrame) else None


def _column_mistakes(name: str, table: Any, given: Mapping[str, Any]) -> Iterator[str]:
    engine = _engine(table)
    if engine is None:
        kind = f"{type(table).__module__.partition('.')[0]}.{type(table).__qualname__}"
        yield f"{name}: is a {kind}, not a {DUCKDB} or a {SPARK}"
        return
    first = next(other for other in given if _engine(given[other]))
    if _engine(given[first]) != engine:
        yield f"{name}: is a {engine}, and {first} is not; all are of one engine"
    elif engine == DUCKDB and table._con is not given[first]._con:
        yield f"{name}: is of another DuckDB connection than {first}; all are of one"
    wanted, never_null, _ = declared(name)
    listed = table.dtypes if engine == SPARK else zip(table.columns, table.types, strict=True)
    types = {column: str(kind).upper().replace("STRING", "VARCHAR") for column, kind in listed}
    for column, kind in types.items():
        if column not in wanted:
            yield f"{name}: {column!r} is no column of this table{nearest(column, wanted)}"
        elif kind != wanted[column]:
            yield f"{name}: {column} is {kind}, not {wanted[column]}"
    for column in never_null:
        if column not in types:
            yield f"{name}: has no column {column}, a {wanted[column]} that is never null"


def _row_mistakes(connection: duckdb.DuckDBPyConnection, name: str) -> Iterator[str]:
    types, never_null, key = declared(name)
    rules = {f"{column} is null": f"{column} is null" for column in never_null}
    rules |= {
        f"{column} is not finite": f"not isfinite({column})" for column, kind in types.items() if kind == "DOUBLE"
    }
    counted = f"count(*), min(concat_ws(' ', {', '.join(key)}))"
    queries = [f"select '{words}', {counted} from {name} where {condition}" for words, condition in rules.items()]
    repeated = f"select {', '.join(key)} from {name} group by all having count(*) > 1"
    queries.append(f"select 'several rows have the same {', '.join(key)}', {counted} from ({repeated})")
    for words, count, first in connection.execute(" union all ".join(queries)).fetchall():
        if count:
            yield f"{name}: {words}, {count} times, first {first}"
