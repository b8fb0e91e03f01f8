"""Torch layers: a module for each layer kind in the timed networks.

Files have the same names as in `pipeline.formulas.layers`, except for one shortened name. A module takes the same
arguments as its formula. tests/tools/measure/layers compares its parameters, shapes and operations with the formula's.
"""

from pipeline.tools.measure.layers import attention, convolution, dense, elementwise, embeddings, recurrent, shapes
from pipeline.tools.measure.layers.registry import MODULES, OF_THE_NETWORK, UnbuildableError, torch_module, wired

__all__ = [
    "MODULES", "OF_THE_NETWORK", "UnbuildableError", "torch_module", "wired",
    "attention", "convolution", "dense", "elementwise", "embeddings", "recurrent", "shapes",
]  # fmt: skip
