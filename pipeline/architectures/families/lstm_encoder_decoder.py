"""Recurrent encoder-decoder networks for translation (Sutskever et al. 2014, arXiv 1409.3215).

With attention: Bahdanau et al. 2014, arXiv 1409.0473; GNMT, Wu et al. 2016, arXiv 1609.08144.
"""

from pipeline.architectures.network import Input, Layer, Lengths, Node, family


@family
class LstmEncoderDecoder:
    """An encoder and a decoder, each with `layers` layers of `width` cells. `attention_width` adds attention.

    Attention is additive, with `attention_width` units; its context vector is concatenated to the input of each decoder
    layer. `is_bidirectional` makes the encoder's first layer bidirectional; `is_gru` replaces LSTM cells with gated
    recurrent units. A decoder's first state and a maxout or attentional layer before the head are not counted.
    """

    layers: int
    width: int
    embedding_width: int
    source_vocabulary: int
    target_vocabulary: int
    attention_width: int | None = None
    is_bidirectional: bool = False
    is_gru: bool = False

    def nodes(self, lengths: Lengths) -> list[Node]:
        """Return the encoder over sequence_length positions, and the decoder and its softmax over target_length."""
        source_length, target_length = lengths.pair("lstm_encoder_decoder")
        cells = Layer("gru" if self.is_gru else "lstm", {"width": self.width})
        first = Layer(cells.kind, {**cells.arguments, "is_bidirectional": True}) if self.is_bidirectional else cells
        head = Layer("unembedding", {"vocabulary": self.target_vocabulary, "has_bias": True})
        return [
            *(Input((source_length,)), self._look_up(self.source_vocabulary)),
            *(first, *[cells] * (self.layers - 1)),
            *(Input((target_length,)), self._look_up(self.target_vocabulary)),
            *(*self._decoder(cells, source_length), head),
        ]

    def _look_up(self, vocabulary: int) -> Layer:
        return Layer("embedding", {"vocabulary": vocabulary, "width": self.embedding_width})

    def _decoder(self, cells: Layer, source_positions: float) -> list[Node]:
        """Return the decoder's cells. With attention, every cell also takes the weighted mean of the source.

        Only a single bidirectional encoder layer makes the source twice as wide; later layers are unidirectional.
        """
        if self.attention_width is None:
            return [cells] * self.layers
        source_width = self.width * (2 if self.is_bidirectional and self.layers == 1 else 1)
        source = {"source_positions": source_positions, "source_width": source_width}
        widths = {"state_width": self.width, "attention_width": self.attention_width}
        more = [Layer("join", {"width": source_width}), cells] * (self.layers - 1)
        return [Layer("source_attention", {**source, **widths}), cells, *more]
