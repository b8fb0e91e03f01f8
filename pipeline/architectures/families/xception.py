"""Xception (Chollet 2016, arXiv 1610.02357): two or three depthwise separable convolutions per shortcut."""

from pipeline.architectures.convolutions import classifier, convolution, depthwise_convolution
from pipeline.architectures.network import ArchitectureError, Layer, Lengths, Node, Repeat, Sum, family

PAPER_DEPTH = 36
# For each depth: entry flow (channels and stride of each module) and number of middle modules. 65: DeepLab v3+, arXiv
# 1802.02611, figure 4; 41 and 71: its code (github.com/tensorflow/models, deeplab/core/xception.py).
DEEPER = {
    41: (((128, 2), (256, 2), (728, 2)), 8),
    65: (((128, 2), (256, 2), (728, 2)), 16),
    71: (((128, 2), (256, 1), (256, 2), (728, 1), (728, 2)), 16),
}


@family
class Xception:
    """An Xception; `depth` counts convolutions: 36 in the paper; 41, 65 and 71 in DeepLab, without max pools."""

    image_size: int
    classes: int
    depth: int = PAPER_DEPTH

    def nodes(self, lengths: Lengths) -> list[Node]:
        """Return the network in Figure 5 of the paper, or DeepLab's version of it."""
        if self.depth not in (PAPER_DEPTH, *DEEPER):
            depths = ", ".join(map(str, (PAPER_DEPTH, *DEEPER)))
            raise ArchitectureError(f"Xception has a depth of {depths}, not {self.depth}", "depth")
        body = _paper() if self.depth == PAPER_DEPTH else _deeper(*DEEPER[self.depth])
        return classifier(self.image_size, body, self.classes)


def _paper() -> list[Node]:
    """Return the layers in Figure 5 of the paper, before the classifier."""
    nodes: list[Node] = [*convolution(32, 3, 2, padding=0), *convolution(64, 3, padding=0)]
    for first, second in ((128, 128), (256, 256), (728, 728)):
        # The stem ends in an activation, so the first module begins without one.
        nodes.append(_halving_module(first, second, starts_with_relu=first != 128))
    middle = [node for _ in range(3) for node in (Layer("relu"), *_separable(728))]
    nodes += [Repeat(8, [Sum(middle)]), _halving_module(728, 1024, starts_with_relu=True)]
    return [*nodes, *_separable(1536), Layer("relu"), *_separable(2048), Layer("relu")]


def _halving_module(first: int, second: int, starts_with_relu: bool) -> Node:
    start = [Layer("relu")] if starts_with_relu else []
    pool = Layer("max_pool2d", {"kernel": 3, "stride": 2, "padding": 1})
    main = [*start, *_separable(first), Layer("relu"), *_separable(second), pool]
    return Sum(main, convolution(second, 1, 2, activation=None))


def _separable(channels: int) -> list[Node]:
    depthwise = Layer("depthwise_conv2d", {"kernel": 3, "padding": 1, "has_bias": False})
    return [depthwise, *convolution(channels, 1, activation=None)]


def _deeper(entry: tuple[tuple[int, int], ...], middle_modules: int) -> list[Node]:
    """Return the layers of DeepLab's version before the classifier; `entry` has channels and stride of each module."""
    nodes: list[Node] = [*convolution(32, 3, 2), *convolution(64, 3)]
    width = 64
    for channels, stride in entry:
        shortcut = convolution(channels, 1, stride, activation=None) if stride > 1 or width != channels else []
        nodes.append(Sum(_three(channels, channels, channels, stride), shortcut))
        width = channels
    nodes.append(Repeat(middle_modules, [Sum(_three(728, 728, 728, 1))]))
    nodes.append(Sum(_three(728, 1024, 1024, 2), convolution(1024, 1, 2, activation=None)))
    for channels in (1536, 1536, 2048):
        nodes += [*depthwise_convolution(3), *convolution(channels, 1)]
    return nodes


def _three(first: int, second: int, third: int, stride: int) -> list[Node]:
    nodes: list[Node] = []
    for channels, step in ((first, 1), (second, 1), (third, stride)):
        nodes += [Layer("relu"), *depthwise_convolution(3, step, activation=None)]
        nodes += convolution(channels, 1, activation=None)
    return nodes
