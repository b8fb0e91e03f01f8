"""Load records: parse YAML into facts with file and line, and check records against each other.

All mistakes are collected and raised together.
"""

import json
import os
import re
import stat
from collections import ChainMap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from pipeline.base.paths import RECORDS
from pipeline.records import blind, keys, measured_tables, places, shape_mistakes, sibling_records, yaml_text
from pipeline.records.checks.chips import Chips
from pipeline.records.checks.links import CrossChecks
from pipeline.records.checks.physics import PhysicalChecks
from pipeline.records.checks.record import LoadedRecord
from pipeline.records.checks.siblings import SiblingChecks, Siblings, copies
from pipeline.records.checks.single_record import OwnChecks
from pipeline.records.model_table import UnreadModel, UnreadText
from pipeline.records.yaml_text import Mistake
from pipeline.records.yaml_text import RecordError as RecordError
from schemas import records as schema
from schemas.records import Chip, Model, Organization, Records
from schemas.spelling import Spellings, nearest

NO_FILE = "is a link, a folder or a device; a record is a regular file"
HALLMARK = re.compile(rb"^(sources|stated_by_user):", re.MULTILINE)  # a file with one of these keys is a record
OF_NETWORKS = set("model_type _class_name family layers model_config hidden_size n_embd d_model dim".split())


def read(path: Path) -> tuple[LoadedRecord, list[Mistake]]:
    """Return the record in one file, or its valid part, and the mistakes that can be found without other records."""
    loaded, mistakes = shape(path)
    return loaded, mistakes + _new_mistakes(loaded, OwnChecks(loaded).mistakes())


def shape(path: Path) -> tuple[LoadedRecord, list[Mistake]]:
    """Return the record in one file, and only the mistakes in its YAML, keys and types.

    This is enough for a record that is only referred to by the checked records.
    """
    text, text_mistakes = yaml_text.read(path, str(path))
    loaded, mistakes = _parsed_record(kind_of(path), path.stem, text, str(path))
    return loaded, text_mistakes + mistakes


def load_model(path: Path, known: Records) -> Model:
    """Return the model in a file, checked by itself and against `known` records. Raise RecordError for mistakes."""
    mistakes: list[Mistake] = []
    if path.is_dir():
        mistakes = [Mistake(str(path), 0, "", "is a folder; name the record of one model")]
    elif kind_of(path) != "models":
        mistakes = [Mistake(str(path), 0, "", "is not the record of a model; `validate` checks it")]
    else:
        for file in files([path], mistakes):
            return _model_among(known, *read(file))
    raise RecordError(mistakes)


def load_content(content: Any, identifier: str, known: Records) -> Model:
    """Return a model from content without a file, checked like `load_model`. Raise RecordError, without lines."""
    # YAML has lists instead of tuples, and text instead of dates.
    content = json.loads(json.dumps(content, default=str))
    loaded, mistakes = _parsed_record("models", identifier, yaml_text.Text(content, ""), identifier)
    try:
        return _model_among(known, loaded, mistakes + _new_mistakes(loaded, OwnChecks(loaded).mistakes()))
    except RecordError as problem:
        raise RecordError(mistake._replace(line=0) for mistake in problem.mistakes) from None


def _model_among(known: Records, loaded: LoadedRecord, mistakes: list[Mistake]) -> Model:
    """Return the model, checked against the `known` records. Raise RecordError if it has these or other mistakes."""
    model: Model = loaded.record
    everything = replace(known, models=ChainMap({loaded.identifier: model}, known.models))
    checks = CrossChecks(loaded, everything, Chips(everything), everything.organization_ids())
    mistakes = [*mistakes, *_new_mistakes(loaded, checks.mistakes())]
    if mistakes:
        raise RecordError(mistakes)
    return model


