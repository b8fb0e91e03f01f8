"""Write classes.json: for each type its classes, their settings, values for absent keys, and other keys that they read.

Run it with torch, the newest transformers and diffusers, for ten minutes: `python -m tests.architectures.in_torch.class_defaults`.
"""

import inspect
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

from pipeline.architectures.configs import READERS
from pipeline.architectures.configs.language import INSIDE
from pipeline.architectures.configs.vocabulary import CLASSES_FILE, KEYS, KIND_OF, MEANING, TYPES, row_of, stem_of
from tests.architectures.in_torch.class_keys import STORED, STORED_EARLIER, names_read, unchanged_names

LEFT_OUT = re.compile(
    "architectures|id2label|num_labels|(mlp_)?layer_types|layers_block_type|rope_(parameters|scaling)|per_layer_config"
)
LONGEST_LIST = 12
MOST_TIMES = 10
_BASE = "architectures chunk_size_feed_forward dtype id2label is_encoder_decoder label2id model_type problem_type return_dict".split()


def main() -> None:
    """Write the file, and print on stderr the types whose class cannot be built."""
    from transformers import CONFIG_MAPPING

    stems, rows, without_effect, with_effect = _stems(), {}, Counter(STORED), Counter()
    for name in (*TYPES, *READERS):
        if name in CONFIG_MAPPING and "like" not in TYPES.get(name, {}):
            own_keys = None if name in READERS else row_of(name).get("keys", {})
            names, unchanged = names_read(name), unchanged_names(name, own_keys)
            rows[name] = _row(CONFIG_MAPPING[name], stems.get(name, set()), own_keys, {*names} - unchanged)
            without_effect.update(unchanged)
            with_effect.update(rows[name]["reads"].keys())
            print(name, *rows[name]["reads"], file=sys.stderr)
    lines = (f"{json.dumps(name)}: {json.dumps(row, sort_keys=True)}" for name, row in sorted(rows.items()))
    # A class with code of its own reads such a name as most classes do. Towers have sizes that are called as our settings.
    names = (
        name
        for name, times in without_effect.items()
        if name[0] != "_" and name not in KIND_OF and times > MOST_TIMES * with_effect[name]
    )
    written = json.dumps(sorted({*names, *STORED_EARLIER}))
    wrappers = json.dumps(_wrappers(), sort_keys=True)
    text = '{"classes": {\n' + ",\n".join(lines) + f'\n}},\n"change_nothing": {written},\n"wrappers": {wrappers},\n'
    text += (
        '"diffusers": {\n'
        + ",\n".join(f"{json.dumps(name)}: {json.dumps(row)}" for name, row in _diffusers())
        + "\n}}\n"
    )
    CLASSES_FILE.write_text(text, encoding="utf-8")


def _diffusers() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the arguments and defaults of diffusers' classes that are read; those in the file if it is not installed."""
    try:
        import diffusers
    except ImportError:
        yield from json.loads(CLASSES_FILE.read_text(encoding="utf-8"))["diffusers"].items()
        return
    for name in READERS:
        if hasattr(diffusers, name):
            arguments = inspect.signature(getattr(diffusers, name).__init__).parameters
            defaults = {key: value.default for key, value in arguments.items() if key != "self"}
            yield name, json.loads(json.dumps(dict(sorted(defaults.items()))))


def _wrappers() -> dict[str, bool]:
    """Return, for each type with a text model inside, whether the network writes words with it."""
    from transformers import CONFIG_MAPPING
    from transformers.models.auto import modeling_auto

    kinds = "CAUSAL_LM IMAGE_TEXT_TO_TEXT SPEECH_SEQ_2_SEQ SEQ_TO_SEQ_CAUSAL_LM MULTIMODAL_LM MASKED_LM".split()
    writing = {name for kind in kinds for name in getattr(modeling_auto, f"MODEL_FOR_{kind}_MAPPING_NAMES")}
    names = (name for name in CONFIG_MAPPING if {*INSIDE} & {*getattr(CONFIG_MAPPING[name], "sub_configs", {})})
    return {name: name in writing for name in names}


def _stems() -> dict[str, set[str]]:
    """Return the names of each type's classes, without their task."""
    from transformers.models.auto import modeling_auto

    stems: dict[str, set[str]] = {}
    for mapping, classes in vars(modeling_auto).items():
        for model_type, names in classes.items() if mapping.endswith("_MAPPING_NAMES") else ():
            several = names if isinstance(names, tuple | list) else (names,)
            stems.setdefault(model_type, set()).update(stem_of(name) for name in several if not name.endswith("Config"))
    return stems


def _row(kind: Any, stems: set[str], own_keys: dict[str, str] | None, names: set[str]) -> dict[str, Any]:
    """Return a type's row; `names` are those that its classes read and that may change a network."""
    meaning, only = {**MEANING, **(own_keys or {})}, {} if own_keys is None else row_of(kind.model_type).get("only", {})
    content = _content(kind)
    # A value that follows from other keys is not a default, because it changes with width and heads, or with layers.
    width, heads, layers = (
        next((key for key in KEYS["wholes"][name] if isinstance(content.get(key), int)), None)
        for name in ("width", "heads", "layers")
    )
    wider = _content(kind, **{key: times * content[key] for key, times in ((width, 8), (heads, 4)) if key}) or content
    deeper = (layers and _content(kind, **{layers: 2 * content[layers]})) or content
    kept = {
        key: value
        for key, value in content.items()
        if value is not None
        and (wider.get(key) == value == deeper.get(key) or key in (width, heads, layers))
        and (own_keys is None or key in {*meaning, *only, *KEYS["inside"]})
        and not LEFT_OUT.fullmatch(key)
        and not (isinstance(value, list) and len(value) > LONGEST_LIST)
    }
    inside = (key for place, keys in KEYS["inside"].items() if place in content for key in keys.values())
    stated = (*content, *inside, *(getattr(kind, "attribute_map", None) or {}), *({"is_causal"} & names))
    settings = sorted({meaning[key] for key in stated if key in meaning})
    read_values = {key: content.get(key) for key in sorted(names) if own_keys is None or key not in meaning}
    row = {"settings": settings, "classes": sorted(stems), "reads": read_values, **kept}
    return dict(json.loads(json.dumps(row, default=str)))


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
