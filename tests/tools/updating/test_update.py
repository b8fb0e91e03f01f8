"""The update day on a small table: rows of Epoch's snapshot, some removed or changed in the earlier table."""

import contextlib
import csv
import io
import json
import shutil

import pytest

from pipeline.base.download import DownloadError
from pipeline.base.paths import RECORDS, alone_in, snapshots
from pipeline.catalogues import record_lookup
from pipeline.commands import update as command
from pipeline.records import ledger
from tests.builders import typed

NAMES = ("Inkling", "Hybrid H3-2.7B", "Composer 2", "Kimi K2.5", "DeepSeek-V4-Pro", "GPT-4.5", "Grok 4.20", "Turing-NLG",
         "AlexNet", "Qwen3.5 397B-A17B")  # fmt: skip
SOURCE = "data/records/sources/epoch-notable.yaml"


def table(rows):
    """Return the text of a table."""
    text = io.StringIO()
    writer = csv.DictWriter(text, [*rows[0]], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


@pytest.fixture(scope="module")
def rows():
    with snapshots()[0].open(encoding="utf-8", newline="") as file:
        every = {row["Model"]: row for row in csv.DictReader(file)}
    return [every[name] for name in NAMES]


@pytest.fixture
def tree(tmp_path, monkeypatch, rows, records):
    """Make a checkout whose snapshot lacks Inkling and Composer 2 and has a tenfold value for Hybrid H3-2.7B."""
    root = tmp_path / "tree"
    before = [row | ({"Training compute (FLOP)": "6.48e+22"} if "H3" in row["Model"] else {}) for row in rows]
    before = [row for row in before if row["Model"] not in ("Inkling", "Composer 2")]
    for folder in ("data/records/sources", "data/snapshots"):
        (root / folder).mkdir(parents=True)
    shutil.copy(RECORDS / "sources/epoch-notable.yaml", root / SOURCE)
    (root / "data/snapshots/epoch_notable.csv").write_text(table(before))
    (tmp_path / "new.csv").write_text(table(rows))
    monkeypatch.setattr(command, "LEDGER", root)
    monkeypatch.setattr(command, "RECORDS", root / "data/records")
    monkeypatch.setattr(command, "UPDATES", root / "data/updates")
    monkeypatch.setattr(command, "rebuild", lambda: None)
    monkeypatch.setattr(ledger, "load_all", lambda: records)
    monkeypatch.setattr(record_lookup, "headlines", lambda records, parameters: {})
    return root


def files(root):
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def call(file, *words):
    done = typed("update", "--source", "epoch-notable", "--snapshot", file, *words)
    return done.returncode, done.stdout, done.stderr


def test_check_finds_both_slips_and_changes_nothing(tree):
    before = files(tree)
    code, output, _ = call(tree.parent / "new.csv", "--check", "--json")
    result = json.loads(output)
    assert (code, files(tree)) == (command.WORK_IS_THERE, before)
    assert (result["new"], result["gone"], result["renamed"]) == (["Composer 2", "Inkling"], [], [])
    assert [(row["name"], row["kind"], round(row["factor"], 3)) for row in result["findings"]] == [
        ("Hybrid H3-2.7B", "confirms_ours", 0.1)
    ]
    (moved,) = result["moved"]
    assert (moved["name"], moved["column"], moved["before"]) == (
        "Hybrid H3-2.7B",
        "Training compute (FLOP)",
        "6.48e+22",
    )
    next_of = {row["name"]: row["next"] for row in result["work"]}
    assert "Composer 2" not in next_of  # it has a record
    assert [row["rank"] for row in result["work"]] == [*range(1, len(result["work"]) + 1)]


def test_an_update_writes_work_record_sidecar_and_snapshot_and_a_second_does_nothing(tree):
    new = tree.parent / "new.csv"
    code, output, _ = call(new)
    assert (code, "2 new, 0 gone, 0 renamed; 1 cells of 1 rows moved; 1 findings" in output) == (0, True)
    written_files = files(tree)
    (work,) = (name for name in written_files if name.startswith("data/updates/"))
    assert written_files[work].decode().splitlines()[0] == "rank,kind,name,is_new,reason,next"
    assert written_files["data/snapshots/epoch_notable.csv"] == new.read_bytes()
    assert f"bytes: {new.stat().st_size}" in written_files[SOURCE].decode()
    assert f"bytes: {new.stat().st_size}" in written_files["data/snapshots/epoch_notable.origin.yaml"].decode()
    code, output, _ = call(new)
    assert (code, output.startswith("nothing new"), files(tree)) == (0, True, written_files)


BAD = {
    "half": (
        lambda rows: table(rows)[: len(table(rows)) // 2],
        "cut off|rows, but the snapshot has|cells, but the header",
    ),
    "half of its rows": (lambda rows: table(rows[:4]), "has 4 rows, but the snapshot has 8"),
    "renamed column": (lambda rows: table(rows).replace("Epochs", "Passes", 1), "lacks the column 'Epochs'"),
}


@pytest.mark.parametrize("harm", BAD)
def test_a_bad_file_is_one_line_and_the_tree_as_it_was(tree, rows, harm):
    text, output = BAD[harm]
    file = tree.parent / "bad.csv"
    file.write_text(text(rows))
    before = files(tree)
    code, _, problem = call(file)
    assert (code, files(tree)) == (1, before)
    lines = [line for line in problem.splitlines() if not line.startswith("warning")]
    assert len(lines) == 1
    assert any(part in lines[0] for part in output.split("|"))


def test_shuffled_rows_are_no_change_of_the_ledger(tree, rows):
    call(tree.parent / "new.csv")
    file = tree.parent / "shuffled.csv"
    file.write_text(table(rows[::-1]))
    _, output, _ = call(file, "--check", "--json")
    result = json.loads(output)
    assert (result["new"], result["gone"], result["moved"], result["findings"]) == ([], [], [], [])


def test_other_capitals_are_a_renamed_row(tree, rows):
    call(tree.parent / "new.csv")
    file = tree.parent / "capitals.csv"
    file.write_text(table([row | ({"Model": "ALEXNET"} if row["Model"] == "AlexNet" else {}) for row in rows]))
    _, output, _ = call(file, "--check", "--json")
    assert json.loads(output)["renamed"] == [{"before": "AlexNet", "after": "ALEXNET"}]


def test_a_file_beyond_the_limit_and_one_that_is_not_there(tree, monkeypatch):
    assert "no such file" in call(tree / "nosuch.csv")[2]
    monkeypatch.setattr("pipeline.catalogues.sheets.LARGEST_BYTES", 1000)
    code, _, output = call(tree.parent / "new.csv")
    assert (code, "is larger than 1,000 bytes" in output) == (1, True)


def test_a_second_update_while_one_runs_is_refused(tree):
    before = files(tree)
    with alone_in(tree / "data/records/sources"):
        assert call(tree.parent / "new.csv") == (
            1,
            "",
            "another update is running in this checkout; wait until it ends\n",
        )
    assert files(tree) == before


@pytest.mark.parametrize("end", [ValueError("the pipeline does not take it"), KeyboardInterrupt()])
def test_a_rebuild_that_fails_or_is_stopped_leaves_the_tree_as_it_was(tree, monkeypatch, end):
    def fail():
        raise end

    monkeypatch.setattr(command, "rebuild", fail)
    before = files(tree)
    with contextlib.suppress(ValueError):
        assert call(tree.parent / "new.csv")[0] != 0
    assert files(tree) == before


def test_no_network_is_a_line(tree, monkeypatch):
    def unreachable(url, limits, headers):
        raise DownloadError(f"{url}: cannot be reached, or broke off")

    monkeypatch.setattr("pipeline.tools.updating.raw_files.download", unreachable)
    before = files(tree)
    done = typed("update", "--source", "epoch-notable")
    assert (done.returncode, files(tree)) == (1, before)
    assert "cannot be reached, or broke off; nothing was changed" in done.stderr


@pytest.mark.usefixtures("tree")
def test_wrong_usage_and_unknown_sources():
    assert typed("update", "--snapshot", "a.csv").returncode == 2
    done = typed("update", "--source", "epoch-notabel")
    assert (done.returncode, "did you mean 'epoch-notable'" in done.stderr) == (1, True)
