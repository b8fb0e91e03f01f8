"""The page of the watchdog: rows of Epoch's table whose note on compute does not agree with the row or with itself."""

from collections.abc import Sequence

from pipeline.site.report import Row
from schemas.vocabulary import NoteFinding


def page(note_findings: Sequence[Row]) -> Row:
    """What the page shows: findings by reason, the largest models first."""
    largest = sorted(note_findings, key=lambda row: -max(row["table_flop"] or 0, row["note_flop"]))
    return {"reasons": {each.words: [row for row in largest if row["finding_reason"] == each] for each in NoteFinding}}
