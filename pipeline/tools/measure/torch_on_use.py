"""torch, imported when an attribute is first used, so that tests and reports run where torch is not installed."""

from typing import Any


def __getattr__(name: str) -> Any:
    import torch

    return getattr(torch, name)
