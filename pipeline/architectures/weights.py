"""The number of weights in the files that belong to a config.json, read from the files' index."""

import json
from pathlib import Path
from typing import Any, NamedTuple

INDEX = "model.safetensors.index.json"
LARGEST_BYTES = 50_000_000
BYTES_OF = {"float32": 4, "bfloat16": 2, "float16": 2}
ALIKE = 0.001  # tolerated difference, because files may also contain shared or unused weights


class Weights(NamedTuple):
    """The number of parameters in an index of safetensors files."""

    file: str
    parameters: int

    def agree(self, counted: int) -> bool:
        """Return whether a count agrees with the files.

        >>> [Weights(INDEX, number).agree(1_000_000) for number in (1_000_990, 1_001_010, 998_990)]
        [True, False, False]
        """
        return abs(self.parameters - counted) <= ALIKE * counted

    def comparison(self, counted: int) -> str:
        """Return a sentence that compares the files with a count."""
        if self.agree(counted):
            return f"{self.file} has {self.parameters:,} parameters, as counted"
        more = self.parameters / counted - 1
        return f"{self.file} has {self.parameters:,} parameters: {abs(more):.1%} {'more' if more > 0 else 'fewer'} than counted"


def indexed_weights(config_path: Path, config: dict[str, Any]) -> Weights | None:
    """Return the weights listed by the index in a config's folder, or None if there is no index or no number in it.

    The index states the number, or it follows from the number of bytes and the bytes per value at the config's
    precision. Quantized weights have several precisions, so their number is unknown.
    """
    path = config_path.with_name(INDEX)
    try:
        if not path.is_file() or path.stat().st_size > LARGEST_BYTES:
            return None
        metadata = json.loads(path.read_text(encoding="utf-8"))["metadata"]
        stated_parameters, stored_bytes = metadata.get("total_parameters"), metadata.get("total_size")
    except (OSError, ValueError, RecursionError, KeyError, TypeError, AttributeError):
        return None
    if type(stated_parameters) is int and stated_parameters > 0:
        return Weights(INDEX, stated_parameters)
    size = BYTES_OF.get(str(config.get("dtype") or config.get("torch_dtype")))
    if type(stored_bytes) is not int or stored_bytes <= 0 or size is None or config.get("quantization_config"):
        return None
    return Weights(INDEX, stored_bytes // size)
