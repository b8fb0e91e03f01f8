"""Candidates of an invented publication: a page to tick, a commented record, and what is accepted."""

import json
import re

import pytest
import yaml

from pipeline.drafting import draft, ranking
from pipeline.drafting.candidates import Extractor
from pipeline.drafting.forms import config, html, latex
from pipeline.drafting.locating import letters
from pipeline.drafting.names import Target
from pipeline.drafting.quotes import MOST_WORDS
from pipeline.records.loading import read
from tests.drafting.builders import PAPER

CHIPS = {"a100": "nvidia-a100-sxm4", "v100": "nvidia-v100-sxm2", "tpu v3": "google-tpu-v3"}
EVERY = {
    "parameters": "7.1e9",
    "examples": "300e9",
    "steps": "143e3",
    "batch": "1024",
    "sequence_length": "2048",
    "precision": "bf16",
    "chip": "nvidia-a100-sxm4",
    "chips": "256",
    "duration": "12 day",
    "layers": "32",
    "width": "4096",
    "heads": "32",
    "vocabulary": "32000",
    "feed_forward_width": "16384",
    "reported_flop": "2.56e22 FLOP",
}


@pytest.fixture(scope="module")
def paper():
    return html.read("2301.00001v2.html", PAPER)


@pytest.fixture(scope="module")
def made(paper):
    return draft.make([paper], Target("TwinNet-7B", others=frozenset({"GPT-3"})), CHIPS)


@pytest.mark.parametrize("kind", EVERY)
def test_what_the_publication_states_comes_first(made, kind):
    assert made.choices[kind][0].written == EVERY[kind]


def test_every_quote_is_verbatim_short_and_holds_its_figure(paper, made):
    texts = {passage.where: passage.text for passage in paper.passages}
    for choices in made.choices.values():
        for quote in (quote for choice in choices for quote in choice.quotes):
            assert any(
                quote["text"] in passage.text for passage in paper.passages if passage.where == quote["where"]
            ), (quote, texts)
            assert len(quote["text"].split()) <= MOST_WORDS
            assert quote["figure"] in quote["text"]


def test_tokens_a_batch_and_passes_are_worked_out(made):
    worked_out = {
        (kind, choice.written): choice
        for kind, own in made.choices.items()
        for choice in own
        if choice.probability is None
    }
    assert worked_out["batch", "2097152"].derived == "1024 * 2048"
    assert worked_out["epochs", "1"].derived == "300e9 / 300e9"


@pytest.mark.parametrize(
    ("sentence", "kind", "value", "derived"),
    [
        ("TwinNet-7B was trained on 512 TPU v3 cores for three days.", "chips", 256.0, "512 / 2"),
        ("TwinNet-7B was trained on 24 nodes with 8 A100 GPUs each.", "chips", 192.0, "24 * 8"),
        ("TwinNet-7B was trained on a TPU v3-64 (like 64 V100 GPUs).", "chips", 32.0, "64 / 2"),
        ("Each node has 8 A100 GPUs. TwinNet-7B was trained on 24 nodes in all.", "chips", 192.0, "24 * 8"),
        (
            "We train TwinNet-7B with a batch size of 16 images per GPU. It was trained on 64 A100 GPUs.",
            "batch",
            1024.0,
            "16 * 64",
        ),
        (
            "We train TwinNet-7B with batches of 3.15M tokens, or 1538 contexts of 2048 tokens each.",
            "batch",
            3149824.0,
            "1538 * 2048",
        ),
        ("TwinNet-7B has a context length of 4k tokens in training.", "sequence_length", 4096.0, "4 * 1024"),
        (
            "In TwinNet-7B the hidden size is 1024 and the feed-forward size is four times the hidden size.",
            "feed_forward_width",
            4096.0,
            "4 * 1024",
        ),
    ],
)
def test_arithmetic_between_figures_is_proposed(sentence, kind, value, derived):
    page = html.read("x.html", f"<h1>TwinNet-7B</h1><p>TwinNet-7B is new. TwinNet-7B is large.</p><p>{sentence}</p>")
    choices = draft.make([page], Target("TwinNet-7B"), CHIPS).choices[kind]
    assert (derived, True) in [(choice.derived, choice.probability is None) for choice in choices]
    assert value == pytest.approx(float(next(choice.written for choice in choices if choice.derived == derived)))


def candidates(body, kind, name="TwinNet-7B"):
    page = html.read("x.html", f"<h1>{name}</h1><p>{name} is new. {name} is large.</p>{body}")
    return draft.make([page], Target(name, others=frozenset({"Other"})), CHIPS).choices.get(kind, [])


