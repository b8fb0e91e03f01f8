"""ledger.duckdb: described, whole, and made again where it is missing, broken or of other tables, if these are of one run."""

import errno
import hashlib
import os
import re
import shutil
from functools import partial
from pathlib import Path

import duckdb
import pytest
import yaml

from pipeline.paths import PUBLISHED, ROOT
from pipeline.publishing import database
from pipeline.publishing.views import VIEWS
from schemas import columns as declared
from tests.builders import process_of, typed

pytestmark = pytest.mark.usefixtures("published_database")


def test_every_view_and_its_columns_are_described():
    with database.reading() as book:
        comments = dict(book.execute("select view_name, comment from duckdb_views() where not internal").fetchall())
        columns = book.execute(
            "select table_name, column_name, comment from duckdb_columns() where not internal"
        ).fetchall()
    assert comments == {name: view.description for name, view in VIEWS.items()}
    assert all(comment for _, _, comment in columns)
    own = {name for view in VIEWS.values() for name in view.columns}
    assert not {name for name in own if hasattr(declared, name)}  # a name means the same everywhere


def test_views_lose_and_repeat_nothing():
    with database.reading() as book:
        pairs = [
            ("select count(*) from estimates_with_methods", "select count(*) from estimates"),
            ("select count(distinct model_id) from estimates_with_methods", "select count(*) from models"),
            ("select count(*) from disputes", "select count(*) from estimates where is_disputed"),
            ("select sum(models) from compute_by_year_and_domain", "select count(*) from models"),
            ("select count(*) from facts_of_models", "select count(*) from facts where record_kind = 'models'"),
            ("select count(*) from facts_of_models where title is null and evidence <> 'assumed'", "select 0"),
            ("select sum(rows) from utilization_by_family", "select count(*) from checks"),
        ]
        for ours, theirs in pairs:
            assert book.execute(ours).fetchall() == book.execute(theirs).fetchall(), ours


