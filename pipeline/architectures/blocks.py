"""Blocks of transformers for words, images and sound: attention and a feed-forward network."""

from collections.abc import Mapping, Sequence
from typing import Any

from pipeline.architectures.network import ArchitectureError, Input, Layer, Node, Repeat, Sum

NORM = Layer("layer_norm")


def width_of_heads(width: int, heads: int, hint: str = "") -> int:
    """Return the width of a head. Raise ArchitectureError, ending in `hint`, if the heads do not divide the width."""
    if width % heads:
        raise ArchitectureError(f"a width of {width} cannot be divided among {heads} heads{hint}", "heads")
    return width // heads


def block(
    attention: Mapping[str, Any],
    feed_forward: Mapping[str, Any],
    source: Mapping[str, Any] | None = None,
    norm: Layer = NORM,
    ends: tuple[Sequence[Node], Sequence[Node]] = ((), ()),
) -> list[Node]:
    """Return attention and a feed-forward network with these arguments, each preceded by a norm and added to its input.

    With a `source`, as in a decoder, self-attention is causal, and cross-attention to the source follows it. `ends` are
    further nodes between attention and its sum, and between the feed-forward network and its sum.
    """
    causal = {} if source is None else {"is_causal": True}
    nodes: list[Node] = [Sum([norm, Layer("self_attention", {**attention, **causal}), *ends[0]])]
    nodes += [] if source is None else [Sum([norm, Layer("cross_attention", {**attention, **source})])]
    return [*nodes, Sum([norm, Layer("feed_forward", dict(feed_forward)), *ends[1]])]


def patch_encoder(
    image: tuple[int, int, int],
    patch: Mapping[str, Any],
    layers: int,
    attention: Mapping[str, Any],
    feed_forward: Mapping[str, Any],
    *,
    positions: int,
    tokens: int = 1,
    has_patch_bias: bool = True,
    has_first_norm: bool = False,
    has_scales: bool = False,
) -> list[Node]:
    """Return an image encoder: patches and class tokens (`tokens`) with learned positions, blocks and a final norm.

    The output projection always has biases, even if queries, keys and values have none.
    """
    vector = Layer("learned_parameters", {"number": patch["width"]})
    scale = [vector] if has_scales else []
    bias = [] if attention.get("has_biases") else [vector]
    return [
        *(
            Input(image),
            Layer("patches", {**patch, **({} if has_patch_bias else {"has_bias": False})}),
            *[Layer("class_token")] * tokens,
        ),
        Layer("learned_parameters", {"number": positions * patch["width"]}),
        *([NORM] if has_first_norm else []),
        *(Repeat(layers, block(attention, feed_forward, ends=([*bias, *scale], scale))), NORM),
    ]
