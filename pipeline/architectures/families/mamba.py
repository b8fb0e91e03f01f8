"""Mamba (Gu & Dao 2023, arXiv 2312.00752, section 3.4): a language model of selective state spaces."""

from pipeline.architectures.network import Input, Layer, Lengths, Node, Repeat, Sum, family


@family
class Mamba:
    """An embedding, `layers` blocks of one state space each, and a head; both streams have `inner_width`."""

    layers: int
    width: int
    vocabulary: int
    inner_width: int
    state_width: int
    rank: int
    kernel: int = 4
    has_biases: bool = False
    has_convolution_biases: bool = True
    is_tied: bool = True
    has_head: bool = True

    def nodes(self, lengths: Lengths) -> list[Node]:
        """Return the network for one sequence of sequence_length tokens."""
        length = lengths.sequence("mamba")
        arguments = {
            "inner_width": self.inner_width,
            "state_width": self.state_width,
            "rank": self.rank,
            "kernel": self.kernel,
            "has_bias": self.has_biases,
            "has_convolution_bias": self.has_convolution_biases,
        }
        norm = Layer("layer_norm", {"has_bias": False})
        head = Layer("unembedding", {"vocabulary": self.vocabulary, "is_tied": self.is_tied})
        return [
            *(Input((length,)), Layer("embedding", {"vocabulary": self.vocabulary, "width": self.width})),
            *(Repeat(self.layers, [Sum([norm, Layer("state_space", arguments)])]), norm),
            *([head] if self.has_head else []),
        ]
