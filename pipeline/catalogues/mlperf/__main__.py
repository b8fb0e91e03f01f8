"""Read clones of the result repositories of MLPerf Training, and write a table of measured runs.

`python -m pipeline.catalogues.mlperf v5.0=FOLDER v5.1=FOLDER` writes a row for each submitter, system and benchmark
of these rounds. It replaces the table, so name every round that the table should contain. Problems go to standard
error, one line per log that could not be read.
"""

import argparse
import csv
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from pipeline.base.clones import CloneError, Repository
from pipeline.catalogues.mlperf.formats import Chip
from pipeline.catalogues.mlperf.rounds import rows
from pipeline.records.ledger import load_all
from schemas.records import TableRow
from schemas.spelling import find

REPOSITORY = "mlcommons/training_results_"
TABLE = Path("data/records/measurements/mlperf-training.csv")


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the table for the given rounds. Return 1 if a folder is not a clone or no result is found, otherwise 0.

    Wrong usage exits with 2.
    """
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m pipeline.catalogues.mlperf")
    parser.add_argument("rounds", nargs="+", metavar="ROUND=FOLDER", help="for example v5.0=~/training_results_v5.0")
    parser.add_argument("--out", type=Path, default=TABLE)
    options = parser.parse_args(arguments)
    malformed = [text for text in options.rounds if not re.fullmatch(r"v\d+\.\d+=.+", text)]
    if malformed:
        parser.error(f"a round is given as v5.0=FOLDER, not as {malformed[0]!r}")
    records = load_all()
    chips = records.chip_ids()

    def chip_of(name: str) -> Chip | None:
        identifier = find(name, chips)
        record = records.hardware[identifier] if identifier else None
        return Chip(str(identifier), record.manufacturer, tuple(record.peaks)) if record else None

    table, mistakes = [], []
    for text in options.rounds:
        name, _, folder = text.partition("=")
        try:
            table += rows(name, Repository(REPOSITORY + name, Path(folder).expanduser()), chip_of, mistakes)
        except CloneError as problem:
            print(problem, file=sys.stderr)
            return 1
        print(f"{name}: {len(table)} rows so far, {len(mistakes)} logs without a row or a precision", file=sys.stderr)
    print(*mistakes, sep="\n", file=sys.stderr)
    if not table:
        print("no result was found", file=sys.stderr)
        return 1
    with options.out.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(TableRow.model_fields), lineterminator="\n")
        writer.writeheader()
        for row in sorted(table, key=lambda row: row["row"]):
            writer.writerow({key: f"{cell:.6g}" if isinstance(cell, float) else cell for key, cell in row.items()})
    return 0


if __name__ == "__main__":
    sys.exit(main())
