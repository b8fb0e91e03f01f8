"""Heads of attention, which share the width of a network."""

from pipeline.architectures.network import ArchitectureError


def width_of_heads(width: int, heads: int, hint: str = "") -> int:
    """The width of each of the heads. Raises ArchitectureError where they do not divide the width; `hint` says what may be stated."""
    if width % heads:
        raise ArchitectureError(f"a width of {width} cannot be divided among {heads} heads{hint}", "heads")
    return width // heads
