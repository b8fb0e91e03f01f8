"""The records of the ledger, alone or together with others that may refer to them."""

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path

from pipeline.base.paths import LEDGER, RECORDS
from pipeline.records import keys, loading, places
from pipeline.records.cache import cached_reader
from pipeline.records.yaml_text import RecordError
from schemas.records import Records


def load_all(root: Path = LEDGER) -> Records:
    """All records under data/records, of which only changed files are parsed. Raises RecordError."""
    with (
        contextlib.chdir(root),
        cached_reader() as reader,
    ):  # messages name files relative to the root of the checkout
        records = loading.load([Path("data/records")], reader=reader)
        folder = Path("data/records")
        mistakes = [*places.unused(records, folder), *keys.mistakes(records, folder)]
    if mistakes:
        raise RecordError(mistakes)
    return records


def load_among(paths: Iterable[Path] = (), folder: Path = RECORDS) -> Records:
    """These records with the valid ones of the ledger in `folder`, of which only changed files are parsed.

    Raises RecordError.
    """
    near = Path(os.path.relpath(folder))
    named = folder if near.parts[:1] == ("..",) else near  # messages then name files as a user would
    with cached_reader() as reader:
        return loading.load(paths, among=sorted(named.rglob("*.yaml"), key=lambda path: path.parts), reader=reader)
