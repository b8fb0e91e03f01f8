"""Layers without products."""

from itertools import product

from tests.formulas.loops.tally import LOOPS, loop


def _once_an_element(tally, shape):
    for _ in product(*map(range, shape)):
        tally.elementwise += 1


LOOPS.update(dict.fromkeys(("relu", "global_average_pool2d"), _once_an_element))


@loop
def batch_norm(tally, shape):
    """Scale and shift."""
    for _ in range(2):
        _once_an_element(tally, shape)


def _no_products(tally, shape, **arguments):
    """Count layers whose operations are all elementwise, or that only look up."""


WITHOUT_COUNTS = (
    "layer_norm", "layer_norm2d", "group_norm", "adaptive_average_pool2d", "activation", "embedding", "dropout", "upsample2d",
)  # fmt: skip
LOOPS.update(dict.fromkeys(WITHOUT_COUNTS, _no_products))
