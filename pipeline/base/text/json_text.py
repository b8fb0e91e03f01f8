"""Values as JSON and plain text, in full: the same bytes from a command and in a published file."""

import json
import math
import re
from typing import Any


def text(value: Any) -> str:
    """A value as plain text in full: null is empty, numbers have a decimal point whatever the locale says."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | dict):
        return json.dumps(plain(value), ensure_ascii=False)
    return str(value)


def as_json(found: Any) -> str:
    """JSON text of rows or other values; numbers in full, null is unknown."""
    return json_line(plain(found), indent=2)


def json_line(value: Any, indent: int | None = None) -> str:
    """JSON text of a plain value, without what acts on terminals; without blanks where it is one line."""
    # JSON escapes the control characters below 32 alone; others act on terminals too.
    separators = None if indent else (",", ":")
    written = json.dumps(value, indent=indent, ensure_ascii=False, separators=separators)
    return re.sub("[\x7f-\x9f\u2028\u2029]", lambda found: f"\\u{ord(found[0]):04x}", written)


def plain(value: Any) -> Any:
    """A value as JSON has it: what is not finite is null, dates are text."""
    if isinstance(value, float) and not math.isfinite(value):
        return None  # JSON has no infinity and no NaN
    if isinstance(value, dict):
        return {text(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    return value if isinstance(value, bool | int | float | str | None) else str(value)
