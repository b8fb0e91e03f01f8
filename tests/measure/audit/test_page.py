"""The audit's part of the site is made from the published table."""

import csv

from pipeline.measure.audit.cases import CASES
from pipeline.measure.audit.command import REPORT
from pipeline.measure.audit.counters import COUNTERS
from pipeline.measure.audit.page import body
from tests.site.report.builders import read


def test_every_case_and_counter_of_the_table_is_shown():
    with (REPORT / "counters.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    shown = body(rows, CASES, COUNTERS)
    read(shown)
    assert {row["case"] for row in rows} - {"every case"} == {case.name for case in CASES}
    compared = sum(bool(row["batch"]) for row in rows)
    kinds = ("right", "own", "factor", "zero", "refused")
    assert sum(shown.count(f'<td class="{kind}"') for kind in kinds) == compared
