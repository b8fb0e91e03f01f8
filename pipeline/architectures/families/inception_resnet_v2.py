"""Inception-ResNet v2 (Szegedy et al. 2016, arXiv 1602.07261): Inception modules with residual connections."""

from pipeline.architectures.convolutions import AVERAGE_POOL, HALVING_POOL, STEM, Step, classifier, module, path
from pipeline.architectures.network import Layer, Lengths, Node, Repeat, Sum, family


@family
class InceptionResnetV2:
    """The network as its authors released it: the stem of Inception v3, and 10, 20 and 10 modules.

    Source: github.com/tensorflow/models, slim/nets/inception_resnet_v2.py. Figure 15 of the paper has another stem,
    and 5, 10 and 5 modules.
    """

    image_size: int
    classes: int

    def nodes(self, lengths: Lengths) -> list[Node]:
        """Return the released network, layer by layer."""
        nodes = [
            *STEM,
            module([(96, 1)], [(48, 1), (64, 5)], [(64, 1), (96, 3), (96, 3)], [AVERAGE_POOL, (64, 1)]),
            Repeat(10, _module_a()),
            module([(384, 3, 2)], [(256, 1), (256, 3), (384, 3, 2)], [HALVING_POOL]),
            Repeat(20, _module_b()),
            module(
                [(256, 1), (384, 3, 2)],
                [(256, 1), (288, 3, 2)],
                [(256, 1), (288, 3), (320, 3, 2)],
                [HALVING_POOL],
            ),
            Repeat(9, _module_c()),
            *_module_c()[:-1],  # the last module has no activation
            *path((1536, 1)),
        ]
        return classifier(self.image_size, nodes, self.classes, Layer("dropout"))


def _module_a() -> list[Node]:
    """Return the module in Figure 16, as released."""
    return _residual(320, [(32, 1)], [(32, 1), (32, 3)], [(32, 1), (48, 3), (64, 3)])


def _module_b() -> list[Node]:
    """Return the module in Figure 17, as released."""
    return _residual(1088, [(192, 1)], [(128, 1), (160, (1, 7)), (192, (7, 1))])


def _module_c() -> list[Node]:
    """Return the module in Figure 19, as released."""
    return _residual(2080, [(192, 1)], [(192, 1), (224, (1, 3)), (256, (3, 1))])


def _residual(channels: int, *paths: list[Step]) -> list[Node]:
    linear = Layer("conv2d", {"out_channels": channels, "kernel": 1})
    return [Sum([module(*paths), linear]), Layer("relu")]
