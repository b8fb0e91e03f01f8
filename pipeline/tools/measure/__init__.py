"""Real networks in torch: `layers` and `build` make them, `python -m pipeline.tools.measure` times their training steps.

The measuring machine needs torch, numpy, pandas and PyYAML, and nothing else of the stack.
"""
