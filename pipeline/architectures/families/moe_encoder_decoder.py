"""Encoder-decoder transformers with experts (GShard, arXiv 2006.16668; Switch, arXiv 2101.03961)."""

from dataclasses import dataclass

from pipeline.architectures.heads import width_of_heads
from pipeline.architectures.network import ArchitectureError, Input, Layer, Lengths, Node, Repeat, Sum, family


@family
@dataclass(frozen=True)
class MoeEncoderDecoder:
    """Encoder and decoder; the last of every `expert_every` layers has `experts` in place of its feed-forward network.

    A token uses `experts_per_token`: 1 in Switch, 2 in GShard. `expert_width` is `feed_forward_width` where left out.
    Capacity is not counted: every token is assumed to reach its experts, and no place is padded.
    """

    encoder_layers: int
    decoder_layers: int
    width: int
    heads: int
    feed_forward_width: int
    vocabulary: int
    experts: int
    experts_per_token: int
    expert_every: int = 2
    expert_width: int | None = None
    head_width: int | None = None
    is_gated: bool = False
    is_tied: bool = True
    has_biases: bool = False

    not_counted = ("places of experts that stay empty or overflow (the capacity factor)", "the balancing loss")

    def nodes(self, lengths: Lengths) -> list[Node]:
        """The encoder over sequence_length positions, the decoder and its head over target_length."""
        source_length, target_length = lengths.pair("moe_encoder_decoder")
        self._check()
        norm = Layer("layer_norm", {"has_bias": self.has_biases})
        heads = {
            "heads": self.heads,
            "head_width": self.head_width or width_of_heads(self.width, self.heads, "; state head_width"),
            "has_biases": self.has_biases,
        }
        source = {"source_positions": source_length, "source_width": self.width}
        reading = [Sum([norm, Layer("self_attention", heads)])]
        writing = [
            Sum([norm, Layer("self_attention", {**heads, "is_causal": True})]),
            Sum([norm, Layer("cross_attention", {**heads, **source})]),
        ]
        table = {"vocabulary": self.vocabulary, "width": self.width}
        head = Layer("unembedding", {"vocabulary": self.vocabulary, "is_tied": self.is_tied})
        return [
            *(Input((source_length,)), Layer("embedding", table)),
            *(*self._stack(self.encoder_layers, reading), norm),
            *(Input((target_length,)), Layer("embedding", {**table, "is_shared": True})),
            *(*self._stack(self.decoder_layers, writing), norm, head),
        ]

    def _check(self) -> None:
        for key, layers in (("encoder_layers", self.encoder_layers), ("decoder_layers", self.decoder_layers)):
            if layers % self.expert_every:
                raise ArchitectureError(f"{layers} {key} are no multiple of expert_every, {self.expert_every}", key)

    def _stack(self, layers: int, attention: list[Node]) -> list[Node]:
        norm = Layer("layer_norm", {"has_bias": self.has_biases})
        dense = {"width": self.feed_forward_width, "is_gated": self.is_gated, "has_biases": self.has_biases}
        chosen = {
            "experts": self.experts,
            "experts_per_token": self.experts_per_token,
            "expert_width": self.expert_width or self.feed_forward_width,
            "is_gated": self.is_gated,
        }
        plain = [*attention, Sum([norm, Layer("feed_forward", dense)])]
        routed = [*attention, Sum([norm, Layer("mixture_of_experts", chosen)])]
        return [Repeat(layers // self.expert_every, [*plain * (self.expert_every - 1), *routed])]
