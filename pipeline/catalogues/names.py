"""Remove sizes from model names, and compare sizes."""

import re

# A factor. Counts of one network differ by less (embeddings, heads), and most sizes of a family differ by more.
SAME_SIZE = 1.5
# Words for language models trained further on other data: Qwen3-Omni-30B-A3B is based on Qwen3-30B-A3B.
_SENSES = re.compile(r"[-\s]?\b(?:Omni|VL|Vision|Audio)\b", re.IGNORECASE)
_SIZE = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)\s?([BM])\b", re.IGNORECASE)


def family(name: str) -> str:
    """Return the part of a name that all sizes of a family share, in lower case and without punctuation.

    >>> family("Llama 2-70B"), family("ESM2-650M"), family("GPT-2 (124M)")
    ('llama2', 'esm2', 'gpt2')
    """
    return re.sub(r"[^\w+.]+|_", "", _SIZE.sub(" ", name).lower())


def size_in(name: str) -> float | None:
    """Return the number of parameters that a name states, or None.

    >>> size_in("Llama 2-70B")
    70000000000.0
    """
    size = _SIZE.search(name)
    return float(size[1]) * {"m": 1e6, "b": 1e9}[size[2].lower()] if size else None


def without_senses(name: str) -> str | None:
    """Return the name of the language model inside a vision or audio model; None for other names or without a size.

    >>> without_senses("Qwen3-Omni-30B-A3B"), without_senses("Qwen2.5-VL-72B"), without_senses("GPT-4 Vision")
    ('Qwen3-30B-A3B', 'Qwen2.5-72B', None)
    """
    plain = _SENSES.sub("", name)
    return plain if plain != name and size_in(name) else None


def is_same_size(parameters: float | None, other: float | None) -> bool:
    """Return whether two parameter counts may be of one network: they are within SAME_SIZE or one is unknown.

    >>> is_same_size(1.5e9, 124e6), is_same_size(1.5e9, 1.542e9), is_same_size(None, 124e6)
    (False, True, True)
    """
    return not parameters or not other or 1 / SAME_SIZE <= parameters / other <= SAME_SIZE
