"""The SQL console: the ledger's database in the browser, with example questions and a description of every table."""

from pipeline.publishing.examples import QUERIES
from pipeline.site.ledger import Ledger
from pipeline.site.page import Link, Site

LINK = Link(8, "sql.html", "SQL")


def write(site: Site, ledger: Ledger) -> None:
    """Write sql.html."""
    site.page("sql.html", "sql.html", queries=QUERIES, tables=ledger.tables, is_there=site.has_database)
