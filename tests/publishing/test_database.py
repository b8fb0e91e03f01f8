"""ledger.duckdb is described, complete, and opened read-only."""

import os
import shutil
import subprocess
import sys

import duckdb
import pytest

from pipeline.base.paths import PUBLISHED
from pipeline.publishing import database, fingerprint
from pipeline.publishing.views import MAIN, VIEWS
from schemas.columns import COLUMNS
from tests.faults import file_size_limit

pytestmark = pytest.mark.usefixtures("published_database")


def test_every_view_and_its_columns_are_described():
    with database.reading() as book:
        comments = dict(book.execute("select view_name, comment from duckdb_views() where not internal").fetchall())
        columns = book.execute(
            "select table_name, column_name, comment from duckdb_columns() where not internal"
        ).fetchall()
        silent = book.execute("select table_name from duckdb_tables() where comment is null").fetchall()
    assert comments == {name: view.description for name, view in VIEWS.items()}
    assert silent == []
    assert all(comment for _, _, comment in columns)
    view_columns = {name for view in VIEWS.values() for name in view.columns}
    assert view_columns & COLUMNS.keys() == set()  # a name means the same everywhere


def test_views_neither_lose_nor_repeat_rows():
    with database.reading() as book:
        pairs = [
            ("select count(*) from disputes", "select count(*) from estimates where is_disputed"),
            ("select count(*) from facts_of_models", "select count(*) from facts where record_kind = 'models'"),
            ("select count(*) from facts_of_models where title is null and evidence <> 'assumed'", "select 0"),
            ("select sum(rows) from utilization_by_family", "select count(*) from checks"),
        ]
        for ours, theirs in pairs:
            assert book.execute(ours).fetchall() == book.execute(theirs).fetchall(), ours


@pytest.mark.parametrize("content", [None, b"", b"no database at all", b"\0" * 20_000])
def test_the_error_for_a_missing_or_broken_database_names_the_remedy(tmp_path, content):
    (tmp_path / "data/published").mkdir(parents=True)
    if content is not None:
        (tmp_path / "data/published/ledger.duckdb").write_bytes(content)
        database.vouch(tmp_path / "data/published/ledger.duckdb")
    what = "is missing" if content is None else "cannot be read"
    with (
        pytest.raises(database.DatabaseError, match=rf"ledger.duckdb {what}; `make repro` makes it$"),
        database.reading(tmp_path),
    ):
        pass


@pytest.fixture
def copied_ledger(miniature, tmp_path):
    """Return the root of a copy of the miniature's published files."""
    shutil.copytree(miniature / "data/published", tmp_path / "data/published")
    return tmp_path


def edited(file):
    with duckdb.connect(str(file)) as book:
        book.execute("update estimates set training_flop = 100 * training_flop")


def cut_off(file):
    file.write_bytes(file.read_bytes()[:100_000])


def one_bit_flipped(file):
    content, times = bytearray(file.read_bytes()), file.stat()
    content[len(content) // 2] ^= 1
    file.write_bytes(content)
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))  # neither time nor size shows the change


def with_changes_beside_it(file):
    """Leave a .wal file, as a killed shell does. DuckDB would read it, although the database is unchanged."""
    sql = "pragma disable_checkpoint_on_shutdown; update estimates set training_flop = 100 * training_flop"
    code = f"import duckdb, os; duckdb.connect({str(file)!r}).execute({sql!r}); os._exit(0)"
    subprocess.run([sys.executable, "-c", code], check=True)


def without_its_digest(file):
    file.with_suffix(".sha256").unlink()


@pytest.mark.parametrize("change", [edited, cut_off, one_bit_flipped, with_changes_beside_it, without_its_digest])
def test_a_changed_database_is_refused(copied_ledger, change):
    database.memory_connection(copied_ledger).close()
    change(copied_ledger / "data/published/ledger.duckdb")
    message = "ledger.duckdb is not as it was published; `make repro` makes it$"
    with pytest.raises(database.DatabaseError, match=message), database.reading(copied_ledger):
        pass
    with pytest.raises(database.DatabaseError, match=message):
        database.memory_connection(copied_ledger)
    assert not fingerprint.is_present(copied_ledger)


def test_a_connection_with_the_database_attached_reads_no_files(copied_ledger):
    """Even if the database itself contains SQL that would read files."""
    file = copied_ledger / "data/published/ledger.duckdb"
    with duckdb.connect(str(file)) as book:
        book.execute("create view planted as from read_text('/etc/passwd')")
    database.vouch(file)
    with database.memory_connection(copied_ledger) as connection:
        connection.execute("create temp table beside as from models")
        for statement in ("from planted", "copy models to 'x.csv'", "set enable_external_access = true"):
            with pytest.raises(duckdb.Error, match="disabled|locked|running"):
                connection.execute(statement)


def test_a_reading_connection_has_no_other_access(miniature):
    """Refuse writes, files, the network, variables of this process, and statements that change these settings."""
    rows = [1]  # noqa: F841
    with database.reading(miniature) as book:
        assert book.execute("select count(*) from models").fetchall() == [(13,)]
        for statement, refused in (
            ("delete from models", "read-only"),
            ("select * from read_csv('/etc/passwd')", "disabled"),
            ("set enable_external_access = true", "locked|running"),
            ("from rows", "does not exist"),
        ):
            with pytest.raises(duckdb.Error, match=refused):
                book.execute(statement)


def test_plain_duckdb_shows_the_main_tables_and_names_the_schema_of_others():
    with duckdb.connect(str(PUBLISHED / "ledger.duckdb"), read_only=True) as book:
        shown = [name for (name,) in book.execute("show tables").fetchall()]
        assert shown == sorted(MAIN)
        assert 10 <= len(shown) <= 20
        for name in shown:
            assert book.execute(f"select count(*) from {name}").fetchall()[0][0] > 0, name
        with pytest.raises(duckdb.CatalogException, match=r'Did you mean "work.runs"'):
            book.execute("from runs")
        assert book.execute("from work.runs").fetchone()
        for (name,) in book.execute("select view_name from duckdb_views() where schema_name = 'work'").fetchall():
            assert book.execute(f"from work.{name}").fetchone(), name


def test_a_full_disk_is_the_reason_and_leaves_no_database_attached(tmp_path):
    rows = duckdb.sql("select range as x, hash(range)::varchar as text from range(1000000)")
    with file_size_limit(1_000_000), pytest.raises(database.MACHINE, match="File too large|Could not write"):
        database.write(tmp_path / "ledger.duckdb", {"estimates": rows}, {})
    attached = duckdb.sql("select database_name from duckdb_databases() where not internal").fetchall()
    assert ("book",) not in attached
