"""The score of drafts: which facts count, on which papers, and what the fit learns."""

import pytest

from pipeline.drafting import ranking
from pipeline.drafting.candidates import Extractor, Occurrence
from pipeline.drafting.documents import Passage
from pipeline.drafting.forms import html
from pipeline.drafting.locating import Index
from pipeline.drafting.names import Target
from pipeline.records.loading import read
from tests.benchmarks import draft_accuracy as accuracy
from tests.drafting.builders import PAPER

RECORD = """name: TwinNet-7B
organization: Example University
organization_kind: academia
published: 2023-01-01
domain: language
scope: single
sources:
  paper: {kind: authors, title: "TwinNet", url: "https://arxiv.org/abs/2301.00001", year: 2023}
quotes:
  size: {source: paper, text: "a language model with 7.1 billion parameters", found_at: "https://example.org"}
  data: {source: paper, text: "trained on 300 billion tokens with a batch size of 1024 sequences of length 2048", found_at: "https://example.org"}
  chips: {source: paper, text: "on 64 TPU v3 chips for nine days", found_at: "https://example.org"}
parameters: {value: 7.1e9, quote: size, derived: "7.1 * 1e9"}
training:
  - phase: pretraining
    example_unit: token
    examples: {value: 300e9, quote: data, derived: "300 * 1e9"}
    epochs: {value: 1, quote: data, derived: "300e9 / 300e9"}
    batch: {value: 2097152, quote: data, derived: "1024 * 2048"}
    hardware:
      - chips: {value: 64, quote: chips}
"""


@pytest.fixture
def record(tmp_path):
    path = tmp_path / "twinnet-7b.yaml"
    path.write_text(RECORD)
    return read(path)[0].record


def test_facts_are_sorted_by_how_they_follow_from_their_words(record):
    facts = accuracy.known_facts("twinnet-7b", record, "2301.00001", "paper", Index(html.read("x", PAPER)))
    assert {fact.kind: fact.sort for fact in facts} == {
        "parameters": "as_is",
        "examples": "as_is",
        "epochs": "definition",
        "batch": "named arithmetic",
        "chips": "absent",
    }


def test_places_of_facts_among_candidates_are_counted(record):
    document = html.read("x", PAPER)
    facts = list(accuracy.known_facts("twinnet-7b", record, "2301.00001", "paper", Index(document)))
    case = accuracy.Case(
        "twinnet-7b",
        "2301.00001",
        "html",
        "language",
        facts,
        set(),
        Extractor(Target("TwinNet-7B"), {}).occurrences(document),
    )
    found = {each.known.kind: each for each in accuracy.placed([case], ranking.fitted())}
    assert (
        found["parameters"].place,
        found["chips"].place,
        found["batch"].is_proposed,
        found["epochs"].is_proposed,
    ) == (1, None, True, True)
    assert accuracy.share(found.values(), 1) == pytest.approx(
        2 / 5
    )  # parameters and examples; the others are worked out or absent


def test_the_halves_are_the_same_everywhere():
    assert [accuracy.is_scored(paper) for paper in ("1706.03762", "1810.04805", "2005.14165", "2205.01068")] == [
        True,
        False,
        True,
        False,
    ]


def test_the_fit_prefers_what_marks_the_right_values():
    def case(model, right, wrong):
        own = [
            Occurrence("steps", value, str(value), None, Passage("x"), 0, 1, {name: 1.0})
            for value, name in ((right, "good"), (wrong, "bad"))
        ]
        fact = accuracy.Known(model, model, "training[0].steps", "steps", (right,), "as_is")
        return accuracy.Case(model, model, "html", "language", [fact], {"steps"}, own)

    weights = accuracy.fit([case(f"m{place}", 1000.0 + place, 500.0 + place) for place in range(20)])
    assert weights["good"] > 0.5 > weights["bad"]
    assert ranking.ranked(case("new", 7.0, 9.0).occurrences, weights)["steps"][0].value == 7.0


def test_absent_papers_are_named_and_skipped(tmp_path, capsys):
    accuracy.main([str(tmp_path)])
    printed = capsys.readouterr().out
    assert "2205.01068" in printed
    assert "top" not in printed
    assert printed.count("\n") == 1
