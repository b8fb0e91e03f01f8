"""The project's size: lines wrapped at 120 columns, characters, and lines over 120 columns. Remove as many as you add.

A limit is a size of November 2026 with at most 1 % to spare, and may only be lowered. The aims: 40,000 lines and
2,000,000 characters of source, 24,500 lines and 1,170,000 characters of tests, no line over 120 columns.
"""

from collections import Counter

import pytest

from pipeline.base.paths import ROOT

ENDINGS = (".py", ".sql", ".js", ".css", ".html", ".jinja")
TABLES = ("schemas/columns/columns.csv", "pipeline/site/report/reports.yml")
LIMITS = {
    "source": {"wrapped lines": 42_750, "characters": 2_161_000, "lines over 120 columns": 660},
    "tests": {"wrapped lines": 26_980, "characters": 1_303_000, "lines over 120 columns": 672},
}


@pytest.fixture(scope="module")
def sizes():
    """Return the sizes of the source and of the tests, to which the given and expected rows of SQL rules belong."""
    totals = {side: Counter() for side in LIMITS}
    for path in (path for room in ("pipeline", "schemas", "tests") for path in (ROOT / room).rglob("*.*")):
        name = path.relative_to(ROOT).as_posix()
        has_rows = name.startswith("pipeline/models/") and path.suffix == ".yml"
        if path.suffix in ENDINGS or name in TABLES or has_rows:
            lengths = [len(line) for line in path.read_text(encoding="utf-8").splitlines()]
            sums = totals["tests" if has_rows or name.startswith("tests/") else "source"]
            sums["wrapped lines"] += sum(max(1, -(-length // 120)) for length in lengths)
            sums["characters"] += sum(lengths) + len(lengths)
            sums["lines over 120 columns"] += sum(length > 120 for length in lengths)
    return totals


@pytest.mark.parametrize(("side", "measure"), [(side, measure) for side in LIMITS for measure in LIMITS[side]])
def test_the_project_does_not_grow(sizes, side, measure):
    assert sizes[side][measure] <= LIMITS[side][measure]
