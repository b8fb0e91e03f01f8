"""Sealed rows: the published points of a model, and a file that only grows."""

import csv
import subprocess

import pytest

from pipeline.base.paths import PUBLISHED, ROOT
from pipeline.tools import sealing


def git(root, *words):
    return subprocess.run(
        ["git", "-C", root, "-c", "user.name=a", "-c", "user.email=a@example.org", *words],
        check=True,
        capture_output=True,
    )


@pytest.fixture
def history(tmp_path):
    """Make a repository in which two rows were sealed, one per commit."""
    git(tmp_path, "init", "-q")
    path = tmp_path / sealing.FILE
    path.parent.mkdir(parents=True)
    for text in ("model_id\na\n", "model_id\na\nb\n"):
        path.write_text(text)
        git(tmp_path, "add", "-A")
        git(tmp_path, "commit", "-qm", "Seal")
    return path


def test_no_row_that_was_ever_sealed_is_changed_or_gone():
    assert sealing.mistakes() == []


@pytest.mark.parametrize(
    ("text", "number"), [("model_id\na\nb\nc\n", 0), ("model_id\na\n", 1), ("model_id\nx\nb\n", 2), (None, 2)]
)
def test_a_row_may_be_appended_and_none_changed_or_removed(history, text, number):
    history.write_text(text) if text else history.unlink()
    mistakes = sealing.mistakes(history.parents[2])
    assert len(mistakes) == number
    assert all("restore it and append a new row" in line for line in mistakes)


def test_a_row_has_the_published_points_in_their_order():
    (row,) = sealing.rows_to_seal(["gpt-3"])
    with (PUBLISHED / "estimates.csv").open(newline="") as file:
        published = next(row for row in csv.DictReader(file) if row["model_id"] == "gpt-3")
    cells = dict(zip(sealing.COLUMNS, row, strict=True))
    points = [float(cells[f"{name}_flop"]) for name in sealing.POINTS]
    assert points == sorted(points)
    assert (cells["p50_flop"], cells["p95_flop"]) == (published["training_flop"], published["training_flop_high"])
    assert (cells["evidence_class"], cells["has_makers_total"]) == (published["evidence_class"], "true")
    assert len(cells["record_commit"]) == len(cells["rules_commit"]) == (40 if (ROOT / ".git").exists() else 0)


def test_an_unknown_model_is_one_line(capsys):
    with pytest.raises(LookupError, match="'gpt3' is not in the published estimates; did you mean 'gpt-3'"):
        sealing.rows_to_seal(["gpt3"])
