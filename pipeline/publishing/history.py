"""The history of published values: what each release kept under data/releases, and what moved from one to the next.

A release keeps its estimates and, of each fact, the value, so that a later one can say through which fact a value moved
without git. `python -m pipeline.publishing.history` keeps what is published now; it is a step of a release.
"""

import csv
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from pipeline.paths import ROOT, replace_file
from pipeline.publishing import csv_cells, releases
from pipeline.publishing.database import reading
from pipeline.publishing.release_diff import Comparison
from pipeline.publishing.releases import Release
from pipeline.publishing.rows import rows

KEPT = Path("data/releases")
FACT = ("record_kind", "record_id", "path", "written")
UNRELEASED = "unreleased"  # what moved since the last release, before the next has a version
ADDED, GONE = "the model was added", "the model is gone"
ASIDE = ("sources",)  # changes with every page that is read


def kept(root: Path = ROOT) -> list[Release]:
    """What releases kept under `root`, the oldest first; none where there is no such folder."""
    return [_read(folder) for folder in sorted((root / KEPT).glob("*")) if folder.is_dir()]


def changes(
    before: list[Release],
    version: str,
    estimates: Iterable[Mapping[str, Any]],
    facts: Iterable[Mapping[str, Any]],
    base_models: Mapping[str, str],
) -> list[dict[str, Any]]:
    """One row a published value that moved: of each kept release since the first, of these estimates since the last.

    `version` is the one to be published next; where it is that of the last release, the last rows are unreleased.
    """
    last = before[-1].name if before else None
    table = releases.as_published(estimates, "estimates", version)
    now = Release(
        UNRELEASED if version == last else version,
        {"estimates": table},
        facts=releases.by_record(facts),
        bases=base_models,
    )
    return [row for old, new in pairwise([*before, now]) for row in _moved(Comparison(old, new))]


def _moved(compared: Comparison) -> Iterator[dict[str, Any]]:
    whole = [(model, ADDED) for model in compared.added] + [(model, GONE) for model in compared.gone]
    moves = [(model, *compared.headlines(model), reason) for model, reason in whole]
    moves += [
        (move.id, move.column, move.before, move.after, "; ".join(move.through))
        for move in compared.moves()
        if move.column not in ASIDE
    ]
    for model, column, old, new, reason in moves:
        names = {"model_id": model, "release": compared.new.name, "column": column}
        yield names | {"old": old or None, "new": new or None, "reason": reason or None}


def _read(folder: Path) -> Release:
    with (folder / "facts.csv").open(encoding="utf-8", newline="") as file:
        facts = [{name: csv_cells.unescaped(cell) for name, cell in row.items()} for row in csv.DictReader(file)]
    return releases.read(str(folder))._replace(name=folder.name, facts=releases.by_record(facts))


def keep(version: str, root: Path, facts: Iterable[Sequence[Any]]) -> Path:
    """Keeps what is published under `root` as this release, with these facts; the folder that holds it."""
    folder = root / KEPT / version
    folder.mkdir(parents=True, exist_ok=True)
    published = (root / releases.HERE / "estimates.csv").read_bytes()
    replace_file(folder / "estimates.csv", lambda path: path.write_bytes(published))
    text = csv_cells.text(FACT, facts)
    replace_file(folder / "facts.csv", lambda path: path.write_text(text, encoding="utf-8", newline=""))
    return folder


def main(root: Path = ROOT) -> int:
    """Keeps what is published, under the version that it has."""
    version = json.loads((root / releases.HERE / "datapackage.json").read_text(encoding="utf-8"))["version"]
    with reading(root) as book:
        facts = [
            tuple(row[name] for name in FACT) for row in rows(book, f"select {', '.join(FACT)} from facts order by all")
        ]
    print(f"{keep(version, root, facts).relative_to(root)}: kept; commit it")
    return 0


if __name__ == "__main__":
    sys.exit(main())
