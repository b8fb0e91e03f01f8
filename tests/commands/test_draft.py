"""`flopledger draft` as a user types it."""

import shutil

import pytest

from pipeline.paths import RECORDS
from pipeline.records import ledger, loading
from tests.builders import typed
from tests.drafting.builders import PAPER

PAGE = """<h1>OPT: Open Pre-trained Transformer Language Models</h1><h2><span class="ltx_tag">2.2 </span>Training</h2>
<p>We trained OPT-175B on 2,048 80GB A100 GPUs. Our final corpus contains roughly 180B tokens.</p>"""


@pytest.fixture
def paper(tmp_path):
    path = tmp_path / "2205.01068.html"
    path.write_text(PAGE)
    return path


def test_check_says_which_quotes_stand_where(paper):
    done = typed("draft", "--check", "opt-175b", paper)
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert "  verbatim  examples  section 2.2  the record says section 2.3" in lines
    assert any(line.startswith("  absent  parameters") for line in lines)
    assert any(line.startswith("  nearly  chip  section 2.2  not there: 992") for line in lines)
    assert lines[-1].endswith("quotes stand there")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--check", "opt-175b"], 2, "state a file"),
        (["--check", "opt-17b", "{paper}"], 1, "opt-175b"),
        (["--check", "gpt-3", "{paper}"], 1, "--source"),
        (["--check", "opt-175b", "no.html"], 1, "No such file"),
    ],
)
def test_a_mistake_is_one_line(paper, words, code, said):
    done = typed("draft", *(word.format(paper=paper) for word in words))
    assert (done.returncode, said in done.stderr) == (code, True), done.stderr


def test_write_puts_places_into_the_record(paper, monkeypatch, tmp_path):
    from pipeline.commands import draft

    (tmp_path / "models").mkdir()
    own = tmp_path / "models/opt-175b.yaml"
    shutil.copy(RECORDS / "models/opt-175b.yaml", own)
    everything = own.read_text()
    own.write_text(everything.replace('where: "section 2.3", ', ""))
    assert own.read_text() != everything
    monkeypatch.setattr(draft, "RECORDS", tmp_path)
    records = ledger.load_among()
    records.models["opt-175b"] = loading.read(own)[0].record
    monkeypatch.setattr(draft.ledger, "load", lambda: records)
    typed("draft", "--check", "opt-175b", paper, "--write")
    assert 'examples: {source: paper, where: "section 2.2", text: "Our final corpus' in own.read_text()


def test_a_draft_is_ticked_and_becomes_a_record(tmp_path):
    page = tmp_path / "2301.00001.html"
    page.write_text(PAPER)
    folder = tmp_path / "new"
    done = typed("draft", page, "--model", "TwinNet-7B", "--out", folder)
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in folder.iterdir()) == ["candidates.json", "draft.yaml", "ticks.html"]
    (tmp_path / "ticks.json").write_text('{"model": "TwinNet-7B", "ticks": {"parameters": 1, "examples": 1}}')
    done = typed("draft", "--accept", tmp_path / "ticks.json", "--out", folder)
    assert (done.returncode, "fill in organization" in done.stdout) == (0, True), done.stderr
    assert "parameters: {value: 7.1e9, quote: parameters" in (folder / "twinnet-7b.yaml").read_text()
    assert "exists already" in typed("draft", "--accept", tmp_path / "ticks.json", "--out", folder).stderr


def test_without_a_folder_the_commented_record_is_printed(tmp_path):
    page = tmp_path / "paper.html"
    page.write_text(PAPER)
    done = typed("draft", page, "--model", "TwinNet-7B")
    assert "#   1  {value: 256, quote: …}  (" in done.stdout
    assert "“We trained TwinNet-7B on 256 A100 GPUs for 12 days in bfloat16.” (paper, section 2.1)" in done.stdout


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["{paper}"], 2, "state --model"),
        (["{paper}", "--model", "TwinNet-7B"], 1, "does not name 'TwinNet-7B'"),
        (["--accept", "ticks.json"], 2, "--accept goes with --out"),
        (["--accept", "no.json", "--out", "."], 1, "No such file"),
        (["--fetch", "2301.00001", "--model", "x"], 2, "--fetch goes with --out"),
        (["--fetch", "example.org", "--out", ".", "--model", "x"], 1, "is no paper of arXiv"),
    ],
)
def test_a_mistake_in_a_draft_is_one_line(paper, words, code, said):
    done = typed("draft", *(word.format(paper=paper) for word in words))
    assert (done.returncode, said in done.stderr.replace("\n", " ")) == (code, True), done.stderr
