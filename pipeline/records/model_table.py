"""A table of what checks compare in other models, so that `validate` of one record reads few other models' YAML.

`ingest` writes it, and only `validate` reads it. A row is valid while its file, and the file from which the record
inherits, have the size and time that they had before `ingest` read them.
"""

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pipeline.base.paths import replace_file
from pipeline.records.checks.record import LoadedRecord
from pipeline.records.yaml_text import Mistake, Text
from schemas.records import Model

FILE = "tables/model_names.json"  # next to the folder of records
COMPARED = ("name", "aliases", "renamed_from", "stated_by_user", "publication", "likeness")

Reading = Callable[[], tuple[LoadedRecord, list[Mistake]]]
Row = dict[str, Any]
State = list[int]  # the size and the time of change, in nanoseconds


class UnreadText(Text):
    """The text of a record, which is read if a mistake needs its lines."""

    def __init__(self, read: Reading) -> None:
        self._read = read

    def __getattr__(self, name: str) -> Any:
        self.__dict__.update(vars(self._read()[0].text))
        return self.__dict__[name]


class UnreadModel(Model):
    """A model with the columns of its row; its file is read if a check asks for anything else."""

    @classmethod
    def of(cls, row: Row, read: Reading) -> Model:
        """Return the model of this row."""
        model = cls.__new__(cls)
        model.__dict__.update(row, read=read)
        return model

    def __getattr__(self, name: str) -> Any:
        if "read" not in self.__dict__:
            raise AttributeError(name)
        self.__setstate__(self.__dict__["read"]()[0].record.__getstate__())
        return getattr(self, name)


def states(records: Path) -> dict[str, State]:
    """Return the state of each file in `models`, by name."""
    with os.scandir(records / "models") as entries:
        status_by_name = {entry.name: entry.stat(follow_symlinks=False) for entry in entries}
    return {name: [status.st_size, status.st_mtime_ns] for name, status in status_by_name.items()}


def write(records: Path, before: Mapping[str, State], models: Mapping[str, Model]) -> None:
    """Write the table of these models, whose files had these states before they were read."""
    rows: dict[str, tuple[Mapping[str, State], Row]] = {}
    for identifier, model in models.items():
        files = [f"{name}.yaml" for name in (identifier, model.like) if name]
        rows[files[0]] = ({name: before[name] for name in files}, {key: getattr(model, key) for key in COMPARED})
    replace_file(records.parent / FILE, json.dumps(rows))


def valid_rows(records: Path) -> dict[str, Row]:
    """Return the rows of files that have not changed since, by path; none if there is no table."""
    try:
        rows = json.loads((records.parent / FILE).read_bytes())
    except (OSError, ValueError):
        return {}
    now = states(records)
    is_same = {name: all(now.get(file) == state for file, state in files.items()) for name, (files, _) in rows.items()}
    return {str(records / "models" / name): row for name, (_, row) in rows.items() if is_same[name]}
