"""Sentences on why the two methods disagree about a model."""

import duckdb

from pipeline.base.text.numbers import percent, times
from pipeline.models import sql
from pipeline.models.sql import Row
from schemas.vocabulary import DISPUTE_CAUSES, DisputeCause

READ = ("dispute_causes", "params")


def make(connection: duckdb.DuckDBPyConnection) -> None:
    """Create the table `sentences`, one row per model whose methods disagree."""
    disputes = sql.rows(connection.table("dispute_causes"), ["model_id"])
    ((choices,),) = connection.execute("select reconcile from params").fetchall()
    sentences = (
        {
            "model_id": dispute["model_id"],
            "dispute_sentence": _dispute(dispute, choices),
        }
        for dispute in disputes
    )
    sql.create(connection, "sentences", sentences)


RULE = sql.PythonRule(READ, make)


def _dispute(row: Row, choices: Row) -> str:
    """Return why the two methods differ: the cause stated in the record, otherwise the one that the numbers show."""
    cause = DisputeCause(row["dispute_cause"])
    if row["is_cause_stated"]:
        return str(row["dispute_reason"])
    low, high = row["like_low_fraction"], row["like_high_fraction"]
    like = f"{percent(low)} to {percent(high)}" if low is not None else None
    used, apart = row["implied_utilization_fraction"], 1 / row["method_ratio"]
    match cause:
        case DisputeCause.SLOW_AS_LIKE_RUNS | DisputeCause.SLOW_UNLIKE_OTHERS:
            measured = f"similar runs are expected to reach {like}" if like else "no similar run was measured"
            return (
                f"Unexplained: by the count the chips reached {percent(used)} of their peak; {measured},"
                f" and the default is {percent(row['default_utilization_fraction'])}."
            )
        case DisputeCause.NETWORK_OR_SCOPE if row["is_from_parameters"]:
            return (
                "The count is 6 × parameters × tokens. It leaves out attention, and repeated use of the same"
                " parameters."
            )
        case DisputeCause.NETWORK_OR_SCOPE:
            return "The time covers a search; the count covers its result."
        case DisputeCause.MACHINE if row["is_hardware_imputed"]:
            return (
                "The chip is not stated. With the usual peak of that year's chips, the GPU time is"
                f" {apart:.3g} times the count."
            )
        case DisputeCause.MACHINE:
            return (
                f"The precision is not stated. With the one that we inferred, the GPU time is {apart:.3g} times the"
                f" count; with the chip's other precision, it would be {1 / row['ratio_at_other_format']:.3g} times"
                " the count."
            )
        case DisputeCause.DATA:
            return _data(row, choices)
        case DisputeCause.TOO_FAST:
            measured = (
                f"whereas similar runs are expected to reach {like}" if like else "and no similar run was measured"
            )
            return (
                f"The count would need {percent(used)} of the chips' peak, {measured}."
                " The stated chips or days are probably too few."
            )
    return DISPUTE_CAUSES[cause].meaning


def _data(row: Row, choices: Row) -> str:
    """Return how uncertain the amount of data is, and how far off it must be for the two methods to agree."""
    side = "more" if row["method_ratio"] < 1 else "less"
    problem = (
        "The stated epochs and steps contradict each other"
        if row["is_examples_inconsistent"]
        else "How much data was used is not known exactly"
    )
    return (
        f"{problem} (within {times(row['data_reach_ratio'])}); {times(row['needed_ratio'])} {side} data would bring"
        f" the two methods within {choices['dispute_ratio']:g}x."
    )
