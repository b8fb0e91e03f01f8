"""Estimates of a catalogue as files: both are complete, and no other file is replaced or deleted."""

import os

import pytest

from pipeline.catalogues import output_files
from pipeline.catalogues.estimates import ESTIMATE_COLUMNS, Estimated
from pipeline.catalogues.rows import Bad
from pipeline.catalogues.sheets import CatalogueError
from tests.faults import OPERATIONS, everywhere

ROW = dict.fromkeys(ESTIMATE_COLUMNS)
GOOD = Estimated([ROW], [])
MIXED = Estimated([ROW], [Bad(2, "Net", "no number", {"Parameters": "many"})])


def test_a_quarantine_of_an_earlier_run_goes_and_anothers_stays(tmp_path):
    out, quarantine = tmp_path / "o.csv", tmp_path / "o.csv.quarantine.csv"
    assert output_files.write(MIXED, out) == (2, 0, 1, quarantine)
    assert output_files.write(GOOD, out) == (1, 0, 0, None)
    assert os.listdir(tmp_path) == ["o.csv"]
    quarantine.write_text("source_row,name\n1,somebody else's\n")
    before = out.read_bytes()
    for estimated in (GOOD, MIXED):
        with pytest.raises(CatalogueError, match=r"o.csv.quarantine.csv: .* which is not ours; move it"):
            output_files.write(estimated, out)
    assert quarantine.read_text() == "source_row,name\n1,somebody else's\n"
    assert out.read_bytes() == before


def test_a_quarantine_that_is_a_link_is_refused(tmp_path):
    (tmp_path / "precious").write_text("words")
    (tmp_path / "o.csv.quarantine.csv").symlink_to("precious")
    with pytest.raises(CatalogueError, match="is a link to precious"):
        output_files.check(tmp_path / "o.csv")


@pytest.mark.parametrize("is_kill", [False, True])
@pytest.mark.parametrize("operation", OPERATIONS)
def test_estimates_never_stand_without_their_quarantine(tmp_path, operation, is_kill):
    """At the n-th of each operation, for every n."""
    whole = tmp_path / "whole"
    whole.mkdir()
    output_files.write(MIXED, whole / "o.csv")
    new = {path.name: path.read_bytes() for path in whole.iterdir()}
    folder = tmp_path / "folder"
    folder.mkdir()
    tried = 0
    for _ in everywhere(operation, is_kill, lambda: output_files.write(MIXED, folder / "o.csv")):
        tried += 1
        files = {path.name: path.read_bytes() for path in folder.glob("*.csv")}
        assert files.items() <= new.items()
        assert "o.csv" not in files
        assert is_kill or set(os.listdir(folder)) == set(files)
        for path in folder.iterdir():
            path.unlink()
    assert tried == {"open": 2, "write": 2, "replace": 2}[operation]
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == new
