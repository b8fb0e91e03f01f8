"""Networks of Go and chess programs trained by self-play: residual blocks, a policy head and a value head.

AlphaGo Zero: Silver et al. 2017, Nature 550, Methods, "Neural network architecture". AlphaZero's board of move planes:
Silver et al. 2017, arXiv 1712.01815, table S2.
"""

from pipeline.architectures.network import ArchitectureError, Input, Layer, Lengths, Node, Repeat, Side, Sum, family


@family
class ResidualTower:
    """A convolution, then `blocks` blocks of two 3x3 convolutions with `filters` filters (19 or 39 in AlphaGo Zero).

    The policy head scores `moves` moves with a layer on `policy_filters` filters (in Go, 362 moves on 2 filters), or
    `move_planes` planes on each square (73 in AlphaZero's chess). The value head has `value_filters` filters and a
    layer of `value_width` units. A batch normalisation follows each convolution. With `has_biases`, convolutions also
    have biases, which the normalisation cancels. The squeeze-and-excitation of later Leela Chess Zero networks is not
    counted.
    """

    blocks: int
    filters: int
    board: int
    input_planes: int
    moves: int | None = None
    move_planes: int | None = None
    policy_filters: int = 2
    value_filters: int = 1
    value_width: int = 256
    has_biases: bool = False

    def nodes(self, lengths: Lengths) -> list[Node]:
        """Return the network for one position of the game; the input's planes contain its history."""
        if (self.moves is None) == (self.move_planes is None):
            raise ArchitectureError("a policy head needs either moves or move_planes", "moves")
        block = [*self._convolution(self.filters, 3), Layer("relu"), *self._convolution(self.filters, 3)]
        first = [*self._convolution(self.filters, 3), Layer("relu")]
        value = [*self._convolution(self.value_filters, 1), Layer("relu"), Layer("flatten")]
        scores = [
            Layer("linear", {"out_features": self.value_width}),
            Layer("relu"),
            Layer("linear", {"out_features": 1}),
        ]
        return [
            Input((self.input_planes, self.board, self.board)),
            *first,
            Repeat(self.blocks, [Sum(block), Layer("relu")]),
            Side(self._policy()),
            *(*value, *scores, Layer("activation", {"function": "tanh"})),
        ]

    def _policy(self) -> list[Node]:
        if self.move_planes is not None:
            planes = Layer("conv2d", {"out_channels": self.move_planes, "kernel": 1})
            return [*self._convolution(self.filters, 3), Layer("relu"), planes]
        scores = Layer("linear", {"out_features": self.moves})
        return [*self._convolution(self.policy_filters, 1), Layer("relu"), Layer("flatten"), scores]

    def _convolution(self, filters: int, kernel: int) -> list[Node]:
        arguments = {"out_channels": filters, "kernel": kernel, "padding": kernel // 2, "has_bias": self.has_biases}
        return [Layer("conv2d", arguments), Layer("batch_norm")]
