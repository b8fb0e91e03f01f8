"""Encoder-decoder transformers (Vaswani et al. 2017, arXiv 1706.03762; T5, arXiv 1910.10683)."""

from typing import Any

from pipeline.architectures.blocks import block, width_of_heads
from pipeline.architectures.network import Input, Layer, Lengths, Node, Repeat, family


@family
class TransformerEncoderDecoder:
    """An encoder and a decoder of equal width that share an embedding, which the head shares too if `is_tied`.

    `relative_positions` is the number of distances with a learned bias per head, which the first attention of each
    stack computes for all layers (T5, section 2.1). In the encoder a position sees only those within `encoder_reach`, if
    that is stated (LongT5, arXiv 2112.07916, section 3.1).
    """

    encoder_layers: int
    decoder_layers: int
    width: int
    heads: int
    feed_forward_width: int
    vocabulary: int
    head_width: int | None = None
    is_gated: bool = False
    is_tied: bool = True
    has_biases: bool = True
    relative_positions: int | None = None
    has_head: bool = True
    encoder_reach: int | None = None

    def nodes(self, lengths: Lengths) -> list[Node]:
        """Return the encoder over sequence_length positions, and the decoder and its head over target_length."""
        source_length, target_length = lengths.pair("transformer_encoder_decoder")
        source = {"source_positions": source_length, "source_width": self.width}
        shared_look_up = Layer("embedding", {"vocabulary": self.vocabulary, "width": self.width, "is_shared": True})
        head = Layer("unembedding", {"vocabulary": self.vocabulary, "is_tied": self.is_tied})
        return [
            *self.encoder(source_length),
            *(Input((target_length,)), shared_look_up, *self._relative()),
            *(Repeat(self.decoder_layers, self._block(source)), self._norm(), *([head] if self.has_head else [])),
        ]

    def encoder(self, length: float) -> list[Node]:
        """Return only the encoder, over `length` positions."""
        look_up = Layer("embedding", {"vocabulary": self.vocabulary, "width": self.width})
        return [Input((length,)), look_up, *self._relative(), Repeat(self.encoder_layers, self._block()), self._norm()]

    def _block(self, source: dict[str, Any] | None = None) -> list[Node]:
        head_width = self.head_width or width_of_heads(self.width, self.heads, "; state head_width")
        heads = {"heads": self.heads, "head_width": head_width, "has_biases": self.has_biases}
        heads |= {} if source else {"reach": self.encoder_reach}
        feed = {"width": self.feed_forward_width, "is_gated": self.is_gated, "has_biases": self.has_biases}
        return block(heads, feed, source, self._norm())

    def _relative(self) -> list[Node]:
        if self.relative_positions is None:
            return []
        return [Layer("learned_parameters", {"number": self.relative_positions * self.heads})]

    def _norm(self) -> Layer:
        return Layer("layer_norm", {"has_bias": self.has_biases})
