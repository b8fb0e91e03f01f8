"""Decoder-only transformers: embedding, blocks of causal attention and feed-forward, head."""

from itertools import pairwise
from typing import Any

from pipeline.architectures.blocks import width_of_heads
from pipeline.architectures.network import ArchitectureError, Input, Layer, Lengths, Node, Repeat, Side, Sum, family


@family
class TransformerDecoder:
    """A decoder of `layers` blocks, without the components whose keys are left out.

    `key_value_heads` below `heads` gives grouped-query attention. `query_rank`, `key_value_rank`, `rotary_width` and
    `value_width` together give latent attention; without `query_rank` its queries are not compressed. `experts` with
    `experts_per_token` and `expert_width` replace the feed-forward of each block after the first `dense_layers`. In
    `window_layers` blocks (all of them if only `window` is given) a position sees only its last `window` positions.
    Sums do not depend on which blocks have windows or experts. A block has 2 norms, 4 if its sublayers' outputs are
    normalised too (Gemma 2), or 1 if attention and feed-forward are parallel (GPT-J, arXiv 2204.06745, section 2.1).
    `has_biases` sets the default of more specific keys. Each of `prediction_depth` modules predicts one more token
    (DeepSeek-V3, arXiv 2412.19437, section 2.2): a linear layer from twice the width, a block, the shared head.
    """

    layers: int
    width: int
    heads: int
    vocabulary: int
    feed_forward_width: int | None = None
    head_width: int | None = None
    key_value_heads: int | None = None
    is_gated: bool = False
    is_tied: bool = True
    has_biases: bool = True
    has_attention_biases: bool | None = None
    has_input_biases: bool = False
    has_feed_forward_biases: bool | None = None
    has_norm_biases: bool | None = None
    has_norm_scales: bool = True
    norms_per_block: int = 2
    has_embedding_norm: bool = False
    has_final_norm: bool = True
    attention_norm_parameters: int | None = None
    has_head: bool = True
    has_head_bias: bool = False
    embedding_width: int | None = None
    learned_positions: int | None = None
    window: int | None = None
    window_layers: int | None = None
    query_rank: int | None = None
    key_value_rank: int | None = None
    rotary_width: int | None = None
    value_width: int | None = None
    experts: int | None = None
    experts_per_token: int | None = None
    shared_experts: int = 0
    shared_expert_width: int | None = None
    has_shared_gate: bool = False
    expert_width: int | None = None
    dense_layers: int = 0
    prediction_depth: int = 0

    def nodes(self, lengths: Lengths) -> list[Node]:
        """Return the network for one sequence of sequence_length tokens."""
        length = lengths.sequence("transformer_decoder")
        self._check()
        nodes: list[Node] = [Input((length,)), *self._embedding()]
        dense = self.layers if self.experts is None else min(self.dense_layers, self.layers)
        windowed = 0 if self.window is None else min(self.window_layers or self.layers, self.layers)
        # The first blocks are dense or windowed, so blocks are alike between these boundaries.
        for start, end in pairwise(sorted({0, dense, windowed, self.layers})):
            nodes.append(Repeat(end - start, self._block(start < dense, start < windowed)))
        nodes += [Side(self._head())] if self.prediction_depth else self._head()
        shared_head = Layer("unembedding", {"vocabulary": self.vocabulary, "is_tied": True})
        for _ in range(self.prediction_depth):
            block = self._block(is_dense=self.experts is None, is_windowed=False)
            nodes += [Layer("next_token_merge"), *block, Side([self._norm(), shared_head])]
        return nodes

    def _check(self) -> None:
        """Raise ArchitectureError for numbers that are missing, contradict each other or have no effect."""
        latent = (self.key_value_rank, self.rotary_width, self.value_width)
        if any((self.query_rank, *latent)) and not all(latent):
            raise ArchitectureError("latent attention needs key_value_rank, rotary_width and value_width together")
        if self.experts and not (self.experts_per_token and self.expert_width):
            raise ArchitectureError("experts need experts_per_token and expert_width")
        if self.feed_forward_width is None and (self.experts is None or self.dense_layers):
            raise ArchitectureError("feed_forward_width is needed if a block has no experts")
        if self.norms_per_block not in (1, 2, 4):
            raise ArchitectureError(f"a block has 1, 2 or 4 norms, not {self.norms_per_block}", "norms_per_block")
        if self.window_layers and self.window is None:
            raise ArchitectureError("window_layers need a window", "window_layers")
        if self.window and self.key_value_rank:
            raise ArchitectureError("latent attention has no window", "window")
        for key in ("experts_per_token", "expert_width", "shared_experts", "shared_expert_width", "dense_layers"):
            if getattr(self, key) and not self.experts:
                raise ArchitectureError(f"{key} has no effect without experts", key)
        for key in ("dense_layers", "window_layers"):
            if (getattr(self, key) or 0) > self.layers:
                raise ArchitectureError(f"{key} is {getattr(self, key)}, more than the {self.layers} layers", key)

    def _embedding(self) -> list[Node]:
        """Return the word embedding, a projection from a narrower width, learned positions and a norm."""
        nodes: list[Node] = [
            Layer("embedding", {"vocabulary": self.vocabulary, "width": self.embedding_width or self.width})
        ]
        if self.embedding_width:
            nodes.append(Layer("linear", {"out_features": self.width, "has_bias": False}))
        if self.learned_positions:
            nodes.append(Layer("position_embedding", {"positions": self.learned_positions}))
        return [*nodes, self._norm()] if self.has_embedding_norm else nodes

    def _head(self) -> list[Node]:
        """Return those that the network has: final norm, projection to a narrower embedding, scores of words."""
        nodes: list[Node] = [self._norm()] if self.has_final_norm else []
        if self.embedding_width:
            nodes.append(Layer("linear", {"out_features": self.embedding_width, "has_bias": False}))
        if self.has_head:
            bias = {"has_bias": True} if self.has_head_bias else {}
            nodes.append(Layer("unembedding", {"vocabulary": self.vocabulary, "is_tied": self.is_tied, **bias}))
        return nodes

    def _norm(self) -> Layer:
        scale = {} if self.has_norm_scales else {"has_scale": False}
        return Layer("layer_norm", {"has_bias": _either(self.has_norm_biases, self.has_biases), **scale})

    def _block(self, is_dense: bool, is_windowed: bool) -> list[Node]:
        norm, attention, feed_forward = self._norm(), self._attention(is_windowed), self._feed_forward(is_dense)
        if self.norms_per_block == 1:
            return [Sum([norm, Sum([attention], [feed_forward])])]
        after = [norm] if self.norms_per_block == 4 else []
        return [Sum([norm, attention, *after]), Sum([norm, feed_forward, *after])]

    def _attention(self, is_windowed: bool) -> Layer:
        """Return a block's attention: latent if there is a `key_value_rank`; within the window if `is_windowed`."""
        head_width = self.head_width or width_of_heads(self.width, self.heads, "; state head_width")
        arguments: dict[str, Any] = {"heads": self.heads, "head_width": head_width}
        has_biases = _either(self.has_attention_biases, self.has_biases)
        if self.key_value_rank:
            ranks = {"query_rank": self.query_rank, "key_value_rank": self.key_value_rank}
            widths = {"rotary_width": self.rotary_width, "value_width": self.value_width}
            biases = {"has_biases": True} if self.has_attention_biases else {}
            return Layer("latent_attention", {**arguments, **ranks, **widths, **biases})
        if self.key_value_heads:
            arguments["key_value_heads"] = self.key_value_heads
        if is_windowed:
            arguments["window"] = self.window
        if self.has_input_biases:
            arguments["has_input_biases"] = True
        if self.attention_norm_parameters:
            arguments["norm_parameters"] = self.attention_norm_parameters
        return Layer("self_attention", {**arguments, "is_causal": True, "has_biases": has_biases})

    def _feed_forward(self, is_dense: bool) -> Layer:
        """Return a block's feed-forward network: dense, or a mixture of experts."""
        if is_dense:
            has_biases = _either(self.has_feed_forward_biases, self.has_biases)
            arguments = {"width": self.feed_forward_width, "is_gated": self.is_gated, "has_biases": has_biases}
            return Layer("feed_forward", arguments)
        numbers = {
            "experts": self.experts,
            "experts_per_token": self.experts_per_token,
            "expert_width": self.expert_width,
            "shared_experts": self.shared_experts,
        }
        shared: dict[str, Any] = {"has_shared_gate": True} if self.has_shared_gate else {}
        if self.shared_expert_width:
            shared["shared_expert_width"] = self.shared_expert_width
        return Layer("mixture_of_experts", {**numbers, **shared, "is_gated": self.is_gated})


def _either(particular: bool | None, general: bool) -> bool:
    return general if particular is None else particular
