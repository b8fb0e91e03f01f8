"""The pipeline: records in, a ledger of training compute out. `import pipeline` gives the functions of `pipeline.api`."""

from pipeline.api import cite, compare, count, dense_peak, estimate, estimate_frames, estimates, model, query, trend

__all__ = [
    "cite",
    "compare",
    "count",
    "dense_peak",
    "estimate",
    "estimate_frames",
    "estimates",
    "model",
    "query",
    "trend",
]
