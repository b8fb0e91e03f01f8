"""Malicious records: each is refused in lines of one form, and only regular files are opened."""

import os
import random
import re
from itertools import cycle

import pytest

from pipeline.publishing import account
from pipeline.records import loading
from schemas import spelling, units
from tests.builders import typed, within
from tests.records.conftest import IMAGES, World

LINE = re.compile(r"[^\x00-\x1f\x7f-\x9f\u2028\u2029]+?(:[0-9]+)?( [^:]+)?: .+")
LONGEST = 300
SEED, MUTANTS = 20261122, 10  # of each file


def lines_of(world):
    """Return the lines of all mistakes, which must all have the one form."""
    try:
        with within():
            loading.load([world.folder])
    except loading.RecordError as problem:
        lines = str(problem).split("\n")
    else:
        lines = []
    assert [line for line in lines if len(line) > LONGEST or not LINE.fullmatch(line)] == []
    return lines


# What a mutation inserts in place of a value or a key, or between two lines.
VALUES = (
    "!!timestamp AlexNet", "!!int [a]", "!!bool AlexNet", "!!python/name:os.system", "!x y", "! z", "&a 1", "*a", '"\\e[2J"', '"\\x9b2J"',
    '"\\0"', '"a\\nb"', '"\\u2028"', "x" * 5_000, "[" * 30, "5e-324", "1e-320 second", "1e32 FLOP", "1e400", "-0.0", ".nan", "~", "[]", "{}",
    "{value: 1, value: 2}", "2100", "2024-02-30", '""', '"  "', "'", '"', "a: b", "? [x]", "0x10", "1_000", "9" * 400, "5 day/", "5 in", "5 _",
    "true", "[1, [2, [3]]]", "| \n", "null", "Ω" * 300, "=cmd()", "a | b",
)  # fmt: skip
KEYS = ("x" * 3_000, "? x\n", '"a\\nb"', '"\\e[2J"', "nonsense", "1", "~", "<<", "!!str name", "value", "quote", "")


MUTATIONS = 6


def mutated(text, dice, kind):
    """Return the text with one change, of the kind with this number."""
    lines = text.splitlines(keepends=True)
    place = dice.randrange(len(lines))
    key, colon, _ = lines[place].partition(":")
    if kind == 0 and colon:
        lines[place] = f"{key}: {dice.choice(VALUES)}\n"
    elif kind == 1 and colon:
        lines[place] = re.sub(r"[\w]+$", lambda _: dice.choice(KEYS), key) + lines[place][len(key) :]
    elif kind == 2:
        lines[place] = lines[place][: dice.randrange(len(lines[place]))] + "\n"
    elif kind == 3:
        lines.insert(place, dice.choice(lines))
    elif kind == 4:
        letter = chr(dice.choice([0, 7, 27, 0x85, 0x9B, 0x2028, 0xFEFF, 0x202E, 0xFFFE, ord("\t"), ord("'"), ord("{")]))
        cut = dice.randrange(len(lines[place]))
        lines[place] = lines[place][:cut] + letter + lines[place][cut:]
    else:
        numbers = re.findall(r"\b\d[\d.e]*\b", lines[place])
        if numbers:
            lines[place] = lines[place].replace(dice.choice(numbers), dice.choice(VALUES), 1)
    return "".join(lines)


@pytest.mark.parametrize(
    "name", ["models/images.yaml", "models/text.yaml", "hardware/nvidia-gtx-580.yaml", "measurements/rates.yaml"]
)
def test_a_mutated_record_is_read_or_refused_in_lines_of_one_form(world: World, name: str) -> None:
    sound, refused = (world.folder / name).read_text(), 0
    for number in range(MUTANTS):
        content = mutated(sound, random.Random(f"{SEED} {name} {number}"), number % MUTATIONS)
        world.write(name, content.encode("utf-8", "surrogatepass"))
        refused += bool(lines_of(world))
    assert refused >= MUTANTS / 3


@pytest.mark.parametrize(("key", "value"), [*zip(cycle(["name", "published", "organization"]), VALUES, strict=False)])
def test_a_hostile_value_has_its_line(world: World, key: str, value: str) -> None:
    world.write("models/images.yaml", re.sub(rf"(?m)^{key}: .*$", lambda _: f"{key}: {value}", IMAGES))
    for line in lines_of(world):
        assert line.startswith(str(world.folder / "models/images.yaml"))


