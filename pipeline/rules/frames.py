"""Lazy frames and their rows."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import narwhals as nw

Frame = Any  # a narwhals lazy frame: its type parameter is the backend's, which rules do not know
Row = dict[str, Any]

_hold: ContextVar[Callable[[Frame], Frame] | None] = ContextVar("hold", default=None)


def materialised(frame: Frame) -> Frame:
    """The same rows, worked out: a query on them does not repeat how they were made, which engines bind and plan anew at each step."""
    hold = _hold.get()
    return hold(frame) if hold else frame.lazy().collect("pyarrow").lazy(backend="duckdb")


def as_columns(frame: Frame, *groups: Sequence[Any], prefix: str = "held") -> tuple[Any, ...]:
    """The frame with named tuples of expressions as columns, and each group of them again as those columns.

    An expression repeats another each time that it uses it: of a chain of formulas the query would grow with every link.
    """
    columns: dict[str, Any] = {}
    held = []
    for group, members in enumerate(groups):
        own = []
        for place, member in enumerate(members):
            names = {
                field: f"{prefix}_{field}_{group}_{place}"
                for field, value in member._asdict().items()
                if isinstance(value, nw.Expr)
            }
            columns |= {name: getattr(member, field) for field, name in names.items()}
            own.append(member._replace(**{field: nw.col(name) for field, name in names.items()}))
        held.append(own)
    return frame.with_columns(**columns), *held


@contextmanager
def holding(hold: Callable[[Frame], Frame]) -> Iterator[None]:
    """Within the block `materialised` is this function: who writes the stages as SQL keeps the rows in a table that has a name."""
    token = _hold.set(hold)
    try:
        yield
    finally:
        _hold.reset(token)


def rows(frame: Frame, *order: str) -> list[Row]:
    """The rows of a frame as dicts by column, sorted by these columns where any are named."""
    return list((frame.sort(*order) if order else frame).collect("pyarrow").rows(named=True))
