"""Layers in torch: a module for each layer kind of the timed networks. tests/tools/measure/modules has those of other kinds.

The files are named as in `pipeline.formulas.layers`, except for one whose name would be long. A module takes the arguments
of its formula. tests/tools/measure/layers compares its parameters, shapes and operations with those of the formula.
"""

from pipeline.tools.measure.layers import attention, convolution, dense, elementwise, embeddings, recurrent, shapes
from pipeline.tools.measure.layers.registry import MODULES, OF_THE_NETWORK, UnbuildableError, torch_module, wired

__all__ = [
    "MODULES", "OF_THE_NETWORK", "UnbuildableError", "torch_module", "wired",
    "attention", "convolution", "dense", "elementwise", "embeddings", "recurrent", "shapes",
]  # fmt: skip