@pytest.mark.parametrize("tag", ["!!timestamp", "!!str", "!!python/object/apply:os.system", "!mine", "!"])
def test_a_tag_is_refused(world: World, tag: str) -> None:
    world.write("models/images.yaml", IMAGES.replace("name: Images", f"name: {tag} Images"))
    [(file, line, _, message)] = world.mistakes()
    assert (file, line) == ("models/images.yaml", 1)
    assert message.endswith("are not used in records; write only the value")


def test_a_key_that_would_break_its_line_does_not(world: World) -> None:
    world.write("models/images.yaml", IMAGES + '"a\\nb": 1\n')
    [line] = lines_of(world)
    assert line.endswith("'a\\nb' is not a key here")


def test_a_long_key_and_a_long_value_are_cut(world: World) -> None:
    world.write("models/images.yaml", IMAGES + f"? {'x' * 100_000}\n: 1\n")
    assert world.mistakes() == [
        ("models/images.yaml", 28, "", "has a key of 100,000 characters; a key has at most 100")
    ]
    world.write("models/images.yaml", IMAGES.replace("published: 2012-12-03", f"published: {'a' * 100_000}"))
    [line] = lines_of(world)
    assert line.endswith("aaa…' is not a date; write 2012-12-03, 2012-12 or 2012")


LONG = 100_000


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("published:", "base_model: {}\npublished:"),
        ("organization: A university", "organization: {}"),
        ("5 day", "5 {}"),
        ("quote: size", "quote: {}"),
        ("phase: pretraining", "phase: {}"),
        ("family: layers", "family: {}"),
        ("example_unit: image", "example_unit: {}"),
    ],
)
def test_a_long_word_is_compared_with_no_name(world: World, monkeypatch, before: str, after: str) -> None:
    """Comparing words takes time proportional to the product of their lengths."""
    compared = []

    class Counted(spelling.SequenceMatcher):
        def __init__(self, isjunk, a, b):
            compared.append(len(a))
            super().__init__(isjunk, a, b)

    monkeypatch.setattr(spelling, "SequenceMatcher", Counted)
    assert before in IMAGES
    world.write("models/images.yaml", IMAGES.replace(before, after.format(LONG * "a"), 1))
    assert lines_of(world)
    assert max(compared, default=0) <= spelling.LONGEST_WORD


@pytest.mark.parametrize("written", [LONG * "9" + "!", f"9 {LONG * 'a'}", f"9{LONG * ' '}!", f"9 {LONG * 'a/'}"])
def test_a_quantity_without_end_is_no_quantity(written: str) -> None:
    with within(), pytest.raises(units.UnitError, match="is not a number with a unit"):
        units.amount(written, "second")


@pytest.mark.parametrize(
    "grown",
    [
        "assumptions:\n" + "".join(f"  a{number}: {{low: 1, high: 2, reason: A}}\n" for number in range(20_000)),
        "".join(f"k{number}: 1\n" for number in range(30_000)),
        "missing: [" + 60 * f"[{300 * '[a],'}]," + "]\n",
    ],
)
def test_a_record_without_end_is_refused_before_its_entries_are_compared(world: World, grown: str) -> None:
    world.write("models/images.yaml", IMAGES + grown)
    [line] = lines_of(world)
    assert re.search(r"images\.yaml:\d+: has more than 1,000 entries in one list or mapping, or too many in all$", line)


@pytest.mark.parametrize("derived", [LONG * " ", "9" + LONG * " ", LONG * "9*", LONG * "/", LONG * "9 / "])
def test_arithmetic_without_end_is_looked_at_once(derived: str) -> None:
    with within():
        account.worked_out({"derived": derived, "assumption_reasons": None})


# Things that are not files


def linked(path):
    path.symlink_to(path)


def to_another(path):
    path.symlink_to(path.with_name("text.yaml"))


def to_a_device(path):
    path.symlink_to("/dev/zero")


NO_FILES = {"a loop": linked, "a link": to_another, "a pipe": os.mkfifo, "a device": to_a_device, "a folder": os.mkdir}


@pytest.mark.parametrize("kind", NO_FILES)
def test_in_a_folder_what_is_no_file_is_never_opened(world: World, kind: str) -> None:
    NO_FILES[kind](world.folder / "models/other.yaml")
    assert world.mistakes() == [("models/other.yaml", 0, "", loading.NO_FILE)]


@pytest.mark.parametrize(("verb", "kind"), [("validate", "a device"), ("estimate", "a pipe")])
def test_what_is_no_file_is_refused_by_name(tmp_path, verb: str, kind: str) -> None:
    NO_FILES[kind](tmp_path / "net.yaml")
    done = typed(verb, tmp_path / "net.yaml")
    complaint = "is not a regular file, as a record must be"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"{tmp_path / 'net.yaml'}: {complaint}\n")


