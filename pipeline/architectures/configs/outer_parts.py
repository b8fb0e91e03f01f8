"""The parts of a network around its text model (images, sound), which are not counted, and how large they may be."""

from typing import Any, NamedTuple

from pipeline.architectures.arguments import LARGEST_NUMBER
from pipeline.architectures.configs.vocabulary import CLASSES, KEYS, WRAPPERS

NO_PARTS = ("quantization_config", "generation_config", "compression_config")
WIDTHS = [*KEYS["wholes"]["width"], "embed_dim", "width", "encoder_embed_dim"]
DEPTHS = [*KEYS["wholes"]["layers"], "depth", "encoder_layers"]
MORE = 1.2  # what towers may have besides, such as positions and pools: at most 17 % in transformers' default configs
INNER_WIDTHS = [*KEYS["wholes"]["feed_forward"], "encoder_ffn_dim", "mlp_dim"]


class Part(NamedTuple):
    """A part that is not counted; `parameters` is the most that it may have, None if the file does not say."""

    key: str
    words: str
    parameters: int | None


def is_wrapper(config: dict[str, Any]) -> bool:
    """Return whether a config's type is known to write text with the model inside it."""
    name = config.get("model_type")
    return isinstance(name, str) and WRAPPERS.get(name, False)


def parts_around(config: dict[str, Any], text_key: str = "") -> list[Part]:
    """Return the parts that a config describes next to its text model, under `text_key` or on the top level."""
    names = [name for name in config if name.endswith("_config") and name not in (text_key, *NO_PARTS)]
    text_width = _first(config[text_key] if text_key else config, WIDTHS, 0)
    between = [
        config[name] for name in config if text_key and ("intermediate_size" in name or "projector_hidden" in name)
    ]
    text_width = max(number for number in (0, text_width, *between) if type(number) is int)
    # Video-LLaVA has two towers with the same config.
    times = 2 if "video_seq_length" in config else 1
    parts = [_part(name, config[name], text_width, times) for name in names if isinstance(config[name], dict)]
    if parts or not text_key:
        return parts
    return [Part("", f"the parts of {config.get('model_type')} around the text model in {text_key}", None)]


def _part(name: str, stated: dict[str, Any], text_width: Any, times: int) -> Part:
    most = _most_parameters({**CLASSES.get(str(stated.get("model_type")), {}), **stated}, text_width)
    most = most and times * most
    size = "" if most is None else f" (at most about {most / 1e6:,.0f}M parameters)"
    return Part(name, f"the part that {name} describes, with its projection{size}", most)


def _first(keys: dict[str, Any], names: list[str], absent: Any) -> Any:
    return next((keys[name] for name in names if keys.get(name) is not None), absent)


def _most_parameters(keys: dict[str, Any], text_width: Any) -> int | None:
    """Return the most parameters that layers of this width and depth may have; None if the file gives neither.

    A layer has 4 width^2 for attention and 3 width x inner width (4 width if it is not stated) for a gated feed-forward
    network, and the biases and norms of each. The projection has two layers, from merged patches to the text's width.
    """
    width, depth, ratio = _first(keys, WIDTHS, 0), _first(keys, DEPTHS, 0), keys.get("mlp_ratio", 4)
    inner = _first(keys, INNER_WIDTHS, ratio * width if type(width) is int and type(ratio) in (int, float) else 0)
    merge, patch, frames = (keys.get(f"{name}_size", 1) for name in ("spatial_merge", "patch", "temporal_patch"))
    out, more = _first(keys, ["out_hidden_size"], text_width), keys.get("deepstack_visual_indexes")
    numbers = [width, depth, inner, merge, patch, frames]
    if not all(type(number) in (int, float) and 0 < number <= LARGEST_NUMBER for number in numbers):
        return None
    merged, projections = merge**2 * width, 1 + (len(more) if isinstance(more, list) else 0)
    out = out if type(out) is int and 0 < out <= LARGEST_NUMBER else 0
    layers = depth * (4 * width**2 + 3 * width * inner + 16 * width + 2 * inner)
    return int(MORE * (layers + projections * (merged**2 + merged * out + out**2) + 3 * patch**2 * frames * width))
