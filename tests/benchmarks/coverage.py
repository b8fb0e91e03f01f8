"""Statements by others about our models, and how many of them fall within the published intervals."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
from scipy.stats import beta

from pipeline.models import sql
from pipeline.records import params
from pipeline.rules import adjudicated

# The ends of the column names for each published interval, by the percentage of values that it should contain.
INTERVALS = {95: ("p2_5", "p97_5"), 90: ("low", "high"), 80: ("p10", "p90"), 50: ("p25", "p75")}
STATEMENTS = """
select external_estimate_id, stated_flop, via, inputs, is_disputed, parts = 1 as is_one_part, h.*
from external_estimates join headline_totals h using (model_id) join comparison using (model_id)
join (select model_id, count(*) as parts from lineages group by model_id) using (model_id)
where is_whole and training_flop is not null and outcome not in ('refuted', 'other_scope')
    and external_estimate_id <> 'epoch-blind' -- no fit uses the blind test
order by model_id, external_estimate_id
"""


def share(held: Any) -> dict[str, Any]:
    """Return how many values there are, how many are within their intervals, and the 90 % Jeffreys interval of the share."""
    count, number = int(np.sum(held)), len(held)
    low, high = beta.ppf((0.05, 0.95), count + 0.5, number - count + 0.5)
    return {"held": count, "number": number, "low": float(low), "high": float(high)}


def held(rows: pd.DataFrame, column: str, level: int) -> dict[str, Any]:
    """Return the share of statements within the interval of this percentage; `column` is `stated_flop` or `adjudicated_flop`."""
    rows = rows.dropna(subset=column)
    low, high = INTERVALS[level]
    return share(rows[column].between(rows[f"training_flop_{low}"], rows[f"training_flop_{high}"]))


def log_density(error_log: Any, up: Any, down: Any) -> Any:
    """Return the log density of errors of counts, ln(truth / estimate), given their half-widths above and below the median."""
    half = np.where(error_log < 0, down, up)
    return -3 * np.log1p(np.abs(error_log) / half) - np.log(half)


def ledger(tables: Path) -> duckdb.DuckDBPyConnection:
    """Return a connection with the tables in this folder and the headlines that the rules derive from them."""
    connection = duckdb.connect()
    for file in sorted(tables.glob("*/*.parquet")):
        connection.execute(f"create table \"{file.stem}\" as from '{file}'")
    sql.set_params(connection, params.load().model_dump())
    sql.run(connection, ["headline_totals"], {name for (name,) in connection.execute("show tables").fetchall()})
    return connection


def numbers(connection: duckdb.DuckDBPyConnection) -> dict[str, float]:
    """Return the error's numbers by name (data/records/defaults/uncertainty.yaml)."""
    ((values,),) = connection.execute("select uncertainty from constants").fetchall()
    return dict(values)


def make_headlines(connection: duckdb.DuckDBPyConnection, values: Mapping[str, float]) -> None:
    """Derive the connection's headlines again, with these numbers for the error."""
    changed = f"select * replace (map {dict(values)}::map(varchar, double) as uncertainty) from constants"
    connection.execute(f"create or replace temp table constants as {changed}")
    sql.run(connection, ["headline_totals"], {"comparison", "constants", "params", "parts"})


def statements(connection: duckdb.DuckDBPyConnection) -> pd.DataFrame:
    """Return one row per statement by others about a model with a headline, with the headline's columns.

    `adjudicated_flop` is the value that follows from the statement's own sources. It is the stated value if nobody
    adjudicated it, and NaN if the statement is about another artefact.
    """
    rows = sql.rows(connection.sql(STATEMENTS))
    cells = adjudicated.by_cell(sql.rows(connection.table("adjudications")))
    judged = [adjudicated.judged_via(cells, row["via"], row["stated_flop"]) for row in rows]
    values = [
        ruling["corrected_flop"] if ruling else row["stated_flop"] for row, ruling in zip(rows, judged, strict=True)
    ]
    return pd.DataFrame(rows).assign(adjudicated_flop=np.array(values, float))
