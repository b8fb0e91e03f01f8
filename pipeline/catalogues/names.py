"""Names of models without their sizes, and whether two sizes may be of one network."""

import re

# A factor: more than counts of one network differ by (embeddings, heads), less than most sizes of a family.
SAME_SIZE = 1.5
_SIZE = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)\s?([BM])\b", re.IGNORECASE)


def family(name: str) -> str:
    """A name without the size in it, so that the sizes of one family are equal.

    >>> family("Llama 2-70B"), family("ESM2-650M"), family("GPT-2 (124M)")
    ('llama2', 'esm2', 'gpt2')
    """
    return re.sub(r"[^\w+.]+|_", "", _SIZE.sub(" ", name).lower())


def size_in(name: str) -> float | None:
    """Parameters that a name states.

    >>> size_in("Llama 2-70B")
    70000000000.0
    """
    size = _SIZE.search(name)
    return float(size[1]) * {"m": 1e6, "b": 1e9}[size[2].lower()] if size else None


def is_same_size(parameters: float | None, other: float | None) -> bool:
    """Whether two numbers of parameters may be of one network: within SAME_SIZE, or one of them unknown.

    >>> is_same_size(1.5e9, 124e6), is_same_size(1.5e9, 1.542e9), is_same_size(None, 124e6)
    (False, True, True)
    """
    return not parameters or not other or 1 / SAME_SIZE <= parameters / other <= SAME_SIZE
