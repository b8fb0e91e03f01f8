"""The page of adjudications: values of another table judged by their sources, with the words and the arithmetic."""

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from pipeline.site.numbers import times
from pipeline.site.report import Row
from schemas.vocabulary import FAULTS, Stratum


class Outcome(NamedTuple):
    """What became of a value, with the heading of its table."""

    title: str
    sentence: str


CORRECTED = Outcome("Corrected", "Where a finding is likely and not clear, the note says what it rests on.")
DROPPED = Outcome("Of another model", "The value belongs to another model or run, so that it has no counterpart.")
SUSPECTED = Outcome(
    "Suspected", "Something does not agree, but what could be read does not settle it: the value stays."
)
STANDING = Outcome("Nothing found wrong", "The note says what was compared, and what could not be read.")
OUTCOMES = (CORRECTED, DROPPED, SUSPECTED, STANDING)


def page(adjudications: Sequence[Row], fact_quotes: Sequence[Row], sources: Sequence[Row], near_ratio: float) -> Row:
    """What the page shows; in each table the values that moved most come first."""
    of_row: dict[tuple[str, str], list[Row]] = {}
    origin = {(each["record_id"], each["source"]): each for each in sources if each["record_kind"] == "adjudications"}
    for each in fact_quotes:
        if each["record_kind"] == "adjudications":
            said = {**each, **origin[each["record_id"], each["source"]]}
            of_row.setdefault((each["record_id"], each["path"]), []).append(said)
    rows = [
        {**row, "outcome": outcome(row), "off": off(row), "quotes": of_row.get((row["record_id"], row["path"]), [])}
        for row in adjudications
    ]
    rows.sort(key=lambda row: (-(row["off"] or 1), row["name"].lower(), row["snapshot"], row["published_flop"]))
    return {
        "tables": [(kind, [row for row in rows if row["outcome"] == kind]) for kind in OUTCOMES],
        "counts": counts(rows, near_ratio),
        "faults": [(FAULTS[word], number) for word, number in faults(rows)],
        "number": len(rows),
        "near": times(near_ratio),
    }


def outcome(row: Row) -> Outcome:
    """What became of a value."""
    if row["corrected_flop"] is None:
        return DROPPED
    if row["corrected_flop"] != row["published_flop"]:
        return CORRECTED
    return STANDING if row["reason"] is None else SUSPECTED


def off(row: Row) -> float | None:
    """The factor between a value and what it should be; None where it has no counterpart."""
    pair = sorted((row["published_flop"], row["corrected_flop"] or 0.0))
    return pair[1] / pair[0] if pair[0] else None


def counts(rows: Sequence[Row], near_ratio: float) -> list[Row]:
    """How many values of each stratum there are, of how many they were drawn, and what became of them."""
    found = []
    for word in Stratum:
        own = [row for row in rows if row["stratum"] == word]
        number = Counter(row["outcome"] for row in own)
        beyond = sum(row["outcome"] == CORRECTED and (row["off"] or 1) > near_ratio for row in own)
        of = round(math.fsum(row["sampling_weight"] for row in own))
        found.append(
            {"stratum": word, "drawn": len(own), "of": of, "outcomes": [number[kind] for kind in OUTCOMES], "beyond": beyond}
        )  # fmt: skip
    return found


def faults(rows: Sequence[Row]) -> list[tuple[str, int]]:
    """Reasons of the values that were corrected or dropped, the most common first."""
    counted = Counter(row["reason"] for row in rows if row["outcome"] in (CORRECTED, DROPPED))
    return sorted(counted.items(), key=lambda each: (-each[1], each[0]))
