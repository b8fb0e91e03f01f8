"""Recurrent encoder-decoder networks for translation (Sutskever et al. 2014, arXiv 1409.3215).

With attention between them: Bahdanau et al. 2014, arXiv 1409.0473; Luong et al. 2015, arXiv 1508.04025; GNMT, Wu et al.
2016, arXiv 1609.08144.
"""

from dataclasses import dataclass

from pipeline.architectures.network import ArchitectureError, Input, Layer, Lengths, Node, family


@family
@dataclass(frozen=True)
class LstmEncoderDecoder:
    """`layers` of `width` cells in encoder and decoder each; without the keys of attention there is none between them.

    `attention_width` is additive attention of that width, `has_dot_attention` products of states. The context
    vector is concatenated to the input of the decoder's first `context_layers`, of all where it is left out.
    `is_bidirectional` makes the encoder's first layer bidirectional; `is_gru` replaces the LSTM by gated recurrent units.
    """

    layers: int
    width: int
    embedding_width: int
    source_vocabulary: int
    target_vocabulary: int
    attention_width: int | None = None
    has_dot_attention: bool = False
    context_layers: int | None = None
    is_bidirectional: bool = False
    is_gru: bool = False

    not_counted = ("a decoder's first state", "a maxout or attentional layer between the last state and the head")

    def nodes(self, lengths: Lengths) -> list[Node]:
        """The encoder over sequence_length positions, the decoder and its softmax over target_length."""
        source_length, target_length = lengths.pair("lstm_encoder_decoder")
        self._check()
        cells = Layer("gru" if self.is_gru else "lstm", {"width": self.width})
        first = Layer(cells.kind, {**cells.arguments, "is_bidirectional": True}) if self.is_bidirectional else cells
        head = Layer("unembedding", {"vocabulary": self.target_vocabulary, "has_bias": True})
        return [
            *(Input((source_length,)), self._look_up(self.source_vocabulary)),
            *(first, *[cells] * (self.layers - 1)),
            *(Input((target_length,)), self._look_up(self.target_vocabulary)),
            *(*self._decoder(cells, source_length), head),
        ]

    def _check(self) -> None:
        if self.attention_width and self.has_dot_attention:
            raise ArchitectureError(
                "attention is either additive (attention_width) or of products (has_dot_attention)", "has_dot_attention"
            )
        if self.context_layers and not self._has_attention:
            raise ArchitectureError("context_layers needs attention_width or has_dot_attention", "context_layers")
        if self.context_layers and self.context_layers > self.layers:
            raise ArchitectureError(
                f"a decoder of {self.layers} layers has no {self.context_layers} layers that read the context",
                "context_layers",
            )

    @property
    def _has_attention(self) -> bool:
        return bool(self.attention_width) or self.has_dot_attention

    @property
    def _source_width(self) -> int:
        return self.width * (2 if self.is_bidirectional and self.layers == 1 else 1)

    def _look_up(self, vocabulary: int) -> Layer:
        return Layer("embedding", {"vocabulary": vocabulary, "width": self.embedding_width})

    def _decoder(self, cells: Layer, source_positions: float) -> list[Node]:
        if not self._has_attention:
            return [cells] * self.layers
        source = {"source_positions": source_positions, "source_width": self._source_width}
        additive = {"attention_width": self.attention_width} if self.attention_width else {}
        nodes: list[Node] = [Layer("source_attention", {**source, "state_width": self.width, **additive}), cells]
        for layer in range(1, self.layers):
            reads_context = layer < (self.context_layers or self.layers)
            nodes += [Layer("join", {"width": self._source_width})] if reads_context else []
            nodes.append(cells)
        return nodes
