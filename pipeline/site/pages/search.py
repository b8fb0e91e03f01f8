"""The search index: every model and chip by name, alias and organization."""

from pipeline.site import numbers
from pipeline.site.ledger import Ledger
from pipeline.site.page import Site


def write(site: Site, ledger: Ledger) -> None:
    """Writes data/search.js: name, other names, path, what is known; the largest models first."""
    models = sorted(ledger.models, key=lambda row: (-(row["training_flop"] or 0), row["model_id"]))
    found = [
        [row["name"], _other(row), f"models/{row['model_id']}.html",
         f"{numbers.power(row['training_flop'])} FLOP" if row["training_flop"] is not None else "no estimate"]
        for row in models
    ]  # fmt: skip
    found += [
        [row["name"], row["aliases"] or "", f"chips/{row['hardware_id']}.html", "chip"]
        for row in ledger.rows("hardware")
    ]
    found += [
        [row["name"], row.get("organization") or "", f"catalogue.html#{slug(row['name'])}",
         f"{numbers.power(row['training_flop'])} FLOP, catalogue"]
        for row in ledger.rows("catalogue_estimates")
        if row["training_flop"] is not None and row.get("model_id") is None
    ]  # fmt: skip
    site.script("data/search.js", "search", found)


def _other(row: dict) -> str:
    return f"{row['model_id']} {row.get('aliases') or ''} {row['organization']}"


def slug(name: str) -> str:
    """A name as the anchor of its row.

    >>> slug("GPT-4 (x)")
    'gpt-4-x'
    """
    return "-".join("".join(letter if letter.isalnum() else " " for letter in name.lower()).split())
