"""Speech to characters by CTC (Deep Speech 2, Amodei et al. 2015, arXiv 1512.02595): convolutions, recurrent layers."""

from dataclasses import dataclass

from pipeline.architectures.network import ArchitectureError, Input, Layer, Lengths, Node, Sum, family

# The paper's table 3, "2D-invariant convolution": channels, kernel and stride over frequency and time.
CONVOLUTIONS = ((32, (41, 11), (2, 2)), (32, (21, 11), (2, 1)), (96, (21, 11), (2, 1)))


@family
@dataclass(frozen=True)
class CtcSpeech:
    """`convolutions` (1 to 3) over time and frequency, then bidirectional `recurrent_layers` of `width`.

    `frequencies` are the bins of a spectrogram's frame, `characters` include the blank. The paper's recurrent layers
    are plain ones or `is_gru`; others use `is_lstm`. The outputs of both directions are concatenated, or added where
    `is_sum`, as the paper does. With `has_batch_norm` the input of a recurrent layer is normalised before the gates.
    """

    recurrent_layers: int
    width: int
    characters: int
    convolutions: int = 2
    frequencies: int = 161
    is_gru: bool = False
    is_lstm: bool = False
    is_bidirectional: bool = True
    is_sum: bool = False
    has_batch_norm: bool = True
    bias_vectors: int = 1

    not_counted = ("CTC's loss",)

    def nodes(self, lengths: Lengths) -> list[Node]:
        """One spectrogram of sequence_length frames; the first convolution halves their number."""
        length = lengths.sequence("ctc_speech", ", in frames")
        if self.convolutions > len(CONVOLUTIONS):
            raise ArchitectureError(f"Deep Speech 2 has 1 to 3 convolutions, not {self.convolutions}", "convolutions")
        if self.is_gru and self.is_lstm:
            raise ArchitectureError("recurrent layers are either is_gru or is_lstm", "is_lstm")
        if self.is_sum and not self.is_bidirectional:
            raise ArchitectureError("a layer that reads one way has no directions to add", "is_sum")
        nodes: list[Node] = [Input((1, self.frequencies, length))]
        for channels, kernel, stride in CONVOLUTIONS[: self.convolutions]:
            padding = tuple(size // 2 for size in kernel)
            arguments = {"out_channels": channels, "kernel": kernel, "stride": stride, "padding": padding}
            nodes += [Layer("conv2d", {**arguments, "has_bias": False}), Layer("batch_norm"), Layer("relu")]
        nodes.append(Layer("columns"))
        for _ in range(self.recurrent_layers):
            nodes += self._recurrent_layer()
        return [*nodes, Layer("linear", {"out_features": self.characters})]

    def _recurrent_layer(self) -> list[Node]:
        kind = "gru" if self.is_gru else "lstm" if self.is_lstm else "rnn"
        arguments = {"width": self.width, "bias_vectors": self.bias_vectors}
        gates = {"rnn": 1, "gru": 3, "lstm": 4}[kind] * self.width * (2 if self.is_bidirectional else 1)
        norm: list[Node] = [Layer("learned_parameters", {"number": 2 * gates})] if self.has_batch_norm else []
        if self.is_bidirectional and self.is_sum:
            return [Sum([Layer(kind, arguments)], [Layer(kind, arguments)]), *norm]
        return [Layer(kind, {**arguments, "is_bidirectional": self.is_bidirectional}), *norm]
