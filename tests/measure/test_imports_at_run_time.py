"""What the folder loads: planning, counting by hand and reporting need no torch, and the harness nothing of the stack."""

import subprocess
import sys

import pytest

from pipeline.paths import ROOT

STACK = {"duckdb", "jinja2", "narwhals", "pandas", "pandera", "pint", "pyarrow", "pydantic", "yaml"}
HARNESS = sorted((ROOT / "pipeline/measure/harness").glob("[!_]*.py"))


def loaded_by(modules):
    """The packages that are loaded after importing these modules in a new process."""
    script = f"import sys, {', '.join(modules)}; print(*{{name.split('.')[0] for name in sys.modules}})"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, check=True)
    return set(done.stdout.split())


def test_the_harness_loads_nothing_of_the_stack_and_torch_only_when_it_measures():
    modules = [f"pipeline.measure.harness.{path.stem}" for path in HARNESS]
    assert len(modules) > 12
    assert loaded_by(modules) & {*STACK, "torch"} == set()


@pytest.mark.parametrize("module", ["pipeline.measure.layers", "tests.measure.audit.command"])
def test_torch_is_loaded_only_when_a_module_is_built(module):
    assert "torch" not in loaded_by([module])