@pytest.mark.parametrize(
    ("sentence", "kind", "wrong"),
    [
        # a total is multiplied already, and a machine's name is no number
        ("TwinNet-7B was trained on 32 DGX-2 servers (a total of 512 A100 GPUs).", "chips", ("16384", "2", "1024")),
        ("TwinNet-7B was trained on 6 machines with 96 A100 GPUs.", "chips", ("576",)),
        ("TwinNet-7B was trained with a single TPU v3 core.", "chips", ("0.5",)),
        # an image's size, a part of a power of ten, and steps are no examples
        ("TwinNet-7B is trained on images of 224 × 224 pixels.", "examples", ("50176",)),
        ("TwinNet-7B is trained for up to 60 × 10^4 iterations.", "examples", ("600", "60", "600e3")),
        ("We train TwinNet-7B for 125,000 steps.", "examples", ("125e3",)),
        ("We train TwinNet-7B with a batch of 1024 sequences.", "sequence_length", ("1024",)),
    ],
)  # fmt: skip
def test_what_only_looks_like_a_fact_is_not_proposed(sentence, kind, wrong):
    assert not {choice.written for choice in candidates(f"<p>{sentence}</p>", kind)} & set(wrong)


@pytest.mark.parametrize(
    ("sentence", "kind", "written"),
    [
        ("TwinNet-7B was trained on a machine with 8xA100 80GB GPUs.", "chips", "8"),
        ("TwinNet-7B was trained on a machine with 8xA100 80GB GPUs.", "chip", "nvidia-a100-sxm4"),
        ("TwinNet-7B is trained for up to 60 × 10^4 iterations.", "steps", "600e3"),
        ("TwinNet-7B used 150±5 PFlops/s · days of compute.", "reported_flop", "150 petaflop_s_day"),
        ("TwinNet-7B uses 32 -headed attention.", "heads", "32"),
        ("Training TwinNet-7B took 2–3 weeks.", "duration", "2 week to 3 week"),
        ("TwinNet-7B is trained on batches of 1024 length-512 sequences.", "sequence_length", "512"),
    ],
)  # fmt: skip
def test_ways_of_writing_are_read(sentence, kind, written):
    assert written in [choice.written for choice in candidates(f"<p>{sentence}</p>", kind)]


def test_a_range_of_durations_is_written_as_a_range():
    (choice,) = candidates("<p>Training TwinNet-7B took 2–3 weeks.</p>", "duration")
    assert draft.fact_text(choice, ["time"]) == "{low: 2 week, high: 3 week, quote: time}"


@pytest.mark.parametrize(
    ("rows", "kind", "written"),
    [
        # two figures in a cell under two heads
        ("<tr><td>Model</td><td>d_model / d_ff</td></tr><tr><td>TwinNet-7B</td><td>4096 / 10240</td></tr>", "feed_forward_width", "10240"),
        ("<tr><td>Model</td><td>Mio. Param</td></tr><tr><td>TwinNet-7B</td><td>7100</td></tr>", "parameters", "7.1e9"),
        # a row of one cell names the rows below it
        ("<tr><td>Data</td><td>Steps</td></tr><tr><td>Other-9</td><td></td></tr><tr><td>3B</td><td>1M</td></tr><tr><td>TwinNet-7B</td><td></td></tr><tr><td>3B</td><td>5M</td></tr>", "steps", "5e6"),
    ],
)  # fmt: skip
def test_tables_are_read_as_they_are_drawn(rows, kind, written):
    assert candidates(f"<table><caption>Table 1: Sizes.</caption>{rows}</table>", kind)[0].written == written


def test_a_row_under_another_models_name_is_not_ours():
    table = "<table><tr><td>Model</td><td></td><td>Layers</td></tr><tr><td rowspan=2>Other</td><td>base</td><td>11</td></tr><tr><td>large</td><td>22</td></tr><tr><td rowspan=2>Twin</td><td>base</td><td>33</td></tr><tr><td>large</td><td>44</td></tr></table>"
    assert candidates(table, "layers", "Twin-large")[0].written == "44"


def test_a_model_named_twice_in_its_familys_paper_is_drafted():
    family = "TwinNet is a network. " * 20
    page = html.read("x.html", f"<h1>Deep Pairs</h1><p>{family}</p><p>TwinNet-264 has 34 million parameters.</p>")
    assert draft.make([page], Target("TwinNet-264"), CHIPS).choices["parameters"][0].written == "34e6"


def test_two_values_are_said_to_contradict():
    page = "<h1>TwinNet-7B</h1><h2>Training</h2><p>We trained TwinNet-7B on 256 A100 GPUs.</p><h2>Training</h2><p>We trained TwinNet-7B on 512 A100 GPUs.</p>"
    found = draft.make([html.read("x.html", page)], Target("TwinNet-7B"), CHIPS)
    assert re.fullmatch(r"the text also has (256|512) \(Training\)", found.conflicts["chips"])


def test_a_configuration_states_the_network():
    written = json.dumps(
        {
            "hidden_size": 4096,
            "num_hidden_layers": 32,
            "num_attention_heads": 32,
            "num_key_value_heads": 8,
            "intermediate_size": 14336,
            "vocab_size": 128256,
        }
    )
    choices = draft.make([config.read("config.json", written)], Target("TwinNet-7B"), CHIPS).choices
    found = {kind: own[0].written for kind, own in choices.items()}
    assert found == {
        "layers": "32",
        "width": "4096",
        "heads": "32",
        "key_value_heads": "8",
        "feed_forward_width": "14336",
        "vocabulary": "128256",
    }


