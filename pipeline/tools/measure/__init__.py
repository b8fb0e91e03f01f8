"""Real networks in torch. `layers` and `build` make them, and `python -m pipeline.tools.measure` times their training steps.

The measuring machine needs only torch, numpy, pandas and PyYAML.
"""
