"""torch, imported when an attribute is first used, so that tests and reports run where torch is not installed."""

from typing import Any


def __getattr__(name: str) -> Any:
    try:
        import torch
    except ModuleNotFoundError as problem:  # doctest asks every module for some attributes
        raise AttributeError(str(problem)) from problem
    return getattr(torch, name)
