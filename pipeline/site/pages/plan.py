"""The plan page: the cost of a future training run, calculated in the browser by the rules that every estimate follows."""

from pipeline.engines import forecast
from pipeline.site.ledger import Ledger
from pipeline.site.page import Link, Site
from schemas.figures import declared

EXAMPLES = {"parameters": "13B", "tokens": "4T", "chips": "512", "days": "left out", "utilization": "0.4"}
LINK = Link(5, "plan.html", "Plan")


def write(site: Site, ledger: Ledger) -> None:
    """Write plan.html."""
    with_peak = {row["hardware_id"] for row in ledger.rows("peaks")}
    site.page(
        "plan.html",
        "plan.html",
        is_there=site.has_database,
        examples=EXAMPLES,
        solvable=[name for name in EXAMPLES if name in forecast.UNIT],
        helps={name: figure.help for name, (_, figure) in declared().items()},
        chips=sorted(
            (row for row in ledger.rows("hardware") if row["hardware_id"] in with_peak),
            key=lambda row: row["name"].lower(),
        ),
        precisions=sorted({row["precision"] for row in ledger.rows("peaks")}),
        places=sorted({row["place"] for row in ledger.rows("grid_factors")}),
    )
