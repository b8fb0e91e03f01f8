"""Move each threshold of thresholds.yml by a factor both ways, and print the moves that no test notices.

`make hostile` runs this. Each move is made in a fork, before our modules are imported, because some copy a threshold
or build it into a schema. The tests must first pass with every threshold unmoved.
"""

import argparse
import contextlib
import os
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
import yaml

LIBRARIES = "duckdb pandas pandera pyarrow pydantic rapidfuzz scipy.stats typer yaml".split()
NOTICED, UNNOTICED = 1, 0  # exit codes of pytest


def thresholds() -> Iterator[tuple[str, str, list[str]]]:
    """Yield the module, the name and the tests of each threshold."""
    table = yaml.safe_load(Path(__file__).with_suffix(".yml").read_text(encoding="utf-8"))
    for tests, modules in table.items():
        for module, names in modules.items():
            yield from ((module, name, tests.split()) for name in names)


def moved(value: float, factor: float) -> float:
    """Return a threshold moved by a factor; a whole number by at least one, and a year by one."""
    if isinstance(value, int):
        is_year = 1900 < value < 2100
        least = 1 if factor > 1 else -1
        return value + (least if is_year else round(value * (factor - 1)) or least)
    return value * factor


def move(module: str, name: str, factor: float) -> None:
    """Move a threshold in this process: a module's constant, or a parameter in params.yaml and tests/constants.yml."""
    if module != "params":
        present = getattr(import_module(module), name)
        copies = [owner for owner in sys.modules.values() if vars(owner).get(name) is present]
        for owner in copies:  # the module, and packages that import the name from it
            setattr(owner, name, moved(present, factor))
        return
    block, name = name.split(".")
    from pipeline.records import params
    from tests import rule_files

    read = params.load

    def load(*words: Path):
        present = read(*words)
        inner = getattr(present, block)
        value = moved(getattr(inner, name), factor)
        return present.model_copy(update={block: inner.model_copy(update={name: value})})

    params.load = load
    constants = rule_files.CONSTANTS["params"].get(block, {})
    if name in constants:
        constants[name] = moved(constants[name], factor)


def code_of(tests: list[str], *moves: tuple[str, str, float]) -> int:
    """Return pytest's exit code for these tests after the moves of these thresholds: module, name, factor."""
    child = os.fork()
    if child == 0:
        with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
            for one in moves:
                move(*one)
            code = pytest.main(["-q", "-x", "-p", "no:cacheprovider", *tests])
        os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def main() -> None:
    """Print each move that no test notices, and how many were made."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("only", nargs="*", help="names of thresholds; all by default")
    parser.add_argument("--factor", type=float, default=1.3)
    options = parser.parse_args()
    for library in LIBRARIES:
        import_module(library)
    chosen = [threshold for threshold in thresholds() if not options.only or threshold[1] in options.only]
    suites = {" ".join(tests) for *_, tests in chosen}
    if broken := sorted(suite for suite in suites if code_of(suite.split()) != UNNOTICED):
        sys.exit(f"these tests fail with every threshold unmoved: {'; '.join(broken)}")
    moves = [(*threshold, factor) for threshold in chosen for factor in (options.factor, 1 / options.factor)]
    unnoticed = 0
    for module, name, tests, factor in moves:
        code = code_of(tests, (module, name, factor))
        if code == UNNOTICED:
            unnoticed += 1
            print(f"{module}:{name} x {factor:.4g}: no test notices it", flush=True)
        elif code != NOTICED:
            sys.exit(f"{module}:{name}: pytest ended with {code}")
    print(f"{len(moves)} moves of thresholds by {options.factor}, {unnoticed} of which no test notices")


if __name__ == "__main__":
    main()
