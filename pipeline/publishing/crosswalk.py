"""Our equivalent of each column in Epoch's table (crosswalk.csv), for readers who know that table.

`place` names columns (of `estimates`, unless it names another table), tables, or a command; it is empty if the ledger
has no equivalent. `remark` says how the quantity differs here.
"""

import csv
from pathlib import Path

with Path(__file__).with_suffix(".csv").open(encoding="utf-8", newline="") as file:
    CROSSWALK = {row["epoch"]: row for row in csv.DictReader(file)}
