"""The parts of a network around its text model (images, sound), which are not counted, and how large they may be."""

from typing import Any, NamedTuple

from pipeline.architectures.arguments import LARGEST_NUMBER
from pipeline.architectures.configs.vocabulary import CLASSES, KEYS, WRAPPERS

NO_PARTS = ("quantization_config", "generation_config", "compression_config")
OF_WRITING_CLASSES = ("ForConditionalGeneration", "ForCausalLM")
WIDTHS = [*KEYS["wholes"]["width"], "embed_dim", "width", "encoder_embed_dim"]
DEPTHS = [*KEYS["wholes"]["layers"], "depth", "encoder_layers"]
INNER_WIDTHS = [*KEYS["wholes"]["feed_forward"], "encoder_ffn_dim", "mlp_dim"]


class Part(NamedTuple):
    """A part that is not counted; `parameters` is the most that it may have, None if the file does not say."""

    words: str
    parameters: int | None


def is_wrapper(config: dict[str, Any]) -> bool:
    """Return whether a config's network writes text with the model in its text_config, and reads images or sound for it."""
    name, class_names = config.get("model_type"), config.get("architectures")
    if isinstance(name, str) and name in WRAPPERS:
        return WRAPPERS[name]
    first = class_names[0] if isinstance(class_names, list) and class_names else None
    return isinstance(first, str) and first.endswith(OF_WRITING_CLASSES)


def parts_around(config: dict[str, Any], text_key: str) -> list[Part]:
    """Return the parts that a config describes next to its text model."""
    names = [name for name in config if name.endswith("_config") and name not in (text_key, *NO_PARTS)]
    parts = [_part(name, config[name]) for name in names if isinstance(config[name], dict)]
    return parts or [Part(f"the parts of {config.get('model_type')} around the text model in {text_key}", None)]


def _part(name: str, stated: dict[str, Any]) -> Part:
    most = _most_parameters(stated)
    size = "" if most is None else f" (at most about {most / 1e6:,.0f}M parameters)"
    return Part(f"the part that {name} describes, with its projection{size}", most)


def _most_parameters(stated: dict[str, Any]) -> int | None:
    """Return the parameters of layers of this width and depth, with gated feed-forward networks; None if either is absent.

    A layer has 4 width^2 for attention and 3 width x inner width; the inner width is 4 width if it is not stated.
    """
    keys = {**CLASSES.get(str(stated.get("model_type")), {}), **stated}
    width, depth, inner = (
        next((keys[name] for name in names if name in keys), None) for names in (WIDTHS, DEPTHS, INNER_WIDTHS)
    )
    ratio = keys.get("mlp_ratio", 4)
    numbers = [
        width,
        depth,
        inner or (ratio * width if isinstance(width, int) and isinstance(ratio, int | float) else 0),
    ]
    if not all(isinstance(number, int | float) and 0 < number <= LARGEST_NUMBER for number in numbers):
        return None
    return int(numbers[1] * (4 * numbers[0] ** 2 + 3 * numbers[0] * numbers[2]))
