"""Write values as unrounded JSON and plain text, identical in commands and published files."""

import json
import math
import re
from typing import Any


def text(value: Any) -> str:
    """Return a value as unrounded plain text. Null is empty; numbers have a decimal point in every locale."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | dict):
        return json.dumps(json_value(value), ensure_ascii=False)
    return str(value)


def as_json(value: Any) -> str:
    """Return rows or other values as JSON text with unrounded numbers; null means unknown."""
    return json_line(json_value(value), indent=2)


def json_line(value: Any, indent: int | None = None) -> str:
    """Return a plain value as JSON text without terminal control characters; without `indent`, as one tight line."""
    # JSON escapes only the control characters below 32, but some higher ones control terminals too.
    separators = None if indent else (",", ":")
    written = json.dumps(value, indent=indent, ensure_ascii=False, separators=separators)
    return re.sub("[\x7f-\x9f\u2028\u2029]", lambda character: f"\\u{ord(character[0]):04x}", written)


def drop_nulls(value: Any) -> Any:
    """Return a plain value without the keys whose value is null.

    >>> drop_nulls({"flop": None, "phases": [{"epochs": None, "examples": 0}]})
    {'phases': [{'examples': 0}]}
    """
    if isinstance(value, dict):
        return {key: drop_nulls(inner) for key, inner in value.items() if inner is not None}
    return [drop_nulls(inner) for inner in value] if isinstance(value, list) else value


def json_value(value: Any) -> Any:
    """Return a value in a form that JSON can hold: null if it is not finite, text if it is a date."""
    if isinstance(value, float) and not math.isfinite(value):
        return None  # JSON has no infinity and no NaN
    if isinstance(value, dict):
        return {text(key): json_value(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [json_value(inner) for inner in value]
    return value if isinstance(value, bool | int | float | str | None) else str(value)
