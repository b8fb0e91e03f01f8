"""`flopledger estimate --from`: every row of another catalogue."""

import csv
import os

import pytest

from pipeline.catalogues import estimates
from tests.builders import TEXT_ROW, TIMED_ROW, epoch_table, typed


def call(*words):
    """Return the command's exit code, output and diagnostics."""
    done = typed(*words)
    return done.returncode, done.stdout, done.stderr


def test_a_catalogue_is_estimated(tmp_path):
    out = tmp_path / "estimates.csv"
    code, printed, _ = call(
        "estimate",
        "--from",
        "epoch",
        epoch_table(tmp_path, TEXT_ROW, TIMED_ROW, TEXT_ROW | {"Parameters": "1e17"}),
        "--out",
        out,
    )
    assert code == 0
    assert printed == f"{out}: 3 rows read, 2 estimated, 1 could not be read (see {out}.quarantine.csv)\n"
    with out.open(newline="") as file:
        assert [(row["source_row"], row["name"]) for row in csv.DictReader(file)] == [("1", "Text"), ("2", "Timed")]


def test_what_is_no_catalogue_leaves_the_estimates_as_they_were(tmp_path):
    page, out = tmp_path / "page.csv", tmp_path / "estimates.csv"
    page.write_text("<html>sorry</html>")
    out.write_text("before")
    code, printed, errors = call("estimate", "--from", "epoch", page, "--out", out)
    assert (code, printed) == (1, "")
    last = errors.splitlines()[-1]
    assert last == f"{page} is a web page, not a CSV table; was an error page downloaded in its place?"
    assert out.read_text() == "before"


def test_the_catalogue_is_not_overwritten(tmp_path):
    path = epoch_table(tmp_path, TEXT_ROW)
    before = path.read_bytes()
    code, _, errors = call("estimate", "--from", "epoch", path, "--out", path)
    assert code == 1
    assert "is the catalogue itself" in errors
    assert path.read_bytes() == before


@pytest.mark.parametrize("name", ["folder", "link.csv", "pipe", "/dev/full", "none/estimates.csv"])
def test_an_output_that_is_no_plain_file_is_refused_before_estimating(tmp_path, monkeypatch, name):
    (tmp_path / "folder").mkdir()
    (tmp_path / "link.csv").symlink_to("target.csv")
    (tmp_path / "target.csv").write_text("target")
    os.mkfifo(tmp_path / "pipe")
    monkeypatch.setattr(estimates, "estimate", None)
    catalogue = epoch_table(tmp_path, TEXT_ROW)
    before = sorted(os.listdir(tmp_path))
    code, printed, errors = call("estimate", "--from", "epoch", catalogue, "--out", tmp_path / name)
    assert (code, printed, errors.count("\n")) == (1, "", 1)
    assert errors.startswith(f"{tmp_path / name}: ")
    assert sorted(os.listdir(tmp_path)) == before
    assert (tmp_path / "target.csv").read_text() == "target"


def test_a_table_without_its_owner_is_met_with_the_option(tmp_path):
    (tmp_path / "table.csv").write_text("Model\nGPT-3\n")
    done = typed("estimate", tmp_path / "table.csv")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.endswith(f"flopledger estimate --from epoch {tmp_path / 'table.csv'} --out estimates.csv\n")
    assert done.stderr.count("\n") == 1
