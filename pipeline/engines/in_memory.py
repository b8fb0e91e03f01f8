"""Make the stages' tables from records in memory, for other catalogues, validation and tests.

Columns have the types in the tables' contracts, but only stages check the contracts.
"""

from collections.abc import Iterable
from typing import Any

import duckdb

from pipeline.models import sql
from pipeline.rules import impossible_amounts
from schemas.tables import comparisons, estimates

FEW_MODELS = 20  # for so few, several threads are slower, and would change the last bits, which a test compares
CHECKED, ESTIMATED = tuple(comparisons.TABLES), tuple(estimates.TABLES)


def make(names: Iterable[str], records: Any, parameters: Any) -> dict[str, Any]:
    """Return these tables and the tables from which they are made, as DuckDB relations by name.

    Raise ContractError if a rule cannot run.
    """
    from pipeline.rules.ingestion.tables import INGESTED  # imports slowly, and many callers only need the constants

    needed = set(names)
    rule_tables = sorted(needed & sql.tables())
    empty = set() if records.measurements else {"utilization_model"}  # whose fit imports numpy
    # Of the tables from records, only those that the rules or the caller need are filled.
    read = (needed | sql.inputs(rule_tables, empty)) & INGESTED.keys()
    connection = duckdb.connect(config={"threads": 1} if len(records.models) <= FEW_MODELS else {})
    for name in sorted({*read, *empty}):
        columns = ", ".join(f'"{column}" {kind}' for column, kind in sql.types_of(name).items())
        connection.execute(f'create table "{name}" ({columns})')  # in the schema main, where back-tests read it
        sql.insert(connection, name, INGESTED[name](records, parameters) if name in read else ())
    sql.set_params(connection, parameters.model_dump())
    return {
        name: connection.table(name)
        for name in {*read, *empty, *impossible_amounts.run(connection, rule_tables, empty)}
    }
