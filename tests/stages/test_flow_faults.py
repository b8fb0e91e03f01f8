"""A stage on a machine that fails or is killed: files are complete, at most one release vouches for itself, and the
next run repairs all.
"""

import functools
import hashlib
import re
import shutil
import threading
from pathlib import Path

import duckdb
import pytest

from pipeline.base.paths import SUMS, alone_in
from pipeline.stages import STAGES, TABLES, flow
from tests.faults import FULL, OPERATIONS, everywhere, file_size_limit

FILES = ("datapackage.json", "estimates.csv", "estimates.parquet", "ledger.duckdb", "report/expectations.json")


def contents(folder):
    """Return the bytes of every file in a folder by name."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def sums_of(files):
    """Return SHA256SUMS of these files as text, without the database."""
    lines = (f"{hashlib.sha256(files[name]).hexdigest()}  {name}\n" for name in sorted(files) if ".duckdb" not in name)
    return "".join(lines)


@pytest.fixture
def releases(tmp_path, miniature, monkeypatch):
    """Make a tree with a release, and a stage `publish` that writes the next one: the real one's files, each with an
    additional line.
    """
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
    """Restore the release as it was before."""
    shutil.rmtree(published)
    for name, content in files.items():
        (published / name).parent.mkdir(parents=True, exist_ok=True)
        (published / name).write_bytes(content)


@pytest.mark.parametrize("is_kill", [False, True])
@pytest.mark.parametrize("operation", OPERATIONS)
def test_published_files_are_of_one_release_or_have_no_sums(releases, operation, is_kill):
    """At the n-th of each operation, for every n: what SHA256SUMS lists exists, byte for byte, and the next run gives
    the whole release.
    """
    root, old, new = releases
    published = root / "data/published"
    put_back(published, old)
    tried = 0
    for error in everywhere(operation, is_kill, lambda: flow.run("publish", root)):
        tried += 1
        assert is_kill or error.strerror == FULL
        found = contents(published)
        assert set(found.items()) <= {*old.items(), *new.items()}  # none is half-written
        if SUMS in found:
            assert found in (old, new), (operation, tried)
        else:
            assert operation == "replace"
        flow.run("publish", root)
        assert contents(published) == new
        assert {path.name for path in (root / "data").iterdir()} == {"published", "records", "snapshots", "tables"}
        put_back(published, old)
    assert tried == len(new) + (operation == "replace")  # the table of changes, which Arrow writes


@pytest.fixture
def tree(miniature, tmp_path):
    """Make a tree in which every stage has run."""
    return Path(shutil.copytree(miniature, tmp_path / "tree"))


@pytest.mark.parametrize("is_kill", [False, True])
def test_tables_are_whole_wherever_a_stage_ends(tree, miniature, monkeypatch, is_kill):
    """A stage that returns the real one's tables replaces other tables."""
    tables, names = tree / "data/tables", TABLES["check"]
    whole = contents(miniature / "data/tables")
    monkeypatch.setitem(
        STAGES,
        "check",
        lambda _: {name: duckdb.read_parquet(f"{miniature}/data/tables/check/{name}.parquet") for name in names},
    )

    def run():
        for name in names:
            (tables / f"check/{name}.parquet").write_bytes(b"old")
        flow.run("check", tree)

    for tried, _ in enumerate(everywhere("replace", is_kill, run), 1):
        assert sum(content == b"old" for content in contents(tables).values()) == len(names) - tried + 1
        assert set(contents(tables).items()) <= {*whole.items(), *((name, b"old") for name in whole)}
    assert tried == len(names)
    assert contents(tables) == whole  # from the last run, in which nothing failed


@pytest.mark.parametrize("stage", ["ingest", "publish"])
def test_where_no_file_can_be_written_a_stage_says_so_in_a_line(tree, monkeypatch, capsys, stage):
    """The files of Arrow (ingest) and our own (publish) end at 1000 bytes, as on a full disk; no table is replaced."""
    before = contents(tree / "data")
    monkeypatch.setattr(flow, "run", functools.partial(flow.run, root=tree))
    with file_size_limit(1000), pytest.raises(SystemExit, match="1"):
        flow.main(stage)
    assert re.fullmatch(rf"{stage}: .*File too large.*\n", capsys.readouterr().err)
    assert contents(tree / "data") == before


def test_a_stage_waits_for_another_and_leaves_its_files_alone(tree, capfd):
    unfinished = tree / "data/unfinished/published/estimates.csv"
    with alone_in(tree / "data/tables"):
        unfinished.parent.mkdir(parents=True)
        unfinished.write_text("of another run")
        second = threading.Thread(target=flow.run, args=("check", tree))
        second.start()
        second.join(0.5)
        assert second.is_alive()
        assert unfinished.read_text() == "of another run"
    second.join()
    assert capfd.readouterr().err == f"waiting for another run in {tree}/data/tables\n"
    assert not unfinished.exists()
