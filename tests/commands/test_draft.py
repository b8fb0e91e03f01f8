"""`flopledger draft` as a user types it."""

import shutil

import pytest

from pipeline.paths import RECORDS
from tests.builders import typed

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
    assert "  verbatim\texamples\tsection 2.2" in lines
    assert any(line.startswith("  absent\tparameters") for line in lines)
    assert lines[-2].endswith("quotes stand there")


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
    own.write_text(own.read_text().replace('where: "section 2.3", ', ""))
    monkeypatch.setattr(draft, "RECORDS", tmp_path)
    typed("draft", "--check", "opt-175b", paper, "--write")
    assert 'examples: {source: paper, where: "section 2.2", text: "Our final corpus' in own.read_text()
