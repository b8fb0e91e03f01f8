"""Optional packages are loaded only when something is measured: only `_finish` imports report and record."""

import subprocess
import sys

import pytest

from pipeline.base.paths import ROOT


@pytest.mark.parametrize(
    ("modules", "used"),
    [
        ("pipeline.tools.measure.__main__", set()),
        ("pipeline.tools.measure.report, pipeline.tools.measure.record", {"numpy", "pandas"}),
    ],
)
def test_optional_packages_are_loaded_only_when_needed(modules, used):
    script = f"import sys, {modules}; print(*{{name.split('.')[0] for name in sys.modules}})"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, check=True)
    assert set(done.stdout.split()) & {"torch", "duckdb", "numpy", "pandas", "pydantic"} == used
