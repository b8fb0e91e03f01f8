"""A Hugging Face config.json, key by key: types, sizes and defaults are checked where a reader asks for them."""

from collections.abc import Sequence
from typing import Any

from pipeline.architectures.network import ArchitectureError, Lengths
from schemas.spelling import closest, nearest

MOST_LAYERS = 10_000
LARGEST_NUMBER = 1_000_000_000
REQUIRED = object()
TASKS = (
    "ForCausalLM LMHeadModel ForMaskedLM ForPreTraining ForConditionalGeneration WithLMHeadModel ForImageClassification "
    "ForSequenceClassification ForTokenClassification ForQuestionAnswering EncoderModel Model"
).split()
# transformers 5.23, activations.ACT2CLS; they cost a few operations an element, which no total includes.
ACTIVATIONS = (
    "gelu gelu_10 gelu_fast gelu_new gelu_python gelu_pytorch_tanh gelu_python_tanh gelu_accurate hardswish laplace "
    "leaky_relu linear mish quick_gelu relu relu2 relu6 sigmoid silu sqrtsoftplus swish tanh prelu xielu"
).split()
ACTIVATION_KEYS = ("hidden_act", "hidden_activation", "activation_function", "activation")
SAME_TASK = {"LMHeadModel": "ForCausalLM", "WithLMHeadModel": "ForConditionalGeneration"}


