"""Inception v3 (Szegedy et al. 2015, arXiv 1512.00567): modules whose large kernels are split into small and flat ones."""

from dataclasses import dataclass

from pipeline.architectures.network import Concatenation, Input, Layer, Lengths, Node, Repeat, Side, convolution, family

# The paper's table 1 gives sizes only; channels are those of the authors' code (github.com/tensorflow/models,
# slim/nets/inception_v3.py).
POOLED = (32, 64, 64)  # the pool path of each 35 x 35 module
SPLIT = ((128, 1), (160, 2), (192, 1))  # width of the flat kernels in each 17 x 17 module, and how many there are
AVERAGE_POOL = Layer("average_pool2d", {"kernel": 3, "stride": 1, "padding": 1})
HALVING_POOL = Layer("max_pool2d", {"kernel": 3, "stride": 2})


@family
@dataclass(frozen=True)
class InceptionV3:
    """`has_auxiliary_classifier` adds the head that the paper trains with (section 4)."""

    image_size: int
    classes: int
    has_auxiliary_classifier: bool = False

    def nodes(self, lengths: Lengths) -> list[Node]:
        """The paper's table 1."""
        nodes: list[Node] = [
            Input((3, self.image_size, self.image_size)),
            *convolution(32, 3, 2, padding=0),
            *convolution(32, 3, padding=0),
            *convolution(64, 3),
            HALVING_POOL,
            *convolution(80, 1),
            *convolution(192, 3, padding=0),
            HALVING_POOL,
        ]
        nodes += [_square_module(pooled) for pooled in POOLED]
        nodes.append(
            Concatenation(
                [
                    convolution(384, 3, 2, padding=0),
                    [*convolution(64, 1), *convolution(96, 3), *convolution(96, 3, 2, padding=0)],
                    [HALVING_POOL],
                ]
            )
        )
        nodes += [Repeat(times, [_flat_module(width)]) for width, times in SPLIT]
        if self.has_auxiliary_classifier:
            nodes.append(self._auxiliary())
        split = [*convolution(192, 1), *convolution(192, (1, 7)), *convolution(192, (7, 1))]
        nodes.append(
            Concatenation(
                [
                    [*convolution(192, 1), *convolution(320, 3, 2, padding=0)],
                    [*split, *convolution(192, 3, 2, padding=0)],
                    [HALVING_POOL],
                ]
            )
        )
        nodes += [_wide_module(), _wide_module(), Layer("global_average_pool2d"), Layer("dropout")]
        return [*nodes, Layer("linear", {"out_features": self.classes})]

    def _auxiliary(self) -> Node:
        return Side(
            [
                Layer("average_pool2d", {"kernel": 5, "stride": 3}),
                *convolution(128, 1),
                *convolution(768, 5, padding=0),
                Layer("global_average_pool2d"),
                Layer("linear", {"out_features": self.classes}),
            ]
        )


def _square_module(pooled: int) -> Node:
    return Concatenation(
        [
            convolution(64, 1),
            [*convolution(48, 1), *convolution(64, 5)],
            [*convolution(64, 1), *convolution(96, 3), *convolution(96, 3)],
            [AVERAGE_POOL, *convolution(pooled, 1)],
        ]
    )


def _flat_module(width: int) -> Node:
    twice = [*convolution(width, (7, 1)), *convolution(width, (1, 7))]
    return Concatenation(
        [
            convolution(192, 1),
            [*convolution(width, 1), *convolution(width, (1, 7)), *convolution(192, (7, 1))],
            [*convolution(width, 1), *twice, *convolution(width, (7, 1)), *convolution(192, (1, 7))],
            [AVERAGE_POOL, *convolution(192, 1)],
        ]
    )


def _wide_module() -> Node:
    both = Concatenation([convolution(384, (1, 3)), convolution(384, (3, 1))])
    return Concatenation(
        [
            convolution(320, 1),
            [*convolution(384, 1), both],
            [*convolution(448, 1), *convolution(384, 3), both],
            [AVERAGE_POOL, *convolution(192, 1)],
        ]
    )
