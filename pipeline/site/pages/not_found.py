"""What we did not find: which of seven facts are stated for models, by maker and year, with links to the quotations."""

from collections import Counter

from pipeline.site.ledger import Ledger, Row
from pipeline.site.overview import FIRST_YEAR
from pipeline.site.page import Site

FACTS = ("parameters", "tokens", "chips", "time", "precision", "utilization", "compute")


def write(site: Site, ledger: Ledger) -> None:
    """Write not_found.html."""
    cells = {(row["model_id"], row["fact"]): row for row in ledger.rows("stated_facts")}
    models = sorted(ledger.models, key=lambda row: (maker(row).lower(), -int(row["published"][:4]), row["name"]))
    stated: Counter[tuple[str, str]] = Counter()
    for row in models:
        stated[row["published"][:4], "models"] += 1
        for fact in FACTS:
            if cells.get((row["model_id"], fact), {}).get("status") == "stated":
                stated[row["published"][:4], fact] += 1
    years = sorted({year for year, _ in stated if int(year) >= FIRST_YEAR}, reverse=True)
    site.page(
        "not_found.html",
        "not_found.html",
        models=models,
        cells=cells,
        facts=FACTS,
        heads=[f"{fact.capitalize()} >" for fact in FACTS],
        maker=maker,
        stated=stated,
        years=years,
    )


def maker(row: Row) -> str:
    """Return the maker of a model."""
    return row["parent_organization"] or row["organization"] or "unknown"
