"""The SQL console: the ledger's database in the browser, with example questions and a description of every table."""

from pipeline.publishing.examples import QUERIES
from pipeline.site.ledger import Ledger, Row
from pipeline.site.page import Link, Site

LINK = Link(8, "sql.html", "SQL")


def write(site: Site, ledger: Ledger) -> None:
    """Write sql.html."""
    site.page("sql.html", "sql.html", queries=QUERIES, tables=described(ledger), is_there=site.has_database)


def described(ledger: Ledger) -> list[Row]:
    """Return every table and view with a description of its rows, and its columns with their descriptions."""
    columns: dict[str, list[Row]] = {}
    sql = "select table_name, column_name, comment from duckdb_columns() where database_name = current_database() and not internal order by table_name, column_index"
    for table, name, comment in ledger.connection.execute(sql).fetchall():
        columns.setdefault(table, []).append({"name": name, "comment": comment or ""})
    sql = "select table_name as name, comment from duckdb_tables() where not temporary union all select view_name, comment from duckdb_views() where not internal and not temporary order by 1"
    return [
        {"name": name, "comment": comment or "", "columns": columns.get(name, [])}
        for name, comment in ledger.connection.execute(sql).fetchall()
    ]
