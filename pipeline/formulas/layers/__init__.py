"""Count the operations of a layer on one example: one function per kind of layer, whose arguments are keys of records.

Shapes have no batch axis: (channels, height, width) for images, (positions, width) for sequences, (positions,) for
token ids. A multiply-add is 2 FLOP. The number of positions may be a mean length, so it need not be whole. Unless a
docstring names another source, the formula is from the table in methods, section 2. Each function returns a
`LayerCount` and raises `LayerError` for impossible sizes.
"""

# ruff: noqa: F403 this package exports every kind
from pipeline.formulas.layers.attention import *
from pipeline.formulas.layers.compressed import *
from pipeline.formulas.layers.convolution import *
from pipeline.formulas.layers.count import KINDS, LayerCount, LayerError, Shape, Size, UnknownWordError, kind
from pipeline.formulas.layers.dense import *
from pipeline.formulas.layers.elementwise import *
from pipeline.formulas.layers.recurrent import *
from pipeline.formulas.layers.shapes import *

__all__ = [*KINDS, "KINDS", "LayerCount", "LayerError", "Shape", "Size", "UnknownWordError", "kind"]
