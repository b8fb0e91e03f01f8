"""The about page: what the ledger does, its limits, how to cite and correct it, and the release's reports."""

from pipeline.publishing.citation import citation
from pipeline.site.ledger import Ledger
from pipeline.site.page import Link, Site
from pipeline.site.report import REPORTS

LINK = Link(10, "about.html", "About")


def write(site: Site, ledger: Ledger) -> None:
    """Write about.html, and 404.html, which hosts show for an unknown address."""
    (hidden,) = ledger.rows("imputation_numbers")
    site.page(
        "about.html",
        "about.html",
        cited=citation(site.version, site.place.address),
        reports=REPORTS,
        facts=ledger.rows("fact_evidence")[0],
        hidden=hidden,
    )
    site.page("404.html", "404.html")
