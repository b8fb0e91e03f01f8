"""Encoder-only transformers over words: BERT (arXiv 1810.04805), RoBERTa (1907.11692), ALBERT (1909.11942)."""

from pipeline.architectures.blocks import width_of_heads
from pipeline.architectures.network import ArchitectureError, Input, Layer, Lengths, Node, Repeat, Sum, family


@family
class TransformerEncoder:
    """An encoder of `layers` blocks, normalised after each sublayer, with a head that fills in masked words.

    `segments` is the number of learned segment vectors. ALBERT's embedding has its own `embedding_width`, and its
    layers share weights: `shared_groups` groups of `layers_per_group` layers, each used several times, so that
    parameters count once and operations every time. `layers` then counts uses of groups. The head is a linear layer, a
    normalisation and the scores of words (BERT, appendix A.2). `has_pooler` adds a linear layer on the first position.
    """

    layers: int
    width: int
    heads: int
    feed_forward_width: int
    vocabulary: int
    learned_positions: int | None = None
    segments: int | None = None
    embedding_width: int | None = None
    shared_groups: int | None = None
    layers_per_group: int = 1
    is_tied: bool = True
    has_head: bool = True
    has_pooler: bool = False

    def nodes(self, lengths: Lengths) -> list[Node]:
        """Return the network for one sequence of sequence_length tokens."""
        length = lengths.sequence("transformer_encoder")
        if self.shared_groups and self.shared_groups > self.layers:
            raise ArchitectureError(f"{self.layers} layers cannot use {self.shared_groups} groups", "shared_groups")
        narrow = self.embedding_width or self.width
        nodes: list[Node] = [Input((length,))]
        nodes.append(Layer("embedding", {"vocabulary": self.vocabulary, "width": narrow}))
        if self.learned_positions:
            nodes.append(Layer("position_embedding", {"positions": self.learned_positions}))
        if self.segments:
            nodes.append(Layer("learned_parameters", {"number": self.segments * narrow}))
        nodes.append(Layer("layer_norm"))
        if self.embedding_width:
            nodes.append(Layer("linear", {"out_features": self.width}))
        nodes += self._blocks()
        if self.has_head:
            head = {"vocabulary": self.vocabulary, "is_tied": self.is_tied, "has_bias": True}
            nodes += [Layer("linear", {"out_features": narrow}), Layer("layer_norm"), Layer("unembedding", head)]
        if self.has_pooler:
            nodes += [Layer("select_position"), Layer("linear", {"out_features": self.width})]
        return nodes

    def _blocks(self) -> list[Node]:
        """Return the layers. With `shared_groups`, the layers of a group share weights (ALBERT).

        Only the first use of a group adds parameters; its repetitions add only operations.
        """
        if self.shared_groups is None:
            return [Repeat(self.layers, self._block())]
        nodes: list[Node] = []
        for group in range(self.shared_groups):
            # The number of layers i with floor(i / (layers / groups)) == group.
            uses = -(-(group + 1) * self.layers // self.shared_groups) - -(-group * self.layers // self.shared_groups)
            nodes.append(Repeat(self.layers_per_group, self._block()))
            if uses > 1:
                nodes.append(Repeat((uses - 1) * self.layers_per_group, self._block(), is_shared=True))
        return nodes

    def _block(self) -> list[Node]:
        heads = {"heads": self.heads, "head_width": width_of_heads(self.width, self.heads), "has_biases": True}
        feed_forward = Layer("feed_forward", {"width": self.feed_forward_width, "has_biases": True})
        return [Sum([Layer("self_attention", heads)]), Layer("layer_norm"), Sum([feed_forward]), Layer("layer_norm")]
