"""A table of what checks compare in other models, so that `validate` of one record reads few of their files.

`ingest` writes it. A row is valid while its file, and the one in `like`, have the size and time of before `ingest`,
and the code that checked them is the same.
"""

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pipeline.base.digests import sha256_of_files
from pipeline.base.paths import ROOT, replace_file
from pipeline.records.checks.record import LoadedRecord
from pipeline.records.yaml_text import Mistake, Text
from schemas.records import Model

FILE = "tables/model_names.json"  # next to the folder of records
ROOMS = "pipeline/architectures pipeline/base pipeline/formulas pipeline/records schemas".split()
CODE = [f"{room}/**/*.*[!c]" for room in ROOMS]  # what decides whether a record is valid; no compiled files
COMPARED = ("name", "aliases", "renamed_from", "stated_by_user", "publication", "likeness")

Reading = Callable[[], tuple[LoadedRecord, list[Mistake]]]


class UnreadText(Text):
    """The text of a record, which is read if a mistake needs its lines."""

    def __init__(self, read: Reading) -> None:
        self._read = read

    def __getattr__(self, name: str) -> Any:
        self.__dict__.update(vars(self._read()[0].text))
        return self.__dict__[name]


class UnreadModel(Model):
    """A model with the values of its row; its file is read if a check asks for anything else."""

    @classmethod
    def from_row(cls, row: dict[str, Any], read: Reading) -> Model:
        """Return the model of a row."""
        model = cls.__new__(cls)
        model.__dict__.update(row, read=read)
        return model

    def __getattr__(self, name: str) -> Any:
        if "read" not in self.__dict__:
            raise AttributeError(name)
        self.__setstate__(self.__dict__["read"]()[0].record.__getstate__())
        return getattr(self, name)


def states(records: Path) -> dict[str, list[int]]:
    """Return the size of each file in `models`, and its time in nanoseconds, by name."""
    with os.scandir(records / "models") as entries:
        status_by_name = {entry.name: entry.stat(follow_symlinks=False) for entry in entries}
    return {name: [status.st_size, status.st_mtime_ns] for name, status in status_by_name.items()}


def write(records: Path, before: Mapping[str, list[int]], models: Mapping[str, Model]) -> None:
    """Write the rows of these models, whose files had these states before they were read."""
    rows: dict[str, Any] = {}
    for identifier, model in models.items():
        files = [f"{name}.yaml" for name in (identifier, model.like) if name]
        rows[files[0]] = [{name: before[name] for name in files}, {key: getattr(model, key) for key in COMPARED}]
    replace_file(records.parent / FILE, json.dumps([sha256_of_files(ROOT, CODE), rows]))


def valid_rows(records: Path) -> dict[str, dict[str, Any]]:
    """Return the valid rows by path; none if there is no table, or other code wrote it."""
    try:
        code, rows = json.loads((records.parent / FILE).read_bytes())
    except (OSError, ValueError):
        return {}
    if code != sha256_of_files(ROOT, CODE):
        return {}
    now = states(records).items()
    return {f"{records}/models/{name}": row for name, (files, row) in rows.items() if files.items() <= now}
