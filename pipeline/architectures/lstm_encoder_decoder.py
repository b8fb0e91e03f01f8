"""Two stacks of LSTM layers, one that reads a sentence and one that writes another (Sutskever et al. 2014, arXiv 1409.3215)."""

from dataclasses import dataclass

from pipeline.architectures.network import ArchitectureError, Input, Layer, Lengths, Node, family


@family
@dataclass(frozen=True)
class LstmEncoderDecoder:
    """`layers` of `width` cells in either stack; no attention between them."""

    layers: int
    width: int
    embedding_width: int
    source_vocabulary: int
    target_vocabulary: int

    def nodes(self, lengths: Lengths) -> list[Node]:
        """The encoder over sequence_length positions, the decoder and its softmax over target_length."""
        if lengths.sequence_length is None or lengths.target_length is None:
            raise ArchitectureError(
                "family lstm_encoder_decoder needs the phase's sequence_length and target_length",
                "sequence_length" if lengths.sequence_length is None else "target_length",
            )
        nodes: list[Node] = []
        for length, vocabulary in (
            (lengths.sequence_length, self.source_vocabulary),
            (lengths.target_length, self.target_vocabulary),
        ):
            nodes += [Input((length,)), Layer("embedding", {"vocabulary": vocabulary, "width": self.embedding_width})]
            nodes += [Layer("lstm", {"width": self.width})] * self.layers
        return [*nodes, Layer("unembedding", {"vocabulary": self.target_vocabulary, "has_bias": True})]
