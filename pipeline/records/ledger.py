"""The records of the ledger, alone or together with others that may refer to them."""

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path

from pipeline.base.paths import LEDGER, RECORDS
from pipeline.records import keys, loading, places
from pipeline.records.yaml_text import RecordError
from schemas.records import Records


def load_all(root: Path = LEDGER) -> Records:
    """All records under data/records. Raises RecordError."""
    with contextlib.chdir(root):  # messages name files relative to the root of the checkout
        folder = Path("data/records")
        records = loading.load([folder])
        mistakes = [*places.unused(records, folder), *keys.mistakes(records, folder)]
    if mistakes:
        raise RecordError(mistakes)
    return records


def load_among(paths: Iterable[Path] = (), folder: Path = RECORDS) -> Records:
    """These records with the valid ones of the ledger in `folder`.

    Raises RecordError.
    """
    near = Path(os.path.relpath(folder))
    named = folder if near.parts[:1] == ("..",) else near  # messages then name files as a user would
    return loading.load(paths, among=sorted(named.rglob("*.yaml"), key=lambda path: path.parts))
