"""Columns, tables, values and commands that only earlier releases have: the tables of WHAT_CHANGES.md."""

import re
from pathlib import Path
from typing import NamedTuple

from pipeline.base.paths import ROOT

PAGE = "WHAT_CHANGES.md"
ROW = re.compile(r"^\| (.+?) \| (.+?) \| (.+) \|$")


class Ended(NamedTuple):
    """A removed column, table, value (`column = word`) or command: its published name, meaning and replacement."""

    name: str
    meaning: str
    replacement: str


def removed_names(root: Path = ROOT) -> list[Ended]:
    """Return every published name that was removed, newest release first."""
    lines = (root / PAGE).read_text(encoding="utf-8").splitlines()
    rows = [Ended(*match.groups()) for line in lines if (match := ROW.match(line))]
    return [row._replace(name=row.name.strip("`")) for row in rows if row.name != "Ended"]
