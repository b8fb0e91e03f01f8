"""Layers as slow loops over output elements that count their products one by one, independently of any formula.

A number has no value here; it only records on which trainable weights it depends. An example is nested lists of such
numbers: a vector, a sequence of vectors, or an image as {(channel, position, …): number}. A multiply-add is counted
where it happens, and with it one gradient for each factor that depends on weights: forward and backward from the same
loop.

The files are named like those in `pipeline.formulas.layers`. They import nothing of ours except one another.
"""

from tests.formulas.loops import attention, convolution, dense, elementwise, grids, recurrent
from tests.formulas.loops.tally import FIXED, INPUT, LEARNED, LOOPS, MULTIPLY_ADD_FLOP, Tally, grid

__all__ = [
    "FIXED", "INPUT", "LEARNED", "LOOPS", "MULTIPLY_ADD_FLOP", "Tally", "grid",
    "attention", "convolution", "dense", "elementwise", "grids", "recurrent",
]  # fmt: skip
