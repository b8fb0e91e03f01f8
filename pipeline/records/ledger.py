"""Load the records of the ledger, by themselves or together with other records that may refer to them."""

import contextlib
import os
from collections.abc import Collection
from pathlib import Path

from pipeline.base.paths import LEDGER, RECORDS
from pipeline.records import keys, loading, model_table, places
from pipeline.records.yaml_text import RecordError
from schemas.records import KINDS, Records

# For each kind, the kinds that may refer to its records. Any kind may refer to records of a kind that is not listed.
NAMED_BY = {
    "measurements": {"gold_runs", "retired"},
    **dict.fromkeys(
        ("adjudications", "errata", "gold_runs", "hardware_prices", "second_readings", "sources"), {"retired"}
    ),
    "retired": set(),
}


def load_all(root: Path = LEDGER) -> Records:
    """Return all records under data/records. Raise RecordError if any of them has a mistake."""
    with contextlib.chdir(root):  # so that messages name files relative to the checkout
        folder = Path("data/records")
        records = loading.load([folder])
        mistakes = [*places.unused_places(records, folder), *keys.mistakes(records, folder)]
    if mistakes:
        raise RecordError(mistakes)
    return records


def load_among(paths: Collection[Path] = (), folder: Path = RECORDS) -> Records:
    """Return these records with the valid records in `folder` that they may name; without paths, all in `folder`.

    Raise RecordError if any of these records has a mistake.
    """
    kinds_to_check = {loading.kind_of(file) for file in loading.files(paths, [])} or KINDS.keys()
    kinds = {kind for kind in KINDS if kinds_to_check & {kind, *NAMED_BY.get(kind, KINDS)}}
    relative_folder = Path(os.path.relpath(folder))
    # Messages name files as users do.
    shown_folder = folder if relative_folder.parts[:1] == ("..",) else relative_folder
    among = [file for file in shown_folder.rglob("*.yaml") if loading.kind_of(file) in kinds]
    rows = model_table.valid_rows(shown_folder) if paths else {}
    return loading.load(paths, sorted(among, key=lambda path: path.parts), rows)
