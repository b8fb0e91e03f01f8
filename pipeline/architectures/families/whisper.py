"""Whisper (Radford et al. 2022, arXiv 2212.04356, section 2.2): an encoder of spectrograms, a decoder of words."""

from typing import Any

from pipeline.architectures.blocks import NORM, block, width_of_heads
from pipeline.architectures.network import Input, Layer, Lengths, Node, Repeat, family


@family
class Whisper:
    """Two convolutions, which halve `sequence_length` mel frames, and two stacks. The decoder's positions are learned.

    `source_positions` counts positions after the convolutions. Their vectors are sinusoids, but the released weights
    include them in the parameters. Keys have no bias.
    """

    mel_bands: int
    encoder_layers: int
    decoder_layers: int
    width: int
    encoder_heads: int
    decoder_heads: int
    encoder_feed_forward_width: int
    decoder_feed_forward_width: int
    vocabulary: int
    source_positions: int
    target_positions: int
    is_tied: bool = True
    has_head: bool = True

    def nodes(self, lengths: Lengths) -> list[Node]:
        """Return the encoder over sequence_length mel frames, the decoder over target_length tokens, and its head."""
        source_length, target_length = lengths.pair("whisper", (" (mel frames)", " (tokens)"))
        # The second convolution has a stride of 2, a kernel of 3 and a padding of 1.
        frames = (source_length + 1) // 2
        source = {"source_positions": frames, "source_width": self.width}
        decoder = self._block(self.decoder_heads, self.decoder_feed_forward_width, source)
        head = Layer("unembedding", {"vocabulary": self.vocabulary, "is_tied": self.is_tied})
        encoder = self._block(self.encoder_heads, self.encoder_feed_forward_width)
        return [
            *mel_convolutions(self.mel_bands, source_length, self.width),
            Layer("position_embedding", {"positions": self.source_positions}),
            *(Repeat(self.encoder_layers, encoder), NORM),
            *(Input((target_length,)), Layer("embedding", {"vocabulary": self.vocabulary, "width": self.width})),
            Layer("position_embedding", {"positions": self.target_positions}),
            *(Repeat(self.decoder_layers, decoder), NORM, *([head] if self.has_head else [])),
        ]

    def _block(self, heads: int, feed_forward_width: int, source: dict[str, Any] | None = None) -> list[Node]:
        attention = {"heads": heads, "head_width": width_of_heads(self.width, heads)}
        biases = {"has_biases": True, "has_key_bias": False}
        return block({**attention, **biases}, {"width": feed_forward_width, "has_biases": True}, source)


def mel_convolutions(mel_bands: int, frames: float, width: int) -> list[Node]:
    """Return mel frames and the two convolutions, which halve the number of frames."""
    first = {"out_channels": width, "kernel": 3, "padding": 1}
    return [
        *(Input((mel_bands, frames)), Layer("conv1d", first), Layer("activation", {"function": "gelu"})),
        *(Layer("conv1d", {**first, "stride": 2}), Layer("activation", {"function": "gelu"}), Layer("transpose")),
    ]
