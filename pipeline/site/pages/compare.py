"""Models side by side: the page's data; the page itself is put together in the browser from its address."""

from pipeline.site.columns import COLUMNS, present, shown
from pipeline.site.ledger import Ledger
from pipeline.site.page import Site

MOST = 6


def write(site: Site, ledger: Ledger) -> None:
    """Writes compare.html and data/compare.js."""
    columns = present([column for column in COLUMNS if column.is_at_a_glance], ledger.models)
    site.page("compare.html", "compare.html", most=MOST)
    models = {
        row["model_id"]: {
            "name": row["name"],
            "flop": row["training_flop"],
            "low": row["training_flop_low"],
            "high": row["training_flop_high"],
            "cells": [str(shown(column, row)) for column in columns],
        }
        for row in ledger.models
    }
    site.script("data/compare.js", "compare", {"labels": [column.label for column in columns], "models": models})
