"""Contracts of tables: pandera's DataFrameModel on pandas frames whose columns are Arrow's, so that nulls are apart from NaN in every type."""

from typing import ClassVar, NamedTuple

import pandera.pandas as pandera
from pandera.api.dataframe.model_components import FieldInfo
from pandera.engines.pandas_engine import ArrowBool, ArrowDate32, ArrowFloat64, ArrowInt64, ArrowString

from schemas.columns import Column, Kind

TYPES: dict[Kind, type] = {
    "text": ArrowString,
    "number": ArrowFloat64,
    "whole number": ArrowInt64,
    "true or false": ArrowBool,
    "date": ArrowDate32,
}

KINDS = {
    "text": "str",
    "number": "float",
    "whole number": "int",
    "true or false": "bool",
    "date": "date",
}  # for Declared


class Declared(NamedTuple):
    """A column of a contract, as stages read it; it goes with them."""

    kind: str
    is_nullable: bool
    column: Column


class Contract(pandera.DataFrameModel):
    """A table's contract: its columns of schemas/columns.py in their order, with their types; `Config.unique` names those that identify a row."""

    __grain__: ClassVar[tuple[str, ...]] = ()  # goes with the stages that read it, as does the next
    __columns__: ClassVar[dict[str, Declared]] = {}

    def __init_subclass__(cls) -> None:
        """Gives each column the type that its declaration in schemas/columns.py has."""
        fields = {name: field for name, field in vars(cls).items() if isinstance(field, FieldInfo)}
        cls.__annotations__ = {
            name: TYPES[field.properties["metadata"]["column"].kind] for name, field in fields.items()
        }
        super().__init_subclass__()  # type: ignore[no-untyped-call]
        cls.__grain__ = tuple(vars(cls.Config).get("unique", ()))
        cls.__columns__ = {
            name: Declared(
                KINDS[field.properties["metadata"]["column"].kind],
                field.properties["nullable"],
                field.properties["metadata"]["column"],
            )
            for name, field in fields.items()
        }

    class Config:
        strict = True
        ordered = True
