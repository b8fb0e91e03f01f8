"""Find sizes in model names, and compare sizes."""

import re

# A factor. Counts of one network differ by less (embeddings, heads), and most sizes of a family differ by more.
SAME_SIZE = 1.5
_SIZE = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)\s?([BM])\b", re.IGNORECASE)


def size_in(name: str) -> float | None:
    """Return the number of parameters that a name states, or None.

    >>> size_in("Llama 2-70B")
    70000000000.0
    """
    size = _SIZE.search(name)
    return float(size[1]) * {"m": 1e6, "b": 1e9}[size[2].lower()] if size else None


def is_same_size(parameters: float | None, other: float | None) -> bool:
    """Return whether two parameter counts may be of one network: they are within SAME_SIZE or one is unknown.

    >>> is_same_size(1.5e9, 124e6), is_same_size(1.5e9, 1.542e9), is_same_size(None, 124e6)
    (False, True, True)
    """
    return not parameters or not other or 1 / SAME_SIZE <= parameters / other <= SAME_SIZE
