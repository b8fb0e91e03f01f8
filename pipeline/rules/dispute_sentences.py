"""Sentences on why the two methods disagree about a model."""

import duckdb

from pipeline.base.text.numbers import percent, times
from pipeline.models import sql
from pipeline.models.sql import Row
from schemas.vocabulary import DISPUTE_CAUSES, DisputeCause


def make(connection: duckdb.DuckDBPyConnection) -> None:
    """Create the table `sentences`, one row per model whose methods disagree."""
    disputes = sql.rows(connection.table("dispute_causes"), ["model_id"])
    sentences = ({"model_id": row["model_id"], "dispute_sentence": _dispute(row)} for row in disputes)
    sql.create(connection, "sentences", sentences)


RULE = sql.PythonRule(("dispute_causes",), make)


def _dispute(row: Row) -> str:
    """Return why the two methods differ: the cause stated in the record, otherwise the one that the numbers show."""
    if row["is_cause_stated"]:
        return str(row["dispute_reason"])
    cause, low, high = row["dispute_cause"], row["like_low_fraction"], row["like_high_fraction"]
    brief = DISPUTE_CAUSES[cause].format(used=percent(row["implied_utilization_fraction"]))
    details = f" (similar runs are expected to reach {percent(low)} to {percent(high)})" if low is not None else ""
    if cause == DisputeCause.DATA:
        side = "more" if row["method_ratio"] < 1 else "less"
        details = (
            f" (within {times(row['data_reach_ratio'])}; {times(row['needed_ratio'])} {side} would end the dispute)"
        )
    return f"{brief[0].upper()}{brief[1:]}{details}."
