"""The search index: every model and chip by name, alias and organization."""

from pipeline.site import numbers
from pipeline.site.ledger import Ledger
from pipeline.site.page import Site


def write(site: Site, ledger: Ledger) -> None:
    """Writes data/search.js: name, ids and aliases joined by |, path, what is known, organization; the largest first."""
    former = {
        row["replaced_by"] or row["record_id"]: f"{row['record_id']} | {row['former_ids'] or ''}"
        for row in ledger.rows("identifiers")
        if row["record_kind"] == "models" and (row["former_ids"] or row["replaced_by"])
    }
    entries = []
    for row in sorted(ledger.models, key=lambda row: (-(row["training_flop"] or 0), row["model_id"])):
        name, flop = row["model_id"], row["training_flop"]
        known = "no estimate" if flop is None else f"{numbers.power(flop)} FLOP"
        aliases = _joined(name, row.get("aliases"), former.get(name))
        entries.append((row["name"], aliases, f"models/{name}.html", known, row["organization"]))
    for row in ledger.rows("hardware"):
        name = row["hardware_id"]
        aliases = _joined(name, row["aliases"])
        entries.append((row["name"], aliases, f"chips/{name}.html", "chip", row["manufacturer"] or ""))
    for row in ledger.rows("catalogue_estimates"):
        if row["training_flop"] is not None and row["model_id"] is None:
            known = f"{numbers.power(row['training_flop'])} FLOP, catalogue"
            path = f"catalogue.html#{slug(row['name'])}"
            entries.append((row["name"], "", path, known, row["organization"] or ""))
    site.script("data/search.js", "search", entries)


def _joined(*names: str | None) -> str:
    return " | ".join(filter(None, names))


def slug(name: str) -> str:
    """A name as the anchor of its row.

    >>> slug("GPT-4 (x)")
    'gpt-4-x'
    """
    return "-".join("".join(letter if letter.isalnum() else " " for letter in name.lower()).split())
