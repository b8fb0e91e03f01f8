"""Load the records of the ledger, by themselves or together with other records that may refer to them."""

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path

from pipeline.base.paths import LEDGER, RECORDS
from pipeline.records import keys, loading, places
from pipeline.records.yaml_text import RecordError
from schemas.records import Records


def load_all(root: Path = LEDGER) -> Records:
    """Return all records under data/records. Raise RecordError if any of them has a mistake."""
    with contextlib.chdir(root):  # so that messages name files relative to the checkout
        folder = Path("data/records")
        records = loading.load([folder])
        mistakes = [*places.unused(records, folder), *keys.mistakes(records, folder)]
    if mistakes:
        raise RecordError(mistakes)
    return records


def load_among(paths: Iterable[Path] = (), folder: Path = RECORDS) -> Records:
    """Return these records together with the valid records of the ledger in `folder`.

    Raise RecordError if any of these records has a mistake.
    """
    near = Path(os.path.relpath(folder))
    named = folder if near.parts[:1] == ("..",) else near  # so that messages name files as users do
    return loading.load(paths, among=sorted(named.rglob("*.yaml"), key=lambda path: path.parts))