# Names


@pytest.mark.parametrize(
    ("change", "field", "message"),
    [
        ("name: Text", "name", "'Text' is already a name of text"),
        ("name: A\naliases: [text]", "aliases", "'text' is already a name of text"),
        ("name: A\nrenamed_from: [text]", "renamed_from", "'text' is already a name of text"),
        ("name: A\naliases: [B | text]", "aliases[0]", "'B | text' has a |, which joins several names in tables; state each separately"),
        ('name: "  "', "name", "is empty"),
        (f"name: {'x' * 1_001}", "name", "has 1,001 characters; a name has at most 1000"),
        ("name: A\nmissing: [no_such_fact]", "missing[0]", "'no_such_fact' is not a fact of a model"),
    ],
)  # fmt: skip
def test_no_model_takes_another_ones_name(world: World, change: str, field: str, message: str) -> None:
    world.change("models/images.yaml", "name: Images", change)
    assert [(file, where, complaint) for file, _, where, complaint in world.mistakes()] == [
        ("models/images.yaml", field, message)
    ]


def test_a_phase_is_not_timed_with_itself(world: World) -> None:
    world.change(
        "models/images.yaml", "    example_unit: image", "    timed_with: pretraining\n    example_unit: image"
    )
    assert [(field, message) for _, _, field, message in world.mistakes()] == [
        ("training[0].timed_with", "'pretraining' is not a phase with hardware")
    ]


@pytest.mark.parametrize("empty", ['""', '"  "'])
def test_an_empty_quote_is_no_evidence(world: World, empty: str) -> None:
    world.change("models/images.yaml", '"has 60 million parameters"', empty)
    assert ("models/images.yaml", "quotes.size.text", "is empty") in [
        (file, field, complaint) for file, _, field, complaint in world.mistakes()
    ]


# Numbers


@pytest.mark.parametrize("year", ["2041", "1939"])
def test_a_year_without_models_is_refused(world: World, year: str) -> None:
    world.change("models/images.yaml", "published: 2012-12-03", f"published: {year}")
    [(_, line, field, message)] = world.mistakes()
    assert (line, field, message.endswith("is not a date; write 2012-12-03, 2012-12 or 2012")) == (4, "published", True)


@pytest.mark.parametrize("unit", ["day/", "/", "a/", "not", "lambda", "_", "day/day/day", "é"])
def test_what_is_no_unit_has_its_line(world: World, unit: str) -> None:
    world.change("models/images.yaml", "low: 5 day", f'low: "5 {unit}"')
    [line] = lines_of(world)
    assert "training[0].hardware[0].duration" in line


def test_a_share_above_one_is_refused(world: World) -> None:
    value = "{applies_to: all, value: 1.5, basis: measured, source: study}"
    text = f"sources: {{study: {{title: A study}}}}\nquantity: utilization\nvalues:\n  - {value}\n"
    world.write("defaults/rates.yaml", text)
    complaint = "1.5 is more than 1, and utilization is a share"
    assert world.mistakes() == [("defaults/rates.yaml", 4, "values[0].value", complaint)]


@pytest.mark.parametrize(
    ("address", "is_refused"),
    [
        ("https://arxiv.org/abs/2005.14165", False),
        ("https://arxiv.org@evil.example/abs", True),
        ("https://user:word@evil.example", True),
        ("https://\u0430rxiv.org/abs", True),  # a Cyrillic letter
        ("https://xn--rxiv-63d.org/abs", True),
        ("https://example.xn--p1ai/abs", True),
        ("https://arxiv.org/abs/2005\u200b.14165", True),
        ("https://a-b.example.org/%E8%AE%A1", False),
        ("javascript:alert(1)", True),
    ],
)
@pytest.mark.parametrize("key", ["url", "found_at"])
def test_an_address_has_a_plain_host(world, address, is_refused, key):
    more = f'title: A paper, url: "{address}"' if key == "url" else "title: A paper"
    world.change("models/images.yaml", "title: A paper", more)
    if key == "found_at":
        world.change("models/images.yaml", "found_at: page 1", f'found_at: "{address}"')
    assert (world.mistakes() != []) == is_refused


def test_a_place_stays_in_its_repository(world):
    at = "github:openai/../../evil@0123456789ab:../../../x"
    world.change("models/images.yaml", "found_at: page 1", f'found_at: "{at}"')
    messages = [message for *_, message in world.mistakes()]
    assert messages == ["leads out of its repository; write the path from the root"]
