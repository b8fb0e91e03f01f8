"""The JSON schema of an account (the site's latest/account.schema.json), from schemas/account.py and `estimates`."""

import json
from typing import Any

from pydantic import TypeAdapter

from pipeline.publishing.datapackage import TYPES
from schemas.account import Account
from schemas.tables import Place, columns_of


def schema() -> dict[str, Any]:
    """Return the JSON schema. Every column may be null, because some models have no record.

    A key that may be null may also be missing, as in the files of the site.
    """
    groups = TypeAdapter(Account).json_schema()
    columns = {name: _column(place) for name, place in columns_of("estimates").items()}
    for definition in (groups, *groups["$defs"].values()):
        definition["additionalProperties"] = False
        nullable = {
            name for name, value in definition["properties"].items() if {"type": "null"} in value.get("anyOf", ())
        }
        definition["required"] = [name for name in definition["required"] if name not in nullable]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **groups,
        "description": "The account of a model: the columns of `estimates`, and groups of the facts behind them."
        " A key that is missing is null.",
        "properties": {**columns, **groups["properties"]},
    }


def _column(place: Place) -> dict[str, Any]:
    column, null = place
    means = f" Null: {null}" if null else ""
    unit = {"unit": column.unit} if column.unit else {}
    kind = "string" if column.kind == "date" else TYPES[column.kind]  # JSON has no dates
    return {"type": [kind, "null"], "description": f"{column.description}{means}", **unit}


def text() -> str:
    """Return the text of account.schema.json."""
    return json.dumps(schema(), indent=1, ensure_ascii=False) + "\n"
