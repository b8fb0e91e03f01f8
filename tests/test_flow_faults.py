"""A stage on a machine that fails or is killed: files are whole, one release or none that vouches for itself, and the next run mends all."""

import hashlib
import re
import shutil
import subprocess
import sys
import threading

import pytest

from pipeline import flow
from pipeline.paths import ROOT, SUMS, alone_in
from pipeline.stages import STAGES, TABLES
from tests.faults import FULL, OPERATIONS, everywhere

FILES = ("datapackage.json", "estimates.csv", "estimates.parquet", "ledger.duckdb", "report/expectations.json")


def contents(folder):
    """The bytes of every file below, by its name."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def sums_of(files):
    """SHA256SUMS of these files as text, the database left out."""
    lines = (f"{hashlib.sha256(files[name]).hexdigest()}  {name}\n" for name in sorted(files) if ".duckdb" not in name)
    return "".join(lines)


@pytest.fixture
def releases(tmp_path, miniature, monkeypatch):
    """A tree with a release, and a stage `publish` that writes the next one: its files as the real one has them, each with a new line."""
    shutil.copytree(miniature, tmp_path / "tree")
    published = tmp_path / "tree/data/published"
    old = {name: (published / name).read_bytes() for name in FILES}
    new = {name: content + b"\nnew" for name, content in old.items()}
    for files in (old, new):
        files[SUMS] = sums_of(files).encode()

    def publish(given):
        (given.release / "report").mkdir()
        for name, content in new.items():
            (given.release / name).write_bytes(content)
        return {"changes": []}

    monkeypatch.setitem(STAGES, "publish", publish)
    return tmp_path / "tree", old, new


def put_back(published, files):
    """The release as it was before."""
    shutil.rmtree(published)
    for name, content in files.items():
        (published / name).parent.mkdir(parents=True, exist_ok=True)
        (published / name).write_bytes(content)


@pytest.mark.parametrize("is_kill", [False, True])
@pytest.mark.parametrize("operation", OPERATIONS)
def test_published_files_are_of_one_release_or_have_no_sums(releases, operation, is_kill):
    """At the n-th of each operation, for every n: what SHA256SUMS lists is there, byte for byte, and the next run gives the whole release."""
    root, old, new = releases
    published = root / "data/published"
    put_back(published, old)
    tried = 0
    for error in everywhere(operation, is_kill, lambda: flow.run("publish", root)):
        tried += 1
        assert is_kill or error.strerror == FULL
        found = contents(published)
        assert set(found.items()) <= {*old.items(), *new.items()}  # none half-written
        if SUMS in found:
            assert found in (old, new), (operation, tried)
        else:
            assert operation == "replace"
        flow.run("publish", root)
        assert contents(published) == new
        assert sorted(path.name for path in (root / "data").iterdir()) == [
            "published",
            "records",
            "snapshots",
            "tables",
        ]
        put_back(published, old)
    assert tried == len(new) + (operation == "replace")  # the table of changes, which Arrow writes


@pytest.fixture
def tree(miniature, tmp_path):
    """A tree in which every stage has run; whoever asks for a stage gets it with other tables in place of the stage's own."""
    shutil.copytree(miniature, tmp_path / "tree")

    def before(stage):
        for name in TABLES[stage]:
            (tmp_path / f"tree/data/tables/{stage}/{name}.parquet").write_bytes(b"old")
        return tmp_path / "tree"

    return before


@pytest.mark.parametrize("is_kill", [False, True])
def test_tables_are_whole_wherever_a_stage_ends(tree, miniature, is_kill):
    root, whole = tree("estimate"), contents(miniature / "data/tables")
    tables, outputs = root / "data/tables", TABLES["estimate"]
    for tried, _ in enumerate(everywhere("replace", is_kill, lambda: flow.run("estimate", tree("estimate"))), 1):
        assert sum(content == b"old" for content in contents(tables).values()) == len(outputs) - tried + 1
        assert set(contents(tables).items()) <= {*whole.items(), *((name, b"old") for name in whole)}
        flow.run("estimate", root)
        assert contents(tables) == whole
    assert tried == len(outputs)


FILE_SIZE_LIMITED = """
import functools, resource, sys
from pathlib import Path
from pipeline import flow
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
flow.run = functools.partial(flow.run, root=Path(sys.argv[2]))
flow.main(sys.argv[1])
"""


@pytest.mark.parametrize("stage", ["ingest", "estimate", "publish"])
def test_where_no_file_can_be_written_a_stage_says_so_in_a_line(tree, stage):
    """The files of Arrow (ingest), of DuckDB (estimate) and our own (publish) end at 1000 bytes, as on a full disk; no table is replaced."""
    root = tree(stage)
    before = contents(root / "data")
    argv = [sys.executable, "-c", FILE_SIZE_LIMITED, stage, root]
    done = subprocess.run(argv, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1
    assert re.fullmatch(rf"{stage}: .*File too large.*\n", done.stderr)
    assert contents(root / "data") == before


def test_a_stage_waits_for_another_and_leaves_its_files_alone(miniature, tmp_path, capfd):
    root = tmp_path / "tree"
    shutil.copytree(miniature, root)
    unfinished = root / "data/unfinished/published/estimates.csv"
    with alone_in(root / "data/tables"):
        unfinished.parent.mkdir(parents=True)
        unfinished.write_text("of another run")
        second = threading.Thread(target=flow.run, args=("check", root))
        second.start()
        second.join(0.5)
        assert second.is_alive()
        assert unfinished.read_text() == "of another run"
    second.join()
    assert capfd.readouterr().err == f"waiting for another run in {root}/data/tables\n"
    assert not unfinished.exists()
