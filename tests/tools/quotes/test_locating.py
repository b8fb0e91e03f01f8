"""Quotes found in a text, whatever its format did to signs and formulas."""

import pytest

from pipeline.tools.quotes.documents import Kind
from pipeline.tools.quotes.forms import html
from pipeline.tools.quotes.locating import Index, Match
from tests.tools.quotes.builders import PAPER


@pytest.fixture(scope="module")
def index():
    return Index([html.read("x.html", PAPER)])


@pytest.mark.parametrize(
    ("quote", "match", "where"),
    [
        ("trained on 300 billion tokens with a batch size of 1024 sequences", Match.VERBATIM, "section 2"),
        ("We trained TwinNet–7B on 256 A100 GPUs", Match.VERBATIM, "section 2.1"),
        ("| TwinNet-7B | 32 | 32 | 4096 |", Match.VERBATIM, "table 1"),
        ("<td>TwinNet-7B</td><td>32</td>", Match.VERBATIM, "table 1"),
        ("TwinNet-7B 4096", Match.CELLS, "table 1"),
        ("The compute is $2.56\\times 10^{22}$ FLOPs", Match.VERBATIM, "section 2"),
        ("The compute is $25.6\\times 10^{22}$ FLOPs", Match.NEARLY, "section 2"),
        (
            "We train for 143,000 steps, with 2.56×10222.56superscript10222.56\\times steps of warm-up",
            Match.BUT_FORMULAS,
            "section 2",
        ),
        ("We present TwinNet-7B, one language model with 7.1 billion parameters", Match.NEARLY, "abstract"),
    ],
)
def test_a_quote_stands_where_its_words_do(index, quote, match, where):
    location = index.locate(quote)
    assert (location.match, location.passage.where) == (match, where)


@pytest.mark.parametrize(
    "quote", ["We train for 6 days on sixteen TPUs of another kind", "33", "48 layers", "TwinNet-7B 5120"]
)
def test_words_that_do_not_stand_there_are_absent(index, quote):
    assert index.locate(quote).match is Match.ABSENT


def test_further_places_of_the_same_words_are_named():
    page = "<h2><span class=ltx_tag>1</span>A</h2><p>It has 24 layers.</p><h2><span class=ltx_tag>2</span>B</h2><p>It has 24 layers.</p>"
    location = Index([html.read("x", page)]).locate("It has 24 layers")
    assert (location.passage.where, location.others) == ("section 1", ("section 2",))


def test_a_quote_whose_words_are_missing_is_distinguished_by_its_numbers():
    index = Index([html.read("x", "<p>The network was trained on 64 chips in 2023.</p>")])
    assert index.locate("They used 64 accelerators for all of these experiments").match is Match.NUMBERS
    assert index.locate("They used 128 accelerators for all of these experiments").match is Match.ABSENT
    assert index.locate("They used many accelerators for all of these experiments").match is Match.ABSENT


def test_an_address_in_a_quote_is_found_in_the_source_of_a_markdown_page():
    index = Index(
        [
            html.read_markdown(
                "card.md", "# Card\n\n| Model | Size |\n|---|---|\n| [8B](https://example.org/8b) | 8.1B |\n"
            )
        ]
    )
    assert index.locate("| [8B](https://example.org/8b) | 8.1B |").match is Match.VERBATIM
    assert index.locate("| 8B | 8.1B |").passage.kind is Kind.ROW
