"""Decoder-only transformers: embedding, blocks of causal attention and feed-forward, head."""

from dataclasses import dataclass

from pipeline.architectures.network import ArchitectureError, Input, Layer, Lengths, Node, Repeat, Side, Sum, family


@family
@dataclass(frozen=True)
class TransformerDecoder:
    """A decoder of `layers` blocks; keys that are left out have no part in the network.

    `key_value_heads` below `heads` is grouped-query attention; `query_rank`, `key_value_rank`, `rotary_width` and
    `value_width` together are latent attention; `experts` with `experts_per_token` and `expert_width` replace the
    feed-forward of every block after the first `dense_layers`. Each of `prediction_depth` modules predicts one token
    further (DeepSeek-V3, arXiv 2412.19437, section 2.2): a product of twice the width, a block and the shared head.
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
    learned_positions: int | None = None
    query_rank: int | None = None
    key_value_rank: int | None = None
    rotary_width: int | None = None
    value_width: int | None = None
    experts: int | None = None
    experts_per_token: int | None = None
    shared_experts: int = 0
    expert_width: int | None = None
    dense_layers: int = 0
    prediction_depth: int = 0

    def nodes(self, lengths: Lengths) -> list[Node]:
        """One sequence of sequence_length tokens."""
        if lengths.sequence_length is None:
            raise ArchitectureError("family transformer_decoder needs the phase's sequence_length", "sequence_length")
        self._check()
        norm = Layer("layer_norm", {"has_bias": self.has_biases})
        head = Layer("unembedding", {"vocabulary": self.vocabulary, "is_tied": self.is_tied})
        nodes: list[Node] = [Input((lengths.sequence_length,))]
        nodes.append(Layer("embedding", {"vocabulary": self.vocabulary, "width": self.width}))
        if self.learned_positions:
            nodes.append(Layer("position_embedding", {"positions": self.learned_positions}))
        dense = self.layers if self.experts is None else min(self.dense_layers, self.layers)
        for times, is_dense in ((dense, True), (self.layers - dense, False)):
            nodes += [Repeat(times, self._block(is_dense))] if times else []
        nodes += [Side([norm, head])] if self.prediction_depth else [norm, head]
        shared_head = Layer("unembedding", {"vocabulary": self.vocabulary, "is_tied": True})
        for _ in range(self.prediction_depth):
            nodes += [Layer("next_token_merge"), *self._block(is_dense=self.experts is None), Side([norm, shared_head])]
        return nodes

    def _check(self) -> None:
        latent = (self.query_rank, self.key_value_rank, self.rotary_width, self.value_width)
        if any(latent) and not all(latent):
            raise ArchitectureError(
                "latent attention needs query_rank, key_value_rank, rotary_width and value_width together"
            )
        if self.experts and not (self.experts_per_token and self.expert_width):
            raise ArchitectureError("experts need experts_per_token and expert_width")
        if self.head_width is None and self.width % self.heads:
            raise ArchitectureError(
                f"a width of {self.width} cannot be divided among {self.heads} heads; state head_width", "heads"
            )
        if self.feed_forward_width is None and (self.experts is None or self.dense_layers):
            raise ArchitectureError("feed_forward_width is needed where a block has no experts")

    def _block(self, is_dense: bool) -> list[Node]:
        norm = Layer("layer_norm", {"has_bias": self.has_biases})
        return [Sum([norm, self._attention()]), Sum([norm, self._feed_forward(is_dense)])]

    def _attention(self) -> Layer:
        arguments = {"heads": self.heads, "head_width": self.head_width or self.width // self.heads}
        if self.query_rank:
            ranks = {"query_rank": self.query_rank, "key_value_rank": self.key_value_rank}
            widths = {"rotary_width": self.rotary_width, "value_width": self.value_width}
            return Layer("latent_attention", {**arguments, **ranks, **widths})
        groups = {"key_value_heads": self.key_value_heads} if self.key_value_heads else {}
        return Layer("self_attention", {**arguments, **groups, "is_causal": True, "has_biases": self.has_biases})

    def _feed_forward(self, is_dense: bool) -> Layer:
        if is_dense:
            return Layer(
                "feed_forward",
                {"width": self.feed_forward_width, "is_gated": self.is_gated, "has_biases": self.has_biases},
            )
        numbers = {
            "experts": self.experts,
            "experts_per_token": self.experts_per_token,
            "expert_width": self.expert_width,
        }
        return Layer(
            "mixture_of_experts", {**numbers, "shared_experts": self.shared_experts, "is_gated": self.is_gated}
        )
