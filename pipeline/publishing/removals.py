"""Columns, tables, values and commands that only earlier releases have: the tables of WHAT_CHANGES.md."""

import re

from pipeline.base.paths import ROOT

PAGE = "WHAT_CHANGES.md"
NAME_OF_ROW = re.compile(r"^\| (.+?) \| .+ \|$", re.MULTILINE)


def removed_names() -> list[str]:
    """Return the name of each removed column, table, value (`column = word`) and command, newest release first."""
    names = NAME_OF_ROW.findall((ROOT / PAGE).read_text(encoding="utf-8"))
    return [name.strip("`") for name in names if name != "Ended"]
