"""Rows of `second_readings`: facts as found by a second reader, who had not seen the ledger's record."""

from collections.abc import Iterator

from pipeline.models.sql import Row
from pipeline.rules.ingestion import cell_of, columns
from schemas.records import Reading, Records


def second_readings(records: Records) -> Iterator[Row]:
    """Yield one row per fact that a second reader looked for."""
    return (
        {
            **columns(record, "seed read_on saw_estimates"),
            "reader": identifier,
            "model_id": model_id,
            **_reading(reading),
        }
        for identifier, record in records.second_readings.items()
        for model_id, read in record.models.items()
        for reading in read.facts
    )


def _reading(reading: Reading) -> Row:
    """Return the columns of one fact as a second reader read it, and of the decision if it differed from the record."""
    settled = reading.settled
    return {
        **columns(reading, "path unit derived doubt note", locator="where", is_not_found="not_found"),
        **columns(reading.amount, "amount bound"),
        "written": reading.amount.written if reading.amount else reading.word,
        "words": cell_of(reading.words),
        "found_at": cell_of(reading.place),
        **columns(settled, settlement="decision", settlement_reason="reason", settlement_place="place"),
        "settlement_words": settled and cell_of(settled.words),
        "ledger_had": str(settled.ledger_had) if settled and settled.ledger_had is not None else None,
    }
