"""Read a model's config.json: one table row per key."""

import json
from typing import Any

from pipeline.tools.quotes.documents import Document, Outline, UnreadableError

DEEPEST = 20


def read(name: str, written: str) -> Document:
    """Parse a JSON configuration. Raise UnreadableError if it is not a JSON object."""
    try:
        content = json.loads(written)
    except (ValueError, RecursionError):
        raise UnreadableError("is not JSON") from None
    if not isinstance(content, dict):
        raise UnreadableError("is not a JSON object, as a config.json must be")
    outline = Outline()
    _add(outline, content, 0)
    title = str(content.get("_name_or_path") or content.get("model_type") or "")
    return Document(name, "config", title, tuple(outline.passages))


def _add(outline: Outline, content: dict[str, Any], depth: int) -> None:
    """Add a row per simple value, then a section per mapping inside. Skip lists, long text, and mappings below the deepest level.

    Values come first so that they are not placed in the section of a mapping that precedes them.
    """
    inner = {}
    for key, value in content.items():
        if isinstance(value, dict):
            inner[key] = value
        elif isinstance(value, str | int | float | bool) and len(str(value)) < 200:
            outline.add_table([[json.dumps(str(key)), json.dumps(value)]])
    for key, value in inner.items():
        if depth < DEEPEST:
            outline.open(str(key), level=1)
            _add(outline, value, depth + 1)
