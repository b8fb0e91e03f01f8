"""The page of adjudications: another table's values judged by their sources, with the quotations and the arithmetic."""

from collections.abc import Sequence

from pipeline.site.report import Row
from schemas.vocabulary import Stratum

OUTCOMES = {  # a table's heading, and the text above the table
    "corrected": ("Corrected", "If a finding is likely but not certain, the note states its evidence."),
    "dropped": (
        "Another model's value",
        "The value belongs to another model or run, so the ledger has no counterpart.",
    ),
    "suspected": (
        "Suspected",
        "Something does not agree, but the sources that we could read do not settle it, so the value stays.",
    ),
    "standing": ("Nothing found wrong", "The note lists what we compared, and what we could not read."),
}
NONE_DRAWN = {"drawn": 0, "drawn_of": 0, "beyond": 0, **dict.fromkeys(OUTCOMES, 0)}


def page(adjudication_strata: Sequence[Row]) -> Row:
    """Return the page's values: the kinds of outcome, and a row for each stratum, even if no value was drawn from it."""
    strata = {row["stratum"]: row for row in adjudication_strata}
    return {
        "outcomes": OUTCOMES,
        "strata": [strata.get(stratum, {"stratum": stratum.value, **NONE_DRAWN}) for stratum in Stratum],
    }
