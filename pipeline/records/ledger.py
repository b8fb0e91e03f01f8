"""The records of the ledger: all of them, or a user's own together with those that they may refer to."""

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path

from pipeline.paths import LEDGER, RECORDS
from pipeline.records import loading
from pipeline.records.cache import cached_reader
from schemas.records import Records


def load_all(root: Path = LEDGER) -> Records:
    """All records under data/records, of which only changed files are parsed. Raises RecordError."""
    with (
        contextlib.chdir(root),
        cached_reader(root) as reader,
    ):  # messages name files relative to the root of the checkout
        return loading.load([Path("data/records")], reader=reader)


def load_among(paths: Iterable[Path] = (), folder: Path = RECORDS, without_model: str | None = None) -> Records:
    """These records with the valid ones of the ledger in `folder`, of which only changed files are parsed. Raises RecordError.

    `without_model` is left out of the ledger: a model that one of the given records replaces.
    """
    near = Path(os.path.relpath(folder))
    named = folder if near.parts[:1] == ("..",) else near  # messages then name files as a user would
    among = [
        path for path in sorted(named.rglob("*.yaml")) if (path.parent.name, path.stem) != ("models", without_model)
    ]
    with cached_reader() as reader:
        return loading.load(paths, among=among, reader=reader)
