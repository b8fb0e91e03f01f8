"""Check the arguments that a record states for a family or a layer kind against the type hints of its function."""

import inspect
import types
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from schemas.spelling import closest, nearest

MOST_LAYERS, LARGEST_NUMBER = 10_000, 1_000_000_000
MAY_BE_ZERO = ("padding", "output_padding", "norm_parameters", "bias_entries", "shared_experts", "bias_vectors")
WORDS = {
    bool: "true or false",
    str: "a word",
    dict: "a mapping",
    list: "a list",
    Sequence: "a list of whole numbers above 0",
}


def mistakes(
    stated: Mapping[str, Any], takes: Callable[..., Any], owner: str, noun: str, place: str = ""
) -> Iterator[tuple[str | None, str]]:
    """Yield each wrong argument with a sentence about it, then None with a sentence about the missing arguments.

    In the sentences, `owner` is the family or layer that needs the missing arguments, and `noun` describes a valid
    argument, such as "a key of family vgg". `place` begins each sentence about a wrong argument.
    """
    parameters = _parameters(takes)
    for name, value in stated.items():
        if name not in parameters:
            yield name, f"{place}{name!r} is not {noun}{nearest(name, parameters)}"
            continue
        hint = parameters[name].annotation
        kinds = typing.get_args(hint) if isinstance(hint, types.UnionType) else (hint,)
        # The default always fits. Types are compared because True == 1.
        is_default = value == parameters[name].default and type(value) is type(parameters[name].default)
        largest = MOST_LAYERS if name.endswith(("layers", "depth")) else LARGEST_NUMBER
        if not is_default and not any(_fits(name, value, kind) for kind in kinds):
            expected = " or ".join(_in_words(name, kind) for kind in kinds if kind is not type(None))
            yield name, f"{place}{name} must be {expected}, not {value!r}"
        elif type(value) is int and value > largest:
            yield name, f"{place}{name} is more than possible ({largest:,}): {value:,}"
    # A misspelled argument is not also reported as missing.
    meant = {closest(name, parameters) for name in stated if name not in parameters}
    needed = (name for name, entry in parameters.items() if entry.default is entry.empty)
    if absent := [name for name in needed if name not in {*stated, *meant}]:
        yield None, f"{owner} needs {', '.join(absent)}"


@cache
def _parameters(takes: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    return {name: entry for name, entry in inspect.signature(takes).parameters.items() if name != "shape"}


def _least(name: str) -> int:
    return 0 if name in MAY_BE_ZERO else 1


def _fits(name: str, value: Any, kind: Any) -> bool:
    """Return whether a value fits one kind in an argument's annotation. A float, too, must be a whole number."""
    if kind in (int, float):
        return type(value) is int and value >= _least(name)
    origin = typing.get_origin(kind) or kind
    if origin is typing.Literal:
        return type(value) is int and value in typing.get_args(kind)
    if origin is Sequence:
        return isinstance(value, list) and bool(value) and all(_fits(name, axis, int) for axis in value)
    return isinstance(value, origin)


def _in_words(name: str, kind: Any) -> str:
    if kind in (int, float):
        return f"a whole number {'above 0' if _least(name) else 'of 0 or more'}"
    return WORDS.get(typing.get_origin(kind) or kind) or ", ".join(map(str, typing.get_args(kind)))
