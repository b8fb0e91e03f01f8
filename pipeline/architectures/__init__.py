"""Families of networks, which turn a few numbers into layers. Records name a family by its file in families/."""

import dataclasses
import json
from functools import lru_cache
from typing import Any, cast

from pipeline.architectures.arguments import mistakes
from pipeline.architectures.network import FAMILIES, ArchitectureError, Lengths, Placed, place, refuse_all
from pipeline.formulas.totals import Totals, total
from schemas.spelling import nearest

FLAGS = ("is_gated", "is_tied", "has_biases")
FLAGS_SINCE = "2023"  # model records from this year on state the flags; earlier models rarely differ in them


def placed_layers(settings: dict[str, Any], lengths: Lengths) -> list[Placed]:
    """Return the layers of the architecture in a record's `settings`, for sequences of these lengths.

    `settings` contains `family` and that family's numbers. Raise ArchitectureError with the key that is wrong.

    >>> len(placed_layers({"family": "vgg", "depth": 16, "image_size": 224, "classes": 1000}, Lengths()))
    39
    """
    return list(_placed(json.dumps(settings, default=str), lengths))


@lru_cache(maxsize=2_000)  # networks, each with dozens of layers
def _placed(settings: str, lengths: Lengths) -> tuple[Placed, ...]:
    # Cached, because checks, ingestion and measurements ask for the same networks.
    numbers = json.loads(settings)
    name = numbers.pop("family")
    if name not in FAMILIES:
        raise ArchitectureError(f"{name!r} is not a family{nearest(name, FAMILIES)}", "family")
    wrong = mistakes(numbers, FAMILIES[name], f"family {name}", f"a key of family {name}")
    refuse_all(ArchitectureError(message, key) for key, message in wrong)
    return tuple(place(FAMILIES[name](**numbers).nodes(lengths)))


def counted(settings: dict[str, Any], lengths: Lengths = Lengths()) -> Totals:  # noqa: B008 Lengths is frozen
    """Return parameters and operations of the architecture in `settings`, for one example: a whole image or sequence.

    Operations are in FLOP; a multiply-add counts as two. Raise ArchitectureError like `placed_layers`.

    >>> counted({"family": "resnet", "depth": 18, "image_size": 224, "classes": 1000}).forward_flop
    3628146688
    """
    return total((layer.count, layer.backward_flop, layer.times) for layer in placed_layers(settings, lengths))


def left_to_family(settings: dict[str, Any]) -> dict[str, tuple[bool, str]]:
    """Return the flags that an architecture does not state, each with its family's default and a sentence about it.

    >>> left_to_family({"family": "transformer_encoder", "layers": 12})
    {'is_tied': (True, "is_tied is not stated: true, the family's default")}
    """
    default = {entry.name: entry.default for entry in dataclasses.fields(cast(Any, FAMILIES[settings["family"]]))}
    flags = [flag for flag in FLAGS if flag in default and flag not in settings]
    if not {**default, **settings}.get("has_head", True):
        flags = [flag for flag in flags if flag != "is_tied"]
    return {
        flag: (default[flag], f"{flag} is not stated: {json.dumps(default[flag])}, the family's default")
        for flag in flags
    }
