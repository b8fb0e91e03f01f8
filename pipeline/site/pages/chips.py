"""A page for each chip, and the list of all."""

from collections import Counter

from pipeline.site.ledger import Ledger, Row
from pipeline.site.page import Link, Site

LINK = Link(3, "chips/index.html", "Chips")


def write(site: Site, ledger: Ledger) -> None:
    """Writes chips/index.html and chips/<id>.html."""
    users = _users(ledger)
    rows = []
    for chip in ledger.rows("hardware"):
        peaks = ledger.of("peaks", "hardware_id", chip["hardware_id"])
        own = users.get(chip["hardware_id"], [])
        rows.append(
            {**chip, "peaks": {each["precision"]: each["peak_flop_per_second"] for each in peaks}, "models": len(own)}
        )
        site.page(
            f"chips/{chip['hardware_id']}.html",
            "chip.html",
            chip=chip,
            peaks=peaks,
            users=own,
            checks=ledger.of("checks", "hardware_id", chip["hardware_id"]),
            facts=[
                {**fact, "from": next((each for each in _own("sources", chip, ledger) if each["source"] == fact["source"]), None)}
                for fact in _own("facts", chip, ledger)
            ],
        )  # fmt: skip
    formats = Counter(name for row in rows for name in row["peaks"])
    site.page(
        "chips/index.html", "chips.html", chips=sorted(rows, key=lambda row: (-row["models"], row["name"].lower())), formats=[name for name, number in formats.most_common() if number >= 5]
    )  # fmt: skip


def _own(table: str, chip: Row, ledger: Ledger) -> list[Row]:
    return [row for row in ledger.of(table, "record_id", chip["hardware_id"]) if row["record_kind"] == "hardware"]


def _users(ledger: Ledger) -> dict[str, list[Row]]:
    """Models trained on each chip, the largest first."""
    used: dict[str, set[str]] = {}
    for row in ledger.rows("allocations"):
        if row["hardware_id"]:
            used.setdefault(row["hardware_id"], set()).add(row["model_id"])
    ordered = sorted(ledger.models, key=lambda row: (-(row["training_flop"] or 0), row["model_id"]))
    return {chip: [row for row in ordered if row["model_id"] in models] for chip, models in used.items()}
