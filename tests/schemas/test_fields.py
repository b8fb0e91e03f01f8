"""Columns: each is described, has its unit in its name, and is used."""

import ast

from pipeline import flow
from schemas.fields import Column


def test_every_column_says_what_it_is():
    from schemas import fields

    declared = {name: value.__metadata__[0] for name, value in vars(fields).items() if hasattr(value, "__metadata__")}
    for name, column in declared.items():
        assert isinstance(column, Column), name
        assert column.description.endswith("."), name
    units = {
        "flop",
        "flop_per_second",
        "second",
        "chip_second",
        "chip_hour",
        "fraction",
        "byte",
        "byte_per_second",
        "watt",
        "kwh",
        None,
    }
    assert {column.unit for column in declared.values()} <= units
    for name, column in declared.items():
        if column.unit in {"flop", "flop_per_second"}:
            assert column.unit in name, f"{name} does not end in its unit"


def test_every_declared_column_is_used():
    from schemas import fields

    declared = {name for name, value in vars(fields).items() if hasattr(value, "__metadata__")}
    used = set()
    for path in (flow.ROOT / "schemas" / "tables").glob("*.py"):
        used |= {node.attr for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Attribute)}
    assert declared <= used
