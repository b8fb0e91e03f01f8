"""ResNet (He et al. 2015, arXiv 1512.03385): four stages of residual blocks."""

from dataclasses import dataclass

from pipeline.architectures.network import ArchitectureError, Input, Layer, Lengths, Node, Sum, family

# The paper's table 1: blocks in each stage; from 50 layers on a block is a bottleneck of three convolutions.
BLOCKS = {18: (2, 2, 2, 2), 34: (3, 4, 6, 3), 50: (3, 4, 6, 3), 101: (3, 4, 23, 3), 152: (3, 8, 36, 3)}
CHANNELS = (64, 128, 256, 512)
EXPANSION = 4


@family
@dataclass(frozen=True)
class Resnet:
    """`depth` counts layers with weights: 18, 34, 50, 101 or 152.

    The first network of the authors halves the image in a bottleneck's first 1x1 convolution
    (`is_stride_in_first`, 3.86 G multiply-adds for depth 50); most code since does in its 3x3 (4.09 G).
    """

    depth: int
    image_size: int
    classes: int
    is_stride_in_first: bool = False

    def nodes(self, lengths: Lengths) -> list[Node]:
        """The paper's table 1 for this depth, with projections where a stage begins."""
        if self.depth not in BLOCKS:
            raise ArchitectureError(f"ResNet has a depth of {', '.join(map(str, BLOCKS))}, not {self.depth}", "depth")
        nodes: list[Node] = [Input((3, self.image_size, self.image_size)), *_convolution(64, 7, 2), Layer("relu")]
        nodes.append(Layer("max_pool2d", {"kernel": 3, "stride": 2, "padding": 1}))
        width = 64
        for stage, (blocks, channels) in enumerate(zip(BLOCKS[self.depth], CHANNELS, strict=True)):
            for block in range(blocks):
                stride = 2 if stage and not block else 1
                out = channels * (EXPANSION if self.depth >= 50 else 1)
                shortcut = _convolution(out, 1, stride) if stride > 1 or width != out else []
                nodes += [Sum(self._main(channels, out, stride), shortcut), Layer("relu")]
                width = out
        return [*nodes, Layer("global_average_pool2d"), Layer("linear", {"out_features": self.classes})]

    def _main(self, channels: int, out: int, stride: int) -> list[Node]:
        if self.depth < 50:
            return [*_convolution(channels, 3, stride), Layer("relu"), *_convolution(channels, 3, 1)]
        first, second = (stride, 1) if self.is_stride_in_first else (1, stride)
        return [
            *_convolution(channels, 1, first),
            Layer("relu"),
            *_convolution(channels, 3, second),
            Layer("relu"),
            *_convolution(out, 1, 1),
        ]


def _convolution(channels: int, kernel: int, stride: int) -> list[Node]:
    arguments = {
        "out_channels": channels,
        "kernel": kernel,
        "stride": stride,
        "padding": kernel // 2,
        "has_bias": False,
    }
    return [Layer("conv2d", arguments), Layer("batch_norm")]
