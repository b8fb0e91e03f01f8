"""torch and pandas are loaded only when something is measured."""

import subprocess
import sys

import pytest

from pipeline.base.paths import ROOT


@pytest.mark.parametrize(
    "module", ["pipeline.tools.measure.__main__", "pipeline.tools.measure.record", "pipeline.tools.measure.layers"]
)
def test_torch_and_the_stack_are_loaded_only_when_needed(module):
    script = f"import sys, {module}; print(*{{name.split('.')[0] for name in sys.modules}})"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, check=True)
    assert set(done.stdout.split()) & {"torch", "duckdb", "pandas", "pyarrow", "pydantic"} == set()
