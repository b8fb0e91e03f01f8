"""LSTM language models (Zaremba et al. 2014, arXiv 1409.2329; projections: Jozefowicz et al., arXiv 1602.02410)."""

from dataclasses import dataclass

from pipeline.architectures.network import ArchitectureError, Input, Layer, Lengths, Node, family


@family
@dataclass(frozen=True)
class LstmLanguageModel:
    """An embedding, `layers` of `width` cells, scores for every word: a full softmax, not a sampled one.

    `projection` is the narrower width of a layer's output and recurrent state; `embedding_width` is the projection, or else
    the width, where it is left out. A head that `is_tied` uses the embedding's weights.
    """

    layers: int
    width: int
    vocabulary: int
    embedding_width: int | None = None
    projection: int | None = None
    bias_vectors: int = 1
    is_tied: bool = False
    has_head_bias: bool = True

    def nodes(self, lengths: Lengths) -> list[Node]:
        """One sequence of sequence_length words."""
        length = lengths.sequence("lstm_language_model")
        state = self.projection or self.width
        embedding_width = self.embedding_width or state
        if self.is_tied and embedding_width != state:
            raise ArchitectureError(
                f"a tied head needs an embedding as wide as the last layer's output, {state}, not {embedding_width}",
                "is_tied",
            )
        narrower = {"projection": self.projection} if self.projection else {}
        cells = Layer("lstm", {"width": self.width, "bias_vectors": self.bias_vectors, **narrower})
        head = {"vocabulary": self.vocabulary, "is_tied": self.is_tied, "has_bias": self.has_head_bias}
        return [
            Input((length,)),
            Layer("embedding", {"vocabulary": self.vocabulary, "width": embedding_width}),
            *[cells] * self.layers,
            Layer("unembedding", head),
        ]
