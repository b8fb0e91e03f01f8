"""Write classes.json: for each type its classes, the settings that they have, and their values for absent keys.

It runs where the newest transformers is installed: `python -m tests.architectures.class_defaults`.
"""

import json
import re
import sys
from typing import Any

from pipeline.architectures.configs import READERS
from pipeline.architectures.configs.vocabulary import (
    CLASSES_FILE,
    KEYS,
    MEANING,
    TYPES,
    changes_nothing,
    row_of,
    stem_of,
)

LEFT_OUT = re.compile(
    "architectures|id2label|num_labels|(mlp_)?layer_types|layers_block_type|rope_(parameters|scaling)|per_layer_config"
)
LONGEST_LIST = 12
_BASE = "architectures chunk_size_feed_forward dtype id2label is_encoder_decoder label2id model_type problem_type return_dict".split()


def main() -> None:
    """Write the file, and print on stderr the types whose class cannot be built."""
    from transformers import CONFIG_MAPPING

    stems = _stems()
    rows = {
        name: _row(
            CONFIG_MAPPING[name], stems.get(name, set()), None if name in READERS else row_of(name).get("keys", {})
        )
        for name in (*TYPES, *READERS)
        if name in CONFIG_MAPPING and "like" not in TYPES.get(name, {})
    }
    lines = (f"{json.dumps(name)}: {json.dumps(row, sort_keys=True)}" for name, row in sorted(rows.items()))
    CLASSES_FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def _stems() -> dict[str, set[str]]:
    """Return the names of each type's classes, without their task."""
    from transformers.models.auto import modeling_auto

    stems: dict[str, set[str]] = {}
    for mapping, classes in vars(modeling_auto).items():
        for model_type, names in classes.items() if mapping.endswith("_MAPPING_NAMES") else ():
            several = names if isinstance(names, tuple | list) else (names,)
            stems.setdefault(model_type, set()).update(stem_of(name) for name in several if not name.endswith("Config"))
    return stems


def _row(kind: Any, stems: set[str], own_keys: dict[str, str] | None) -> dict[str, Any]:
    meaning = {**MEANING, **(own_keys or {})}
    content = _content(kind)
    # A value that follows from other keys is not a default, because it changes with width and heads.
    width, heads = (next((key for key in KEYS["wholes"][name] if key in content), None) for name in ("width", "heads"))
    wider = _content(kind, **{key: times * content[key] for key, times in ((width, 8), (heads, 4)) if key}) or content
    kept = {
        key: value
        for key, value in content.items()
        if value is not None
        and (wider.get(key) == value or key in (width, heads))
        and not (own_keys is not None and changes_nothing(key) and key not in KEYS["inside"])
        and not LEFT_OUT.fullmatch(key)
        and not (isinstance(value, list) and len(value) > LONGEST_LIST)
    }
    inside = (key for place, keys in KEYS["inside"].items() if place in content for key in keys.values())
    names = (*content, *inside, *(getattr(kind, "attribute_map", None) or {}))
    settings = sorted({meaning[key] for key in names if key in meaning})
    return {"settings": settings, "classes": sorted(stems), **json.loads(json.dumps(kept, default=str))}


def _content(kind: Any, **numbers: int) -> dict[str, Any]:
    try:
        content = dict(kind(**numbers).to_dict())
        for place in content.keys() & KEYS["inside"].keys():
            inner = {key: value for key, value in content[place].items() if key not in ("hidden_size", *_BASE)}
            content[place] = inner
        return content
    except Exception as problem:  # a class may refuse its own defaults
        print(f"{kind.model_type} with {numbers}: {problem!r}"[:160], file=sys.stderr)
        return {}


if __name__ == "__main__":
    main()
