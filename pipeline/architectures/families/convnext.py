"""ConvNeXt (Liu et al. 2022, arXiv 2201.03545): a 7x7 depthwise convolution and two 1x1 convolutions per block."""

from collections.abc import Iterable

from pipeline.architectures.convolutions import activation_layers, classifier
from pipeline.architectures.network import Layer, Lengths, Node, Repeat, Sum, family, refuse_uneven_stages

PATCH = 4  # section 2.3: the stem is a 4x4 convolution of stride 4
EXPANSION = 4  # section 2.4: inverted bottleneck
KERNEL = 7  # section 2.5


@family
class Convnext:
    """A ConvNeXt with `depths` blocks and `widths` channels per stage."""

    depths: list
    widths: list
    image_size: int
    classes: int

    def nodes(self, lengths: Lengths) -> list[Node]:
        """Return the network in Table 9 of the paper."""
        refuse_uneven_stages(self.depths, self.widths)
        nodes = body(zip(self.widths, self.depths, strict=True))
        return classifier(self.image_size, nodes, self.classes, Layer("layer_norm"))


def body(stages: Iterable[tuple[int, int]], patch: int = PATCH, has_scale: bool = True) -> list[Node]:
    """Return one stage per (channels, block count); `has_scale` scales the output of each block."""
    nodes: list[Node] = []
    for stage, (width, blocks) in enumerate(stages):
        size = 2 if stage else patch
        shrink = Layer("conv2d", {"out_channels": width, "kernel": size, "stride": size})
        nodes += [Layer("layer_norm2d"), shrink] if stage else [shrink, Layer("layer_norm2d")]
        nodes.append(Repeat(blocks, [Sum(_block(width, has_scale))]))
    return nodes


def _block(width: int, has_scale: bool) -> list[Node]:
    scale: list[Node] = [Layer("learned_parameters", {"number": width})] if has_scale else []
    return [
        Layer("depthwise_conv2d", {"kernel": KERNEL, "padding": KERNEL // 2}),
        Layer("layer_norm2d"),
        Layer("conv2d", {"out_channels": EXPANSION * width, "kernel": 1}),
        *activation_layers("gelu"),
        Layer("conv2d", {"out_channels": width, "kernel": 1}),
        *scale,
    ]
