"""The thresholds of the European Commission's guidelines: both of its approaches per model, with what they assume."""

from pipeline.site import guidelines
from pipeline.site.ledger import Ledger, Row
from pipeline.site.page import Site
from schemas.vocabulary import THRESHOLDS

LEAST = 0.05  # probability of being above the first threshold from which on a model is listed


def write(site: Site, ledger: Ledger) -> None:
    """Writes eu.html, and for each model on it eu/<id>.html, the statement that `flopledger export --eu` writes."""
    first = THRESHOLDS[0].column
    rows = sorted((row for row in ledger.models if (row[first] or 0) >= LEAST), key=lambda row: (-(row["training_flop"] or 0), row["model_id"]))  # fmt: skip
    known = [row for row in ledger.models if row["training_flop"] is not None]
    site.page(
        "eu.html",
        "eu.html",
        rows=[
            {
                **row,
                "parts": guidelines.hardware_parts(row["model_id"], ledger.of),
                "is_within": guidelines.is_within(row),
            }
            for row in rows
        ],
        counts=[(each.flop, *_counts(known, each.column)) for each in THRESHOLDS if each.flop in guidelines.PARAGRAPHS],
        thresholds=THRESHOLDS,
        rules=guidelines.RULES,
        guidelines=guidelines.GUIDELINES,
        within=sum(map(guidelines.is_within, known)),
        known=len(known),
    )
    for row in rows:
        statement = guidelines.statement(row["model_id"], ledger.of, ledger.version)
        site.page(f"eu/{row['model_id']}.html", "eu_statement.html", **statement)


def _counts(rows: list[Row], name: str) -> tuple[int, int]:
    """How many are above with at least 95 %, and how many are undecided."""
    return sum(row[name] > 0.95 for row in rows), sum(0.05 <= row[name] <= 0.95 for row in rows)
