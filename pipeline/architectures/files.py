"""Read networks from JSON and YAML files, which may come from anybody. Each mistake is reported on one line."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import yaml

from pipeline.architectures.network import FAMILIES
from schemas.spelling import nearest

LARGEST_JSON, LARGEST_YAML = 10_000_000, 1_000_000  # bytes
MOST_DIGITS = 300
DEEPEST = 50  # levels of mappings and lists in YAML


class CountError(ValueError):
    """Raised if a network cannot be counted. The message is one line: place, problem and nearest valid value."""


class _Loader(yaml.CSafeLoader):
    """A YAML loader that refuses repeated keys."""

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        _without_repeats([(str(key.value), None) for key, _ in node.value])
        return dict(super().construct_mapping(node, deep))


def stated_lengths(content: Any) -> tuple[dict[str, float], str]:
    """Return the lengths, if single numbers, of a record's first phase on its own network, and that phase's name."""
    phases = content.get("training") if isinstance(content, dict) else None
    phases = phases if isinstance(phases, list) else []
    phase = next((phase for phase in phases if isinstance(phase, dict) and "architecture" not in phase), {})
    facts = {name: phase.get(name) for name in ("sequence_length", "target_length")}
    values = {name: fact.get("value") for name, fact in facts.items() if isinstance(fact, dict)}
    lengths = {name: value for name, value in values.items() if type(value) in (int, float) and 0 < value < 1e9}
    return lengths, str(phase.get("phase"))[:60]


def content_of_yaml(path: Path) -> Any:
    """Return the content of a YAML file. Raise CountError if it is not YAML, too large, too deep or has aliases."""
    text, depth = _text(path, LARGEST_YAML), 0
    try:
        for event in yaml.parse(text, Loader=yaml.CSafeLoader):
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if depth > DEEPEST:
                raise ValueError("is nested too deeply")
            if isinstance(event, yaml.AliasEvent):  # a few lines could expand to gigabytes
                raise ValueError(f"has an alias (*{event.anchor}); write its content out")
        return yaml.load(text, Loader=_Loader)
    except (yaml.YAMLError, ValueError) as problem:
        reason = problem.problem if isinstance(problem, yaml.MarkedYAMLError) else problem
        raise CountError(f"{path} {'' if isinstance(problem, ValueError) else 'is not YAML: '}{reason}") from None


def network_in(path: Path, content: Any) -> dict[str, Any]:
    """Return a network from YAML: a record's architecture, or only that block (a family and its numbers, or layers)."""
    block = content.get("architecture", content) if isinstance(content, dict) else None
    if not isinstance(block, dict) or not ("family" in block or "layers" in block):
        raise CountError(f"{path} {_neox_advice(content) or 'has no architecture: neither a family nor layers'}")
    settings = {key: value for key, value in block.items() if key not in ("source", "note", "evidence")}
    family = settings.setdefault("family", "layers")
    if family not in FAMILIES:
        raise CountError(f"{path}: {family!r} is not a family of networks{nearest(str(family), FAMILIES)}")
    return settings


def config_in(content: Any) -> dict[str, Any] | None:
    """Return the config that a nanotron run's YAML has under model.model_config; None if it has none."""
    model = content.get("model") if isinstance(content, dict) else None
    config = model.get("model_config") if isinstance(model, dict) else None
    if not isinstance(config, dict):
        return None
    kinds = [key[3:-7] for key, value in config.items() if re.fullmatch(r"is_\w+_config", str(key)) and value is True]
    return {"model_type": kinds[0], **config} if len(kinds) == 1 else config


def _neox_advice(content: Any) -> str:
    """Return what to write for a GPT-NeoX run's YAML, which lacks the size of the vocabulary; "" if it is none."""
    keys = {str(key).replace("-", "_"): value for key, value in content.items()} if isinstance(content, dict) else {}
    width, layers, heads = (keys.get(key) for key in ("hidden_size", "num_layers", "num_attention_heads"))
    if not type(width) is type(layers) is type(heads) is int:
        return ""
    sizes = {"hidden_size": width, "num_hidden_layers": layers, "num_attention_heads": heads}
    flags = {
        "tie_word_embeddings": not keys.get("no_weight_tying"),
        "use_parallel_residual": bool(keys.get("gpt_j_residual")),
    }
    inner = {"intermediate_size": keys.get("intermediate_size") or 4 * width}
    config = json.dumps({"model_type": "gpt_neox", "vocab_size": "?", **sizes, **inner, **flags})
    return f"is of a GPT-NeoX run; write a config.json with its vocabulary: {config}"


def config_in_json(path: Path) -> tuple[str, dict[str, Any]]:
    """Return a config.json's text and content. Raise CountError, with the line, if the file is not a config.json."""
    text = _text(path, LARGEST_JSON)
    try:
        config = json.loads(text, object_pairs_hook=_without_repeats, parse_int=_integer)
    except json.JSONDecodeError as problem:
        page = "is a web page, not the config.json on it: download the raw file"
        is_page = text.lstrip().startswith("<")
        problem_in_words = "is empty" if not text.strip() else page if is_page else f"is not JSON: {problem.msg}"
        raise CountError(f"{path}:{problem.lineno} {problem_in_words}") from None
    except (ValueError, RecursionError) as problem:
        problem_in_words = "is nested too deeply" if isinstance(problem, RecursionError) else str(problem)
        raise CountError(f"{path} {problem_in_words}") from None
    if not isinstance(config, dict):
        kind = "a list" if isinstance(config, list) else "a string" if isinstance(config, str) else "a single value"
        raise CountError(f"{path}:1 must contain a mapping of keys to values, not {kind}")
    return text, config


def _text(path: Path, most: int) -> str:
    """Return a file's text. Raise CountError if it is not a regular file, has over `most` bytes, or is not UTF-8."""
    if path.exists() and not path.is_file():  # reading a pipe might never end
        raise CountError(f"{path} is not a regular file")
    try:
        with path.open("rb") as file:
            content = file.read(most + 1)
        if len(content) > most:
            raise CountError(f"{path} is larger than {most:,} bytes")
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise CountError(f"{path} is not text in UTF-8") from None
    except OSError as problem:
        raise CountError(f"{path} cannot be read: {(problem.strerror or str(problem)).lower()}") from None


def _integer(digits: str) -> int:
    if len(digits) > MOST_DIGITS:  # Python refuses to parse integers with thousands of digits
        raise ValueError(f"has an integer of {len(digits):,} digits; no size of a network has more than {MOST_DIGITS}")
    return int(digits)


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) < len(pairs):
        repeated, _ = Counter(name for name, _ in pairs).most_common(1)[0]
        raise ValueError(f"states {repeated[:60]!r} twice")
    return content
