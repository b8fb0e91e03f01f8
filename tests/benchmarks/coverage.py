"""Statements by others about our models, and how many of them fall within the published intervals."""

import math
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
from scipy.stats import beta

from pipeline.catalogues.record_lookup import CELL
from pipeline.models import sql
from pipeline.records import params

# The ends of the column names for each published interval, by the percentage of values that it should contain.
INTERVALS = {90: ("low", "high"), 50: ("p25", "p75")}
STATEMENTS = """
select external_estimate_id, stated_flop, via, inputs, parts = 1 as is_one_part, h.*
from external_estimates join headline_totals h using (model_id) join comparison using (model_id)
join (select model_id, count(*) as parts from lineages group by model_id) using (model_id)
where is_whole and training_flop is not null and outcome not in ('refuted', 'other_scope')
    and external_estimate_id <> 'epoch-blind' -- no fit uses the blind test
order by model_id, external_estimate_id
"""


def share(held: Any) -> dict[str, Any]:
    """Return the number of values, how many are within their intervals, and the 90 % Jeffreys interval of the share."""
    count, number = int(np.sum(held)), len(held)
    low, high = beta.ppf((0.05, 0.95), count + 0.5, number - count + 0.5)
    return {"held": count, "number": number, "low": float(low), "high": float(high)}


def held(rows: pd.DataFrame, column: str, level: int) -> dict[str, Any]:
    """Return the share of statements within the interval of this percentage; `column` ends in `_flop`."""
    rows = rows.dropna(subset=column)
    low, high = INTERVALS[level]
    return share(rows[column].between(rows[f"training_flop_{low}"], rows[f"training_flop_{high}"]))


def log_density(error_log: Any, up: Any, down: Any) -> Any:
    """Return the log density of errors of counts, ln(truth / estimate), given half-widths above and below."""
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


def is_of(adjudication: sql.Row, snapshot: str, name: str, flop: float) -> bool:
    """Return whether an adjudication is of this value; a snapshot may have 3300100000000010.0 for 3.3e15."""
    is_row = adjudication["snapshot"] == snapshot and adjudication["name"].split() == name.split()  # no-break spaces
    return is_row and math.isclose(adjudication["published_flop"], flop, rel_tol=1e-3)


def statements(connection: duckdb.DuckDBPyConnection) -> pd.DataFrame:
    """Return one row per statement by others about a model with a headline, with the headline's columns.

    `adjudicated_flop` is the value that follows from the statement's own sources. It is the stated value if nobody
    adjudicated it, and NaN if the statement is about another artefact.
    """
    rows = sql.rows(connection.sql(STATEMENTS))
    adjudications, values = sql.rows(connection.table("adjudications")), []
    for row in rows:
        cell = CELL.fullmatch(row["via"] or "")
        place = (cell["snapshot"], cell["name"], row["stated_flop"]) if cell else ("", "", 0)
        ruling = next((entry for entry in adjudications if is_of(entry, *place)), None)
        values.append(ruling["corrected_flop"] if ruling else row["stated_flop"])
    return pd.DataFrame(rows).assign(adjudicated_flop=np.array(values, float))
