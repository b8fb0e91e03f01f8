"""The plan page, which calculates a future training run in the browser, and the coefficients that it needs."""

import json

from pipeline.site import plan_data
from pipeline.site.ledger import Ledger
from pipeline.site.page import Link, Site
from schemas.figures import declarations

LINK = Link(5, "plan.html", "Plan")
# Fields by figure: a label and an example. The first ones are always visible.
FIRST = {
    "parameters": ("Parameters", "13B"),
    "tokens": ("Tokens", "4T"),
    "chips": ("Chips", "512"),
    "days": ("Days", "left out"),
}
MORE = {
    "active_parameters": ("Active parameters", "3B"),
    "generated_tokens": ("Generated tokens (RL)", "20B"),
    "utilization": ("Utilization", "0.3"),
    "batch": ("Batch, tokens or images", "4M"),
    "step_time": ("Seconds per step", "17.01"),
    "images": ("Images seen", "100M"),
    "forward_flop": ("FLOP of a forward pass of one example", "8.2e9"),
}


def write(site: Site, ledger: Ledger) -> None:
    """Write plan.html, and its coefficients as latest/plan.json and, for pages opened from disk, as data/plan.js."""
    coefficients = plan_data.coefficients(ledger)
    site.text("latest/plan.json", json.dumps(coefficients, separators=(",", ":"), ensure_ascii=False) + "\n")
    site.script("data/plan.js", "coefficients", coefficients)
    precisions = {name for chip in coefficients["chips"].values() for name in chip["peaks"]}
    site.page(
        "plan.html",
        "plan.html",
        first=FIRST,
        more=MORE,
        helps={name: figure.help for name, (_, figure) in declarations().items()},
        chips={chip: row["name"] for chip, row in coefficients["chips"].items()},
        precisions=[(name, name.upper()) for name in sorted(precisions)],
        places=[(place, place) for place in coefficients["grids"]],
        bases={model: row[0] for model, row in coefficients["bases"].items()},
    )
