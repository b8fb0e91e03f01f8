"""Predict utilization for cases that a user asks about, by the same rules as for every estimate."""

from collections.abc import Iterable, Mapping

import duckdb

from pipeline.models import sql
from pipeline.publishing import database
from pipeline.records import params
from pipeline.rules.utilization.cases import utilization_case

STATED = {
    "allocation": "bigint", "network": "varchar", "utilization_case": "varchar", "precision": "varchar",
    "hardware_id": "varchar", "chips": "double", "intensity": "double",
}  # fmt: skip
ASKED_CASES = """
    create or replace temp table asked_cases as
    select '' as model_id, '' as phase, s.allocation, s.network, s.precision, generation, s.hardware_id,
        peak_flop_per_second, s.chips, 'production' as run_kind, default_value as default_utilization_fraction,
        s.intensity, null::double as work_flop
    from stated_cases s join hardware using (hardware_id) join peaks using (hardware_id, precision)
    join defaults on quantity = 'utilization' and applies_to = utilization_case
"""


def tables_of_cases(
    connection: duckdb.DuckDBPyConnection, cases: Iterable[Mapping[str, object]], *wanted: str
) -> duckdb.DuckDBPyConnection:
    """Return a cursor with the `wanted` tables of pipeline/models for these cases.

    A case contains network, precision, hardware_id and, if known, chips and intensity (forward FLOP per elementwise
    operation).
    The column `allocation` is the index of the case. A case has no rows if its chip has no peak at its precision.
    """
    numbered_cases = [
        {"intensity": None, **case, "allocation": number, "utilization_case": utilization_case(str(case["network"]))}
        for number, case in enumerate(cases)
    ]
    cursor = connection.cursor()
    cursor.execute(database.SEARCHED)
    sql.set_params(cursor, params.load().model_dump())
    sql.create(cursor, "stated_cases", numbered_cases, STATED)
    cursor.execute(ASKED_CASES)
    sql.run(cursor, wanted, sql.tables() - {*wanted})
    return cursor
