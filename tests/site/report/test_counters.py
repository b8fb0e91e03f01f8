"""The counters page shows every case and counter in the published table."""

import csv

from pipeline.base.paths import PUBLISHED
from pipeline.site.report.counters import COUNTERS, page
from pipeline.site.report.executed import HARDWARE


def test_every_case_and_counter_of_the_table_is_shown():
    with (PUBLISHED / "report/counters.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    shown = page(rows)
    assert {row["counter"] for row in rows} == {*COUNTERS, HARDWARE}
    compared = [row for row in rows if row["batch"] and row["counter"] != HARDWARE]
    assert shown["cases"] == len({row["case"] for row in compared})
    assert [len(summary["numbers"]) for summary in shown["summaries"]] == [8] * len(shown["summaries"])
    assert sum(summary["numbers"][0] for summary in shown["summaries"]) == len(compared)
