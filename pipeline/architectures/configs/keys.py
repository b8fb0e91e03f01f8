"""Read a config.json key by key. When a reader asks for a key, its value is checked, or its default is taken."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from pipeline.architectures.arguments import LARGEST_NUMBER, MOST_LAYERS
from pipeline.architectures.configs.lengths import AssumedLength
from pipeline.architectures.configs.outer_parts import Part
from pipeline.architectures.configs.vocabulary import CHANGE_NOTHING, CLASSES, KEYS, TYPES, row_of, stem_of
from pipeline.architectures.network import ArchitectureError, Lengths, Node
from schemas.spelling import closest, nearest

MOST_SHOWN = 60
MOST_COMPARED = 50  # unknown keys that are compared with the known ones
ACTIVATIONS: list[str] = KEYS["activations"].split()
ACTIVATION_KEYS = (
    "hidden_act",
    "hidden_activation",
    "activation_function",
    "activation",
    "mlp_hidden_act",
    "mamba_hidden_act",
    "pooler_hidden_act",
    "pooler_act",
    "classifier_activation",
    "afn",
)
SAME_TASK = {"MTModel": "ForConditionalGeneration", "WithLMHeadModel": "ForConditionalGeneration"}


@dataclass
class Reading:
    """The layers read from a config, for sequences and images of these sizes.

    `assumed` maps each size that nobody stated to its origin; `length` is the sequence length if it is one of them.
    `defaults` holds the values used for absent keys. `not_counted` lists what the layers leave out, and `passed_over`
    the keys that the class never reads. `parts` are the parts of the network among what is left out.
    """

    nodes: list[Node] = field(default_factory=list)
    lengths: Lengths = Lengths()
    image_size: int | str | None = None
    prediction_depth: int | None = None
    assumed: dict[str, str] = field(default_factory=dict)
    length: AssumedLength | None = None
    defaults: dict[str, Any] = field(default_factory=dict)
    not_counted: list[str] = field(default_factory=list)
    passed_over: list[str] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)


class Keys:
    """The content of a config.json, to be read for sequences and images of the sizes that the caller gives.

    Absent keys take the default of the type's class in transformers. `reading` collects the results. Methods that read
    a key raise an ArchitectureError that names the key if its value is impossible.
    """

    def __init__(
        self,
        config: dict[str, Any],
        model_type: str,
        lengths: Lengths,
        image_size: int | str | None = None,
        has_own_lengths: bool = False,
    ) -> None:
        """Prepare to read a config. Raise ArchitectureError if it names an unknown activation."""
        self.config, self.model_type = config, model_type
        self.class_type: str = row_of(model_type)["class"] if model_type in TYPES else model_type
        self.class_row = CLASSES.get(self.class_type, {})
        self.asked, self.asked_image_size, self.has_own_lengths = lengths, image_size, has_own_lengths
        self.reading = Reading()
        self.is_stock = bool(self.class_row) and "auto_map" not in config  # whether transformers has the class's source
        self.known: set[str] = {"model_type", "architectures", "id2label", "num_labels", "auto_map", *ACTIVATION_KEYS}
        for key in ACTIVATION_KEYS:
            if config.get(key) is not None:
                self.word(key, ACTIVATIONS)

    def error(self, key: str, message: str) -> ArchitectureError:
        """Return the error to raise for a key."""
        default = f" (the default of {self.model_type})" if key in self.reading.defaults else ""
        return ArchitectureError(f"{key}{default} {message}", key)

    def leave_out(self, what: str) -> None:
        """Record a part that the count leaves out, unless it is already recorded."""
        if what not in self.reading.not_counted:
            self.reading.not_counted.append(what)

    def value(self, key: str, also: Sequence[str] = ()) -> Any:
        """Return the value of a key or of one of its other spellings, otherwise the class's default."""
        self.known |= {key, *also}
        key = next((name for name in (key, *also) if name in self.config), key)
        if key in self.config:
            return self.config[key]
        if key not in self.class_row:
            similar = closest(key, self.config.keys() - self.known)
            hint = f"; is {similar!r} meant?" if similar else ""
            raise ArchitectureError(f"a config of {self.model_type} needs {key}{hint}", "model_type")
        self.reading.defaults[key] = self.class_row[key]
        return self.class_row[key]

    def whole(self, key: str, also: Sequence[str] = (), least: int = 1) -> int:
        """Return a plausible whole number: at least `least`, and below a limit that no known network reaches."""
        value = self.value(key, also)
        return self.checked(next((name for name in (key, *also) if name in self.config), key), value, least)

    def checked(self, key: str, value: Any, least: int = 1) -> int:
        """Return the value if it is a plausible whole number, as in `whole`."""
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise self.error(key, f"must be a whole number{' above 0' if least else ''}, not {shown(value)}")
        largest = MOST_LAYERS if re.search("(?<!per_)layer|depth", key) else LARGEST_NUMBER
        if value > largest:
            raise self.error(key, f"is more than possible ({largest:,}): {shown(value)}")
        return value

    def maybe_whole(self, key: str) -> int | None:
        """Return a whole number; None if the key is absent or null."""
        value = self.value(key) if key in self.config or key in self.class_row else None
        return None if value is None else self.checked(key, value)

    def number(self, key: str, least: float | None = None) -> float:
        """Return a number, which must be above 0, or at least `least` if that is given."""
        value = self.value(key)
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not (value > 0 if least is None else value >= least) or value > LARGEST_NUMBER:
            bound = "above 0" if least is None else f"from {least:g}"
            raise self.error(key, f"must be a number {bound}, not {shown(value)}")
        return float(value)

    def flag(self, key: str, absent: bool | None = None) -> bool:
        """Return the flag stored under a key, or `absent` if the class has no such key."""
        if absent is not None and key not in self.class_row:
            return absent
        value = self.value(key)
        if not isinstance(value, bool):
            raise self.error(key, f"must be true or false, not {shown(value)}")
        return value

    def word(self, key: str, among: Sequence[str]) -> str:
        """Return the value of a key, which must be one of these words."""
        value = self.value(key)
        if value not in among:
            raise self.error(key, f"cannot be {shown(value)}{nearest(value, among, len(among))}")
        return str(value)

    def only(self, key: str, among: Sequence[Any]) -> None:
        """Raise ArchitectureError if a key's value, or its default if it is absent, is not one of these."""
        self.known.add(key)
        value = self.config.get(key, self.class_row.get(key))
        if ("|".join(map(str, value)) if isinstance(value, list) else value) not in among:
            raise self.error(key, f"other than {shown(among[0])} cannot be counted")

    def wholes(self, key: str, least: int = 1, may_be_empty: bool = False, value: Any = None) -> list[int]:
        """Return a list of whole numbers: the value of the key, or `value` if it is given."""
        value = self.value(key) if value is None else value
        if not isinstance(value, list) or not (value or may_be_empty) or len(value) > MOST_LAYERS:
            raise self.error(key, f"must be a list of whole numbers, not {shown(value)}")
        return [self.checked(key, entry, least) for entry in value]

    def heads(self, key: str, width: int, also: Sequence[str] = ()) -> dict[str, int]:
        """Return the number of heads, which must divide the width, and the width of each head."""
        heads = self.whole(key, also)
        return {"heads": heads, "head_width": self.divided(key, width, heads, f"a width of {width}")}

    def divided(self, key: str, whole: int, by: int, name: str) -> int:
        """Return `whole` / `by`. Raise ArchitectureError, with `name` for `whole`, if there is a remainder."""
        if whole % by:
            raise self.error(key, f"does not divide {name}: {by}; {_nearest_divisor(whole, by)} would")
        return whole // by

    def task(self, default: str, known: Collection[str], more_classes: Sequence[str] = ()) -> str:
        """Return the task of the class that `architectures` names, such as ForCausalLM; the default if it names none.

        Raise ArchitectureError for a class of another type, because its code may build another network.
        """
        class_names = self.config.get("architectures")
        if class_names is None or class_names == []:
            return default
        if not isinstance(class_names, list) or not isinstance(class_names[0], str):
            raise self.error("architectures", f"must be a list of names, not {shown(class_names)}")
        stem, classes = stem_of(class_names[0]), (*self.class_row.get("classes", ()), *more_classes)
        if classes and stem not in classes:
            message = f"names {class_names[0][:MOST_SHOWN]!r}, not a class of {self.class_type} ({', '.join(classes)})"
            raise self.error("architectures", f"{message}: its own code may build another network")
        task = class_names[0][len(stem) :]
        task = SAME_TASK.get(task, task) if SAME_TASK.get(task) in known else task
        if task not in known:
            raise self.error("architectures", f"names {class_names[0][:MOST_SHOWN]!r}, whose head cannot be counted")
        return task

    def labels(self) -> int:
        """Return the number of labels: the length of id2label, otherwise num_labels, otherwise 2."""
        named = self.config.get("id2label")
        if named is not None and not isinstance(named, dict):
            raise self.error("id2label", f"must be a mapping from numbers to names, not {shown(named)}")
        return len(named) if named is not None else self.checked("num_labels", self.config.get("num_labels", 2), 0)

    def pass_over(self, usual_keys: Collection[str] = ()) -> None:
        """Record the keys that the class never reads. Raise ArchitectureError for a key that may change the network.

        Such a key is one that the class reads, if its value is not the class's default; one that resembles a key which
        the config lacks; and any unknown key if the config has no class whose source is known.
        """
        reads = self.class_row.get("reads", {})
        defaults = {**reads, **self.class_row}
        unknown = [
            key for key in self.config if key not in self.known and not _is_same(self.config[key], defaults.get(key))
        ]
        unknown = [key for key in unknown if not key.startswith("_")]  # notes that transformers keeps for itself
        refused = [key for key in unknown if key in reads or (not self.is_stock and key not in CHANGE_NOTHING)]
        passed = [key for key in unknown if key not in CHANGE_NOTHING and key not in reads]
        similar = {key: self._similar(key, usual_keys) for key in (refused or passed)[:MOST_COMPARED]}
        wrong = refused or [key for key in passed if similar.get(key)]
        if wrong:
            hint = f"; is {similar[wrong[0]]!r} meant?" if similar.get(wrong[0]) else ""
            names = ", ".join(key[:MOST_SHOWN] for key in wrong[:5])
            raise ArchitectureError(f"{names}: unknown, and may change the network{hint}", wrong[0])
        self.reading.passed_over += passed

    def _similar(self, key: str, usual_keys: Collection[str]) -> str | None:
        return closest(key, {*usual_keys, *self.class_row} - {*self.config}) if len(key) < MOST_SHOWN else None

    def length(self, name: str, key: str, times: int = 1, usual: int | None = None) -> float:
        """Return the sequence or target length: the caller's, or one assumed from the config's longest sequence.

        The input has `times` positions per position of the config. If it states no longest sequence, assume `usual`.
        """
        self.known.add(key)
        length: float | None = getattr(self.asked, name)
        if length is None:
            self.need_own_lengths(name)
            longest = usual if usual and key not in self.config else times * self.whole(key)
            length = self.assume(name, AssumedLength.from_maximum(longest, key))
        self.reading.lengths = Lengths(**{**vars(self.reading.lengths), name: length})
        return length

    def need_own_lengths(self, name: str) -> None:
        """Raise ArchitectureError if the caller must state the lengths, as for a record."""
        if not self.has_own_lengths:
            raise ArchitectureError(f"a config of {self.model_type} needs the phase's {name}", name)

    def assume(self, name: str, length: AssumedLength) -> int:
        """Record that a length is assumed, and return it."""
        self.reading.assumed[name] = length.words
        if name == "sequence_length":
            self.reading.length = length
        return length.value

    def image(self) -> int:
        """Return the side of the image in pixels: the caller's, or the config's if the caller gave none."""
        config_size = self.own_image()
        if self.asked_image_size is None:
            self.reading.assumed["image_size"] = "image_size"
        if isinstance(self.asked_image_size, str):
            raise ArchitectureError("image_size of this network is one number, the side of a square", "image_size")
        self.reading.image_size = self.asked_image_size or config_size
        return self.asked_image_size or config_size

    def own_image(self) -> int:
        """Return the side of the config's images in pixels; 224 if neither the config nor its class states one."""
        size = self.value("image_size") if "image_size" in self.config or "image_size" in self.class_row else 224
        if isinstance(size, list) and len(size) == 2 and size[0] == size[1]:
            size = size[0]
        return self.checked("image_size", size)


def shown(value: Any) -> str:
    """Return a config value in the form in which errors quote it, truncated if it is long."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return f"{value:,}" if abs(value) < 10**30 else f"a number of {len(str(abs(value)))} digits"
    text = repr(value)
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"


def _is_same(value: Any, other: Any) -> bool:
    return bool(value == other) and isinstance(value, bool) == isinstance(other, bool)


def _nearest_divisor(number: int, near: int) -> int:
    divisors = (divisor for divisor in range(1, min(number, 100_000) + 1) if number % divisor == 0)
    return min(divisors, key=lambda divisor: abs(divisor - near))
