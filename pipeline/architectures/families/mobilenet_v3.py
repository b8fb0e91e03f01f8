"""MobileNet v3 (Howard et al. 2019, arXiv 1905.02244): searched inverted residuals, some with squeeze-and-excitation."""

from pipeline.architectures.convolutions import activated, convolution, depthwise_convolution, scaled_channels
from pipeline.architectures.network import Input, Layer, Lengths, Node, Sum, family

# Tables 1 and 2 of the paper: kernel, expansion size, channels, squeeze-and-excitation, activation, stride.
LARGE = (
    (3, 16, 16, False, "relu", 1),
    (3, 64, 24, False, "relu", 2),
    (3, 72, 24, False, "relu", 1),
    (5, 72, 40, True, "relu", 2),
    (5, 120, 40, True, "relu", 1),
    (5, 120, 40, True, "relu", 1),
    (3, 240, 80, False, "hard_swish", 2),
    (3, 200, 80, False, "hard_swish", 1),
    (3, 184, 80, False, "hard_swish", 1),
    (3, 184, 80, False, "hard_swish", 1),
    (3, 480, 112, True, "hard_swish", 1),
    (3, 672, 112, True, "hard_swish", 1),
    (5, 672, 160, True, "hard_swish", 2),
    (5, 960, 160, True, "hard_swish", 1),
    (5, 960, 160, True, "hard_swish", 1),
)
SMALL = (
    (3, 16, 16, True, "relu", 2),
    (3, 72, 24, False, "relu", 2),
    (3, 88, 24, False, "relu", 1),
    (5, 96, 40, True, "hard_swish", 2),
    (5, 240, 40, True, "hard_swish", 1),
    (5, 240, 40, True, "hard_swish", 1),
    (5, 120, 48, True, "hard_swish", 1),
    (5, 144, 48, True, "hard_swish", 1),
    (5, 288, 96, True, "hard_swish", 2),
    (5, 576, 96, True, "hard_swish", 1),
    (5, 576, 96, True, "hard_swish", 1),
)
FEATURES = {"large": 1280, "small": 1024}  # width of the layer before the classifier, from the last rows of the tables


@family
class MobilenetV3:
    """The large network, or, with `is_small`, the small one; `width_percent` is the width multiplier in hundredths.

    Below 100, the layer before the classifier keeps its width (github.com/tensorflow/models, slim/nets/mobilenet).
    """

    image_size: int
    classes: int
    is_small: bool = False
    width_percent: int = 100

    def nodes(self, lengths: Lengths) -> list[Node]:
        """Return the network in Table 1 or 2 of the paper."""
        paper_width, width = 16, scaled_channels(16, self.width_percent)
        nodes: list[Node] = [Input((3, self.image_size, self.image_size))]
        nodes += convolution(width, 3, 2, activation="hard_swish")
        for kernel, expansion, channels, has_squeeze, activation, stride in SMALL if self.is_small else LARGE:
            # The authors' code states expansions as multiples of the input channels.
            inner = scaled_channels(width * expansion / paper_width, 100)
            out = scaled_channels(channels, self.width_percent)
            block = [*convolution(inner, 1, activation=activation)] if inner != width else []
            block += depthwise_convolution(kernel, stride, activation=activation)
            if has_squeeze:
                # A quarter of the expansion, rounded like channels (section 5.3).
                block.append(Layer("squeeze_excitation", {"width": scaled_channels(inner // 4, 100)}))
            block += convolution(out, 1, activation=None)
            nodes += [Sum(block)] if stride == 1 and width == out else block
            paper_width, width = channels, out
        nodes += convolution(6 * width, 1, activation="hard_swish")
        features = FEATURES["small" if self.is_small else "large"]
        return [
            *nodes,
            Layer("global_average_pool2d"),
            Layer("linear", {"out_features": scaled_channels(features, max(100, self.width_percent))}),
            *activated("hard_swish"),
            Layer("dropout"),
            Layer("linear", {"out_features": self.classes}),
        ]
