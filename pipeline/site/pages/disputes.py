"""Disputes: every model whose two methods dispute, with the likely cause and what would settle it."""

from collections import Counter

from pipeline.site.ledger import Ledger
from pipeline.site.page import Site
from schemas.vocabulary import DISPUTE_CAUSES, DisputeCause


def write(site: Site, ledger: Ledger) -> None:
    """Writes disputes.html."""
    rows = [dict(account) for account in ledger.accounts.values() if account["dispute"]]
    counted = Counter(row["dispute_cause"] for row in rows)
    site.page(
        "disputes.html",
        "disputes.html",
        rows=sorted(rows, key=lambda row: (row["method_ratio"] or 0, row["model_id"])),
        compared=sum(row["method_ratio"] is not None for row in ledger.models),
        causes=[(name, number, DISPUTE_CAUSES[DisputeCause(name)]) for name, number in sorted(counted.items(), key=lambda each: (-each[1], each[0]))],
    )  # fmt: skip
