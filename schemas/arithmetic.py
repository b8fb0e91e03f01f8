"""Evaluate the arithmetic in `derived` (numbers, names of assumptions and + - * / ** ( )) without executing code."""

import ast
import itertools
import math
import operator
import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any

TO_TWENTY = """
    one two three four five six seven eight nine ten
    eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty
""".split()
COUNT_WORDS: dict[str, float] = {
    **{word: value for value, word in enumerate(TO_TWENTY, 1)},
    **{word: 10 * value for value, word in enumerate("thirty forty fifty sixty seventy eighty ninety".split(), 3)},
    "single": 1,
    "half": 0.5,
}
NUMBER_WORDS = frozenset(
    [*COUNT_WORDS, *"hundred thousand million billion trillion pair dozen once twice double week weeks".split()]
)
OPERATORS: dict[type, Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
    ast.USub: operator.neg,
}
NAME = re.compile(r"(?<![\w.])[^\W\d]\w*")
MOST_REMEMBERED = 10_000  # expressions in the cache
NO_NAMES: Mapping[str, float] = {}
TREE = (ast.Expression, ast.Constant, ast.Name, ast.Load, ast.BinOp, ast.UnaryOp, *OPERATORS)


def arithmetic(expression: str, values: Mapping[str, float] = NO_NAMES) -> float | None:
    """Return the value of an expression of numbers, names in `values`, and + - * / **; None for any other text.

    >>> arithmetic("2**20 * 1e6")
    1048576000000.0
    >>> arithmetic("29e6 * moves", {"moves": 200.0})
    5800000000.0
    >>> arithmetic("five to six") is None
    True
    """
    try:
        tree = _tree(expression)
        return float(_value(tree.body, values)) if tree else None
    except (ValueError, LookupError, TypeError, ArithmeticError, RecursionError, MemoryError):
        return None


def value_range(expression: str, ends: Mapping[str, tuple[float, float]]) -> tuple[float, float] | None:
    """Return the smallest and largest values of an expression over the ranges of its names, or None if it has no value.

    >>> value_range("29e6 * moves", {"moves": (150.0, 250.0)})
    (4350000000.0, 7250000000.0)
    """
    used = [name for name in names(expression) if name in ends]
    corners = itertools.product(*(ends[name] for name in used))
    values = [arithmetic(expression, dict(zip(used, corner, strict=True))) for corner in corners]
    finite = [corner_value for corner_value in values if corner_value is not None]
    return (min(finite), max(finite)) if finite and len(finite) == len(values) else None


def names(expression: str) -> list[str]:
    """Return the distinct names in an expression, in order; an empty list for other text. Number words are not names.

    >>> names("29e6 * moves * 1600"), names("twenty-four"), names("moves of 1600")
    (['moves'], [], [])
    """
    # Most expressions have no names, and this check is a hundred times as fast as parsing.
    if NUMBER_WORDS.issuperset(NAME.findall(expression)):
        return []
    tree = _tree(expression)
    name_nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Name)] if tree else []
    in_order = sorted(name_nodes, key=lambda node: node.col_offset)
    return list(dict.fromkeys(node.id for node in in_order if node.id not in NUMBER_WORDS))


def numbers(expression: str, *, scales: bool = False) -> list[str]:
    """Return the numbers in an expression as written, without powers of ten or of 1024.

    >>> numbers("29e6 * moves * 1600 / 10**3 + 2**20 * 1e9")
    ['29e6', '1600']
    """
    return [number for number, is_scale in _constants(expression) if scales or not is_scale]


def scales(expression: str) -> list[float]:
    """Return the powers of ten in an expression.

    >>> scales("29e6 * moves * 1600 / 10**3 * 1e9")
    [1000.0, 1000000000.0]
    """
    powers = [arithmetic(number) for number, is_scale in _constants(expression) if is_scale]
    return [power for power in powers if power and power % 10 == 0]


def factors(expression: str) -> list[float]:
    """Return the values that an expression multiplies with each other, in order, without divisors.

    >>> factors("300e9 * (1 + 1) / 4"), factors("2 + 3"), factors("five")
    ([300000000000.0, 2.0], [5.0], [])
    """
    tree = _tree(expression)

    def multiplied(node: ast.expr) -> Iterator[float]:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.Div):
            yield from multiplied(node.left)
            yield from multiplied(node.right) if isinstance(node.op, ast.Mult) else ()
        else:
            value = arithmetic(ast.unparse(node))
            yield math.nan if value is None else value

    return [*multiplied(tree.body)] if tree and not isinstance(tree.body, ast.Name) else []


def _constants(expression: str) -> list[tuple[str, bool]]:
    """Return each number in an expression as written, and whether it is a power of ten or of 1024."""
    tree = _tree(expression)
    nodes = list(ast.walk(tree)) if tree else []
    powers = [node for node in nodes if isinstance(node, ast.expr) and _is_scale(node)]
    inside = {id(part) for power in powers for part in ast.walk(power) if part is not power}
    constants = [
        node for node in nodes if isinstance(node, ast.Constant) and id(node) not in inside and node not in powers
    ]
    in_order = sorted([*powers, *constants], key=lambda node: node.col_offset)
    return [(str(ast.get_source_segment(expression.strip(), node)), node in powers) for node in in_order]


@lru_cache(maxsize=MOST_REMEMBERED)
def _tree(expression: str) -> ast.Expression | None:
    """Return the syntax tree of an expression; None if it is not arithmetic."""
    try:
        tree = ast.parse(expression.strip(), mode="eval")
        is_arithmetic = all(isinstance(node, TREE) for node in ast.walk(tree))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return tree if is_arithmetic else None


def _is_scale(node: ast.expr) -> bool:
    """Return whether a node is a power of ten from 100, such as 1e9 or 10**9, or a power of 1024 written as 2**10."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, int | float) and node.value >= 100 and math.log10(node.value).is_integer()
    if not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) and isinstance(node.left, ast.Constant)):
        return False
    exponent = node.right.operand if isinstance(node.right, ast.UnaryOp) else node.right
    if not isinstance(exponent, ast.Constant):
        return False
    return node.left.value == 10 or (node.left.value == 2 and exponent.value in (10, 20, 30, 40))


def _value(node: ast.AST, values: Mapping[str, float]) -> Any:
    """Return the value of a node; a root of a negative number is complex. Raise errors that `arithmetic` catches."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
        return float(node.value)  # with integers 9**99**99 would never end; with floats it raises OverflowError
    if isinstance(node, ast.Name):
        return values[node.id]
    if isinstance(node, ast.BinOp):
        return OPERATORS[type(node.op)](_value(node.left, values), _value(node.right, values))
    if isinstance(node, ast.UnaryOp):
        return OPERATORS[type(node.op)](_value(node.operand, values))
    raise ValueError("not arithmetic")
