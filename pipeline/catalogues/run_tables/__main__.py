"""The command: clones of repositories with tables of training runs in, tables of measured runs out.

`python -m pipeline.catalogues.run_tables marin-speedruns=FOLDER dawnbench=FOLDER`: the table of each source, named as its
record. What could not be read is told on standard error, a line for each.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from pipeline.catalogues import run_table
from pipeline.catalogues.clones import CloneError, Repository
from pipeline.catalogues.run_tables import dawnbench, deep_learning_examples, marin

READERS = {"dawnbench": dawnbench, "deep-learning-examples": deep_learning_examples, "marin-speedruns": marin}


def main(arguments: Sequence[str] | None = None) -> int:
    """Writes the tables of the sources given; 1 where a clone has no run of its source, 2 for wrong usage."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m pipeline.catalogues.run_tables")
    parser.add_argument("sources", nargs="+", metavar="SOURCE=FOLDER", help=f"one of {', '.join(READERS)}")
    parser.add_argument("--out", type=Path, default=run_table.FOLDER, help="the folder of the tables")
    given = parser.parse_args(arguments)
    wrong = [word for word in given.sources if word.partition("=")[0] not in READERS or "=" not in word]
    if wrong:
        parser.error(f"a source is given as dawnbench=FOLDER, one of {', '.join(READERS)}, not as {wrong[0]!r}")
    exit_code = 0
    for word in given.sources:
        name, _, folder = word.partition("=")
        reader, mistakes = READERS[name], list[str]()
        try:
            table = list(reader.rows(Repository(reader.REPOSITORY, Path(folder).expanduser()), mistakes))
        except CloneError as problem:
            table = []
            mistakes.append(str(problem))
        print(*mistakes, f"{name}: {len(table)} rows, {len(mistakes)} left out", sep="\n", file=sys.stderr)
        if table:
            run_table.write(table, given.out / f"{name}.csv")
        else:
            exit_code = 1
    return exit_code


if __name__ == "__main__":
    sys.exit(main())