@pytest.mark.parametrize(
    ("page", "said"),
    [
        ("<h1>On Birds</h1><p>They fly 300 km.</p>", "does not name"),
        ("<h1>On Birds</h1><p>Unlike TwinNet-7B, ours has 3 layers.</p>", "names 'TwinNet-7B' 1 time only"),
    ],
)
def test_the_publication_of_another_model_is_refused(page, said):
    with pytest.raises(draft.DraftError, match=said):
        draft.make([html.read("x.html", page)], Target("TwinNet-7B"), CHIPS)


def test_the_model_s_other_sizes_come_after_it():
    rows = r"\title{TwinNet}\begin{document}\begin{table}\caption{Sizes}\begin{tabular}{lr} Model & Layers \\ 1.3B & 24 \\ 13B & 40 \\ 6.7B & 32 \\ \end{tabular}\end{table}TwinNet-6.7B is ours.\end{document}"
    target = Target("TwinNet-6.7B")
    found = ranking.ranked(Extractor(target, {}).occurrences(latex.read("x.tex", rows)))["layers"]
    assert found[0].written == "32"


# Files and acceptance


def test_the_page_and_the_draft_hold_nothing_that_runs(tmp_path, paper):
    hostile = html.read(
        "x.html",
        "<h1>TwinNet-7B</h1><p>TwinNet-7B has 32 layers &lt;/script&gt;&lt;img src=x onerror=alert(1)&gt; \u2028 name: evil.</p>"
        * 2,
    )
    files = {
        path.name: path.read_text()
        for path in draft.write(draft.make([hostile], Target("TwinNet-7B"), CHIPS), tmp_path)
    }
    assert files["ticks.html"].count("</script>") == 2
    assert "onerror" not in files["ticks.html"].replace("\\u003cimg src=x onerror", "")
    assert yaml.safe_load(files["draft.yaml"])["name"] == "TwinNet-7B"
    assert "evil" not in str(yaml.safe_load(files["draft.yaml"]))


def test_accepted_facts_are_a_valid_record(tmp_path, made):
    ticks = {"model": "TwinNet-7B", "ticks": dict.fromkeys(EVERY, 1)}
    text = draft.accept(made.model_dump(mode="json"), ticks, family="transformer_decoder")
    for key, value in {
        "organization": "Example University",
        "organization_kind": "academia",
        "published": "2023-01-01",
        "domain": "language",
    }.items():
        text = text.replace(f'{key}: ""', f"{key}: {value}")
    path = tmp_path / "models" / "twinnet-7b.yaml"
    path.parent.mkdir()
    path.write_text(text)
    loaded, mistakes = read(path)
    assert [str(each) for each in mistakes] == []
    phase = loaded.record.training[0]
    assert (loaded.record.parameters.amount, phase.examples.amount, phase.hardware[0].duration.amount) == (
        7.1e9,
        300e9,
        12 * 86400,
    )
    assert phase.example_unit == "token"
    assert loaded.record.architecture.settings["layers"] == 32
    quotes = loaded.record.quotes.values()
    assert {quote.where for quote in quotes} >= {"abstract", "section 2", "table 1"}
    assert all(
        letters(quote.text)
        in letters(re.sub(r"<math.*?</math>", "2.56 × 10^22", re.sub(r"</?(td|sub|p|i)>", " ", PAPER)))
        or "|" in quote.text
        for quote in quotes
    )


def test_only_what_is_ticked_enters(made):
    text = draft.accept(made.model_dump(), {"model": "TwinNet-7B", "ticks": {"steps": 1, "parameters": 0}})
    content = yaml.safe_load(text)
    assert list(content["quotes"]) == ["steps"]
    assert "parameters" not in content
    assert content["training"][0]["steps"] == {
        "value": "143e3",
        "quote": "steps",
    }  # YAML 1.1 reads it as text, the ledger's reader as a number


@pytest.mark.parametrize(
    ("ticks", "said"),
    [
        ([], "no ticks"),
        ({"model": "TwinNet-7B", "ticks": {}}, "nothing is ticked"),
        ({"model": "GPT-3", "ticks": {"steps": 1}}, "ticks are of 'GPT-3'"),
        ({"model": "TwinNet-7B", "ticks": {"steps": 99}}, "steps: 99 is no choice"),
        ({"model": "TwinNet-7B", "ticks": {"steps": "1"}}, "steps: '1' is no choice"),
        ({"model": "TwinNet-7B", "ticks": {"wings": 1}}, "wings: 1 is no choice"),
    ],
)
def test_ticks_that_do_not_fit_are_refused(made, ticks, said):
    with pytest.raises(draft.DraftError, match=re.escape(said)):
        draft.accept(made.model_dump(), ticks)
