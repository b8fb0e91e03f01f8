"""Hand-written YAML, parsed by the rules of YAML 1.2 and with the line of each node: `60e6` is a number, `no` is text, dates are text."""

import os
import re
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from schemas.plain_text import cut, shortened

Steps = tuple[str | int, ...]  # keys and indices that lead from a record to something in it
LARGEST_BYTES = 1_000_000
DEEPEST = 20
LONGEST_KEY, LONGEST_FIELD, LONGEST_FILE = 100, 80, 120  # characters
EMPTY = "is empty; `README.md` shows how a record begins"


class Mistake(NamedTuple):
    """One problem in a file: its place, the problem and the nearest valid value."""

    file: str
    line: int
    field: str
    message: str

    def __str__(self) -> str:
        file = self.file if len(self.file) <= LONGEST_FILE else f"…{self.file[-LONGEST_FILE:]}"
        place = f"{file}:{self.line}" if self.line else file
        field, said = cut(self.field, LONGEST_FIELD), shortened(self.message)
        return cut(f"{place} {field}: {said}" if field else f"{place}: {said}")


class RecordError(Exception):
    """Everything that is wrong with a set of records."""

    def __init__(self, mistakes: Iterable[Mistake]) -> None:
        self.mistakes = sorted(set(mistakes))
        super().__init__("\n".join(map(str, self.mistakes)))


class Text(NamedTuple):
    """A file's content, and its node tree for line numbers."""

    content: Any
    node: yaml.Node


NOTHING = Text({}, yaml.MappingNode("", [], yaml.Mark("", 0, 0, 0, None, None)))


def _integer(digits: str) -> int | float:
    # Python refuses to read or show integers of thousands of digits; as a float one is refused as not finite.
    return int(digits) if len(digits) <= 300 else float(digits)


class _Loader(yaml.CSafeLoader):
    """PyYAML's 1.1 rules for numbers, booleans and dates replaced by those of YAML 1.2's core schema."""

    yaml_implicit_resolvers: dict[str, Any] = {}


# What YAML does not allow in a file, and what no text needs, written there by its number ("\\e").
_UNPRINTABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_FLOAT = r"[-+]?([0-9]+\.[0-9]*|\.?[0-9]+)(e[-+]?[0-9]+)?"
for _tag, _pattern, _first in (
    ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    ("bool", r"true|True|TRUE|false|False|FALSE", list("tTfF")),
    ("int", r"[-+]?(0|[1-9][0-9]*)", list("-+0123456789")),
    ("float", _FLOAT, list("-+.0123456789")),
):
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(rf"^(?:{_pattern})$", re.IGNORECASE), _first)
_Loader.add_constructor("tag:yaml.org,2002:int", lambda loader, node: _integer(node.value))
_Loader.add_constructor("tag:yaml.org,2002:float", lambda loader, node: float(node.value))


def read(path: Path, shown: str) -> tuple[Text | None, list[Mistake]]:
    """The content of one file and the mistakes in its text; `shown` is the file's name in messages.

    There is no content where the file cannot be read.
    """
    written, mistakes = written_text(path, shown)
    return (None, mistakes) if written is None else parse(written, shown)


def written_text(path: Path, shown: str) -> tuple[str | None, list[Mistake]]:
    """The characters of one file, or why there are none."""
    content, mistakes = written_bytes(path, shown)
    if content is None:
        return None, mistakes
    try:
        return content.decode("utf-8-sig"), []
    except UnicodeDecodeError as problem:
        return _refuse(shown, f"is not text in UTF-8 (byte {problem.start})")


def written_bytes(path: Path, shown: str) -> tuple[bytes | None, list[Mistake]]:
    """The bytes of one regular file, or why there are none: a device has no end, and a pipe may wait for one."""
    try:
        opened = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(opened, "rb") as file:
            found = os.fstat(opened)
            if not stat.S_ISREG(found.st_mode):
                return _refuse(shown, "is no regular file, as a record is")
            if found.st_size > LARGEST_BYTES:
                return _refuse(shown, f"has {found.st_size:,} bytes; a record has at most {LARGEST_BYTES:,}")
            content = file.read(LARGEST_BYTES + 1)
    except OSError as problem:
        return _refuse(shown, f"cannot be read: {problem.strerror or problem}")
    if len(content) > LARGEST_BYTES:
        return _refuse(shown, f"has more than {LARGEST_BYTES:,} bytes; a record has at most as many")
    return content, []


