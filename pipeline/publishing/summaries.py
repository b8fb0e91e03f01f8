"""Write data files for the site's reports: nested values as JSON, with floats rounded to the same bytes anywhere."""

import json
from pathlib import Path
from typing import Any

from pipeline.base.paths import replace_file

DIGITS = 6


def write(path: Path, value: Any) -> None:
    """Write values to a file, completely or not at all. Raise ValueError for NaN or infinity, or OSError."""
    text = json.dumps(json_values(value), indent=1, ensure_ascii=False, allow_nan=False)
    replace_file(path, f"{text}\n")


def json_values(value: Any) -> Any:
    """Return the values in JSON types, with rounded floats; NumPy numbers become Python numbers.

    >>> json_values({"a": (1.23456789, True, None), "b": "c"})
    {'a': [1.23457, True, None], 'b': 'c'}
    """
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}")
    if isinstance(value, dict):
        return {name: json_values(held) for name, held in value.items()}
    if isinstance(value, list | tuple):
        return [json_values(held) for held in value]
    return value
