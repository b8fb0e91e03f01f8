"""Records of the ledger, and records elsewhere."""

import re
import shutil
from pathlib import Path

import pytest
import typer

from pipeline.base.paths import RECORDS
from pipeline.commands.validate import look_up, numbers_in_quotes
from tests.builders import typed


def is_remark(line):
    """Return whether a line is one of the doubts that valid records may leave."""
    doubts = (
        "has a throughput without a batch",
        "does one of them belong to another network?",
        "is a table row without a `where`",
        "names a second stage or sequence length, but the record has one phase",
        "is not stated: ",
        "is one of them wrong?",
        "is one of the inputs wrong?",
        "is shorter than half an hour or longer than 200 days",
        ": via: ",
        ": has the developer, size, examples and quotes of ",
    )
    return any(words in line for words in doubts)


def test_the_ledger_is_sound():
    done = typed("validate", "data/records")
    assert done.returncode == 0
    assert [line for line in done.stderr.splitlines() if not is_remark(line)] == []
    remarks = len(done.stderr.splitlines())
    assert all(line.startswith("remark: ") for line in done.stderr.splitlines())
    assert done.stdout.endswith(f"records read; no problems; {remarks} remarks, which are not problems\n")


@pytest.fixture
def other(tmp_path):
    """Make another checkout's records: one model, all chips and defaults."""
    for folder in ("defaults", "hardware"):
        shutil.copytree(RECORDS / folder, tmp_path / "data/records" / folder)
    (tmp_path / "data/records/models").mkdir()
    shutil.copy(RECORDS / "models/alexnet.yaml", tmp_path / "data/records/models")
    return tmp_path / "data/records"


def test_another_ledger_is_checked_on_its_own(other):
    record = re.sub(
        "(?m)^(name|aliases): .*$",
        lambda found: "name: Mine" if found[1] == "name" else "aliases: []",
        (other / "models/alexnet.yaml").read_text(),
    )
    (other / "models/mine.yaml").write_text(record)
    for path in (other, other / "hardware"):
        done = typed("validate", path)
        assert done.returncode == 0, path
        # remarks on our own records are not problems
        assert [line for line in done.stderr.splitlines() if not is_remark(line)] == [], path
    assert typed("validate", other / "models/mine.yaml", RECORDS / "models/alexnet.yaml").returncode == 0


def test_what_another_ledger_lacks_is_said(other):
    (other / "hardware/nvidia-gtx-580.yaml").unlink()
    done = typed("validate", other)
    assert done.returncode == 1
    assert f"{other}/models/alexnet.yaml:" in done.stderr
    assert "is not a chip in the ledger" in done.stderr


def test_a_folder_that_is_no_ledger_adds_to_ours(tmp_path):
    (tmp_path / "models").mkdir()
    shutil.copy(RECORDS / "models/alexnet.yaml", tmp_path / "models/mine.yaml")
    shutil.copy(RECORDS / "models/alexnet.yaml", tmp_path / "models/alexnet.yaml")
    assert typed("validate", tmp_path / "models/mine.yaml").returncode == 0
    done = typed("validate", tmp_path)
    assert done.returncode == 1
    assert "'alexnet' is already the id of" in done.stderr


def test_both_methods_of_a_model_are_shown():
    done = typed("validate", RECORDS / "models/gpt-3.yaml")
    totals = re.match(
        r"operations (\S+) FLOP, GPU time (\S+) FLOP: a ratio of (\S+), and a utilization of", done.stdout
    )
    counted, timed, ratio = map(float, totals.groups())
    assert counted == pytest.approx(3.14e23, rel=0.05)  # table D.1 of the paper
    assert ratio == pytest.approx(counted / timed, rel=0.05)
    assert done.stderr == ""


def test_what_comes_next_is_said_of_sound_records(tmp_path):
    from pipeline.commands.validate import next_steps

    ours = list(next_steps([RECORDS / "models/alexnet.yaml"]))
    assert ours[0].startswith("next: `flopledger estimate ")
    assert "`make repro`" in ours[1]
    assert list(next_steps([tmp_path / "models/mine.yaml"])) == []  # no such file
    assert ["`make repro`" in line for line in next_steps([RECORDS])] == [True]


PAGE = """<h1>OPT: Open Pre-trained Transformer Language Models</h1><h2><span class="ltx_tag">2.2 </span>Training</h2>
<p>We trained OPT-175B on 2,048 80GB A100 GPUs. Our final corpus contains roughly 180B tokens.</p>"""


@pytest.fixture
def paper(tmp_path):
    path = tmp_path / "2205.01068.html"
    path.write_text(PAGE)
    return path


def test_quotes_are_looked_up_in_a_publication(paper):
    done = typed("validate", RECORDS / "models/opt-175b.yaml", "--against", paper)
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert {"verbatim  examples  2.2 Training", "absent  parameters", "other numbers  chip"} <= {*lines}
    assert lines[-1].endswith("were found")


@pytest.mark.parametrize(
    ("model", "file", "message"), [("gpt-3", None, "Give --source"), ("opt-175b", "no.html", "No such file")]
)
def test_a_publication_of_no_source_or_none_is_one_line(paper, model, file, message, capsys):
    with pytest.raises(typer.Exit):
        look_up(RECORDS / f"models/{model}.yaml", [Path(file or paper)], "paper" if file else None)
    assert message in capsys.readouterr().err.replace("\n", " ")


def test_a_summary_has_the_words_around_each_number_and_the_quotes_other_numbers():
    """A quote has 671 and 37 billion, another the price of an hour, 2 dollars, and the cost of the run."""
    lines = list(numbers_in_quotes([RECORDS / "models/deepseek-v3.yaml"]))
    (active,) = [line for line in lines if line.startswith("active_parameters: ")]
    assert "of which 37B are activated for each t…”" in active
    assert active.endswith("; other numbers: 671B")
    (cost,) = [line for line in lines if line.startswith("reported_cost: 5.576e6 usd")]
    assert (
        cost.endswith("our total training costs amount to only $5.576M.”; other numbers: $2")
        or "; other numbers: 2" in cost
    )
