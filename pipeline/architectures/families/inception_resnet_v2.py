"""Inception-ResNet v2 (Szegedy et al. 2016, arXiv 1602.07261): Inception modules with residual connections."""

from dataclasses import dataclass

from pipeline.architectures.network import Concatenation, Input, Layer, Lengths, Node, Repeat, Sum, convolution, family

AVERAGE_POOL = Layer("average_pool2d", {"kernel": 3, "stride": 1, "padding": 1})
HALVING_POOL = Layer("max_pool2d", {"kernel": 3, "stride": 2})


@family
@dataclass(frozen=True)
class InceptionResnetV2:
    """10, 20 and 10 modules with the stem of Inception v3, as the authors released it.

    Source: github.com/tensorflow/models, slim/nets/inception_resnet_v2.py; the paper's figure 15 has another stem and 5,
    10 and 5 modules.
    """

    image_size: int
    classes: int

    def nodes(self, lengths: Lengths) -> list[Node]:
        """The released network, layer by layer."""
        return [
            Input((3, self.image_size, self.image_size)),
            *convolution(32, 3, 2, padding=0),
            *convolution(32, 3, padding=0),
            *convolution(64, 3),
            HALVING_POOL,
            *convolution(80, 1),
            *convolution(192, 3, padding=0),
            HALVING_POOL,
            Concatenation(
                [
                    convolution(96, 1),
                    [*convolution(48, 1), *convolution(64, 5)],
                    [*convolution(64, 1), *convolution(96, 3), *convolution(96, 3)],
                    [AVERAGE_POOL, *convolution(64, 1)],
                ]
            ),
            Repeat(10, _module_a()),
            Concatenation(
                [
                    convolution(384, 3, 2, padding=0),
                    [*convolution(256, 1), *convolution(256, 3), *convolution(384, 3, 2, padding=0)],
                    [HALVING_POOL],
                ]
            ),
            Repeat(20, _module_b()),
            Concatenation(
                [
                    [*convolution(256, 1), *convolution(384, 3, 2, padding=0)],
                    [*convolution(256, 1), *convolution(288, 3, 2, padding=0)],
                    [*convolution(256, 1), *convolution(288, 3), *convolution(320, 3, 2, padding=0)],
                    [HALVING_POOL],
                ]
            ),
            Repeat(9, _module_c()),
            *_module_c()[:-1],  # the last has no activation
            *convolution(1536, 1),
            Layer("global_average_pool2d"),
            Layer("dropout"),
            Layer("linear", {"out_features": self.classes}),
        ]


def _module_a() -> list[Node]:
    """Figure 16, as released."""
    paths = [
        convolution(32, 1),
        [*convolution(32, 1), *convolution(32, 3)],
        [*convolution(32, 1), *convolution(48, 3), *convolution(64, 3)],
    ]
    return _residual(paths, 320)


def _module_b() -> list[Node]:
    """Figure 17, as released."""
    flat = [*convolution(128, 1), *convolution(160, (1, 7)), *convolution(192, (7, 1))]
    return _residual([convolution(192, 1), flat], 1088)


def _module_c() -> list[Node]:
    """Figure 19, as released."""
    flat = [*convolution(192, 1), *convolution(224, (1, 3)), *convolution(256, (3, 1))]
    return _residual([convolution(192, 1), flat], 2080)


def _residual(paths: list[list[Node]], channels: int) -> list[Node]:
    linear = Layer("conv2d", {"out_channels": channels, "kernel": 1})
    return [Sum([Concatenation(paths), linear]), Layer("relu")]