def parse(written: str, shown: str) -> tuple[Text | None, list[Mistake]]:
    """The content of a text and the mistakes in it, as `read` returns them."""
    if not written.strip():
        return _refuse(shown, EMPTY)
    unprintable = _UNPRINTABLE.search(written)
    if unprintable:
        line = written.count("\n", 0, unprintable.start()) + 1
        return _refuse(shown, f"is not YAML: holds the control character {ord(unprintable[0]):#04x}", line)
    try:
        refused = _refused_event(written)
        if refused:
            return _refuse(shown, *refused)
        loader = _Loader(written)
        try:
            node = loader.get_single_node()
            repeated = list(_wrong_keys(node, shown))
            if any(mistake.message.startswith("has a key of") for mistake in repeated):
                return None, repeated
            content = loader.construct_document(node) if node is not None else None
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as problem:
        mark = problem.problem_mark or problem.context_mark
        reason = " ".join(part for part in (problem.context, problem.problem) if part)
        return _refuse(shown, f"is not YAML: {reason}", mark.line + 1 if mark else 0)
    except (yaml.YAMLError, ValueError, RecursionError) as problem:
        return _refuse(shown, f"is not YAML: {' '.join(str(problem).split())}")
    if content is None:
        return _refuse(shown, EMPTY)
    if not isinstance(node, yaml.MappingNode):
        kind = {yaml.SequenceNode: "a list"}.get(type(node), "a single value")
        return _refuse(shown, f"is {kind}; a record is a mapping that begins with `name:`", 1)
    return Text(content, node), repeated


def _refuse(shown: str, message: str, line: int = 0) -> tuple[None, list[Mistake]]:
    return None, [Mistake(shown, line, "", message)]


def _refused_event(text: str) -> tuple[str, int] | None:
    # Events come without recursion: depth and aliases are refused before anything is composed.
    depth = documents = 0
    for event in yaml.parse(text, Loader=yaml.CSafeLoader):
        line = event.start_mark.line + 1
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            return "anchors and aliases (& and *) are not used in records; write the value out", line
        tag = getattr(event, "tag", None)
        if tag is not None:
            return f"tags such as {tag!r} are not used in records; write the value alone", line
        if isinstance(event, yaml.ScalarEvent) and (found := _CONTROL.search(event.value)):
            return f"holds the control character {ord(found[0]):#04x}; no text of a record needs one", line
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > DEEPEST:
            return f"is nested deeper than {DEEPEST} levels", line
        documents += isinstance(event, yaml.DocumentStartEvent)
        if documents > 1:
            return "holds two documents; a file holds one record", line
    return None


def _wrong_keys(node: yaml.Node | None, shown: str, path: str = "") -> Iterator[Mistake]:
    if isinstance(node, yaml.MappingNode):
        lines: dict[str, int] = {}
        for key, value in node.value:
            line = key.start_mark.line + 1
            name = str(key.value)
            if isinstance(key, yaml.ScalarNode) and len(name) > LONGEST_KEY:
                yield Mistake(
                    shown, line, path, f"has a key of {len(name):,} characters; a key has at most {LONGEST_KEY}"
                )
                continue
            inner = f"{path}.{name}".lstrip(".")
            if name in lines:
                places = f"in lines {lines[name]} and {line}" if line != lines[name] else f"in line {line}"
                yield Mistake(shown, line, inner, f"stands twice, {places}; keep one")
            lines.setdefault(name, line)
            yield from _wrong_keys(value, shown, inner)
    elif isinstance(node, yaml.SequenceNode):
        for index, item in enumerate(node.value):
            yield from _wrong_keys(item, shown, f"{path}[{index}]")


def line_of(root: yaml.Node, steps: Steps) -> int:
    """Line of the innermost node along `steps`; steps that are not in the file (a union's tag) are skipped."""
    node, line = root, root.start_mark.line + 1
    for step in steps:
        found = None
        if isinstance(node, yaml.MappingNode):
            found = next(((key, value) for key, value in reversed(node.value) if key.value == str(step)), None)
            if found:
                line, node = found[0].start_mark.line + 1, found[1]
        elif isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
            node = node.value[step]
            line = node.start_mark.line + 1
    return line


def written_path(content: Any, steps: Steps) -> str:
    """Steps as a path, `training[0].hardware[0].chip`; steps that are neither in the content nor last are left out.

    >>> written_path({"training": [{"epochs": 1}]}, ("training", 0, "float", "epochs"))
    'training[0].epochs'
    """
    path = ""
    for position, step in enumerate(steps):
        inside = (isinstance(content, dict) and step in content) or (
            isinstance(content, list) and isinstance(step, int) and step < len(content)
        )
        if not inside and (position < len(steps) - 1 or not isinstance(content, dict)):
            continue
        path += f"[{step}]" if isinstance(step, int) else f".{step}"
        content = content[step] if inside else None
    return path.lstrip(".")
