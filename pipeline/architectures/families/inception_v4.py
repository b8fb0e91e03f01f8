"""Inception v4 (Szegedy et al. 2016, arXiv 1602.07261): a stem that joins paths and three kinds of repeated modules."""

from pipeline.architectures.convolutions import AVERAGE_POOL, HALVING_POOL, classifier, module, path
from pipeline.architectures.network import Layer, Lengths, Node, Repeat, family


@family
class InceptionV4:
    """The network in Figure 9 of the paper: 4 Inception-A, 7 Inception-B and 3 Inception-C modules."""

    image_size: int
    classes: int

    def nodes(self, lengths: Lengths) -> list[Node]:
        """Return the network in Figures 3 to 9 of the paper."""
        first, second = [Repeat(4, [_module_a()]), _reduction_a()], [Repeat(7, [_module_b()]), _reduction_b()]
        nodes = [*_stem(), *first, *second, Repeat(3, [_module_c()])]
        return classifier(self.image_size, nodes, self.classes, Layer("dropout"))


def _stem() -> list[Node]:
    """Return the stem in Figure 3."""
    return [
        *path((32, 3, 2), (32, 3, 1), (64, 3)),
        module([HALVING_POOL], [(96, 3, 2)]),
        module([(64, 1), (96, 3, 1)], [(64, 1), (64, (1, 7)), (64, (7, 1)), (96, 3, 1)]),
        module([(192, 3, 2)], [HALVING_POOL]),
    ]


def _module_a() -> Node:
    """Return the module in Figure 4."""
    return module([(96, 1)], [(64, 1), (96, 3)], [(64, 1), (96, 3), (96, 3)], [AVERAGE_POOL, (96, 1)])


def _reduction_a() -> Node:
    """Return the reduction in Figure 7 with the k, l, m and n of Table 1."""
    return module([(384, 3, 2)], [(192, 1), (224, 3), (256, 3, 2)], [HALVING_POOL])


def _module_b() -> Node:
    """Return the module in Figure 5."""
    return module(
        [(384, 1)],
        [(192, 1), (224, (1, 7)), (256, (7, 1))],
        [(192, 1), (192, (7, 1)), (224, (1, 7)), (224, (7, 1)), (256, (1, 7))],
        [AVERAGE_POOL, (128, 1)],
    )


def _reduction_b() -> Node:
    """Return the reduction in Figure 8."""
    return module([(192, 1), (192, 3, 2)], [(256, 1), (256, (1, 7)), (320, (7, 1)), (320, 3, 2)], [HALVING_POOL])


def _module_c() -> Node:
    """Return the module in Figure 6."""
    both = module([(256, (1, 3))], [(256, (3, 1))])
    return module(
        [(256, 1)], [(384, 1), both], [(384, 1), (448, (3, 1)), (512, (1, 3)), both], [AVERAGE_POOL, (256, 1)]
    )
