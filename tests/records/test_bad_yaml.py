"""Files that are not records: each is refused in one clear line, quickly and without a traceback."""

import pytest

from pipeline.records import loading
from tests.records.conftest import IMAGES, World

EMPTY = "is empty; `README.md` shows how a record begins"
ALIAS = "anchors and aliases (& and *) are not used in records; write the value out"
BOMB = "a: &a [x, x]\n" + "".join(
    f"{new}: &{new} [*{old}, *{old}]\n" for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)
LINES = IMAGES.count("\n")


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        ("", 0, EMPTY),
        (" \n\n", 0, EMPTY),
        ("# to be written\n", 0, EMPTY),
        ("---\n", 0, EMPTY),
        (b"\x89PNG\r\n\x1a\n\x00\x00", 0, "is not text in UTF-8 (byte 0)"),
        (b"name: caf\xe9\n", 0, "is not text in UTF-8 (byte 9)"),
        ("name: Tiny\norganization: a: b\n", 2, "is not YAML: mapping values are not allowed in this context"),
        ('name: "Tiny\n', 2, "is not YAML: while scanning a quoted scalar found unexpected end of stream"),
        ("name: x\n\tdomain: y\n", 2, "is not YAML: while scanning a plain scalar found a tab character that violates indentation"),
        (b"name: a\x00b\n", 1, "is not YAML: contains the control character 0x00"),
        ("name: a\u202eb\n", 1, "contains the control character 0x202e; no text of a record needs one"),
        ("only words\n", 1, "is a single value; a record is a mapping that begins with `name:`"),
        ("- name: Tiny\n", 1, "is a list; a record is a mapping that begins with `name:`"),
        (IMAGES + "---\n" + IMAGES, LINES + 1, "contains two documents; a file contains one record"),
        (IMAGES + f"note: {'x' * 1_000_000}\n", 0, f"has {len(IMAGES) + 1_000_007:,} bytes; a record has at most 1,000,000"),
        (IMAGES + f"note: {'[' * 400_000}\n", LINES + 1, "is nested deeper than 20 levels"),
        ("".join(f"{'  ' * depth}a:\n" for depth in range(500)), 21, "is nested deeper than 20 levels"),
        (BOMB, 1, ALIAS),
        ("name: x\nnote: *name\n", 2, ALIAS),
    ],
    ids=lambda value: repr(value)[:30],
)  # fmt: skip
def test_a_file_that_is_no_record(world: World, content: str | bytes, line: int, message: str) -> None:
    world.write("models/tiny.yaml", content)
    assert world.mistakes() == [("models/tiny.yaml", line, "", message)]


def test_a_bad_file_does_not_make_others_wrong(world: World) -> None:
    world.write("hardware/nvidia-gtx-580.yaml", "name: [\n")
    world.change("measurements/rates.yaml", "chip: GTX 580", "chip: nvidia-gtx-580")
    world.write("models/text.yaml", "")
    world.change("models/images.yaml", "domain: vision", "domain: vision\nbase_model: {value: text, source: paper}")
    assert [file for file, *_ in world.mistakes()] == ["hardware/nvidia-gtx-580.yaml", "models/text.yaml"]


def test_a_folder_without_records(world: World) -> None:
    (world.folder / "others").mkdir()
    with pytest.raises(loading.RecordError) as problem:
        loading.load([world.folder / "others"])
    assert problem.value.mistakes == [(str(world.folder / "others"), 0, "", "contains no .yaml file")]


def test_a_repeated_key_names_both_lines_and_hides_nothing_else(world: World) -> None:
    path = world.change("models/images.yaml", "value: 90,", "value: 90, value: zero,")
    path.write_text(path.read_text() + "published: 2012\n")
    assert world.mistakes() == [
        (
            "models/images.yaml",
            22,
            "training[0].epochs",
            "'zero' is not a number; write for example 7.5B, 350k or 1.5e12",
        ),
        ("models/images.yaml", 22, "training[0].epochs.value", "stands twice, in line 22; keep one"),
        ("models/images.yaml", 28, "published", "stands twice, in lines 4 and 28; keep one"),
    ]


def test_a_repeated_id_names_the_other_file(world: World) -> None:
    world.write("more/models/images.yaml", IMAGES)
    other = world.folder / "models" / "images.yaml"
    message = f"'images' is already the id of {other}; ids are unique"
    assert world.mistakes() == [("more/models/images.yaml", 1, "", message)]


@pytest.mark.parametrize(
    ("old", "new", "line", "field"),
    [
        ("name: GTX 580", "name: gtx 580\naliases: [Fermi]", 1, "name"),
        ("name: GTX 580", "name: Fermi\naliases: [geforce gtx 580]", 2, "aliases"),
        ("name: GTX 580", "name: Fermi\naliases: [NVIDIA-GTX-580]", 2, "aliases"),
    ],
)
def test_a_repeated_spelling_of_a_chip(world: World, old: str, new: str, line: int, field: str) -> None:
    chip = (world.folder / "hardware" / "nvidia-gtx-580.yaml").read_text().replace("aliases: [GeForce GTX 580]\n", "")
    world.write("hardware/other.yaml", chip.replace(old, new))
    [(file, at, where, message)] = world.mistakes()
    assert (file, at, where) == ("hardware/other.yaml", line, field)
    assert message.lower().endswith("is already a name of nvidia-gtx-580")


@pytest.mark.parametrize(
    ("stem", "hint"),
    [("Tiny_Model", "; did you mean 'tiny-model'?"), ("Ω", "; ids are lower-case words with hyphens, such as gpt-3")],
)
def test_a_file_name_that_is_no_id(world: World, stem: str, hint: str) -> None:
    world.write(f"models/{stem}.yaml", IMAGES.replace("name: Images", "name: Tiny"))
    assert world.mistakes() == [(f"models/{stem}.yaml", 0, "", f"{stem!r} is not an id{hint}")]


def test_the_sound_ledger_has_no_mistakes(world: World) -> None:
    assert world.mistakes() == []


def test_a_record_with_a_mistake_gets_no_remark(world: World) -> None:
    world.change("models/text.yaml", "published: 2020-05", "published: 2024-05")
    world.change("models/text.yaml", "  family: transformer_decoder\n", "")
    assert world.mistakes() == [("models/text.yaml", 8, "architecture.family", "is missing")]
