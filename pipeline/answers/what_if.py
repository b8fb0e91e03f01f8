"""Recalculate a model's estimate with another utilization, precision, number of epochs or chip."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

import duckdb

from pipeline.publishing.rows import Row, rows
from schemas.figures import Figures
from schemas.vocabulary import HeadlineMethod

FILLED = {  # for each basis, where a precision that is not stated comes from
    "derived": "because its chips have no other",
    "assumed": "by a rule of thumb: the usual precision of such runs on such chips",
}
SHOWN = (
    "training_flop training_flop_low training_flop_high headline_method evidence_class operation_count_flop"
    " gpu_time_flop gpu_time_informed_flop utilization_fraction utilization_basis precision hardware method_ratio"
    " is_disputed dispute_cause implied_utilization_fraction energy_kwh cost_usd cost_usd_low cost_usd_high cost_basis"
    " co2_kg co2_kg_low co2_kg_high"
).split()
ESTIMATE = "from estimates where model_id = $1"
HAS_EXAMPLES = "select count(examples) > 0 from runs where model_id = $1"
WITHOUT_PEAK = """
select h.name, stated_precision as format, a.phase, (
    select string_agg(precision, ', ' order by peak_flop_per_second, precision)
    from peaks where hardware_id = a.hardware_id
) as formats
from allocations a join runs r on r.model_id = a.model_id and r.phase = a.phase
join hardware h on h.hardware_id = a.hardware_id
anti join peaks p on p.hardware_id = a.hardware_id and p.precision = r.stated_precision
where a.model_id = $1 and stated_precision is not null
order by phase_index, allocation"""


def before_and_after(
    connection: duckdb.DuckDBPyConnection, identifier: str, figures: Figures
) -> tuple[dict[str, Any], Row, Row]:
    """Return the changes, and the model's row of `estimates` before and after, from the tables of `engines.one_model`.

    Raises InputError for an impossible figure, and LookupError if a change applies to nothing in the model or if a chip
    lacks the precision.
    """
    from pipeline.engines import one_model
    from pipeline.records.figures import checked
    from schemas.errors import InputError

    amounts, words = checked(figures, one_model.ledger_records(connection))
    ranges = [(name, "is a range; suppose one number") for name, (low, high) in amounts.items() if low != high]
    if ranges:
        raise InputError(ranges)
    changes = words | {name: low for name, (low, _) in amounts.items() if name in figures}
    ((has_examples,),) = connection.execute(HAS_EXAMPLES, [identifier]).fetchall()
    if "epochs" in changes and not has_examples:
        raise LookupError(f"{identifier} states no number of examples, so --epochs changes nothing")
    (before,) = rows(connection, ESTIMATE, identifier)
    one_model.suppose(connection, identifier, changes)
    if words:
        for row in rows(connection, WITHOUT_PEAK, identifier):
            raise LookupError("{name} has no {format} peak, which {phase} needs; it has {formats}".format(**row))
    (after,) = rows(connection, ESTIMATE, identifier)
    of_chips = [name for name in changes if name != "epochs"]
    if of_chips and after["gpu_time_flop"] is None:
        raise LookupError(f"{identifier} has no estimate by GPU time, so --{of_chips[0]} changes nothing")
    return changes, before, after


def lines(before: Row, after: Row) -> Iterator[list[Any]]:
    """Yield one line per quantity that differs: name, values before and after, and their ratio if both are numbers."""
    for name in SHOWN:
        old, new = before[name], after[name]
        if not _is_same(old, new):
            yield [name, old, new, new / old if isinstance(old, float) and isinstance(new, float) else None]


def _is_same(old: Any, new: Any) -> bool:
    # Sums over several phases can differ in their last bits even if nothing changed.
    return old == new or (isinstance(old, float) and isinstance(new, float) and math.isclose(old, new, rel_tol=1e-9))


def remarks(changes: Mapping[str, Any], before: Row, after: Row) -> Iterator[str]:
    """Yield remarks without which the comparison would be misleading."""
    same = [name for name in SHOWN if before[name] is not None and _is_same(before[name], after[name])]
    yield f"unchanged: {', '.join(same) or 'nothing'}"
    if "hardware" in changes:
        yield "the number of chips and their time are kept"
    if before["reported_flop"] is not None:
        yield "the authors' total is for the original run, so it is left out after the change"
    if "utilization" in changes:
        yield "gpu_time_flop always assumes the default utilization; yours is in gpu_time_informed_flop"
    if after["headline_method"] == HeadlineMethod.OPERATION_COUNT and {*changes} - {"epochs"}:
        yield "the headline is the operation count; GPU time can only widen its interval"
    if before["precision"] is not None and before["precision_basis"] in FILLED:
        filled = before["precision"] if before["precision"] == after["precision"] else f"{before['precision']} before"
        yield f"no precision is stated: {filled} is filled in, {FILLED[before['precision_basis']]}"
