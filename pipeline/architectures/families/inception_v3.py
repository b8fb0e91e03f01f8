"""Inception v3 (Szegedy et al. 2015, arXiv 1512.00567): modules with large kernels split into small and flat ones."""

from pipeline.architectures.convolutions import AVERAGE_POOL, HALVING_POOL, STEM, classifier, module, path
from pipeline.architectures.network import Concatenation, Layer, Lengths, Node, Repeat, Side, family

# Table 1 of the paper gives only sizes; channels are from the authors' code (github.com/tensorflow/models,
# slim/nets/inception_v3.py).
POOLED = (32, 64, 64)  # width of the pool path in each 35 x 35 module
SPLIT = ((128, 1), (160, 2), (192, 1))  # width of the flat kernels in each 17 x 17 module, and number of modules


@family
class InceptionV3:
    """The paper's network. `has_auxiliary_classifier` adds the head that the paper uses in training (section 4)."""

    image_size: int
    classes: int
    has_auxiliary_classifier: bool = False

    def nodes(self, lengths: Lengths) -> list[Node]:
        """Return the network in Table 1 of the paper."""
        head = Layer("linear", {"out_features": self.classes})
        pool = Layer("average_pool2d", {"kernel": 5, "stride": 3})
        auxiliary = Side([*path(pool, (128, 1), (768, 5, 1)), Layer("global_average_pool2d"), head])
        nodes = [
            *STEM,
            *(_square_module(pooled) for pooled in POOLED),
            module([(384, 3, 2)], [(64, 1), (96, 3), (96, 3, 2)], [HALVING_POOL]),
            *(Repeat(times, [_flat_module(width)]) for width, times in SPLIT),
            *([auxiliary] if self.has_auxiliary_classifier else []),
            module([(192, 1), (320, 3, 2)], [(192, 1), (192, (1, 7)), (192, (7, 1)), (192, 3, 2)], [HALVING_POOL]),
            *[_wide_module()] * 2,
        ]
        return classifier(self.image_size, nodes, self.classes, Layer("dropout"))


def _square_module(pooled: int) -> Node:
    return module([(64, 1)], [(48, 1), (64, 5)], [(64, 1), (96, 3), (96, 3)], [AVERAGE_POOL, (pooled, 1)])


def _flat_module(width: int) -> Node:
    return module(
        [(192, 1)],
        [(width, 1), (width, (1, 7)), (192, (7, 1))],
        [(width, 1), (width, (7, 1)), (width, (1, 7)), (width, (7, 1)), (192, (1, 7))],
        [AVERAGE_POOL, (192, 1)],
    )


def _wide_module() -> Concatenation:
    both = module([(384, (1, 3))], [(384, (3, 1))])
    return module([(320, 1)], [(384, 1), both], [(448, 1), (384, 3), both], [AVERAGE_POOL, (192, 1)])
