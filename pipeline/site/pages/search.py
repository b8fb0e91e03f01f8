"""The search index: every model and chip by name, alias and organization."""

from pipeline.publishing import names
from pipeline.site import numbers
from pipeline.site.ledger import Ledger
from pipeline.site.page import Site
from schemas.vocabulary import Tier


def write(site: Site, ledger: Ledger) -> None:
    """Writes data/search.js: name, ids and aliases joined by |, path, what is known, organization; models in the order of names.py, then chips."""
    lines = []
    for model in names.entries(ledger.connection):
        is_record = model["tier"] == Tier.RECORD
        path = f"models/{model['id']}.html" if is_record else f"catalogue.html#{slug(model['name'])}"
        known = "no estimate" if model["training_flop"] is None else f"{numbers.power(model['training_flop'])} FLOP"
        aliases = _joined(model["id"], model["aliases"]) if is_record else ""
        lines.append(
            (model["name"], aliases, path, known if is_record else f"{known}, catalogue", model["organization"] or "")
        )
    for chip in ledger.rows("hardware"):
        aliases = _joined(chip["hardware_id"], chip["aliases"])
        lines.append((chip["name"], aliases, f"chips/{chip['hardware_id']}.html", "chip", chip["manufacturer"] or ""))
    site.script("data/search.js", "search", lines)


def _joined(*names: str | None) -> str:
    return " | ".join(filter(None, names))


def slug(name: str) -> str:
    """A name as the anchor of its row.

    >>> slug("GPT-4 (x)")
    'gpt-4-x'
    """
    return "-".join("".join(letter if letter.isalnum() else " " for letter in name.lower()).split())
