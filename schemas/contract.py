"""The base class of table contracts: a pandera model of pandas frames with Arrow columns, which keep null and NaN apart."""

import pandera.pandas as pandera
from pandera.api.dataframe.model_components import FieldInfo
from pandera.engines.pandas_engine import ArrowBool, ArrowDate32, ArrowFloat64, ArrowInt64, ArrowString

from schemas.columns import Kind

TYPES: dict[Kind, type] = {
    "text": ArrowString,
    "number": ArrowFloat64,
    "whole number": ArrowInt64,
    "true or false": ArrowBool,
    "date": ArrowDate32,
}


class Contract(pandera.DataFrameModel):
    """The contract of a table: its columns from schemas/columns, in order; `grain` lists the columns that identify a row."""

    def __init_subclass__(cls, grain: str = "") -> None:
        """Give each column the type of its declaration in schemas/columns."""
        if grain:
            cls.Config = type("Config", (), {"unique": grain.split()})  # type: ignore[assignment,misc]
        fields = {name: field for name, field in vars(cls).items() if isinstance(field, FieldInfo)}
        cls.__annotations__ = {
            name: TYPES[field.properties["metadata"]["column"].kind] for name, field in fields.items()
        }
        super().__init_subclass__()  # type: ignore[no-untyped-call]

    class Config:
        strict = True
        ordered = True
