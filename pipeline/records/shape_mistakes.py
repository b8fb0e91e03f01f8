"""Mistakes in the shape of a record (keys, types, words): pydantic's errors in plain words."""

import re
import types
import typing
from collections.abc import Iterator
from enum import StrEnum
from typing import Any

from pydantic import BaseModel, TypeAdapter, ValidationError

from pipeline.records.checks.record import LoadedRecord
from pipeline.records.yaml_text import Mistake, Steps
from schemas import records as schema
from schemas.facts import Quote, Seen
from schemas.records import Assumption
from schemas.spelling import closest, nearest

MOST_WORDS = 6  # a message about a missing key lists its allowed words only if there are at most this many
COMMA = "; a comma inside {…} starts a new key: put text in quotes and write numbers without commas"


def shape_mistakes(loaded: LoadedRecord, problems: ValidationError) -> Iterator[Mistake]:
    """Yield a mistake for each error that does not follow from another."""
    for problem in _distinct_errors(problems.errors(), schema.KINDS[loaded.kind]):
        yield _mistake(loaded, problem)


def valid_part(shape: Any, content: Any) -> Any:
    """Return the valid part of an invalid record, to check other records against it; invalid facts become None."""
    try:
        return TypeAdapter(shape).validate_python(content)
    except ValidationError:
        pass
    origin, inside = typing.get_origin(shape), typing.get_args(shape)
    if origin in (types.UnionType, typing.Annotated):  # the first type; the other arguments are None or checks
        return valid_part(inside[0], content)
    if origin is list:
        items = [valid_part(inside[0], item) for item in content] if isinstance(content, list) else []
        return [] if None in items else items
    if origin is dict:
        if not isinstance(content, dict) or None in [valid_part(inside[0], key) for key in content]:
            return {}
        return {key: valid_part(inside[1], item) for key, item in content.items() if isinstance(key, str)}
    if not isinstance(shape, type) or not issubclass(shape, BaseModel) or issubclass(shape, Seen | Quote | Assumption):
        return "" if shape is str else None
    keys_given = content if isinstance(content, dict) else {}
    valid_fields = {
        name: valid_part(typing.Annotated[field.annotation, field], keys_given.get(name))
        if name in keys_given or field.is_required()
        else field.get_default(call_default_factory=True)
        for name, field in shape.model_fields.items()
    }
    other_keys = (
        {key: inside for key, inside in keys_given.items() if isinstance(key, str)}
        if shape.model_config.get("extra") == "allow"
        else {}
    )
    return shape.model_construct(**{**other_keys, **valid_fields})


def _distinct_errors(problems: list[Any], shape: Any) -> Iterator[Any]:
    """Yield the errors that do not repeat another: the same number again, or a key missing because it is misspelt."""
    unknown_keys = [problem["loc"] for problem in problems if problem["type"] == "extra_forbidden"]
    places_meant = {(*steps, closest(str(key), _known_keys(shape, tuple(steps)))) for *steps, key in unknown_keys}
    for problem in problems:
        # A number that may have two types and fits neither is reported twice by pydantic, the second time as `str`.
        is_repeated = problem["loc"][-1] == "str"
        is_misspelt = problem["type"] == "missing" and problem["loc"] in places_meant
        if not (is_repeated or is_misspelt):
            yield problem


def _mistake(loaded: LoadedRecord, problem: Any) -> Mistake:
    """Return a pydantic error as a mistake in the words of records, with a hint on how to correct it."""
    shape, steps, value, kind = schema.KINDS[loaded.kind], problem["loc"], problem["input"], problem["type"]
    steps = steps[:-1] if steps[-1] == "[key]" else steps
    if kind == "extra_forbidden":
        return loaded.mistake(steps, _unknown_key(str(steps[-1]), value, _shapes_at(shape, steps[:-1]), shape))
    if kind == "invalid_key":
        line = loaded.line_of(steps)
        return loaded.mistake(steps[:-1], f"{str(value)!r} is not a key here{COMMA}")._replace(line=line)
    if kind == "missing":
        return loaded.mistake(steps, f"is missing{_choice(shape, steps)}")
    if kind == "enum":
        words = [word.strip(" '") for word in problem["ctx"]["expected"].replace(" or ", ", ").split(",")]
        return loaded.mistake(steps, f"{value!r} is not an allowed value{nearest(value, words)}")
    if kind in {"model_type", "dict_type"}:
        return loaded.mistake(
            steps, f"must be an object such as {_example(_shapes_at(shape, steps))}, not {_text(value)}"
        )
    if kind == "list_type":
        return loaded.mistake(steps, f"must be a list, each entry of which begins with a dash, not {_text(value)}")
    if kind in {"too_short", "string_too_short"}:
        return loaded.mistake(steps, "is empty; state at least one" if kind == "too_short" else "is empty")
    if kind == "string_pattern_mismatch":
        is_address = problem["ctx"]["pattern"].startswith("^http")
        hint = "; it begins with https://" if is_address else nearest_id(value)
        return loaded.mistake(steps, f"{value!r} is not {'a web address' if is_address else 'an id'}{hint}")
    if form := {"string_type": "text", "float_type": "a number", "int_type": "a number"}.get(kind):
        return loaded.mistake(steps, f"must be {form}, not {_text(value)}")
    if kind != "record":
        return loaded.mistake(steps, f"{re.sub('^(Input|String) should', 'must', problem['msg'])}, not {_text(value)}")
    return loaded.mistake(steps, problem["msg"])


