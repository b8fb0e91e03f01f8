"""`validate` of one model says the same with the table that `ingest` writes, without it, and if it is out of date."""

import json
import re
from pathlib import Path

import pytest

from pipeline.base import paths
from pipeline.records import ledger, loading, model_table
from tests.records.conftest import TEXT, World

QUOTED = TEXT.replace(
    "architecture:", 'quotes: {size: {source: paper, text: "3e9 tokens", found_at: page 1}}\narchitecture:'
)
QUOTED = QUOTED.replace("value: 3e9, source: paper", "value: 3e9, quote: size")
QUOTED = QUOTED.replace("title: Another paper", 'title: Another paper, url: "https://arxiv.org/abs/2005.00001"')
TOLD = QUOTED.replace("3e9 tokens", "3e9 tokens of text")  # otherwise it would be a copy of its siblings
OWN = "models/text.yaml"
OTHERS = {
    "models/base.yaml": QUOTED.replace("name: Text", "name: Base\naliases: [First]").replace("2020-05", "2019"),
    "models/wide.yaml": QUOTED.replace("name: Text", "name: Wide\naliases: [Last]")
    .replace("width: 64", "width: 128")
    .replace("2020-05", "2021")
    .replace("00001", "00002"),
    "models/narrow.yaml": "name: Narrow\norganization: A company\nlike: wide\narchitecture: {width: 32}\n",
}
BASE = "base_model: {value: %s, source: paper}\ntraining:"
SLIPS = {  # of a record that names others or repeats them
    "none": ("name: Text", "name: Text"),
    "a name": ("name: Text", "name: base"),
    "the alias of an earlier record": ("name: Text", "name: Text\naliases: [Other, first]"),
    "the alias of a later record": ("name: Text", "name: Text\naliases: [Last]"),
    "an unknown base": ("training:", BASE % "bass"),
    "the name of a base": ("training:", BASE % "First"),
    "a newer base": ("training:", BASE % "wide"),
    "the words of a base": (TOLD, QUOTED.replace("training:", BASE % "base")),
    "another unit": ("example_unit: token", "example_unit: text_sequence"),
    "a teacher": ("training:", "contributions: [{accounting: pretraining, model: tex, source: paper}]\ntraining:"),
    "a copy": (TOLD, QUOTED),
    "a copy of a record that inherits": (TOLD, QUOTED.replace("width: 64", "width: 32")),
}  # fmt: skip
CHANGES = {  # of other records, after `ingest`
    "none": ("models/base.yaml", "name: Base", "name: Base"),
    "a name": ("models/base.yaml", "name: Base", "name: Text"),
    "a mistake": ("models/base.yaml", "layers: 2", "layers: two"),
    "what another inherits": ("models/wide.yaml", "A company", "A university"),
    "a mistake in what another inherits": ("models/wide.yaml", "2021", "May"),
}


@pytest.fixture
def ingested(tmp_path: Path) -> World:
    world = World(tmp_path / "data/records")
    for name, content in {**OTHERS, OWN: TOLD}.items():
        world.write(name, content)
    (tmp_path / "data/tables").mkdir()
    before = model_table.states(world.folder)
    model_table.write(world.folder, before, loading.load([world.folder]).models)
    return world


def said(world: World) -> list[str]:
    try:
        return ledger.load_among([world.folder / OWN], world.folder).remarks
    except loading.RecordError as problem:
        return [*map(str, problem.mistakes)]


@pytest.mark.parametrize("slip", SLIPS)
@pytest.mark.parametrize("change", CHANGES)
def test_the_table_changes_no_message(ingested: World, slip: str, change: str) -> None:
    ingested.change(OWN, *SLIPS[slip])
    ingested.change(*CHANGES[change])
    messages = said(ingested)
    (ingested.folder.parent / model_table.FILE).write_text("[half a ta")
    assert messages == said(ingested)
    (ingested.folder.parent / model_table.FILE).unlink()
    assert messages == said(ingested)
    if change == "none":
        assert bool(messages) == (slip != "none")


def test_only_files_that_differ_are_read(ingested: World, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    shape = loading.shape
    monkeypatch.setattr(loading, "shape", lambda path: read.append(path.stem) or shape(path))
    said(ingested)
    assert {"base", "wide", "narrow"} & {*read} == {"base"}  # the sibling of the same publication
    ingested.change("models/wide.yaml", "width: 128", "width: 256")
    read.clear()
    said(ingested)
    assert {"base", "wide", "narrow"} & {*read} == {"base", "wide", "narrow"}


def test_a_table_of_other_code_is_not_believed(ingested: World, monkeypatch: pytest.MonkeyPatch) -> None:
    assert model_table.valid_rows(ingested.folder)
    code = model_table.sha256_of_files(paths.ROOT, model_table.CODE)
    monkeypatch.setattr(model_table, "sha256_of_files", lambda *_: code | {"schemas/limits.py": "changed"})
    assert model_table.valid_rows(ingested.folder) == {}


def test_the_code_that_checks_a_record_is_all_in_these_rooms() -> None:
    rooms = [f"{room}/" for room in model_table.ROOMS]
    files = [path for room in rooms for path in (paths.ROOT / room).rglob("*.*") if "__pycache__" not in path.parts]
    imports = {
        f"{words.replace('.', '/')}/"
        for path in files
        if path.suffix == ".py"
        for words in re.findall(r"^ *from ((?:pipeline|schemas)(?:\.\w+)*)", path.read_text(), re.MULTILINE)
    }
    assert [name for name in sorted(imports) if not name.startswith(tuple(rooms))] == []
    assert sorted(model_table.sha256_of_files(paths.ROOT, model_table.CODE)) == sorted(
        path.relative_to(paths.ROOT).as_posix() for path in files
    )


def test_a_forged_table_vouches_for_nothing_that_is_published(ingested: World) -> None:
    ingested.change(OWN, *SLIPS["a name"])
    wrong = ingested.mistakes()
    table = ingested.folder.parent / model_table.FILE
    code, rows = json.loads(table.read_text())
    rows["text.yaml"] = [{"text.yaml": model_table.states(ingested.folder)["text.yaml"]}, rows["wide.yaml"][1]]
    table.write_text(json.dumps([code, rows]))
    with pytest.raises(loading.RecordError) as problem:
        ledger.load_all(ingested.folder.parents[1])
    assert [mistake.message for mistake in problem.value.mistakes] == [message for *_, message in wrong] != []