@pytest.fixture
def checkout(miniature, tmp_path, monkeypatch):
    """A folder with tables, for which dvc.lock vouches, and without a database; messages name its files as a person who stands there would."""
    shutil.copytree(miniature / "data/tables", tmp_path / "data/tables", copy_function=shutil.copyfile)
    (tmp_path / "data/published").mkdir()
    write_lock(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_lock(checkout):
    """dvc.lock as a whole run on these tables leaves it."""
    read = [
        {"path": f"data/tables/{path.name}", "md5": hashlib.md5(path.read_bytes()).hexdigest()}
        for path in (checkout / "data/tables").glob("*.parquet")
    ]
    (checkout / "dvc.lock").write_text(yaml.safe_dump({"schema": "2.0", "stages": {"publish": {"deps": read}}}))


def change_a_name(checkout):
    """The table of another run, in which GPT of the miniature has another name."""
    path = checkout / "data/tables/models.parquet"
    changed = path.with_name("changed")
    duckdb.sql(f"copy (from '{path}' select * replace (name || ' changed' as name)) to '{changed}' (format parquet)")
    changed.replace(path)


def names_of(checkout):
    with database.reading(checkout) as book:
        return [name for (name,) in book.execute("select name from models").fetchall()]


def models_of(checkout):
    with database.reading(checkout) as book:
        return book.execute("select count(*) from models").fetchall()


def test_a_missing_database_is_made_from_the_tables(checkout):
    """By the command, as a process of another checkout's own code."""
    for name in ("pipeline", "schemas"):
        shutil.copytree(ROOT / name, checkout / name)
    done = process_of(checkout, "query", "select count(*) as models from models")
    assert done.returncode == 0
    assert done.stderr == "data/published/ledger.duckdb is missing; made again from data/tables\n"
    again = process_of(checkout, "query", "select count(*) as models from models")
    assert (again.stdout, again.stderr) == (done.stdout, "")
    assert [path.name for path in (checkout / "data/published").iterdir()] == ["ledger.duckdb"]


@pytest.mark.parametrize("content", [b"", b"no database at all", b"\0" * 20_000])
def test_a_broken_database_is_made_again(checkout, capsys, content):
    (checkout / "data/published/ledger.duckdb").write_bytes(content)
    assert models_of(checkout) == [(13,)]
    assert capsys.readouterr().err == "data/published/ledger.duckdb cannot be read; made again from data/tables\n"


def test_a_database_of_other_tables_is_made_again_if_these_are_of_one_run(checkout, capsys):
    before = names_of(checkout)
    capsys.readouterr()
    os.utime(checkout / "data/published/ledger.duckdb", (1e9, 1e9))  # its age says nothing
    assert (names_of(checkout), capsys.readouterr().err) == (before, "")
    change_a_name(checkout)
    write_lock(checkout)
    assert names_of(checkout) == [f"{name} changed" for name in before]
    remark = "data/published/ledger.duckdb is not of the present tables; made again from data/tables\n"
    assert capsys.readouterr().err == remark
    assert (names_of(checkout), capsys.readouterr().err) == ([f"{name} changed" for name in before], "")


@pytest.mark.parametrize("lock", ["of before", "", "stages: {publish: [", None])
def test_tables_of_a_run_that_did_not_end_leave_the_published_ledger_as_it_was(checkout, capsys, lock):
    """As a run leaves them that was killed after its first stage, or while dvc.lock was written."""
    before = names_of(checkout)
    database_before = (checkout / "data/published/ledger.duckdb").read_bytes()
    capsys.readouterr()
    change_a_name(checkout)
    if lock is None:
        (checkout / "dvc.lock").unlink()
    elif lock != "of before":
        (checkout / "dvc.lock").write_text(lock)
    assert names_of(checkout) == before
    assert capsys.readouterr().err == (
        "data/published/ledger.duckdb is of the run before: data/tables is not of one whole run; `make repro` makes all\n"
    )
    assert (checkout / "data/published/ledger.duckdb").read_bytes() == database_before


def test_in_the_middle_of_a_stage_the_published_ledger_is_read(checkout, capsys):
    """DVC removes a stage's tables before it runs."""
    before = names_of(checkout)
    capsys.readouterr()
    (checkout / "data/tables/models.parquet").unlink()
    assert names_of(checkout) == before
    assert "is of the run before: data/tables lacks models.parquet; `make repro`" in capsys.readouterr().err
    (checkout / "data/published/ledger.duckdb").unlink()
    with pytest.raises(database.DatabaseError, match="ledger.duckdb is missing, and data/tables lacks models.parquet;"):
        names_of(checkout)


def test_a_database_without_tables_is_read_without_a_remark(checkout, capsys):
    before = names_of(checkout)
    capsys.readouterr()
    shutil.rmtree(checkout / "data/tables")
    assert (names_of(checkout), capsys.readouterr().err) == (before, "")


def test_without_tables_it_says_what_makes_them(tmp_path, monkeypatch):
    monkeypatch.setattr(database, "reading", partial(database.reading, tmp_path))
    for words in (["query", "select 1"], ["list"], ["show", "gpt-3"], ["hardware"], ["compare", "gpt-3", "palm-540b"]):
        done = typed(*words, folder=tmp_path)
        assert (done.returncode, done.stdout) == (1, "")
        assert re.fullmatch(r"data/published/ledger.duckdb is missing, and .*; `make repro` makes all\n", done.stderr)


@pytest.mark.parametrize("what", ["replace", "unlink"])
def test_a_checkout_that_cannot_be_written_is_read(checkout, monkeypatch, capsys, what):
    """Where a mount is read-only, the file beside it cannot even be removed."""
    path = checkout / "data/published/ledger.duckdb"

    def refuse(*path, **named):  # root may write anywhere
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path[0]))

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", refuse)
        if what == "unlink":
            patched.setattr(database, "write", fail_beside(path, database.write, refuse))
            patched.setattr(Path, "unlink", refuse)
        with database.reading(checkout) as book:
            assert book.execute("select count(*) > 0 from models").fetchall() == [(True,)]
            with pytest.raises(duckdb.Error, match="read-only"):
                book.execute("delete from models")
    assert "made for this once, as its folder cannot be written" in capsys.readouterr().err
    assert not path.exists()


def fail_beside(path, write, refuse):
    """`write`, refused in the folder of the database."""

    def called(place, *more):
        return refuse(place) if place.parent == path.parent else write(place, *more)

    return called


def test_the_published_database_opens_in_plain_duckdb():
    with duckdb.connect(str(PUBLISHED / "ledger.duckdb"), read_only=True) as book:
        assert book.execute("select count(*) from disputes").fetchall()[0][0] > 0