def _unknown_key(key: str, value: Any, shapes: list[type[BaseModel]], whole: Any) -> str:
    keys = [name for shape in shapes for name in shape.model_fields]
    elsewhere = _place_of(key, whole) if value is not None else None
    if elsewhere:
        return f"{key!r} is not a key here; it belongs in {elsewhere}"
    return f"{key!r} is not a key here{COMMA if value is None else nearest(key, keys)}"


def _place_of(key: str, shape: Any) -> str | None:
    """Return the outermost part of a record that has this key, such as training[0].hardware[0]; None if no part has it.

    >>> _place_of("precision", schema.Model), _place_of("duration", schema.Model), _place_of("precison", schema.Model)
    ('training[0]', 'training[0].hardware[0]', None)
    """
    queue: list[tuple[str, Any]] = [("", shape)]
    visited: list[Any] = []
    while queue:
        place, part_shape = queue.pop(0)
        for name, field in getattr(part_shape, "model_fields", {}).items():
            if name == key and place:
                return place
            for inside, is_list in _models_in(field.annotation):
                if inside not in visited and not issubclass(inside, Seen | Quote | Assumption):
                    visited.append(inside)
                    queue.append((f"{place}.{name}{'[0]' * is_list}".lstrip("."), inside))
    return None


def _models_in(annotation: Any, is_list: bool = False) -> Iterator[tuple[type[BaseModel], bool]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation, is_list
    for inside in typing.get_args(annotation):
        if typing.get_origin(annotation) is not dict:
            yield from _models_in(inside, is_list or typing.get_origin(annotation) is list)


def _choice(model: Any, steps: Steps) -> str:
    """Return the end of a message that lists the words allowed for a missing key; empty if there are many."""
    fields = [
        shape.model_fields[str(steps[-1])] for shape in _shapes_at(model, steps[:-1]) if steps[-1] in shape.model_fields
    ]
    kinds = [inside for field in fields for inside in (field.annotation, *typing.get_args(field.annotation))]
    words = next((sorted(kind) for kind in kinds if isinstance(kind, type) and issubclass(kind, StrEnum)), [])
    return f"; one of {', '.join(words)}" if 0 < len(words) <= MOST_WORDS else ""


def _text(value: Any) -> str:
    return repr(value) if len(repr(value)) <= 60 else f"{repr(value)[:60]}…"


def nearest_id(written: str) -> str:
    """Return the end of a message that suggests the valid id nearest to a malformed one.

    >>> nearest_id("Tiny Model")
    "; did you mean 'tiny-model'?"
    """
    close = re.sub("[^a-z0-9]+", "-", written.lower()).strip("-")
    return f"; did you mean {close!r}?" if close else "; ids are lower-case words with hyphens, such as gpt-3"


def _shapes_at(model: Any, steps: Steps) -> list[type[BaseModel]]:
    """Return the pydantic models that may be at this place in a record; several if the type there is a union."""
    for step in steps:
        candidates = [model] if not isinstance(model, types.UnionType) else list(typing.get_args(model))
        inner: Any = None
        for candidate in candidates:
            origin = typing.get_origin(candidate)
            if isinstance(candidate, type) and issubclass(candidate, BaseModel) and step in candidate.model_fields:
                inner = candidate.model_fields[str(step)].annotation
            elif origin in (list, dict):
                inner = typing.get_args(candidate)[-1]
        model = inner if inner is not None else model
    kinds = [model] if not isinstance(model, types.UnionType) else typing.get_args(model)
    return [kind for kind in kinds if isinstance(kind, type) and issubclass(kind, BaseModel)]


def _known_keys(model: Any, steps: Steps) -> list[str]:
    return [name for shape in _shapes_at(model, steps) for name in shape.model_fields]


def _example(shapes: list[type[BaseModel]]) -> str:
    """Return a mapping with the required keys of the first shape, or its first two keys if none is required."""
    if not shapes:
        return "{name: …}"
    fields = shapes[0].model_fields
    required = [name for name, field in fields.items() if field.is_required()]
    keys = ["value", "quote"] if "value" in fields else required or list(fields)[:2]
    return f"{{{', '.join(f'{key}: …' for key in keys)}}}"
