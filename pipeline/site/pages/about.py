"""About: what the ledger does, its limits, how to cite and correct, and the reports of the release."""

from pipeline.publishing.citation import citation
from pipeline.records import params
from pipeline.site.ledger import Ledger
from pipeline.site.page import Site
from pipeline.site.report import PAGES as REPORTS
from pipeline.site.report import imputation


def write(site: Site, ledger: Ledger) -> None:
    """Writes about.html, and 404.html, which hosts show for an address that is none of the site's."""
    evidence: dict[str, int] = {}
    for fact in ledger.rows("facts"):
        evidence[fact["evidence"]] = evidence.get(fact["evidence"], 0) + 1
    site.page(
        "about.html",
        "about.html",
        cited=citation(site.version),
        reports=REPORTS,
        models=len(ledger.models),
        known=sum(row["training_flop"] is not None for row in ledger.models),
        evidence=sorted(evidence.items(), key=lambda each: (-each[1], each[0])),
        facts=len(ledger.rows("facts")),
        hidden=imputation.numbers(ledger.rows("imputation_backtests"), [], params.load().check.near_ratio),
    )
    site.page("404.html", "404.html")
