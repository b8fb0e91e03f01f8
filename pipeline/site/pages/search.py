"""The search index: every model and chip by name, alias and organization."""

from pipeline.site import numbers
from pipeline.site.ledger import Ledger
from pipeline.site.page import Site


def write(site: Site, ledger: Ledger) -> None:
    """Writes data/search.js: name, ids and aliases joined by |, path, what is known, organization; the largest models first."""
    former = {
        row["replaced_by"] or row["record_id"]: f"{row['record_id']} | {row['former_ids'] or ''}"
        for row in ledger.rows("identifiers")
        if row["record_kind"] == "models" and (row["former_ids"] or row["replaced_by"])
    }
    models = sorted(ledger.models, key=lambda row: (-(row["training_flop"] or 0), row["model_id"]))
    entries = [
        (row["name"], _joined(row["model_id"], row.get("aliases"), former.get(row["model_id"])), f"models/{row['model_id']}.html",
         f"{numbers.power(row['training_flop'])} FLOP" if row["training_flop"] is not None else "no estimate", row["organization"])
        for row in models
    ]  # fmt: skip
    entries += [
        (row["name"], _joined(row["hardware_id"], row["aliases"]), f"chips/{row['hardware_id']}.html", "chip", row["manufacturer"] or "")
        for row in ledger.rows("hardware")
    ]  # fmt: skip
    entries += [
        (row["name"], "", f"catalogue.html#{slug(row['name'])}", f"{numbers.power(row['training_flop'])} FLOP, catalogue", row["organization"] or "")
        for row in ledger.rows("catalogue_estimates")
        if row["training_flop"] is not None and row["model_id"] is None
    ]  # fmt: skip
    site.script("data/search.js", "search", entries)


def _joined(*names: str | None) -> str:
    return " | ".join(filter(None, names))


def slug(name: str) -> str:
    """A name as the anchor of its row.

    >>> slug("GPT-4 (x)")
    'gpt-4-x'
    """
    return "-".join("".join(letter if letter.isalnum() else " " for letter in name.lower()).split())