class Keys:
    """The content of a config.json, for sequences and images of the sizes that the caller gives.

    `defaults` collects the values of Hugging Face's configuration class for absent keys, as they are used;
    `lengths` and `image_size` are those that the network is read for, `assumed` which of them come from the config only,
    and `not_counted` what the count leaves out. Methods that read a key raise ArchitectureError, naming it, where its value
    is of another type or cannot be.
    """

    def __init__(
        self, config: dict[str, Any], lengths: Lengths, image_size: int | None, has_own_lengths: bool = False
    ) -> None:
        self.config = config
        self.model_type: str = config["model_type"]
        self.asked = lengths
        self.asked_image_size = image_size
        self.has_own_lengths = has_own_lengths
        self.lengths = Lengths()
        self.image_size: int | None = None
        self.defaults: dict[str, Any] = {}
        self.assumed: dict[str, str] = {}
        self.not_counted: list[str] = []
        self.known: set[str] = {"model_type"}

    def refuse_unknown_activations(self) -> None:
        """Raises ArchitectureError where the config names an activation that transformers does not have."""
        for key in ACTIVATION_KEYS:
            if self.config.get(key) is not None:
                self.word(key, "", ACTIVATIONS)

    def error(self, key: str, message: str) -> ArchitectureError:
        """The error to raise for a key."""
        default = f" (the default of {self.model_type})" if key in self.defaults else ""
        return ArchitectureError(f"{key}{default} {message}", key)

    def spelling(self, key: str, also: Sequence[str] = ()) -> str:
        """The one of a key's names that the config uses."""
        return next((name for name in (key, *also) if name in self.config), key)

    def value(self, key: str, default: Any) -> Any:
        """The config's value, or the default."""
        if key in self.config:
            self.known.add(key)
            return self.config[key]
        if default is REQUIRED:
            meant = closest(key, self.config.keys() - self.known)
            hint = f"; is {meant!r} meant?" if meant else ""
            raise ArchitectureError(f"a config of {self.model_type} needs {key}{hint}", "model_type")
        self.defaults[key] = default
        return default

    def whole(self, key: str, default: Any = REQUIRED, also: Sequence[str] = (), least: int = 1) -> int:
        """A plausible whole number: not below `least`, and within an upper limit above all known networks."""
        key = self.spelling(key, also)
        return self.checked(key, self.value(key, default), least)

    def checked(self, key: str, value: Any, least: int = 1) -> int:
        """The value, if it is a plausible whole number, as in `whole`."""
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise self.error(key, f"must be a whole number{' above 0' if least else ''}, not {_shown(value)}")
        largest = MOST_LAYERS if "layer" in key or "depth" in key else LARGEST_NUMBER
        if value > largest:
            raise self.error(key, f"is more than can be ({largest:,}): {_shown(value)}")
        return value

    def maybe_whole(self, key: str, default: int | None = None, also: Sequence[str] = (), least: int = 1) -> int | None:
        """A whole number, or None where the config says null."""
        key = self.spelling(key, also)
        value = self.config.get(key, default)
        if value is None:
            return None
        return self.whole(key, default, least=least)

    def number(self, key: str, default: Any = REQUIRED, least: float | None = None) -> float:
        """A number above 0, or not below `least`."""
        value = self.value(key, default)
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not (value > 0 if least is None else value >= least) or value > LARGEST_NUMBER:
            raise self.error(
                key, f"must be a number {'above 0' if least is None else f'from {least:g}'}, not {_shown(value)}"
            )
        return value

    def flag(self, key: str, default: bool) -> bool:
        """True or false."""
        value = self.value(key, default)
        if not isinstance(value, bool):
            raise self.error(key, f"must be true or false, not {_shown(value)}")
        return value

    def word(self, key: str, default: str, among: Sequence[str]) -> str:
        """One of some words."""
        value = self.value(key, default)
        if value not in among:
            raise self.error(key, f"cannot be {_shown(value)}{nearest(value, among, len(among))}")
        return value

    def wholes(self, key: str, default: Any = REQUIRED, least: int = 1, may_be_empty: bool = False) -> list[int]:
        """A list of whole numbers."""
        value = self.value(key, default)
        if not isinstance(value, list) or not (value or may_be_empty) or len(value) > MOST_LAYERS:
            raise self.error(key, f"must be a list of whole numbers, not {_shown(value)}")
        return [self.checked(key, entry, least) for entry in value]

    def inner(self, key: str) -> dict[str, Any]:
        """A mapping inside the config; an empty one where it is absent."""
        value = self.config.get(key)
        if value is not None and not isinstance(value, dict):
            raise self.error(key, f"must be a mapping, not {_shown(value)}")
        return value or {}

    def heads(self, key: str, width_key: str, heads: int, width: int) -> int:
        """The width of a head, which must divide the width."""
        if width % heads:
            near = _nearest_divisor(width, heads)
            raise self.error(key, f"does not divide {width_key}: {heads} heads, a width of {width}; {near} would")
        return width // heads

    def groups(self, key: str, heads: int, groups: int) -> int:
        """How many heads of keys and values there are; it must divide the number of heads."""
        if heads % groups:
            near = _nearest_divisor(heads, groups)
            raise self.error(key, f"does not divide the {heads} heads: {groups}; {near} would")
        return groups

    def task(self, default: str, known: Sequence[str]) -> str:
        """What `architectures` names, such as ForCausalLM; the default where it is absent."""
        named = self.config.get("architectures")
        named = [default] if named is None or named == [] else named
        if not isinstance(named, list) or not isinstance(named[0], str):
            raise self.error("architectures", f"must be a list of names, not {_shown(named)}")
        task = next((task for task in TASKS if named[0].lower().endswith(task.lower())), None)
        task = SAME_TASK.get(str(task), task)
        # GPT2DoubleHeadsModel ends like a bare model, and has two heads.
        task = None if "heads" in named[0].lower() else task
        if task not in known:
            words = ", ".join(known)
            raise self.error("architectures", f"names {named[0]!r}, a head that cannot be counted; known are {words}")
        return str(task)

    def labels(self) -> int:
        """The number of labels: id2label's, num_labels, or 2."""
        named = self.config.get("id2label")
        if isinstance(named, dict):
            return len(named)
        if named is not None:
            raise self.error("id2label", f"must be a mapping from numbers to names, not {_shown(named)}")
        return self.whole("num_labels", 2, least=0)

    def sequence_length(self, key: str, default: int | None = None, also: Sequence[str] = (), times: int = 1) -> float:
        """The sequence length that the caller gives, or the largest that the config allows times `times`, the input positions per position of the config."""
        self.lengths = Lengths(self._length("sequence_length", key, default, also, times), self.lengths.target_length)
        return self.lengths.sequence_length or 0

    def target_length(self, key: str, default: int | None = None, also: Sequence[str] = ()) -> float:
        """The target length that the caller gives, or the largest that the config allows."""
        self.lengths = Lengths(self.lengths.sequence_length, self._length("target_length", key, default, also, 1))
        return self.lengths.target_length or 0

    def _length(self, name: str, key: str, default: int | None, also: Sequence[str], times: int) -> float:
        asked = getattr(self.asked, name)
        if asked is not None:
            return asked
        key = self.spelling(key, also)
        if not self.has_own_lengths:
            raise ArchitectureError(f"a config of {self.model_type} needs the phase's {name}", name)
        if key not in self.config and default is None:
            said = f"a config of {self.model_type} says no longest {name}; state {name} (--{name.replace('_', '-')})"
            raise ArchitectureError(said, name)
        self.assumed[name] = key
        return times * self.whole(key, default)

    def image(self, default: int) -> int:
        """The side of the image in pixels: the caller's, or the config's."""
        config_size = self.own_image(default)
        if self.asked_image_size is None:
            self.assumed["image_size"] = "image_size"
        self.image_size = self.asked_image_size or config_size
        return self.image_size

    def own_image(self, default: int) -> int:
        """The side of the images that the config is for, in pixels."""
        size = self.value("image_size", default)
        if isinstance(size, list) and len(size) == 2 and size[0] == size[1]:
            size = size[0]
        return self.checked("image_size", size)


def _shown(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return f"{value:,}" if abs(value) < 10**30 else f"a number of {len(str(abs(value)))} digits"
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}…"


def _nearest_divisor(number: int, wanted: int) -> int:
    divisors = (divisor for divisor in range(1, min(number, 100_000) + 1) if number % divisor == 0)
    return min(divisors, key=lambda divisor: abs(divisor - wanted))
