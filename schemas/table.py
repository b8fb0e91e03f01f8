"""Names that stages wired by their signatures need; it goes with them. Tables are contracted in schemas/tables, judged by pipeline/contracts.py."""

import re
from importlib import import_module
from typing import Any, Generic, TypeVar

from schemas.contract import Contract
from schemas.contract import Declared as Declared
from schemas.errors import ContractError as ContractError

TableModel = Contract
Of = TypeVar("Of", bound=Contract)


class Table(Generic[Of]):
    """In a stage's signature: a relation of DuckDB (or rows) that satisfies the contract named in brackets."""


class Ledger(dict[str, Any]):
    """In a stage's signature: every table that stages before it make, as relations of DuckDB by name."""


class Metrics(dict[str, Any]):
    """In a stage's return: named figures that DVC shows and compares, written as JSON."""


def table_name(contract: type[Contract]) -> str:
    """A contract's class name in snake_case: the parquet file's and the argument's name."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", contract.__name__).lower()


def columns(contract: type[Contract]) -> dict[str, str]:
    """Each column of a contract with its type in words: str, float, int, bool or date."""
    return {name: declared.kind for name, declared in contract.__columns__.items()}


def contract_of(name: str) -> type[Contract]:
    """The contract of a table by its name: of `estimates` the class Estimates of schemas/tables/estimates.py."""
    contract: type[Contract] = getattr(import_module(f"schemas.tables.{name}"), name.title().replace("_", ""))
    return contract
