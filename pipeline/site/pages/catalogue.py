"""Another catalogue's rows, estimated by the same stages without a record of our own: one page for all."""

from pipeline.site.columns import BY_NAME, present, shown
from pipeline.site.ledger import Ledger
from pipeline.site.page import Site
from pipeline.site.pages.search import slug

COLUMNS = ("organization", "published", "domain", "parameters", "hardware")


def write(site: Site, ledger: Ledger) -> None:
    """Writes catalogue.html where the release has such a table."""
    rows = ledger.rows("catalogue_estimates")
    if not rows:
        return
    marks: dict[str, int] = {}
    made = []
    for row in sorted(rows, key=lambda row: (-(row["training_flop"] or 0), row["name"])):
        mark = slug(row["name"])
        marks[mark] = marks.get(mark, 0) + 1
        made.append({**row, "mark": mark if marks[mark] == 1 else f"{mark}-{marks[mark]}"})
    site.page(
        "catalogue.html",
        "catalogue.html",
        rows=made,
        columns=present([BY_NAME[name] for name in COLUMNS], rows),
        shown=shown,
        recorded={row["model_id"] for row in ledger.models},
    )
