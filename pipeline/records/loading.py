"""Hand-written records: YAML to facts, with file and line; checks across records.

All mistakes are collected, then raised once.
"""

import gc
import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from pydantic import ValidationError

from pipeline.paths import RECORDS
from pipeline.records import shape_mistakes, yaml_text
from pipeline.records.checks.across import CrossChecks
from pipeline.records.checks.chips import Chips
from pipeline.records.checks.own import OwnChecks
from pipeline.records.checks.physics import PhysicalChecks
from pipeline.records.checks.record import LoadedRecord
from pipeline.records.yaml_text import Mistake
from pipeline.records.yaml_text import RecordError as RecordError
from schemas import records as schema
from schemas.records import Chip, Model, Organization, Records
from schemas.spelling import Spellings, nearest

NO_FILE = "is a link, a folder or a device; a record is a regular file"
HALLMARK = re.compile(rb"^(sources|stated_by_user):", re.MULTILINE)  # every record has one of them


Reader = Callable[[Path], tuple[LoadedRecord, list[Mistake]]]


def read(path: Path) -> tuple[LoadedRecord, list[Mistake]]:
    """The record of one file, or a draft of it, with all mistakes that can be seen without other records."""
    return read_from(path, *yaml_text.written_bytes(path, str(path)))


def read_from(path: Path, content: bytes | None, unread: Iterable[Mistake] = ()) -> tuple[LoadedRecord, list[Mistake]]:
    """What `read` returns for a file of these bytes; `unread` says why there are none."""
    loaded, mistakes = _load_one(path, content, unread)
    return loaded, mistakes + _new(loaded, OwnChecks(loaded).mistakes())


def load(paths: Iterable[Path], among: Iterable[Path] = (), reader: Reader = read) -> Records:
    """The records of these files and folders, all checked, together with the valid ones of `among`, such as the ledger's own.

    `reader` reads one file. Raises RecordError.
    """
    with _without_collection():
        return _load(paths, among, reader)


def _load(paths: Iterable[Path], among: Iterable[Path], reader: Reader) -> Records:
    loaded: list[LoadedRecord] = []
    mistakes: list[Mistake] = []
    own = list(files(paths, mistakes))
    place_of = cache(os.path.realpath)
    asked = {place_of(path) for path in own}
    by_place: dict[str, LoadedRecord] = {}
    for path in [*files(among, []), *own]:
        place = place_of(path)
        if place in by_place:
            continue
        found, problems = reader(path)
        by_place[place] = found
        if problems and place not in asked:
            continue  # an invalid record elsewhere in the ledger must not invalidate these
        mistakes += problems
        loaded.append(found)
    own_files = {each.file for place, each in by_place.items() if place in asked}
    mistakes += _repeated(loaded)
    everything = Records(**{kind: {} for kind in schema.KINDS})
    for each in loaded:
        getattr(everything, each.kind).setdefault(each.identifier, each.record)
    chips, organizations = Chips(everything), everything.organization_ids()
    for each in loaded:
        problems = _new(each, CrossChecks(each, everything, chips, organizations).mistakes())
        if each.file in own_files:
            mistakes += [*problems, *_new(each, PhysicalChecks(each, everything, chips).physical_limits())]
            everything.remarks.extend(map(str, OwnChecks(each).remarks()))
        elif problems:
            getattr(everything, each.kind).pop(each.identifier, None)
    if mistakes:
        raise RecordError(mistakes)
    return everything


@contextmanager
def _without_collection() -> Iterator[None]:
    # Half the time of building records went into looking for cycles among objects that all stay.
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _new(loaded: LoadedRecord, mistakes: Iterable[Mistake]) -> list[Mistake]:
    # A field whose shape is wrong is reported once, without consequential mistakes.
    return [mistake for mistake in mistakes if not loaded.is_wrong(mistake.field)]


