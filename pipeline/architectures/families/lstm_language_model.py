"""LSTM language models (Zaremba et al. 2014, arXiv 1409.2329)."""

from pipeline.architectures.network import Input, Layer, Lengths, Node, family


@family
class LstmLanguageModel:
    """An embedding, `layers` layers of `width` cells, and scores for every word (a full softmax, not a sampled one)."""

    layers: int
    width: int
    vocabulary: int
    bias_vectors: int = 1

    def nodes(self, lengths: Lengths) -> list[Node]:
        """Return the network for one sequence of sequence_length words."""
        length = lengths.sequence("lstm_language_model")
        return [
            Input((length,)),
            Layer("embedding", {"vocabulary": self.vocabulary, "width": self.width}),
            *[Layer("lstm", {"width": self.width, "bias_vectors": self.bias_vectors})] * self.layers,
            Layer("unembedding", {"vocabulary": self.vocabulary, "is_tied": False, "has_bias": True}),
        ]
