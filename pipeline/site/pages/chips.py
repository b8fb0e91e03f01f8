"""A page for each chip, and a list of all chips."""

from collections import Counter

from pipeline.site.ledger import Ledger
from pipeline.site.page import Link, Site

LINK = Link(3, "chips/index.html", "Chips")
FEWEST_CHIPS = 5  # a precision gets a column in the list if at least this many chips have a peak in it


def write(site: Site, ledger: Ledger) -> None:
    """Write chips/index.html and chips/<id>.html."""
    rows = []
    for chip in ledger.rows("hardware"):
        name = chip["hardware_id"]
        peaks = ledger.rows_with("peaks", "hardware_id", name)
        models = ledger.rows_with("chip_models", "hardware_id", name)
        flop_per_second = {row["precision"]: row["peak_flop_per_second"] for row in peaks}
        rows.append({**chip, "peaks": flop_per_second, "models": len(models)})
        site.page(
            f"chips/{name}.html",
            "chip.html",
            chip=chip,
            peaks=peaks,
            users=models,
            checks=ledger.rows_with("checks", "hardware_id", name),
            facts=[fact for fact in ledger.rows_with("facts", "record_id", name) if fact["record_kind"] == "hardware"],
        )
    rows.sort(key=lambda row: (-row["models"], row["name"].lower()))
    formats = Counter(precision for row in rows for precision in row["peaks"])
    common = [precision for precision, chips in formats.most_common() if chips >= FEWEST_CHIPS]
    site.page(
        "chips/index.html", "chips.html", chips=rows, formats=common, heads=[f"{each.upper()} >" for each in common]
    )
