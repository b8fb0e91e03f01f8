"""Table contracts: columns from schemas/fields.py, a grain, and a pandera model made of both."""

import re
from collections.abc import Mapping
from typing import Any, ClassVar, Generic, TypeVar, get_args

import pandas as pd
import pandera.pandas as pa

from schemas.errors import ContractError as ContractError
from schemas.fields import Column

PANDAS: dict[type, Any] = {bool: pd.BooleanDtype, int: pd.Int64Dtype}  # the kinds that may hold null

Contract = TypeVar("Contract", bound="TableModel")


class Table(Generic[Contract]):
    """In a stage's signature: a narwhals lazy frame (or rows) that satisfies the contract named in brackets."""


class Ledger(dict[str, Any]):
    """In a stage's signature: every table that stages before it make, as narwhals lazy frames by name."""


class Metrics(dict[str, Any]):
    """In a stage's return: named figures that DVC shows and compares, written as JSON."""


class TableModel(pa.DataFrameModel):
    """A table's contract. `grain` names the columns that identify one row; rows are sorted by them."""

    __grain__: ClassVar[tuple[str, ...]] = ()
    __kinds__: ClassVar[dict[str, str]] = {}
    __hints__: ClassVar[dict[str, Any]] = {}

    def __init_subclass__(
        cls, grain: tuple[str, ...] = (), shared: Mapping[str, Any] | None = None, **kwargs: Any
    ) -> None:
        """`shared` has columns of another table, with their types, beside those that the class names."""
        cls.__grain__ = tuple(grain)
        cls.__kinds__ = {}
        if shared:
            cls.__annotations__ = {**cls.__dict__.get("__annotations__", {}), **shared}
        cls.__hints__ = dict(cls.__dict__.get("__annotations__", {}))
        for name, hint in cls.__hints__.items():
            nullable = type(None) in get_args(hint)
            if nullable:
                hint = next(argument for argument in get_args(hint) if argument is not type(None))
            kind, column = get_args(hint)
            cls.__kinds__[name] = kind.__name__
            if not isinstance(column, Column):
                raise TypeError(f"{cls.__name__}.{name} is not a column of schemas/fields.py")
            cls.__annotations__[name] = PANDAS.get(kind, kind)
            field = pa.Field(
                nullable=nullable,
                description=column.description,
                metadata={"unit": column.unit},
                **column.bounds,
            )
            field.__set_name__(cls, name)  # otherwise pandera names every column None
            setattr(cls, name, field)
        super().__init_subclass__(**kwargs)  # type: ignore[no-untyped-call]

    class Config:
        strict = True


def table_name(contract: type[TableModel]) -> str:
    """A contract's class name in snake_case: the parquet file's and the argument's name.

    >>> class GpuTimeEstimates(TableModel): pass
    >>> table_name(GpuTimeEstimates)
    'gpu_time_estimates'
    """
    return re.sub(r"(?<!^)(?=[A-Z])", "_", contract.__name__).lower()


def columns(contract: type[TableModel]) -> dict[str, str]:
    """Each column of a contract with its type in words: str, float, int, bool or date."""
    return dict(contract.__kinds__)
