"""Doubts about valid facts: remarks, and mistakes in a record that contradicts itself."""

import csv

import pytest

from pipeline.records import cited_cells, loading
from tests.records.conftest import IMAGES, World

SMALL = "the family's default; state it"  # flags of a decoder
COUNTED = (192 + 1) * 310881  # parameters of the only layer of Images


def remarks(world: World) -> list[str]:
    """Return the remarks on the small ledger, each beginning with its field."""
    return [remark.partition(" ")[2] for remark in loading.load([world.folder]).remarks]


def stated(world: World, parameters: float, note: str) -> None:
    text = IMAGES.replace("has 60 million parameters", f"has {parameters:.0f} parameters")
    world.write("models/images.yaml", text.replace("value: 60e6", f"value: {parameters:.0f}{note}"))


@pytest.mark.parametrize(
    ("factor", "note", "verdict"),
    [(1.0495, "", ""), (1.0505, "", "remark"), (1 / 1.06, "", "remark"), (1.1485, "", "remark"), (1.1515, "", "mistake"),
     (0.8, "", "mistake"), (1.98, ', note: "Why."', ""), (2.02, ', note: "Why."', "remark")],
)  # fmt: skip
def test_stated_parameters_are_compared_with_the_network(world: World, factor: float, note: str, verdict: str) -> None:
    stated(world, round(COUNTED * factor), note)
    complaint = "are stated, but the architecture has"
    assert any(complaint in message for *_, message in world.mistakes()) == (verdict == "mistake")
    if verdict != "mistake":
        assert any(complaint in remark for remark in remarks(world)) == (verdict == "remark")


@pytest.fixture
def fitting(world: World) -> World:
    """Return the same ledger with as many parameters as its network has."""
    stated(world, COUNTED, "")
    return world


@pytest.mark.parametrize(("domain", "is_odd"), [("vision", False), ("multimodal", False), ("language", True)])
def test_examples_are_of_the_domain(fitting: World, domain: str, is_odd: bool) -> None:
    fitting.change("models/images.yaml", "domain: vision", f"domain: {domain}")
    complaint = f"training[0].example_unit: is image, but the domain is {domain}; is one of them wrong?"
    assert (complaint in remarks(fitting)) == is_odd


@pytest.mark.parametrize(("published", "flags"), [("2022-12", []), ("2023", ["is_gated", "is_tied", "has_biases"])])
def test_a_flag_left_to_the_family_is_named(fitting: World, published: str, flags: list[str]) -> None:
    fitting.change("models/text.yaml", "published: 2020-05", f"published: {published}")
    usual = {"is_gated": "false", "is_tied": "true", "has_biases": "true"}
    expected = [f"architecture.family: {flag} is not stated: {usual[flag]}, {SMALL}" for flag in flags]
    assert [remark for remark in remarks(fitting) if "architecture" in remark] == expected


@pytest.mark.parametrize(
    ("more", "complaint"),
    [
        ('note: "Released as a/b."', "the note's “Released as”"),
        ("", "https://huggingface.co/org/Images"),
        ('note: "Only its code was."', None),
    ],
)
def test_weights_are_not_closed_and_released(fitting: World, more: str, complaint: str | None) -> None:
    url = "https://huggingface.co/org/Images" if not more else "https://huggingface.co/org/Other"
    fitting.change("models/images.yaml", "title: A paper,", f'title: A paper, url: "{url}",')
    fitting.change(
        "models/images.yaml",
        "scope: single",
        f"scope: single\nweights_access: {{value: closed, source: paper}}\n{more}",
    )
    messages = [message for _, _, field, message in fitting.mistakes() if field == "weights_access"]
    assert messages == (
        [f"is closed, contrary to {complaint}; write open or restricted, with a quote"] if complaint else []
    )


@pytest.mark.parametrize(
    ("chip", "words", "is_wrong"),
    [
        ("", "on two GTX 580 GPUs", False),
        ("", "on two GTX 680 GPUs", True),
        (', derived: "Fermi"', "on two Fermi GPUs", False),
        (', derived: "Kepler"', "on two Fermi GPUs", True),
        (', derived: "680"', "on two GTX 680 GPUs", True),
    ],
)
def test_a_chip_is_that_of_its_quote(fitting: World, chip: str, words: str, is_wrong: bool) -> None:
    quote = f'  chip: {{source: paper, text: "{words}", found_at: page 2}}\nparameters:'
    fitting.change("models/images.yaml", "parameters: {", f"{quote} {{")
    fitting.change("models/images.yaml", "nvidia-gtx-580, source: paper", f"nvidia-gtx-580, quote: chip{chip}")
    assert bool(fitting.mistakes()) == is_wrong


@pytest.mark.parametrize(
    ("fact", "complaint"),
    [
        ("2 day", None),
        ('3 day, derived: "96 / 32"', "via: 96 of derived is neither in cell 'Training time (hours)' nor in another fact"),
        ("3 day", "via: 3 is not in cell 'Training time (hours)', which has 48; correct it, or add derived: the arithmetic that leads to it"),
        ("7 day, row: Other", "via: today's epoch_some.csv has no row 'Other'"),
        ("7 day, table: epoch_gone", None),
    ],
)  # fmt: skip
def test_a_fact_of_a_table_is_compared_with_its_cell(
    fitting: World, tmp_path, monkeypatch, fact: str, complaint: str | None
) -> None:
    with (tmp_path / "epoch_some.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["Model", "Training time (hours)"], ["Images ", "48.0"]])
    monkeypatch.setattr(cited_cells, "SNAPSHOTS", tmp_path)
    cited_cells._table.cache_clear()
    value, _, place = fact.partition(", ")
    key, _, name = place.partition(": ")
    row, table = (name if key == "row" else "Images"), (name if key == "table" else "epoch_some")
    derived = f", {place}" if key == "derived" else ', derived: "48 / 24"' if value == "2 day" else ""
    via = f'value: {value}, source: paper, via: "{table}_2026: {row}, Training time (hours)"{derived}'
    fitting.change("models/images.yaml", "low: 5 day, high: 6 day, source: paper", via)
    messages = [remark.partition(": ")[2] for remark in remarks(fitting) if "duration" in remark]
    assert messages == ([complaint] if complaint else [])
    cited_cells._table.cache_clear()


@pytest.mark.parametrize(
    ("duration", "complaint"), [("30 day", []), ("30 week", ["is in weeks, but quote 'note' mentions days"])]
)
def test_words_that_a_note_repeats_are_a_quote(fitting: World, duration: str, complaint: list[str]) -> None:
    via = f'value: {duration}, source: paper, via: "a table", note: "Quoted there: approximately 30 days."'
    fitting.change("models/images.yaml", "low: 5 day, high: 6 day, source: paper", via)
    assert [message for *_, message in fitting.mistakes()] == complaint
