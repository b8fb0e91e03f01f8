"""The keys, types and classes that can be read: keys.yml, types.yml, diffusers.yml and classes.json."""

import json
import re
from pathlib import Path
from typing import Any

import yaml

FOLDER = Path(__file__).parent
CLASSES_FILE = FOLDER / "classes.json"
_WRITTEN: dict[str, Any] = json.loads(CLASSES_FILE.read_text(encoding="utf-8"))
CLASSES: dict[str, Any] = _WRITTEN["classes"]
# Keys that classes store or read, but that change neither a parameter, a product nor a pair of positions in any.
CHANGE_NOTHING: frozenset[str] = frozenset(_WRITTEN["change_nothing"])
KEYS: dict[str, Any] = yaml.load((FOLDER / "keys.yml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
CLASSES |= {name: {"classes": [], "reads": row, **row} for name, row in _WRITTEN["diffusers"].items()}
DIFFUSERS: dict[str, Any] = yaml.load((FOLDER / "diffusers.yml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
_ROWS: dict[str, Any] = yaml.load((FOLDER / "types.yml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
TYPES: dict[str, dict[str, Any]] = {name: {} for name in _ROWS.pop("said_by_keys")}
TYPES |= {name: {"like": other} for name, other in _ROWS.pop("like").items()}
MIXERS: dict[str, list[dict[str, Any]]] = _ROWS.pop("mixers")
TYPES |= {name: row for names, row in _ROWS.items() for name in names.split()}
# Whether the text model inside a type's config is the whole network but for what reads images or sound for it.
WRAPPERS: dict[str, bool] = _WRITTEN["wrappers"] | dict.fromkeys(KEYS["wrappers"], True)
VALUE_KINDS = ("wholes", "wholes_or_zero", "numbers", "flags", "lists", "free")
MEANING: dict[str, str] = {key: name for kind in VALUE_KINDS for name, keys in KEYS[kind].items() for key in keys}
MEANING |= dict.fromkeys(KEYS["said"], "said")  # keys that are read by name or do not affect the count
KIND_OF = {setting: kind for kind in VALUE_KINDS for setting in KEYS[kind]}
WORDS = {str(word): kind for kind, words in KEYS["words"].items() for word in (kind, *words)}
_TASK = re.compile(
    r"(For[A-Z]\w*|(With)?LMHeadModel|DoubleHeadsModel|TextModel|EncoderModel|MTModel|Encoder|Decoder|Model)\Z"
)


def stem_of(class_name: str) -> str:
    """Return the name of a class without its task, such as T5 for T5EncoderModel."""
    return _TASK.sub("", class_name)


def row_of(model_type: str) -> dict[str, Any]:
    """Return a type's row in types.yml, completed from the row that it extends; `class` is the type in classes.json."""
    row = TYPES[model_type]
    if "like" in row:
        return {**row_of(row["like"]), **{key: value for key, value in row.items() if key != "like"}}
    return {"class": model_type, "gated": True, "norm": "rms", "norms": 2, **row}
