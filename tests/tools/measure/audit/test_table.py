"""The published table has every case, pass and counter, and the numbers of today's code."""

import csv
import tomllib

import pytest

from pipeline.base.paths import ROOT
from pipeline.site.report.counters import COUNTERS as DOCUMENTED
from pipeline.site.report.counters import FACTOR, NOT_INSTALLABLE, PLUS_ELEMENTWISE, REFUSED, RIGHT, ZERO
from pipeline.site.report.executed import HARDWARE
from tests.tools.measure.audit import table
from tests.tools.measure.audit.cases import CASES
from tests.tools.measure.audit.counters import COUNTERS

with table.TABLE.open(encoding="utf-8", newline="") as file:
    ROWS = list(csv.DictReader(file))
COMPARED = [row for row in ROWS if row["case"] in CASES]


def test_the_table_covers_every_pass_and_counter():
    found = [(row["case"], row["pass"], row["counter"]) for row in COMPARED]
    run = {name: ("forward", *case.passes) for name, case in CASES.items() if name in {name for name, *_ in found}}
    assert len(run) > 80
    assert sorted(found) == sorted(
        (case, which, name)
        for case, passes in run.items()
        for which in set(passes)
        for name, counter in COUNTERS.items()
        if counter.count and (which == "forward" or counter.counts_backward)
    )
    others = {row["counter"]: row["verdict"] for row in ROWS if row["case"] == "every case"}
    assert set(others) == {name for name, counter in COUNTERS.items() if counter.reason}
    assert others["dlprof"] == others["pyprof"] == NOT_INSTALLABLE


def test_the_table_is_up_to_date():
    for row in COMPARED:
        case, counted = CASES[row["case"]], row["note"] if row["verdict"] == REFUSED else float(row["counted"])
        made = table.row(case, row["pass"], row["counter"], COUNTERS[row["counter"]], counted)
        known = {name: str(made.get(name, "")) for name in table.COLUMNS} | {"version": row["version"]}
        assert row == known, f"{case.name}: run make audit"


def test_counts_that_were_read_are_in_the_table():
    made = [{name: str(row.get(name, "")) for name in table.COLUMNS} for row in table.read_rows()]
    assert [row for row in ROWS if row["counter"] == HARDWARE] == made
    # according to its README, twice torchinfo's multi-adds
    assert [int(row["ours"]) / 2e9 for row in made[:3]] == pytest.approx([464.41, 182.96, 3960], rel=1e-3)


def test_the_table_has_the_pinned_versions():
    pins = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]["audit"]
    pinned = dict(pin.split("==") for pin in pins)
    used = {DOCUMENTED[row["counter"]][0]: row["version"] for row in ROWS if row["version"]}
    for package, version in used.items():
        assert pinned[package] == version.replace("-", ".post")  # thop spells its own version with a dash


@pytest.mark.parametrize(
    ("case", "which", "name", "counted", "in_flop", "in_own_unit", "note"),
    [
        ("linear: plain", "forward", "FlopCounterMode on CPU", 3072, RIGHT, RIGHT, ""),
        ("linear: plain", "forward", "fvcore", 1536, FACTOR, RIGHT, "multiply-adds"),
        ("linear: bias", "forward", "DeepSpeed", 3072 + 48, PLUS_ELEMENTWISE, PLUS_ELEMENTWISE, ""),
        ("linear: batch 64", "forward", "ptflops (pytorch)", 1536, FACTOR, RIGHT, "one example of the batch, multiply-adds"),
        ("linear: plain", "forward", "thop", 0, ZERO, ZERO, ""),
        ("self_attention: causal", "forward", "DeepSpeed", 26880, FACTOR, FACTOR, "the mask ignored"),
        ("self_attention: fused", "forward", "calflops", 20480, FACTOR, FACTOR, "attention scores missed"),
        ("batch_norm: plain", "forward", "thop", 512, PLUS_ELEMENTWISE, PLUS_ELEMENTWISE, ""),
    ],
)  # fmt: skip
def test_a_verdict_names_the_mistake(case, which, name, counted, in_flop, in_own_unit, note):
    assert table.verdict(CASES[case], which, COUNTERS[name], counted) == (in_flop, in_own_unit, note)
