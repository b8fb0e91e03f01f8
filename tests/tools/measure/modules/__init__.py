"""Torch modules of the layer kinds that no timed network has: for the audit, and to compare formulas with torch's counter.

Importing this package registers them in addition to those of `pipeline.tools.measure.layers`. A new kind is one
function here.
"""

from pipeline.tools.measure.layers import torch_module
from tests.tools.measure.modules import attention, convolution, dense, grids, mixtures, recurrent, shapes

__all__ = ["attention", "convolution", "dense", "grids", "mixtures", "recurrent", "shapes", "torch_module"]

# Kinds that only configs have: tests/architectures/torch_configs.py compares them with the classes of transformers.
UNBUILT_KINDS = {"compressed_attention", "hyper_connection", "short_convolution"}