def files(paths: Iterable[Path], mistakes: list[Mistake]) -> Iterator[Path]:
    """The records among these files and below these folders; a path that is none is added to `mistakes`."""
    for path in paths:
        if path.is_dir():
            inside = sorted(path.rglob("*.yaml"))
            mistakes += [
                Mistake(str(other), 0, "", "records end in .yaml; rename it") for other in sorted(path.rglob("*.yml"))
            ]
            if not inside:
                mistakes.append(Mistake(str(path), 0, "", "holds no .yaml file"))
            # Links and pipes could lead anywhere, or nowhere.
            own = {file: stat.S_ISREG(file.lstat().st_mode) for file in inside}
            mistakes += [Mistake(str(other), 0, "", NO_FILE) for other, is_regular in own.items() if not is_regular]
            yield from (file for file, is_regular in own.items() if is_regular)
        elif path.exists():
            yield path
        else:
            said = "is a link that leads nowhere" if path.is_symlink() else f"does not exist{_record_meant(path)}"
            mistakes.append(Mistake(str(path), 0, "", said))


def _record_meant(path: Path) -> str:
    # Without the check, dvc.yaml of the working folder would be suggested.
    every = path.parent.glob("*.yaml") if path.parent.is_dir() else []
    known = {other.stem: str(other) for other in every if _is_record(other)}
    if path == Path(path.stem):  # no folder and no ending: the id of a model
        known |= {other.stem: os.path.relpath(other) for other in (RECORDS / "models").glob("*.yaml")}
    return nearest(path.stem, Spellings(known), longest_list=0)


def _is_record(path: Path) -> bool:
    try:
        content, _ = yaml_text.written_bytes(path, str(path))
    except OSError:
        return False
    return content is not None and HALLMARK.search(content) is not None


def kind_of(path: Path) -> str:
    """The kind of the record in this file.

    The name of its folder where that is one (models, hardware, …), else models.
    """
    return path.parent.name if path.parent.name in schema.KINDS else "models"


def _load_one(path: Path, content: bytes | None, unread: Iterable[Mistake]) -> tuple[LoadedRecord, list[Mistake]]:
    shown = str(path)
    kind = kind_of(path)
    shape = schema.KINDS[kind]
    text, mistakes = (None, [*unread]) if content is None else yaml_text.read_bytes(content, shown)
    if not shape.file_name.fullmatch(path.stem):
        mistakes.append(Mistake(shown, 0, "", f"{path.stem!r} is not an id{shape_mistakes.nearest_id(path.stem)}"))
    if text is None:
        return LoadedRecord(kind, path.stem, shape_mistakes.draft(shape, {}), yaml_text.NOTHING, shown), mistakes
    try:
        return LoadedRecord(kind, path.stem, shape.model_validate(text.content), text, shown), mistakes
    except ValidationError as problems:
        draft = LoadedRecord(kind, path.stem, shape_mistakes.draft(shape, text.content), text, shown)
        mistakes += shape_mistakes.of(draft, problems)
        return draft._replace(wrong=frozenset(mistake.field for mistake in mistakes)), mistakes


def _repeated(loaded: list[LoadedRecord]) -> Iterator[Mistake]:
    seen: dict[tuple[str, str], LoadedRecord] = {}
    names: dict[tuple[str, str], LoadedRecord] = {}
    for each in loaded:
        other = seen.setdefault((each.kind, each.identifier), each)
        if other is not each:
            yield Mistake(each.file, 1, "", f"{each.identifier!r} is already the id of {other.file}; ids are unique")
    # An id is its own model's, whoever claims it.
    for each in loaded:
        names.setdefault((each.kind, each.identifier.lower()), each)
    for each in loaded:
        if not isinstance(each.record, Chip | Organization | Model):
            continue
        if isinstance(each.record, Model) and each.record.stated_by_user:
            continue  # a model of one's own may be a variant of one that the ledger has
        former = each.record.renamed_from if isinstance(each.record, Model) else []
        for name in sorted({each.record.name, *each.record.aliases, *former} - {"", None}):
            other = names.setdefault((each.kind, name.lower()), each)
            # A copy elsewhere may be a variant of one's own of a model that the ledger has.
            is_copy = isinstance(each.record, Model) and Path(other.file).parent != Path(each.file).parent
            if other.identifier != each.identifier and not is_copy:
                field = next(
                    (key for key in ("aliases", "renamed_from") if name in getattr(each.record, key, ())), "name"
                )
                yield each.mistake((field,), f"{name!r} is already a name of {other.identifier}")