def load(paths: Iterable[Path], among: Iterable[Path] = (), rows: Mapping[str, Any] | None = None) -> Records:
    """Return the checked records in these files and folders, with the valid records in `among` (the ledger).

    A model in `among` that has one of these rows, by path, is read only if a check needs it. Raise RecordError with
    every mistake in the checked records.
    """
    loaded: list[LoadedRecord] = []
    mistakes: list[Mistake] = []
    paths_to_check = list(files(paths, mistakes))
    place_of = cache(os.path.realpath)
    checked_places = {place_of(path) for path in paths_to_check}
    places_read: set[str] = set()
    checked_files: set[str] = set()
    remarks: list[Mistake] = []
    for path in [*files(among, []), *paths_to_check]:
        place = place_of(path)
        if place in places_read:
            continue
        places_read.add(place)
        again = partial(shape, path)
        if place in checked_places:
            entry, problems = read(path)
            mistakes += problems
            remarks += () if problems else OwnChecks(entry).remarks()
            checked_files.add(entry.file)
        elif row := (rows or {}).get(str(path)):
            entry = LoadedRecord("models", path.stem, UnreadModel.from_row(row, again), yaml_text.NOTHING, str(path))
        else:
            entry, problems = again()
            if problems:
                continue  # invalid records in `among` do not matter here
        loaded.append(entry._replace(text=UnreadText(again)))  # the content of all files would fill the memory
    mistakes += _repeated_names(loaded)
    remarks += copies(loaded, checked_files)
    everything = Records(**{kind: {} for kind in schema.KINDS}, remarks=[*map(str, remarks)])
    for entry in loaded:
        getattr(everything, entry.kind).setdefault(entry.identifier, entry.record)
    ledgers = sorted({Path(entry.file).parent.parent for entry in loaded})  # the folders of keys.csv and places.csv
    everything.places.update(places.read(ledgers))
    everything.keys.extend(places.rows_of(keys.FILE, ledgers))
    everything.blind.update(blind.read(ledgers, mistakes))
    everything.executed.extend(measured_tables.executed_rows(ledgers, mistakes))
    everything.table_rows.update(measured_tables.read(loaded, mistakes))
    chips, organizations, siblings = Chips(everything), everything.organization_ids(), Siblings(everything)
    # The checked records come first, so that what is said of them does not depend on which others are left out.
    for entry in sorted(loaded, key=lambda entry: entry.file not in checked_files):
        if isinstance(entry.record, UnreadModel):
            continue  # was valid when `ingest` read it
        problems = _new_mistakes(entry, CrossChecks(entry, everything, chips, organizations).mistakes())
        if entry.file in checked_files:
            mistakes += [*problems, *_new_mistakes(entry, PhysicalChecks(entry, everything, chips).physical_limits())]
            mistakes += _new_mistakes(entry, SiblingChecks(entry, siblings).mistakes())
        elif problems:  # leave out a record of the ledger that is wrong, without reporting it
            getattr(everything, entry.kind).pop(entry.identifier, None)
    if mistakes:
        raise RecordError(mistakes)
    return everything


def _new_mistakes(loaded: LoadedRecord, mistakes: Iterable[Mistake]) -> list[Mistake]:
    """Return the mistakes without those in fields whose shape is already reported as wrong."""
    return [mistake for mistake in mistakes if not loaded.is_wrong(mistake.field)]


def files(paths: Iterable[Path], mistakes: list[Mistake]) -> Iterator[Path]:
    """Yield the records among these files and in these folders. Add a mistake for each path that is not a record."""
    for path in paths:
        if path.is_dir():
            inside = sorted(path.rglob("*.yaml"))
            mistakes += [
                Mistake(str(other), 0, "", "records end in .yaml; rename it") for other in sorted(path.rglob("*.yml"))
            ]
            if not inside:
                mistakes.append(Mistake(str(path), 0, "", "contains no .yaml file"))
            # Refuse links and pipes, which could lead anywhere or block.
            regular_by_file = {file: stat.S_ISREG(file.lstat().st_mode) for file in inside}
            mistakes += [
                Mistake(str(other), 0, "", NO_FILE) for other, is_regular in regular_by_file.items() if not is_regular
            ]
            yield from (file for file, is_regular in regular_by_file.items() if is_regular)
        elif path.exists():
            yield path
        else:
            message = "is a link that leads nowhere" if path.is_symlink() else f"does not exist{_record_meant(path)}"
            mistakes.append(Mistake(str(path), 0, "", message))


