"""The published table has every case, pass and counter, and the numbers of today's code."""

import csv
import tomllib
from itertools import product

import pytest

from pipeline.base.paths import ROOT
from pipeline.site.report.counters import NOT_INSTALLABLE, OUT_OF_SCOPE, REFUSED, VERDICTS
from tests.tools.measure.audit import command
from tests.tools.measure.audit.case import PASSES
from tests.tools.measure.audit.cases import CASES
from tests.tools.measure.audit.counters import BACKWARD, COUNTERS, Counted
from tests.tools.measure.audit.verdicts import evaluate

with (ROOT / "data/published/report/counters.csv").open(encoding="utf-8", newline="") as file:
    TABLE = list(csv.DictReader(file))
ROWS = [row for row in TABLE if row["counter"] != command.HARDWARE]
BY_NAME = {case.name: case for case in CASES}
COUNTER = {each.name: each for each in COUNTERS}
# The table lacks the part of the count that these counters call elementwise.
SEPARATE_ELEMENTWISE = {"torch.profiler", "autograd.profiler", "fvcore"}


def test_the_table_covers_every_case_pass_and_counter():
    found = {(row["case"], row["pass"], row["counter"]) for row in ROWS}
    assert len(found) == len(ROWS), "a row occurs twice"
    for each in COUNTERS:
        for case, which in product(CASES, PASSES):
            is_run = each.count and which in case.passes and (which not in BACKWARD or each.counts_backward)
            if is_run:
                assert (case.name, which, each.name) in found
        if not each.count:
            assert (command.ALL_CASES, "forward", each.name) in found
        elif not each.counts_backward:
            assert {(command.ALL_CASES, which, each.name) for which in BACKWARD} <= found
    assert {name for name, _, _ in found} == {case.name for case in CASES} | {command.ALL_CASES}


def test_the_table_is_up_to_date():
    for row in ROWS:
        assert set(row) == set(command.COLUMNS)
        assert {row["verdict"], row["verdict_in_own_unit"]} <= set(VERDICTS)
        if row["case"] != command.ALL_CASES:
            case = BY_NAME[row["case"]]
            assert int(row["ours"]) == case.ours(row["pass"]), f"{row['case']}: run make audit"
            assert int(row["by_hand_flop"]) == case.by_hand(row["pass"]), f"{row['case']}: run make audit"
            assert row["version"]
            # a changed rule would change the verdict on the published number
            if row["verdict"] != REFUSED and row["counter"] not in SEPARATE_ELEMENTWISE:
                elementwise = 0 if row["counter"].startswith("FlopCounterMode") else None
                parts = Counted(float(row["counted"]), elementwise)
                found = evaluate(case, row["pass"], COUNTER[row["counter"]], parts)
                assert (row["verdict"], row["verdict_in_own_unit"], row["note"]) == (found[0], found[1], found.note)
        else:
            assert row["note"], "no reason"


def test_counts_that_were_read_are_in_the_table():
    made = [{name: str(row.get(name, "")) for name in command.COLUMNS} for row in command.read_rows()]
    assert [row for row in TABLE if row["counter"] == command.HARDWARE] == made
    # according to its README, twice torchinfo's multi-adds
    assert [int(row["ours"]) / 2e9 for row in made[:3]] == pytest.approx([464.41, 182.96, 3960], rel=1e-3)


def test_the_table_has_the_pinned_versions():
    pins = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]["audit"]
    pinned = dict(pin.split("==") for pin in pins)
    used = {COUNTER[row["counter"]].package: row["version"] for row in ROWS if row["version"]}
    for package, version in used.items():
        assert pinned[package] == version.replace("-", ".post")  # thop spells its own version with a dash


def test_what_could_not_be_installed_says_what_was_tried():
    for name in ("dlprof", "pyprof"):
        (row,) = [row for row in ROWS if row["counter"] == name]
        assert row["verdict"] == NOT_INSTALLABLE
        assert "`pip install nvidia-" in row["note"]
    (row,) = [row for row in ROWS if row["counter"] == "TensorFlow profiler"]
    assert row["verdict"] == OUT_OF_SCOPE
