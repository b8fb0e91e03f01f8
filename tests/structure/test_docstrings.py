"""Everything public is described, and every layer kind has a worked example."""

import ast
import inspect

from pipeline.formulas import layers
from pipeline.stages import flow


def test_every_layer_kind_has_a_worked_example():
    for name, kind in layers.KINDS.items():
        assert ">>>" in (inspect.getdoc(kind) or ""), name


def named(tree):
    """Yield modules and public classes, functions and methods, with their bodies."""
    yield tree
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            yield from named(node) if isinstance(node, ast.ClassDef) else [node]


def test_everything_public_says_what_it_does():
    files = [path for folder in ("pipeline", "schemas") for path in sorted((flow.ROOT / folder).rglob("*.py"))]
    nodes = [(path, node) for path in files for node in named(ast.parse(path.read_text()))]
    silent = [
        f"{path.name}: {getattr(node, 'name', 'module')}"
        for path, node in nodes
        if not ast.get_docstring(node)
        and not (path.parent.name == "tables" and isinstance(node, ast.ClassDef))  # its file describes the row
    ]
    assert [name for name in silent if not name.endswith(": Config")] == []