def _record_meant(path: Path) -> str:
    # Only records, so that the message does not suggest files such as dvc.yaml.
    neighbours = path.parent.glob("*.yaml") if path.parent.is_dir() else []
    path_by_name = {neighbour.stem: str(neighbour) for neighbour in neighbours if _is_record(neighbour)}
    if path == Path(path.stem):  # without a folder and an extension, it may be a model's id
        path_by_name |= {model.stem: os.path.relpath(model) for model in (RECORDS / "models").glob("*.yaml")}
    return nearest(path.stem, Spellings(path_by_name), longest_list=0)


def _is_record(path: Path) -> bool:
    content, _ = yaml_text.written_bytes(path, str(path))
    return content is not None and HALLMARK.search(content) is not None


def kind_of(path: Path) -> str:
    """Return the kind of the record in this file: its folder's name if that is a kind, otherwise models."""
    return path.parent.name if path.parent.name in schema.KINDS else "models"


def _parsed_record(
    kind: str, identifier: str, text: yaml_text.Text | None, file: str
) -> tuple[LoadedRecord, list[Mistake]]:
    """Return the record parsed by its schema, or its valid part, and the mistakes in its keys, types and id."""
    shape, mistakes = schema.KINDS[kind], list[Mistake]()
    if kind == "models" and text is not None and _is_network(text.content):
        way_on = f"`flopledger count {file}`, or `flopledger estimate --config {file} --tokens 2T`"
        text, mistakes = None, [Mistake(file, 0, "", f"is a network, not the record of a model: {way_on}")]
    elif not shape.file_name.fullmatch(identifier):
        mistakes.append(Mistake(file, 0, "", f"{identifier!r} is not an id{shape_mistakes.nearest_id(identifier)}"))
    if text is None:
        return LoadedRecord(kind, identifier, shape_mistakes.valid_part(shape, {}), yaml_text.NOTHING, file), mistakes
    if kind == "models" and "like" in text.content:
        text.content, problem = sibling_records.inherit(text.content, file)
        mistakes += [Mistake(file, 1, "like", problem)] if problem else []
    try:
        return LoadedRecord(kind, identifier, shape.model_validate(text.content), text, file), mistakes
    except ValidationError as problems:
        partial = LoadedRecord(kind, identifier, shape_mistakes.valid_part(shape, text.content), text, file)
        mistakes += shape_mistakes.shape_mistakes(partial, problems)
        return partial._replace(wrong=frozenset(mistake.field for mistake in mistakes)), mistakes


def _is_network(content: dict[str, Any]) -> bool:
    """Return whether a file has keys of a network, and none of the main keys of a record."""
    run = content.get("model")  # as nanotron names the part of its file
    keys = {str(key).replace("-", "_") for key in (*content, *(run if isinstance(run, dict) else ()))}
    return bool(keys & OF_NETWORKS) and not keys & {"sources", "stated_by_user", "training"}


def _repeated_names(loaded: list[LoadedRecord]) -> Iterator[Mistake]:
    """Yield a mistake for each id, name or alias that another record of the same kind already has."""
    first_with_id: dict[tuple[str, str], LoadedRecord] = {}
    names: dict[tuple[str, str], LoadedRecord] = {}
    for entry in loaded:
        first = first_with_id.setdefault((entry.kind, entry.identifier), entry)
        if first is not entry:
            yield Mistake(entry.file, 1, "", f"{entry.identifier!r} is already the id of {first.file}; ids are unique")
    # An id belongs to the model whose file has that name, even if another model has it as an alias.
    for entry in loaded:
        names.setdefault((entry.kind, entry.identifier.lower()), entry)
    for entry in loaded:
        if not isinstance(entry.record, Chip | Organization | Model):
            continue
        if isinstance(entry.record, Model) and entry.record.stated_by_user:
            continue  # a user's own model may have the name of a model in the ledger
        former = entry.record.renamed_from if isinstance(entry.record, Model) else []
        for name in sorted({entry.record.name, *entry.record.aliases, *former} - {"", None}):
            first = names.setdefault((entry.kind, name.lower()), entry)
            # A record in another folder may be a user's variant of a model in the ledger.
            is_copy = isinstance(entry.record, Model) and Path(first.file).parent != Path(entry.file).parent
            if first.identifier != entry.identifier and not is_copy:
                field = next(
                    (key for key in ("aliases", "renamed_from") if name in getattr(entry.record, key, ())), "name"
                )
                yield entry.mistake((field,), f"{name!r} is already a name of {first.identifier}")
