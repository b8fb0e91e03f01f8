"""The page that compares models, with the data of all models; the browser shows those that the page's address names."""

from pipeline.site import numbers
from pipeline.site.columns import cell_html, used_columns
from pipeline.site.ledger import Ledger
from pipeline.site.page import Link, Site
from schemas.columns import COMPARED

MOST = 6
DRAWN = ("name", "training_flop", "training_flop_low", "training_flop_high")  # columns that the page draws itself
LINK = Link(2, "compare.html", "Compare")


def write(site: Site, ledger: Ledger) -> None:
    """Write compare.html and data/compare.js."""
    names = [name for name in COMPARED if name not in DRAWN]
    compared = used_columns(names, ledger.models)
    site.page("compare.html", "compare.html", most=MOST)
    models = {
        row["model_id"]: {
            "name": row["name"],
            "flop": row["training_flop"],
            "total": numbers.total_text(row),
            "low": row["training_flop_low"],
            "high": row["training_flop_high"],
            "cells": [str(cell_html(name, row)) for name in compared],
        }
        for row in ledger.models
    }
    site.script(
        "data/compare.js", "compare", {"labels": [column.label for column in compared.values()], "models": models}
    )
