"""Tests are independent of one another: shared code is in tests/builders.py and in conftest.py."""

import ast

from pipeline.base.paths import ROOT

FILES = sorted((ROOT / "tests").rglob("*.py"))


def imported(file):
    """Return the last parts of all names that a file imports: of modules, and of their members."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from (word for alias in node.names for word in alias.name.split("."))
        elif isinstance(node, ast.ImportFrom):
            yield from (*(node.module or "").split("."), *(alias.name for alias in node.names))


def test_no_test_imports_a_test():
    modules = {file.stem for file in FILES if file.stem.startswith(("test_", "torch_"))}
    found = {file.relative_to(ROOT).as_posix(): sorted(modules & {*imported(file)}) for file in FILES}
    assert {file: names for file, names in found.items() if names} == {}
