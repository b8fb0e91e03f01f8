"""Table contracts: columns from schemas/fields.py, and a grain."""

import re
from collections.abc import Mapping
from importlib import import_module
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar, get_args

from schemas.errors import ContractError as ContractError
from schemas.fields import Column

Contract = TypeVar("Contract", bound="TableModel")


class Table(Generic[Contract]):
    """In a stage's signature: a narwhals lazy frame (or rows) that satisfies the contract named in brackets."""


class Ledger(dict[str, Any]):
    """In a stage's signature: every table that stages before it make, as narwhals lazy frames by name."""


class Metrics(dict[str, Any]):
    """In a stage's return: named figures that DVC shows and compares, written as JSON."""


class Compiled(dict[str, Any]):
    """In a stage's return: the statements of stages by name, under the digest of what they depend on, written as JSON."""


class Declared(NamedTuple):
    """A column of a contract: `kind` is str, float, int, bool or date; null is allowed where it `is_nullable`."""

    kind: str
    is_nullable: bool
    column: Column


class TableModel:
    """A table's contract. `grain` names the columns that identify one row; rows are sorted by them."""

    __grain__: ClassVar[tuple[str, ...]] = ()
    __hints__: ClassVar[dict[str, Any]] = {}
    __columns__: ClassVar[dict[str, Declared]] = {}

    def __init_subclass__(cls, grain: tuple[str, ...] = (), shared: Mapping[str, Any] | None = None) -> None:
        """`shared` has columns of another table, with their types, beside those that the class names."""
        super().__init_subclass__()
        cls.__grain__ = tuple(grain)
        cls.__hints__ = {**cls.__dict__.get("__annotations__", {}), **(shared or {})}
        cls.__columns__ = {name: _declared(f"{cls.__name__}.{name}", hint) for name, hint in cls.__hints__.items()}


def _declared(place: str, hint: Any) -> Declared:
    is_nullable = type(None) in get_args(hint)
    if is_nullable:
        hint = next(argument for argument in get_args(hint) if argument is not type(None))
    kind, column = get_args(hint)
    if not isinstance(column, Column):
        raise TypeError(f"{place} is not a column of schemas/fields.py")
    return Declared(kind.__name__, is_nullable, column)


def table_name(contract: type[TableModel]) -> str:
    """A contract's class name in snake_case: the parquet file's and the argument's name.

    >>> class GpuTimeEstimates(TableModel): pass
    >>> table_name(GpuTimeEstimates)
    'gpu_time_estimates'
    """
    return re.sub(r"(?<!^)(?=[A-Z])", "_", contract.__name__).lower()


def columns(contract: type[TableModel]) -> dict[str, str]:
    """Each column of a contract with its type in words: str, float, int, bool or date."""
    return {name: declared.kind for name, declared in contract.__columns__.items()}


def contract_of(name: str) -> type[TableModel]:
    """The contract of a table by its name: of `estimates` the class Estimates of schemas/tables/estimates.py."""
    module = import_module(f"schemas.tables.{name}")
    return next(
        each
        for each in vars(module).values()
        if isinstance(each, type) and issubclass(each, TableModel) and each.__module__ == module.__name__
    )
