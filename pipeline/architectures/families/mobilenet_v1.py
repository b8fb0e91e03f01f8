"""MobileNet v1 (Howard et al. 2017, arXiv 1704.04861): depthwise and 1x1 convolutions in place of convolutions."""

from collections.abc import Callable
from functools import partial

from pipeline.architectures.convolutions import classifier, convolution, depthwise_convolution, scaled_channels
from pipeline.architectures.network import Lengths, Node, Repeat, family

# Table 1 of the paper: channels, stride and number of repetitions of each pair of convolutions.
PAIRS = (
    (64, 1, 1),
    (128, 2, 1),
    (128, 1, 1),
    (256, 2, 1),
    (256, 1, 1),
    (512, 2, 1),
    (512, 1, 5),
    (1024, 2, 1),
    (1024, 1, 1),
)


@family
class MobilenetV1:
    """The paper's network; `width_percent` is its width multiplier α in hundredths."""

    image_size: int
    classes: int
    width_percent: int = 100

    def nodes(self, lengths: Lengths) -> list[Node]:
        """Return the network in Table 1 of the paper."""
        nodes = body(partial(scaled_channels, width_percent=self.width_percent))
        return classifier(self.image_size, nodes, self.classes)


def body(scaled: Callable[[int], int]) -> list[Node]:
    """Return the convolutions, with the paper's channels changed by `scaled`."""
    nodes = convolution(scaled(32), 3, 2, activation="relu6")
    for channels, stride, times in PAIRS:
        pair = depthwise_convolution(3, stride, activation="relu6")
        pair += convolution(scaled(channels), 1, activation="relu6")
        nodes += [Repeat(times, pair)] if times > 1 else pair
    return nodes
