"""Inception v1, GoogLeNet (Szegedy et al. 2014, arXiv 1409.4842): modules of four paths whose outputs are joined."""

from pipeline.architectures.convolutions import activation_layers, classifier, convolution
from pipeline.architectures.network import Concatenation, Layer, Lengths, Node, Side, family

# Table 1 of the paper, one row per module: #1x1, #3x3 reduce, #3x3, #5x5 reduce, #5x5, pool proj; None is a max pool.
MODULES = (
    (64, 96, 128, 16, 32, 32),
    (128, 128, 192, 32, 96, 64),
    None,
    (192, 96, 208, 16, 48, 64),
    (160, 112, 224, 24, 64, 64),
    (128, 128, 256, 24, 64, 64),
    (112, 144, 288, 32, 64, 64),
    (256, 160, 320, 32, 128, 128),
    None,
    (256, 160, 320, 32, 128, 128),
    (384, 192, 384, 48, 128, 128),
)
# Section 5: classifiers on the outputs of modules 4a and 4d, here by index in MODULES.
AUXILIARY = (3, 6)
HALVING_POOL = Layer("max_pool2d", {"kernel": 3, "stride": 2, "rounds_up": True})


@family
class InceptionV1:
    """The paper's network. torchvision's version has batch normalisation and a `largest_kernel` of 3 instead of 5.

    `has_auxiliary_classifiers` adds the two heads that the paper uses in training.
    """

    image_size: int
    classes: int
    has_batch_norm: bool = False
    largest_kernel: int = 5
    has_auxiliary_classifiers: bool = False

    def nodes(self, lengths: Lengths) -> list[Node]:
        """Return the network in Table 1 of the paper."""
        local_norm: list[Node] = [] if self.has_batch_norm else [Layer("local_response_norm", {"size": 5})]
        nodes = [*self._convolution(64, 7, 2), HALVING_POOL]
        nodes += [*local_norm, *self._convolution(64, 1), *self._convolution(192, 3), *local_norm, HALVING_POOL]
        for index, widths in enumerate(MODULES):
            nodes.append(self._module(*widths) if widths else HALVING_POOL)
            if self.has_auxiliary_classifiers and index in AUXILIARY:
                nodes.append(self._auxiliary())
        return classifier(self.image_size, nodes, self.classes, Layer("dropout"))

    def _module(self, single: int, reduce: int, triple: int, large_reduce: int, large: int, pooled: int) -> Node:
        return Concatenation(
            [
                self._convolution(single, 1),
                [*self._convolution(reduce, 1), *self._convolution(triple, 3)],
                [*self._convolution(large_reduce, 1), *self._convolution(large, self.largest_kernel)],
                [Layer("max_pool2d", {"kernel": 3, "stride": 1, "padding": 1}), *self._convolution(pooled, 1)],
            ]
        )

    def _auxiliary(self) -> Node:
        return Side(
            [
                Layer("average_pool2d", {"kernel": 5, "stride": 3}),
                *self._convolution(128, 1),
                Layer("flatten"),
                Layer("linear", {"out_features": 1024}),
                Layer("relu"),
                Layer("dropout"),
                Layer("linear", {"out_features": self.classes}),
            ]
        )

    def _convolution(self, channels: int, kernel: int, stride: int = 1) -> list[Node]:
        if self.has_batch_norm:
            return convolution(channels, kernel, stride)
        arguments = {"out_channels": channels, "kernel": kernel, "stride": stride, "padding": kernel // 2}
        return [Layer("conv2d", arguments), *activation_layers("relu")]
