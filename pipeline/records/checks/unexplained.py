"""Numbers of a derivation that nothing explains: they stand in no quote and no other fact, and are neither a unit nor an assumption.

`python -m pipeline.records.checks.unexplained` prints those of all records, or of the files and folders that it is
given.
"""

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from pipeline.base.paths import ROOT
from pipeline.records import loading
from pipeline.records.evidence import digits, digits_in
from schemas import records as schema
from schemas.arithmetic import COUNT_WORDS, numbers
from schemas.facts import Fact, Seen
from schemas.records import Measurement, Record, Setting
from schemas.units import DAY_SECONDS, HOUR_SECONDS
from schemas.vocabulary import Evidence

# Seconds, minutes, hours, days and weeks; bits of a byte; the two operations of a multiply-add, and a half; KiB; GB of
# a GiB.
CONVERSIONS = frozenset(
    {0.5, 1.0, 2.0, 7.0, 8.0, 24.0, 60.0, 1024.0, float(HOUR_SECONDS), float(DAY_SECONDS), 1.073741824}
)
SPELT = {
    word: digits(f"{value:g}")
    for word, value in {**COUNT_WORDS, "dozen": 12, "twice": 2, "double": 2, "pair": 2}.items()
    if value >= 1
}


def unexplained_numbers(record: Record) -> list[tuple[str, str]]:
    """Path of the fact and the number as `derived` writes it, of each that a quoted or unseen fact leaves unexplained.

    Of a table we keep the place and not the words, so facts from one are left out.
    """
    every = list(schema.facts(record))
    values = {path: _values(fact) for path, fact in every}
    of_rows = _of_rows(record)
    unexplained = []
    for path, fact in every:
        if not (isinstance(fact, Fact | Setting) and fact.derived) or fact.evidence == Evidence.TABLE:
            continue
        text = "\n".join(quote.text for quote in record.quotes_of(fact))
        read = digits_in(text) | {SPELT[word] for word in re.findall("[a-z]+", text.lower()) if word in SPELT}
        elsewhere = {value for other, others in values.items() if other != path for value in others} | of_rows
        unexplained += [
            (path, number) for number in numbers(fact.derived) if not _is_explained(number, read, elsewhere)
        ]
    return list(dict.fromkeys(unexplained))


def _is_explained(number: str, read: set[str], elsewhere: set[float]) -> bool:
    is_power_of_ten = digits(number) in ("", "1")
    return is_power_of_ten or digits(number) in read or float(number) in CONVERSIONS | elsewhere


def _of_rows(record: Record) -> set[float]:
    """The chips, batches and lengths of measured rows, which are no facts of their own.

    A row's evidence covers them.
    """
    rows = record.rows if isinstance(record, Measurement) else []
    stated = (size for row in rows for size in (row.chips, row.batch, row.sequence_length, row.target_length))
    return {float(size) for size in stated if size is not None}


def _values(fact: Seen) -> set[float]:
    """What a fact states, as it is written and in its unit; of a setting each number in it."""
    if isinstance(fact, Fact):
        written = {float(str(figure).split()[0]) for figure in fact.stated if figure is not None}
        return {*written, *fact.bounds}
    if isinstance(fact, Setting):
        return {float(figure) for figure in re.findall(r"\d+(?:\.\d+)?", fact.value)}
    return set()


def _lines(paths: list[Path]) -> Iterator[str]:
    records = loading.load(paths, among=[ROOT / "data" / "records"])
    files = {(loading.kind_of(path), path.stem): path for path in loading.files(paths, [])}
    for kind, identifier, record in records.each():
        if (kind, identifier) in files:
            file = os.path.relpath(files[kind, identifier])
            yield from (f"{file}:{path}: {number}" for path, number in unexplained_numbers(record))


def main() -> None:
    """Prints `file:path: number` for each, and their number last."""
    lines = list(_lines([Path(word) for word in sys.argv[1:]] or [ROOT / "data" / "records"]))
    print("\n".join(lines))
    print(f"{len(lines)} numbers of derivations are unexplained", file=sys.stderr)


if __name__ == "__main__":
    main()
