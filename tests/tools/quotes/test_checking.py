"""A record's quotes are looked up, and their places written into it."""

import pytest
import yaml

from pipeline.records.loading import read
from pipeline.tools.quotes import checking
from pipeline.tools.quotes.forms import html
from tests.tools.quotes.builders import PAPER

RECORD = """name: TwinNet-7B
organization: Example University
organization_kind: academia
published: 2023-01-01
domain: language
scope: single
sources:
  paper: {kind: authors, title: "TwinNet: Learning with Twins", url: "https://arxiv.org/abs/2301.00001", year: 2023}
  card: {kind: authors, title: "TwinNet's model card", url: "https://example.org/card", year: 2023}
quotes:
  size: {source: paper, text: "a language model with 7.1 billion parameters", found_at: "https://example.org"} # kept
  data:
    source: paper
    text: "trained on 300 billion tokens"
    found_at: "https://example.org"
  steps: {source: paper, where: "section 3", text: "We train for 143,000 steps", found_at: "https://example.org"}
  chips: {source: paper, text: "on 64 TPU v3 chips for nine days", found_at: "https://example.org"}
  card: {source: card, text: "7.1 billion parameters", found_at: "https://example.org"}
"""


@pytest.fixture
def record(tmp_path):
    path = tmp_path / "twinnet-7b.yaml"
    path.write_text(RECORD)
    return read(path)[0].record


@pytest.fixture(scope="module")
def paper():
    return html.read("paper.html", PAPER)


def test_quotes_of_the_source_are_looked_up_and_no_others(record, paper):
    checked = {quote.quote: quote for quote in checking.check(record, [paper], "paper")}
    assert {name: quote.location.match.value for name, quote in checked.items()} == {
        "size": "verbatim",
        "data": "verbatim",
        "steps": "verbatim",
        "chips": "absent",
    }
    assert [name for name, quote in checked.items() if quote.is_new] == ["size", "data"]
    assert [name for name, quote in checked.items() if quote.differs] == ["steps"]
    report = checking.report(record, [paper], None)
    assert report["lines"][-1] == "3 of 4 quotes were found"
    assert report["absent"] == ["chips"]
    assert report["places"] == {"size": "abstract", "data": "section 2"}


def test_the_source_is_known_by_title_number_or_choice(record, paper):
    assert checking.source_of(record, paper) == "paper"
    numbered = html.read("2301.00001v2.html", "<p>No title.</p>")
    assert checking.source_of(record, numbered) == "paper"
    assert checking.source_of(record, html.read("x", "<p>x</p>"), "card") == "card"
    for document, given in ((html.read("x", "<h1>Another paper altogether</h1>"), None), (paper, "pape")):
        with pytest.raises(checking.CheckError, match="paper, card"):
            checking.source_of(record, document, given)


def test_places_are_written_and_nothing_else_changes():
    written = checking.with_places(RECORD, {"size": "abstract", "data": 'section 2, "so"'})
    before, after = yaml.safe_load(RECORD), yaml.safe_load(written)
    assert (after["quotes"]["size"].pop("where"), after["quotes"]["data"].pop("where")) == (
        "abstract",
        'section 2, "so"',
    )
    assert after == before
    assert "# kept" in written
    assert 'size: {source: paper, where: "abstract", text:' in written
