"""Rows of `second_readings`: facts as read by somebody who had not seen the ledger's record."""

from collections.abc import Iterable, Iterator

from pipeline.models.sql import Row
from pipeline.rules.ingestion import same
from schemas.readings import Reading
from schemas.records import Records


def second_readings(records: Records) -> Iterator[Row]:
    """Yield one row per fact that a second reader looked for."""
    return (
        {"seed": record.seed, "reader": identifier, "model_id": model_id, "read_on": record.read_on}
        | {"saw_estimates": record.saw_estimates, **_read(reading), **_settled(reading)}
        for identifier, record in records.second_readings.items()
        for model_id, read in record.models.items()
        for reading in read.facts
    )


def _read(reading: Reading) -> Row:
    amount = reading.amount
    return {
        **same(reading, "path unit derived doubt note"),
        "written": amount.written if amount else reading.word,
        "amount": amount.amount if amount else None,
        "bound": amount.bound.value if amount and amount.bound else None,
        "words": _several(reading.words),
        "found_at": _several(reading.place),
        "locator": reading.where,
        "is_not_found": reading.not_found,
    }


def _settled(reading: Reading) -> Row:
    settled = reading.settled
    if settled is None:
        return {}
    return {
        "settlement": settled.decision.value,
        "settlement_reason": settled.reason,
        "settlement_words": _several(settled.words),
        "settlement_place": settled.place,
        "ledger_had": None if settled.ledger_had is None else str(settled.ledger_had),
    }


def _several(words: Iterable[str]) -> str | None:
    return " | ".join(words) or None
