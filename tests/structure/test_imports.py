"""Who may import whom: the rules of `[tool.importlinter]` in pyproject.toml, and imports at run time."""

import subprocess
import sys

import pytest

from pipeline.base.paths import ROOT

# Runs the command in the arguments, and prints which slow packages it imported.
IMPORTED = """
import sys
from pipeline import cli
try:
    cli.main()
except SystemExit as end:
    print("exit", end.code or 0, *sorted({"pandas", "pandera", "great_expectations", "dvc"} & sys.modules.keys()))
"""
COMMANDS = [
    ["cite"],
    ["compare", "gpt-3", "alexnet"],
    ["count", "resnet50"],
    ["diff", "data/releases/2026-11-21", "data/releases/2026-11-21"],
    ["estimate", "--parameters", "7B", "--tokens", "2T"],
    ["estimate", "gpt-3", "--epochs", "2"],
    ["explain", "gpt-3"],
    ["export", "--help"],
    ["hardware", "H100"],
    ["list", "--domain", "vision"],
    ["plot", "--help"],
    ["query", "select count(*) from estimates"],
    ["show", "gpt-3"],
    ["thresholds", "gpt-3"],
    ["utilization", "--family", "vit", "--precision", "bf16", "--hardware", "H100"],
    ["validate", "data/records/models/gpt-3.yaml"],
]


def test_the_rules_of_imports_hold():
    command = "from importlinter.cli import lint_imports_command as check; check()"
    done = subprocess.run(
        [sys.executable, "-c", command, "--no-cache", "--no-logo"], capture_output=True, text=True, cwd=ROOT
    )
    assert done.returncode == 0, done.stdout
    assert " kept, 0 broken." in done.stdout


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_no_command_imports_what_takes_longer_than_its_answer(words):
    done = subprocess.run([sys.executable, "-c", IMPORTED, *words], capture_output=True, text=True, cwd=ROOT)
    assert done.stdout.splitlines()[-1:] == ["exit 0"], done.stdout[-200:] + done.stderr
