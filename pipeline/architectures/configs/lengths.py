"""The length of training sequences to assume if no source states it."""

from typing import Any, NamedTuple

from pipeline.architectures.arguments import LARGEST_NUMBER
from pipeline.architectures.network import ArchitectureError

USUAL_LENGTH = 8_192  # the longest in most training; larger maxima come from an extension at the end
# Nearly all pretraining uses a length between these. If a network's maximum is shorter, its length is between half of
# the maximum and the maximum.
SHORTEST, LONGEST = 4_096, 32_768
ORIGINAL = ("original_max_position_embeddings", "initial_context_length")
PLACES = ("rope_scaling", "rope_parameters")


class AssumedLength(NamedTuple):
    """A sequence length assumed for a config that states none for training; `maximum` is the longest possible."""

    value: int
    low: int
    high: int
    maximum: int
    words: str  # the origin of `value`, such as "max_position_embeddings 131,072, cut to 8,192"

    @property
    def assumptions(self) -> dict[str, Any]:
        """Return the assumption by its name, in the form that records have."""
        reason = f"The config does not state the length used in training; {self.value:,} is its {self.words}."
        return {"training_length": {"value": self.value, "low": self.low, "high": self.high, "reason": reason}}

    @classmethod
    def from_maximum(cls, maximum: int, key: str, original: tuple[int, str] | None = None) -> "AssumedLength":
        """Return the original length if the file has one, otherwise the maximum, cut to the usual length."""
        if original:
            value, words = original
        else:
            value = min(maximum, USUAL_LENGTH)
            cut = f" {maximum:,}, cut to {value:,}" if value < maximum else ""
            words = f"{key}{cut}"
        high = max(value, min(maximum, LONGEST))
        low = min(SHORTEST, value) if high > SHORTEST else max(value // 2, 1)
        return cls(value=value, low=low, high=high, maximum=max(maximum, value), words=words)


def assumed_length(config: dict[str, Any], longest: int | None, key: str, model_type: str) -> AssumedLength:
    """Return the length to assume for a config whose longest sequence, stated under `key`, is `longest`.

    Raise ArchitectureError if it states neither an original nor a longest length.
    """
    around = [config[place] for place in PLACES if isinstance(config.get(place), dict)]
    places = [config, *around, *(inner for place in around for inner in place.values() if isinstance(inner, dict))]
    lengths = [(place.get(name), name) for place in places for name in ORIGINAL]
    originals = [(value, name) for value, name in lengths if type(value) is int and 0 < value <= LARGEST_NUMBER]
    if not longest and not originals:
        message = f"a config of {model_type} states no longest sequence; state sequence_length (--sequence-length)"
        raise ArchitectureError(message, "sequence_length")
    return AssumedLength.from_maximum(longest or originals[0][0], key, originals[0] if originals else None)
