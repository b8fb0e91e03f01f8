"""Sections of the data dictionary for readers (examples.md): how to load files, example queries, causes of disputes.

A test runs every query.
"""

import re
from pathlib import Path

from schemas.vocabulary import DISPUTE_CAUSES

TEXT = Path(__file__).with_suffix(".md").read_text(encoding="utf-8")
TITLES = re.findall("^## (.+)", TEXT, re.MULTILINE)
QUERIES = dict(re.findall(r"^-- \d+\. (.+)\n((?:.+\n)*?.+);$", TEXT, re.MULTILINE))  # by question


def examples() -> str:
    """Return the sections; the last one ends in a table of the causes of disputes."""
    rows = (f"| `{cause.value}` | {text.format(used='N %')} |\n" for cause, text in DISPUTE_CAUSES.items())
    return TEXT + "".join(rows)
