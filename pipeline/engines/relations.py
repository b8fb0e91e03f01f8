"""Run the rules on a caller's tables, which are relations on one DuckDB connection. For Spark, see spark.py.

The rules run on a cursor of the caller's connection. The cursor shares the database, memory limit and spill folder, but
has its own temporary tables. So the caller's tables are neither hidden nor changed, and the database may be read-only.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.base.paths import table_file
from pipeline.models import sql
from pipeline.records import params
from pipeline.rules import impossible_amounts
from schemas import contracts
from schemas.errors import ContractError
from schemas.spelling import nearest
from schemas.tables import columns_of, grain

RESULTS = ("completed_runs", "completed_allocations", "operation_estimates", "gpu_time_estimates", "energy_estimates",
           "costs", "carbon", "footprints",
           "reconciliations", "dispute_causes", "estimates")  # fmt: skip
EMPTY = ("operation_counts", "contributions")  # empty unless the caller gives them
# Taken from the ledger unless the caller gives them.
LEDGER = (
    "hardware",
    "peaks",
    "year_peaks",
    "defaults",
    "utilization_model",
    "own_shares",
    "hardware_prices",
    "grid_factors",
)
# A caller's figure without an evidence class counts as stated by the user.
STATED = {
    "runs": """examples_class = coalesce(examples_class, if(examples + epochs is null, null, 'stated_by_user')),
        steps_class = coalesce(steps_class, if(steps + batch is null, null, 'stated_by_user'))""",
    "allocations": """chip_seconds_class = coalesce(chip_seconds_class,
        if(coalesce(stated_chip_seconds, chips * duration_seconds) is null, null, 'stated_by_user'))""",
    "models": "reported_method = coalesce(reported_method, if(reported_flop is null, null, 'unknown'))",
}


@cache
def table_contract(name: str) -> tuple[pa.Schema, list[str], tuple[str, ...]]:
    """Return a table's schema, the columns that may not be null, and its key columns."""
    never_null = [column for column, place in columns_of(name).items() if place.null is None]
    return contracts.arrow_schema(name), never_null, grain(name)


def estimate(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the tables of `RESULTS` by name, on the caller's connection.

    Raise ContractError with one line per mistake.
    """
    other_tables, choices = ledger_tables(given)
    cursor = _connection(given["models"]).cursor()
    readers = {name: relation.to_arrow_reader for name, relation in given.items()}
    make(cursor, readers | {name: table.to_reader for name, table in other_tables.items()}, choices)
    return {name: cursor.table(name) for name in RESULTS}


def is_of_spark(table: Any) -> bool:
    """Return whether a table is a Spark data frame."""
    return getattr(table, "sparkSession", None) is not None


def ledger_tables(given: Mapping[str, Any]) -> tuple[dict[str, pa.Table], dict[str, Any]]:
    """Return the ledger's tables for the tables that are not given, and the blocks of params.yaml.

    Raise ContractError with one line per mistake in the columns of the given tables.
    """
    holder = _connection(given["models"])
    files = {name: table_file(name) for name in LEDGER if name not in given}
    mistakes = [line for name, table in given.items() for line in _column_mistakes(name, table, holder)]
    mistakes += [f"{name}: is missing in data/tables; `make repro` makes it" for name in files if files[name] is None]
    if mistakes:
        raise ContractError("\n".join(mistakes))
    other_tables = {name: pq.read_table(file) for name, file in files.items()}
    other_tables |= {name: table_contract(name)[0].empty_table() for name in EMPTY if name not in given}
    return other_tables, params.load().model_dump()


def make(connection: duckdb.DuckDBPyConnection, readers: Mapping[str, Any], choices: Mapping[str, Any]) -> None:
    """Make the results as temporary tables. `readers` opens an Arrow reader per table; `choices` is params.yaml.

    Rows are copied, because a cursor does not see its connection's temporary tables, current schema or open
    transaction. Raise ContractError with one line per column with nulls or non-finite numbers and per repeated key. If
    there are none, raise it with one line per phase with impossible amounts.
    """
    mistakes: list[str] = []
    for name, reader in readers.items():  # one at a time, because a connection allows only one open reader
        connection.register("no_rows", table_contract(name)[0].empty_table()).register("given_rows", reader())
        connection.execute(f"create temp table {name} as from no_rows union all by name from given_rows")
        connection.unregister("no_rows").unregister("given_rows")
        mistakes += _row_mistakes(connection, name)
        if name in STATED:
            connection.execute(f"update {name} set {STATED[name]}")
    if mistakes:
        raise ContractError("\n".join(mistakes))
    if "lineages" not in readers:
        connection.execute("create temp table lineages as select model_id, model_id as part_id from models")
    sql.set_params(connection, choices)
    impossible_amounts.run(connection, RESULTS, readers.keys())


def _connection(table: Any) -> Any:
    """Return the connection of a relation (private in duckdb) or the Spark session of a data frame, otherwise None."""
    return getattr(table, "_con", None) or getattr(table, "sparkSession", None)


def _column_mistakes(name: str, table: Any, holder: Any) -> Iterator[str]:
    """Yield a line for each wrong or missing column of a given table, without reading its rows.

    Tables must share the connection or session of `holder`, because rules join them.
    """
    if _connection(table) is None:
        yield f"{name}: is a {type(table).__name__}, not a DuckDB relation or a Spark data frame"
        return
    if holder not in (_connection(table), None):
        yield f"{name}: does not belong to the DuckDB connection or Spark session of models"
    expected, never_null, _ = table_contract(name)
    schema = (table.limit(0).toArrow() if hasattr(table, "toArrow") else table.limit(0).to_arrow_table()).schema
    for field in schema:
        if field.name not in expected.names:
            yield f"{name}: {field.name!r} is not a column of this table{nearest(field.name, expected.names)}"
        elif field.type != expected.field(field.name).type:
            yield f"{name}: {field.name} is {field.type}, not {expected.field(field.name).type}"
    missing = [column for column in never_null if column not in schema.names]
    yield from (f"{name}: has no column {column} ({expected.field(column).type}), never null" for column in missing)


def _row_mistakes(connection: duckdb.DuckDBPyConnection, name: str) -> Iterator[str]:
    """Yield a line for each rule that rows break (no nulls, finite numbers, distinct keys), with the first such key."""
    schema, never_null, keys = table_contract(name)
    key, doubles = ", ".join(keys), [field.name for field in schema if field.type == "double"]
    faulty_rows = {f"{column} is null": f"{name} where {column} is null" for column in never_null}
    faulty_rows |= {f"{column} is not finite": f"{name} where not isfinite({column})" for column in doubles}
    faulty_rows[f"the same {key} in several rows"] = f"(select {key} from {name} group by all having count(*) > 1)"
    counts = [
        f"select '{words}', count(*), min(concat_ws(' ', {key})) from {rows}" for words, rows in faulty_rows.items()
    ]
    fault_counts = connection.execute(" union all ".join(counts)).fetchall()
    yield from (f"{name}: {words}, {count} times, first {first}" for words, count, first in fault_counts if count)
