"""Families of networks: a few numbers in, layers out. A family is a file in families/, named as records name it."""

import dataclasses
import json
import types
import typing
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any

from pipeline.architectures.network import FAMILIES, ArchitectureError, Lengths, Placed, place, refuse_all
from pipeline.formulas.totals import Totals, total
from schemas.spelling import closest, nearest

MOST_LAYERS = 10_000
LARGEST_NUMBER = 1_000_000_000
FLAGS, FLAGS_SINCE = (
    ("is_gated", "is_tied", "has_biases"),
    "2023",
)  # that a record states; earlier ones were of one kind
MOST_REMEMBERED = 2_000  # networks, of some dozens of layers each


def placed_layers(settings: dict[str, Any], lengths: Lengths) -> list[Placed]:
    """The layers of the architecture that a record's `settings` name, for sequences of these lengths.

    `settings` holds `family` and that family's numbers. Raises ArchitectureError with the key that is wrong.

    >>> len(placed_layers({"family": "vgg", "depth": 16, "image_size": 224, "classes": 1000}, Lengths()))
    39
    """
    return list(_placed(json.dumps(settings, default=str), lengths))


@lru_cache(maxsize=MOST_REMEMBERED)
def _placed(settings: str, lengths: Lengths) -> tuple[Placed, ...]:
    # Checks, ingestion and measurements ask for the same networks.
    numbers = json.loads(settings)
    name = numbers.pop("family")
    if name not in FAMILIES:
        raise ArchitectureError(f"{name!r} is not a family{nearest(name, FAMILIES)}", "family")
    refuse_all(_problems(name, numbers))
    return tuple(place(FAMILIES[name](**numbers).nodes(lengths)))


def counted(settings: dict[str, Any], lengths: Lengths = Lengths()) -> Totals:  # noqa: B008 it is frozen
    """Parameters and operations of the architecture that `settings` name, for one example: a whole image or sequence.

    FLOP, a multiply-add being two. Raises ArchitectureError as `placed_layers` does.

    >>> counted({"family": "resnet", "depth": 18, "image_size": 224, "classes": 1000}).forward_flop
    3628146688
    """
    return _counted(json.dumps(settings, default=str), lengths)


@lru_cache(maxsize=MOST_REMEMBERED)
def _counted(settings: str, lengths: Lengths) -> Totals:
    placed = _placed(settings, lengths)
    return total((each.count, each.backward_flop, each.times) for each in placed)


def left_to_family(settings: dict[str, Any]) -> dict[str, tuple[bool, str]]:
    """Return the flags that an architecture leaves to its family, each with the family's value and words that say so.

    >>> left_to_family({"family": "transformer_encoder", "layers": 12})
    {'is_tied': (True, "is_tied is not stated: true, the family's")}
    """
    usual = {entry.name: entry.default for entry in dataclasses.fields(typing.cast(Any, FAMILIES[settings["family"]]))}
    flags = [flag for flag in FLAGS if flag in usual and flag not in settings]
    if not {**usual, **settings}.get("has_head", True):
        flags = [flag for flag in flags if flag != "is_tied"]
    return {flag: (usual[flag], f"{flag} is not stated: {json.dumps(usual[flag])}, the family's") for flag in flags}


def _problems(name: str, numbers: dict[str, Any]) -> Iterator[ArchitectureError]:
    hints = _hints(name)
    defaults = {entry.name: entry.default for entry in dataclasses.fields(typing.cast(Any, FAMILIES[name]))}
    for key, value in numbers.items():
        if key not in hints:
            yield ArchitectureError(f"{key!r} is not a key of family {name}{nearest(key, hints)}", key)
        elif not _fits(value, hints[key]) and (value != defaults.get(key) or isinstance(value, bool)):
            yield ArchitectureError(f"{key} must be {_in_words(hints[key])}, not {value!r}", key)
        else:
            largest = MOST_LAYERS if key.endswith(("layers", "depth")) else LARGEST_NUMBER
            if isinstance(value, int) and value > largest:
                yield ArchitectureError(f"{key} is more than can be ({largest:,}): {value:,}", key)
    meant = {closest(key, hints) for key in numbers if key not in hints}
    for entry in dataclasses.fields(typing.cast(Any, FAMILIES[name])):
        if entry.name not in {*numbers, *meant} and entry.default is dataclasses.MISSING:
            yield ArchitectureError(f"family {name} needs {entry.name}")


@cache
def _hints(name: str) -> dict[str, Any]:
    return typing.get_type_hints(FAMILIES[name])


def _fits(value: Any, hint: Any) -> bool:
    kinds = typing.get_args(hint) if isinstance(hint, types.UnionType) else (hint,)
    if bool in kinds and isinstance(value, bool):
        return True
    if int in kinds and isinstance(value, int) and not isinstance(value, bool):
        return value > 0
    if any(value in typing.get_args(kind) for kind in kinds if typing.get_origin(kind) is typing.Literal):
        return True
    origins = tuple(typing.get_origin(kind) or kind for kind in kinds)
    return any(isinstance(value, kind) for kind in origins if kind in (list, dict))


def _in_words(hint: Any) -> str:
    kinds = typing.get_args(hint) if isinstance(hint, types.UnionType) else (hint,)
    words = {int: "a whole number above 0", bool: "true or false", dict: "a mapping", list: "a list"}
    return " or ".join(
        words.get(kind, str(typing.get_origin(kind) or kind)) for kind in kinds if kind is not type(None)
    )
