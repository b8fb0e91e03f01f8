"""Lazy frames and their rows."""

from typing import Any

Frame = Any  # a narwhals lazy frame: its type parameter is the backend's, which rules do not know
Row = dict[str, Any]


def rows(frame: Frame, *order: str) -> list[Row]:
    """The rows of a frame as dicts by column, sorted by these columns where any are named."""
    return list((frame.sort(*order) if order else frame).collect("pyarrow").rows(named=True))
