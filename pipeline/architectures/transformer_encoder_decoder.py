"""Encoder-decoder transformers (Vaswani et al. 2017, arXiv 1706.03762; T5, arXiv 1910.10683)."""

from dataclasses import dataclass

from pipeline.architectures.network import ArchitectureError, Input, Layer, Lengths, Node, Repeat, Sum, family


@family
@dataclass(frozen=True)
class TransformerEncoderDecoder:
    """Two stacks of one width; the embedding is shared by both, and by the head where `is_tied`."""

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

    def nodes(self, lengths: Lengths) -> list[Node]:
        """The encoder over sequence_length positions, the decoder and its head over target_length."""
        if lengths.sequence_length is None or lengths.target_length is None:
            raise ArchitectureError(
                "family transformer_encoder_decoder needs the phase's sequence_length and target_length",
                "sequence_length" if lengths.sequence_length is None else "target_length",
            )
        if self.head_width is None and self.width % self.heads:
            raise ArchitectureError(
                f"a width of {self.width} cannot be divided among {self.heads} heads; state head_width", "heads"
            )
        heads = {
            "heads": self.heads,
            "head_width": self.head_width or self.width // self.heads,
            "has_biases": self.has_biases,
        }
        norm = Layer("layer_norm", {"has_bias": self.has_biases})
        feed = Layer(
            "feed_forward", {"width": self.feed_forward_width, "is_gated": self.is_gated, "has_biases": self.has_biases}
        )
        source = {"source_positions": lengths.sequence_length, "source_width": self.width}
        encoder = [Sum([norm, Layer("self_attention", heads)]), Sum([norm, feed])]
        decoder = [
            Sum([norm, Layer("self_attention", {**heads, "is_causal": True})]),
            Sum([norm, Layer("cross_attention", {**heads, **source})]),
            Sum([norm, feed]),
        ]
        look_up = Layer("embedding", {"vocabulary": self.vocabulary, "width": self.width})
        shared_look_up = Layer("embedding", {"vocabulary": self.vocabulary, "width": self.width, "is_shared": True})
        head = Layer("unembedding", {"vocabulary": self.vocabulary, "is_tied": self.is_tied})
        return [
            *(Input((lengths.sequence_length,)), look_up, Repeat(self.encoder_layers, encoder), norm),
            *(Input((lengths.target_length,)), shared_look_up, Repeat(self.decoder_layers, decoder), norm, head),
        ]
