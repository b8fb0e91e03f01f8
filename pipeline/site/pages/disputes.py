"""The page of disputes: every model whose two methods disagree, with its cause, if one can be checked."""

from pipeline.site.ledger import Ledger
from pipeline.site.page import Link, Site

LINK = Link(6, "disputes.html", "Disputes")


def write(site: Site, ledger: Ledger) -> None:
    """Write disputes.html."""
    rows = [dict(account) for account in ledger.accounts.values() if account["dispute"]]
    (counts,) = ledger.rows("release_counts")
    site.page(
        "disputes.html",
        "disputes.html",
        rows=sorted(rows, key=lambda row: (row["method_ratio"] or 0, row["model_id"])),
        compared=counts["both_methods"],
    )
