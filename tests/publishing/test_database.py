"""ledger.duckdb: described, whole, and read alone."""

import duckdb
import pytest

from pipeline.paths import PUBLISHED
from pipeline.publishing import database
from pipeline.publishing.views import VIEWS
from schemas import columns as declared

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


@pytest.mark.parametrize("content", [None, b"", b"no database at all", b"\0" * 20_000])
def test_a_missing_or_broken_database_says_what_makes_it(tmp_path, content):
    (tmp_path / "data/published").mkdir(parents=True)
    if content is not None:
        (tmp_path / "data/published/ledger.duckdb").write_bytes(content)
    what = "is missing" if content is None else "cannot be read"
    with (
        pytest.raises(database.DatabaseError, match=rf"ledger.duckdb {what}; `make repro` makes it$"),
        database.reading(tmp_path),
    ):
        pass


def test_it_is_read_alone(miniature):
    """Read-only, without files, the network or this process's variables; and a statement cannot change that."""
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


def test_the_published_database_opens_in_plain_duckdb():
    with duckdb.connect(str(PUBLISHED / "ledger.duckdb"), read_only=True) as book:
        assert book.execute("select count(*) from disputes").fetchall()[0][0] > 0
