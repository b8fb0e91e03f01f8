"""Layers in torch: a module for each layer kind in the timed networks.

Files are named as in `pipeline.formulas.layers`, except for one whose name would be long. A module takes the arguments
of its formula. tests/tools/measure/layers compares its parameters, shapes and operations with the formula's.
"""

from pipeline.tools.measure.layers import attention, convolution, dense, elementwise, embeddings, recurrent, shapes
from pipeline.tools.measure.layers.registry import MODULES, OF_THE_NETWORK, UnbuildableError, torch_module, wired

__all__ = [
    "MODULES", "OF_THE_NETWORK", "UnbuildableError", "torch_module", "wired",
    "attention", "convolution", "dense", "elementwise", "embeddings", "recurrent", "shapes",
]  # fmt: skip
