"""The JSON schema of an account (the site's latest/account.schema.json), from schemas/account.py and `estimates`."""

import json
from typing import Any

from pydantic import TypeAdapter

from pipeline.publishing.datapackage import TYPES
from schemas.account import Account
from schemas.tables import Place, columns_of


def schema() -> dict[str, Any]:
    """Return the JSON schema. Every column may be null, because some models have no record."""
    groups = TypeAdapter(Account).json_schema()
    columns = {name: _column(place) for name, place in columns_of("estimates").items()}
    for definition in (groups, *groups["$defs"].values()):
        definition["additionalProperties"] = False
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **groups,
        "description": "The account of a model: the columns of `estimates`, and groups of the facts behind them.",
        "properties": {**columns, **groups["properties"]},
        "required": [*columns, *groups["required"]],
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
