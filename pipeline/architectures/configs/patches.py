"""Readers of encoders of image patches: ViT, DeiT, DINOv2, and the image halves of CLIP and SigLIP."""

from collections.abc import Callable
from typing import Any, NamedTuple

from pipeline.architectures.blocks import NORM, patch_encoder
from pipeline.architectures.configs import language
from pipeline.architectures.configs.keys import Keys
from pipeline.architectures.network import Concatenation, Input, Layer, Lengths, Node, Sum

TASKS = ("ForImageClassification", "Model")


class Encoder(NamedTuple):
    """How a class differs from the others."""

    tokens: int = 1  # class token and the like
    masks: int = 0  # learned vectors that no position has at inference
    has_patch_bias: bool = True
    has_first_norm: bool = False
    has_scales: bool = False
    head: str = "none"


ENCODERS = {
    "vit": Encoder(head="pooler"),
    "deit": Encoder(tokens=2, head="pooler"),
    "dinov2": Encoder(masks=1, has_scales=True, head="mean"),
    "clip_vision_model": Encoder(has_patch_bias=False, has_first_norm=True),
    "siglip_vision_model": Encoder(tokens=0, head="attention"),
}


def encoder(keys: Keys) -> list[Node]:
    """Return patches, tokens and learned positions, blocks, and the head of the class that the config names."""
    kind = ENCODERS[keys.model_type]
    size, own_size, patch = keys.image(), keys.own_image(), keys.whole("patch_size")
    if patch > min(size, own_size):
        raise keys.error("patch_size", f"is larger than the image: {patch}, {min(size, own_size)}")
    width = keys.whole("hidden_size")
    has_mask = kind.masks and ("use_mask_token" not in keys.class_row or keys.flag("use_mask_token"))
    nodes = patch_encoder(
        (keys.whole("num_channels"), size, size),
        {"size": patch, "width": width, "has_bias": kind.has_patch_bias},
        keys.whole("num_hidden_layers"),
        {**_heads(keys, width), "has_biases": "qkv_bias" not in keys.class_row or keys.flag("qkv_bias")},
        _feed_forward(keys, width),
        positions=(own_size // patch) ** 2 + kind.tokens + bool(has_mask),
        tokens=kind.tokens,
        has_first_norm=kind.has_first_norm,
        has_scales=kind.has_scales,
    )
    return [*nodes, *_head(keys, kind, width, (size // patch) ** 2)]


def _heads(keys: Keys, width: int) -> dict[str, int]:
    heads = keys.whole("num_attention_heads")
    return {"heads": heads, "head_width": keys.heads("num_attention_heads", "hidden_size", heads, width)}


def _feed_forward(keys: Keys, width: int) -> dict[str, Any]:
    is_gated = "use_swiglu_ffn" in keys.class_row and keys.flag("use_swiglu_ffn")
    has_ratio = "mlp_ratio" in keys.class_row
    inner = int(width * keys.number("mlp_ratio")) if has_ratio else keys.whole("intermediate_size")
    if is_gated:  # two thirds of it, rounded up to a multiple of 8
        inner = (int(inner * 2 / 3) + 7) // 8 * 8
    return {"width": keys.checked("mlp_ratio", inner), "is_gated": is_gated, "has_biases": True}


def _head(keys: Keys, kind: Encoder, width: int, patches: int) -> list[Node]:
    is_whole = keys.task("Model" if kind.head in ("none", "attention") else TASKS[0], TASKS) == TASKS[0]
    classes = keys.labels() if is_whole else 0
    pooled = keys.maybe_whole("pooler_output_size") or width
    if kind.head == "attention" and not is_whole:
        return _attention_pool(keys, width, patches)
    if kind.head == "pooler" and not is_whole:
        classes = pooled
    if not classes:
        return []
    if kind.head == "mean":  # of the patches, next to the class token
        token_and_mean = Concatenation([[Layer("select_position")], [Layer("average_positions")]])
        return [token_and_mean, Layer("linear", {"out_features": classes})]
    one = Layer("average_positions" if kind.head == "attention" else "select_position")
    return [one, Layer("linear", {"out_features": classes})]


def _attention_pool(keys: Keys, width: int, patches: int) -> list[Node]:
    """A learned query that attends to all patches, and a feed-forward network."""
    source = {"source_positions": patches, "source_width": width, "has_biases": True}
    query: list[Node] = [Input((1, width)), Layer("learned_parameters", {"number": width})]
    attention = Layer("cross_attention", {**_heads(keys, width), **source})
    return [*query, attention, Sum([NORM, Layer("feed_forward", _feed_forward(keys, width))])]


def pair(keys: Keys) -> list[Node]:
    """Return both halves of CLIP or SigLIP for one image and its text, each with its projection to a common width."""
    keys.task("Model", ("Model",))
    keys.known |= {"text_config", "vision_config", "logit_scale_init_value"}
    text, image = (_half(keys, name) for name in ("text", "vision"))
    width = keys.whole("projection_dim") if keys.model_type == "clip" else None
    projection = [Layer("linear", {"out_features": width, "has_bias": False})] if width else []
    pooled: list[Node] = [Layer("select_position"), *projection]
    words = language.read(text, keys.asked, keys.has_own_lengths, None)
    keys.lengths, keys.assumed_length = words.lengths, words.length
    seen = Keys(image, image["model_type"], Lengths(), keys.asked_image_size)
    patches = encoder(seen)
    seen.refuse_unknown()
    keys.image_size = seen.image_size
    keys.assumed |= {**words.assumed, **seen.assumed}
    keys.defaults |= {**words.defaults, **seen.defaults}
    scales = Layer("learned_parameters", {"number": 1 if width else 2})
    if width:
        return [*words.nodes, *pooled, *patches, *pooled, scales]
    own = {"out_features": text.get("projection_size") or image.get("hidden_size", seen.whole("hidden_size"))}
    return [*words.nodes, Layer("select_position"), Layer("linear", own), *patches, scales]


def _half(keys: Keys, name: str) -> dict[str, Any]:
    half = keys.config.get(f"{name}_config") or {}
    if not isinstance(half, dict):
        raise keys.error(f"{name}_config", "must be a mapping")
    kind = f"{keys.model_type}_{name}_model"
    drop = ("model_type", "architectures", "projection_dim", "projection_size")
    return {**{key: value for key, value in half.items() if key not in drop}, "model_type": kind}


READERS: dict[str, Callable[[Keys], list[Node]]] = {**dict.fromkeys(ENCODERS, encoder), "clip": pair, "siglip": pair}
