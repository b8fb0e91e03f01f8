"""EfficientNet (Tan & Le 2019, arXiv 1905.11946): scaled inverted residuals with squeeze-and-excitation."""

from pipeline.architectures.convolutions import classifier, convolution, depthwise_convolution, scaled_channels
from pipeline.architectures.network import Layer, Lengths, Node, Repeat, Sum, family

# B0 in Table 1 of the paper: expansion, kernel, stride of the first block, channels, blocks.
STAGES = (
    (1, 3, 1, 16, 1),
    (6, 3, 2, 24, 2),
    (6, 5, 2, 40, 2),
    (6, 3, 2, 80, 3),
    (6, 5, 1, 112, 3),
    (6, 5, 2, 192, 4),
    (6, 3, 1, 320, 1),
)
STEM_CHANNELS = 32
LAST_CHANNELS = 1280


@family
class Efficientnet:
    """A scaled B0; `width_percent` and `depth_percent` are the paper's coefficients w and d in hundredths."""

    image_size: int
    classes: int
    width_percent: int = 100
    depth_percent: int = 100

    def nodes(self, lengths: Lengths) -> list[Node]:
        """Return the scaled version of the network in Table 1 of the paper; block counts are rounded up."""
        width = scaled_channels(STEM_CHANNELS, self.width_percent)
        nodes = convolution(width, 3, 2, activation="swish")
        for expansion, kernel, stride, channels, blocks in STAGES:
            out = scaled_channels(channels, self.width_percent)
            first_block = block(width, expansion, kernel, stride, out)
            nodes += [Sum(first_block)] if stride == 1 and width == out else first_block
            repeats = -(-blocks * self.depth_percent // 100) - 1
            if repeats:
                nodes.append(Repeat(repeats, [Sum(block(out, expansion, kernel, 1, out))]))
            width = out
        nodes += convolution(scaled_channels(LAST_CHANNELS, self.width_percent), 1, activation="swish")
        return classifier(self.image_size, nodes, self.classes, Layer("dropout"))


def block(
    width: int, expansion: int, kernel: int, stride: int, out: int, padding: int | None = None, squeeze: float = 0.25
) -> list[Node]:
    """Return an inverted residual; `squeeze` is a fraction of the block's input channels, before expansion."""
    expand = convolution(width * expansion, 1, activation="swish") if expansion > 1 else []
    depthwise = depthwise_convolution(kernel, stride, activation="swish", padding=padding)
    squeezed = Layer("squeeze_excitation", {"width": max(1, int(width * squeeze))})
    return [*expand, *depthwise, squeezed, *convolution(out, 1, activation=None)]
