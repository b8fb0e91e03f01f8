"""ResNet (He et al. 2015, arXiv 1512.03385): stages of residual blocks; wide ResNet, ResNeXt and pre-activation."""

from pipeline.architectures.convolutions import classifier, convolution, residual, residual_stages
from pipeline.architectures.network import ArchitectureError, Layer, Lengths, Node, Sum, family

# Table 1 of the paper: blocks in each stage; from 50 layers on, a block is a bottleneck of three convolutions.
BLOCKS = {18: (2, 2, 2, 2), 34: (3, 4, 6, 3), 50: (3, 4, 6, 3), 101: (3, 4, 23, 3), 152: (3, 8, 36, 3)}
CHANNELS = (64, 128, 256, 512)
EXPANSION = 4


@family
class Resnet:
    """A ResNet; `depth` counts layers with weights: 18, 34, 50, 101 or 152.

    The authors' first network halves the image in a bottleneck's first 1x1 convolution (`is_stride_in_first`, 3.86 G
    multiply-adds for depth 50); most later code does so in its 3x3 convolution (4.09 G).

    A bottleneck's 3x3 convolution has `groups` groups of `width_per_group` channels in the first stage, and groups
    twice as wide in each later stage: 32 groups of 4 are ResNeXt 32x4d (arXiv 1611.05431, table 1), 1 group of 128 is
    wide ResNet (arXiv 1605.07146, table 8). `is_pre_activation` normalises and activates before each convolution (arXiv
    1603.05027, figure 4e).
    """

    depth: int
    image_size: int
    classes: int
    is_stride_in_first: bool = False
    groups: int = 1
    width_per_group: int = 64
    is_pre_activation: bool = False

    def nodes(self, lengths: Lengths) -> list[Node]:
        """Return the network in Table 1 of the paper for this depth, with projections at the beginning of stages."""
        if self.depth not in BLOCKS:
            raise ArchitectureError(f"ResNet has a depth of {', '.join(map(str, BLOCKS))}, not {self.depth}", "depth")
        if self.depth < 50 and (self.groups, self.width_per_group) != (1, 64):
            raise ArchitectureError(
                "groups and width_per_group apply only to bottlenecks, which begin at depth 50", "groups"
            )
        stem = convolution(CHANNELS[0], 7, 2)
        nodes = stem[:1] if self.is_pre_activation else stem
        nodes.append(Layer("max_pool2d", {"kernel": 3, "stride": 2, "padding": 1}))
        expansion = EXPANSION if self.depth >= 50 else 1
        stages = zip((channels * expansion for channels in CHANNELS), BLOCKS[self.depth], strict=True)
        nodes += residual_stages(CHANNELS[0], stages, 1, self._block)
        end = [Layer("batch_norm"), Layer("relu")] if self.is_pre_activation else []
        return classifier(self.image_size, [*nodes, *end], self.classes)

    def _block(self, width: int, out: int, stride: int) -> list[Node]:
        """Return a residual block; with pre-activation, a norm and a ReLU precede each convolution, not follow it.

        If the shortcut has a projection, it takes the activated input, so the first norm and ReLU precede the branches.
        """
        convolutions = self._convolutions(out, stride)
        if not self.is_pre_activation:
            return residual([node for layers in convolutions for node in layers][:-1], width, out, stride)
        activation = [Layer("batch_norm"), Layer("relu")]
        main = [node for product, *_ in convolutions for node in (*activation, product)]
        if stride == 1 and width == out:
            return [Sum(main)]
        return [*activation, Sum(main[len(activation) :], convolution(out, 1, stride)[:1])]

    def _convolutions(self, out: int, stride: int) -> list[list[Node]]:
        """Return each convolution of a block with the normalisation and activation that follow it."""
        if self.depth < 50:
            return [convolution(out, 3, stride), convolution(out, 3)]
        first, second = (stride, 1) if self.is_stride_in_first else (1, stride)
        inner = out // EXPANSION * self.width_per_group // CHANNELS[0] * self.groups
        return [convolution(inner, 1, first), convolution(inner, 3, second, groups=self.groups), convolution(out, 1)]
