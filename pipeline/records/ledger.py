"""The records of the ledger: all of them, or a user's own together with those that they may refer to."""

import contextlib
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from pipeline.paths import LEDGER, RECORDS
from pipeline.records import loading
from pipeline.records.cache import cached_reader
from pipeline.records.loading import RecordError
from schemas.records import Model, Record, Records


def load_all(root: Path = LEDGER) -> Records:
    """All records under data/records, of which only changed files are parsed. Raises RecordError."""
    with (
        contextlib.chdir(root),
        cached_reader(root) as reader,
    ):  # messages name files relative to the root of the checkout
        return loading.load([Path("data/records")], reader=reader)


def load_among(paths: Iterable[Path] = (), folder: Path = RECORDS, without_model: str | None = None) -> Records:
    """These records with the valid ones of the ledger in `folder`, of which only changed files are parsed.

    Raises RecordError.

    `without_model` is left out of the ledger: a model that one of the given records replaces.
    """
    with cached_reader() as reader:
        return loading.load(paths, among=_files(folder, without_model), reader=reader)


def load_related(
    paths: Iterable[Path] = (),
    models: Iterable[str] = (),
    chips: Iterable[str] = (),
    without_model: str | None = None,
) -> Records:
    """As `load_among`, of the ledger's models and chips only these and those that models of `paths` and they name, directly or through others, with errata of these models, organizations and defaults.

    That is all that estimates of them need beside the tables of measurements. Where a chip is not named by its id, all
    chips are read.
    """
    files = _files(RECORDS, without_model)
    known = {path.stem: path for path in files if path.parent.name == "models"}
    others = [path for path in files if path.parent.name in ("defaults", "organizations", "retired")]
    with cached_reader() as reader:
        taken: dict[str, Path] = {}
        chip_names = {*chips}

        def follow(path: Path) -> list[str]:
            record = reader(path)[0].record
            chip_names.update(_chips_of(record))
            return _named(record)

        waiting = [name for path in paths if path.is_file() for name in follow(path)]
        waiting += models
        while waiting:
            name = waiting.pop()
            if name in known and name not in taken:
                taken[name] = known[name]
                waiting += follow(known[name])
        all_chips = {path.stem: path for path in files if path.parent.name == "hardware"}
        is_by_id = chip_names <= all_chips.keys()
        others += [path for name, path in all_chips.items() if name in chip_names or not is_by_id]
        asked = taken.keys() | {path.stem for path in paths}
        errata = (path for path in files if path.parent.name == "errata")
        others += [path for path in errata if reader(path)[0].record.model in asked]
        with contextlib.suppress(RecordError):  # the nearest right word may be another model's name
            return loading.load(paths, among=[*taken.values(), *others], reader=reader)
    return load_among(paths, without_model=without_model)


def load_checked(identifiers: Mapping[str, Iterable[str]]) -> Records:
    """These records of the ledger, ids by kind, without a check against others.

    For those that a stage has read since they changed.
    """
    records = Records()
    with cached_reader() as reader:
        for kind, ids in identifiers.items():
            getattr(records, kind).update({each: reader(RECORDS / kind / f"{each}.yaml")[0].record for each in ids})
    return records


def _named(record: Record) -> list[str]:
    """The models that a record names."""
    if not isinstance(record, Model):
        return []
    return [name for name in (record.base_model, *(each.model for each in record.contributions or [])) if name]


def _chips_of(record: Record) -> Iterator[str]:
    """The chips that a record names."""
    phases = record.training if isinstance(record, Model) else []
    return (each.chip.value for phase in phases for each in phase.hardware if each.chip)


def _files(folder: Path, without_model: str | None) -> list[Path]:
    near = Path(os.path.relpath(folder))
    named = folder if near.parts[:1] == ("..",) else near  # messages then name files as a user would
    every = sorted(named.rglob("*.yaml"), key=lambda path: path.parts)
    return [path for path in every if (path.parent.name, path.stem) != ("models", without_model)]
