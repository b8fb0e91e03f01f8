"""MobileNet v2 (Sandler et al. 2018, arXiv 1801.04381): inverted residuals, narrow between blocks and wide within."""

from pipeline.architectures.convolutions import classifier, convolution, depthwise_convolution, scaled_channels
from pipeline.architectures.network import Layer, Lengths, Node, Repeat, Sum, family

# Table 2 of the paper: expansion t, channels c, blocks n and stride s of the first block.
STAGES = ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1))
LAST_CHANNELS = 1280


@family
class MobilenetV2:
    """The paper's network at `width_percent` of its width; the last convolution keeps at least 100 % (section 6.1)."""

    image_size: int
    classes: int
    width_percent: int = 100

    def nodes(self, lengths: Lengths) -> list[Node]:
        """Return the network in Table 2 of the paper."""
        width = scaled_channels(32, self.width_percent)
        nodes = convolution(width, 3, 2, activation="relu6")
        for expansion, channels, blocks, stride in STAGES:
            out = scaled_channels(channels, self.width_percent)
            nodes += inverted_residual(width, out, stride, width * expansion if expansion > 1 else 0)
            if blocks > 1:
                nodes.append(Repeat(blocks - 1, inverted_residual(out, out, 1, out * expansion)))
            width = out
        nodes += convolution(scaled_channels(LAST_CHANNELS, max(100, self.width_percent)), 1, activation="relu6")
        return classifier(self.image_size, nodes, self.classes, Layer("dropout"))


def inverted_residual(width: int, out: int, stride: int, inner: int = 0, dilation: int = 1) -> list[Node]:
    """Return an inverted residual with inner width `inner` (0: not expanded), added to its input if shapes agree."""
    nodes = convolution(inner, 1, activation="relu6") if inner else []
    nodes += depthwise_convolution(3, stride, activation="relu6", dilation=dilation)
    nodes += convolution(out, 1, activation=None)
    return [Sum(nodes)] if stride == 1 and width == out else nodes
