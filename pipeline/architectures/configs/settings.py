"""The settings of a language model's config.json: one setting for all keys with the same meaning, in any model_type."""

from typing import Any

from pipeline.architectures.arguments import MOST_LAYERS
from pipeline.architectures.configs.keys import MOST_SHOWN, Keys, shown
from pipeline.architectures.configs.lengths import ORIGINAL
from pipeline.architectures.configs.vocabulary import CHANGE_NOTHING, KEYS, KIND_OF, MEANING, WORDS, row_of
from pipeline.architectures.network import ArchitectureError
from pipeline.architectures.node_networks import Sizes
from schemas.spelling import nearest


class Settings(Sizes):
    """The settings of a config.json, with the class's defaults for settings that it does not state.

    `row` contains the properties of the class that no key states (types.yml); `key_of` maps each setting to its key.
    Raise ArchitectureError for a key whose value is impossible, contradicts another key, or has an unknown effect.
    """

    def __init__(self, keys: Keys) -> None:
        """Read a config's settings: its keys, keys of inner blocks, the class's defaults, sizes that follow from them.

        Raise ArchitectureError for keys that are missing or unknown, and for values that cannot be counted.
        """
        self.keys, self.row = keys, row_of(keys.model_type)
        self.config, self.class_row = keys.config, keys.class_row
        self.meaning = {**MEANING, **self.row.get("keys", {})}
        self.keys.known |= {*KEYS["inside"], *ORIGINAL, "block_configs"}
        super().__init__({})
        self.key_of: dict[str, str] = {}
        for key, value in self.config.items():
            self._take(key, value)
        for place, names in KEYS["inside"].items():
            inner_keys, default_keys = self.config.get(place), self.class_row.get(place, {})
            inner_keys = self._of_full_layers(inner_keys) if inner_keys and place == "per_layer_config" else inner_keys
            if isinstance(inner_keys, dict) and inner_keys.get("use_sparse_attention") is False:
                continue
            for key, value in {**default_keys, **inner_keys}.items() if isinstance(inner_keys, dict) else ():
                if key in names:
                    self._take(names[key], value)
                elif value != default_keys.get(key) and key not in CHANGE_NOTHING:
                    raise self.keys.error(place, f"has {key[:MOST_SHOWN]!r}: unknown, and may change the network")
        for key, value in self.row.get("only", {}).items():
            self.keys.only(key, value if isinstance(value, list) else [value])
        for key in self.row.get("needs", ()):
            if self.config.get(key) is None and self.meaning.get(key) not in self.values:
                raise ArchitectureError(f"a config of {keys.model_type} needs {key}", "model_type")
        stated_settings, class_settings = set(self.key_of), self.class_row.get("settings", ())
        self.keys.pass_over(
            [key for key, name in MEANING.items() if name in class_settings and name not in stated_settings]
        )
        self._take_defaults()
        for setting, size in self.row.get("sizes", {}).items():
            self.values[setting] = self.get(setting) or self.amount(size)

    def need(self, setting: str) -> Any:
        """Return a setting that every network has, a flag, or the width of a head.

        Raise ArchitectureError, with its key, if a setting is absent.
        """
        if KIND_OF.get(setting) == "flags":
            return bool(self.get(setting))
        if setting == "head":
            return self.get("head_width") or max(1, self.need("width") // self.get("heads", 1))
        value = self.values.get(setting)
        if not value:
            names = [key for key, key_setting in self.meaning.items() if key_setting == setting]
            places = (self.config, self.class_row)
            # The value is absent or 0, so `whole` raises an error that names the key that there is or should be.
            self.keys.whole(next((key for place in places for key in names if key in place), names[0]))
        return value

    def error(self, setting: str, message: str) -> ArchitectureError:
        """Return the error to raise for a setting, under the key that states it."""
        return self.keys.error(self.key_of.get(setting, setting), message)

    def words(self, setting: str, number: int) -> list[str] | None:
        """Return the kinds of layers that a setting lists, as words or letters; None if the setting is absent."""
        listed_kinds = self.get(setting)
        if listed_kinds is None:
            return None
        predictions = self.get("predictions") or 0
        if self.key_of[setting] == "block_types" and isinstance(listed_kinds, list) and listed_kinds:
            listed_kinds = (listed_kinds * -(-number // len(listed_kinds)))[:number]
        # The list may go on with the blocks that predict further tokens.
        if isinstance(listed_kinds, int) or len(listed_kinds) not in (number, number + predictions):
            raise self.error(setting, f"must name the kind of each of the {number} layers")
        names = {**WORDS, **KEYS["words_of"].get(self.key_of[setting], {})}
        kinds = [names.get(word if type(word) is int else str(word)) for word in list(listed_kinds)[:number]]
        if None in kinds:
            word = str(listed_kinds[kinds.index(None)])[:40]
            message = f"names {word!r}, which is not a kind of layer that can be counted"
            raise self.error(setting, f"{message}{nearest(word, WORDS, 0)}")
        return ["mamba" if kind == "linear" and "mamba" in self.row else str(kind) for kind in kinds]

    def _of_full_layers(self, stated: Any) -> dict[str, Any]:
        """Return the keys that the config states for all layers with full attention, and for no other layers."""
        kinds, places = self.config.get("layer_types") or [], stated if isinstance(stated, dict) else {}
        full = {str(layer) for layer, kind in enumerate(kinds) if kind == "full_attention"}
        entries = list(places.values())
        is_one = bool(entries) and all(isinstance(entry, dict) and entry == entries[0] for entry in entries)
        if not is_one or {str(layer).lstrip("0") or "0" for layer in places} != full:
            message = "other than the same keys for each layer of full_attention in layer_types cannot be counted"
            raise self.keys.error("per_layer_config", message)
        self.keys.known.add("per_layer_config")
        return entries[0]

    def _take(self, key: str, value: Any) -> None:
        """Store a key's value under its setting. Raise ArchitectureError if another contradicts it."""
        setting = self.meaning.get(key)
        if setting is None:
            return
        self.keys.known.add(key)
        if setting == "said" or (value is None and setting != "tied"):
            return
        if setting == "window_pattern" and isinstance(value, str) and "layer_types" in self.config:
            return  # letters, such as LLLG, for what the list states
        self._check(key, setting, value)
        if value:
            self._refuse_other_network(key, setting)
        earlier = self.values.get(setting)
        if earlier and value and earlier != value:
            if setting == "predictions":  # one key may count uses of a module, another its weights
                self.values[setting] = min(earlier, value)
                return
            message = f"but {self.key_of[setting]}, which means the same, is {shown(earlier)}"
            raise self.keys.error(key, f"is {shown(value)}, {message}")
        if value or setting not in self.values:
            self.values[setting], self.key_of[setting] = value, key

    def _refuse_other_network(self, key: str, setting: str) -> None:
        """Raise ArchitectureError for a key of the network's structure that the class lacks, if it lists its settings."""
        # Meta's files, which name no type, derive the width of feed-forward networks; a class may not.
        is_part = setting in (*KEYS["structure"], *(["feed_forward_step"] if "model_type" in self.config else []))
        if is_part and setting not in self.class_row.get("settings", (setting,)):
            message = f"is not a key of the class of {self.keys.class_type}: this is the config of another network"
            raise self.keys.error(key, message)

    def _check(self, key: str, setting: str, value: Any) -> None:
        """Raise ArchitectureError if a key's value is not of the kind that its setting takes."""
        kind = KIND_OF.get(setting, "wholes")  # settings of a single row in types.yml are whole numbers
        if kind == "flags":
            self.keys.flag(key)
        elif kind == "numbers":
            self.keys.number(key)
        elif kind == "lists":
            self.keys.wholes(key, least=0, may_be_empty=True, value=value)
        elif kind == "free":
            is_number = isinstance(value, int) and setting in ("sparse_last", "expert_step", "bidirectional")
            is_short = isinstance(value, list) and len(value) <= MOST_LAYERS
            if not (is_number or is_short or isinstance(value, str)):
                raise self.keys.error(key, f"cannot be {shown(value)}")
        elif not (setting == "state_rank" and value == "auto"):
            self.keys.checked(key, value, 0 if kind == "wholes_or_zero" else 1)

    def _take_defaults(self) -> None:
        """Add the class's default for each setting that the config does not state; a stated null counts as stated.

        If only the kinds of layers are listed, their number is the number of layers.
        """
        stated_settings = {self.meaning.get(key) for key in self.config}
        kinds = self.values.get("kinds")
        if "layers" not in self.values and isinstance(kinds, list | str):
            self.values["layers"] = len(kinds)
        for key, value in self.class_row.items():
            setting = self.meaning.get(key, "said")
            # A width that follows from a factor and a multiple has no default.
            is_derived = setting == "feed_forward" and "feed_forward_step" in stated_settings
            if (
                setting not in ("said", "predictions")
                and not is_derived
                and setting not in stated_settings
                and setting not in self.values
            ):
                self.values[setting], self.key_of[setting] = value, key
                self.keys.reading.defaults[key] = value
