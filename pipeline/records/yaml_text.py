"""Hand-written YAML, parsed by the rules of YAML 1.2, with the line of each node.

`60e6` is a number, `no` is text, dates are text.
"""

import os
import re
import stat
from collections.abc import Callable, Iterable, Sized
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from schemas.plain_text import cut, shorten

Steps = tuple[str | int, ...]  # the keys and indices that lead to a place in a record
LARGEST_BYTES = 1_000_000
DEEPEST = 20
# Entries of a list or mapping, and events of a file; limited because checks compare entries pairwise.
MOST_ENTRIES, MOST_EVENTS = (1_000, 50_000)
LONGEST_KEY, LONGEST_FIELD, LONGEST_FILE = 100, 80, 120  # characters
EMPTY = "is empty; `README.md` shows how a record begins"


class Mistake(NamedTuple):
    """One problem in a file: its place, what is wrong, and the nearest valid value."""

    file: str
    line: int
    field: str
    message: str

    def __str__(self) -> str:
        file = self.file if len(self.file) <= LONGEST_FILE else f"…{self.file[-LONGEST_FILE:]}"
        place = f"{file}:{self.line}" if self.line else file
        field, said = cut(self.field, LONGEST_FIELD), shorten(self.message)
        return cut(f"{place} {field}: {said}" if field else f"{place}: {said}")


class RecordError(Exception):
    """Raised with every problem of a set of records."""

    def __init__(self, mistakes: Iterable[Mistake]) -> None:
        self.mistakes = sorted(set(mistakes))
        super().__init__("\n".join(map(str, self.mistakes)))


class Text:
    """The content of a file, and its tree of nodes for line numbers, which is built when first needed."""

    def __init__(self, content: Any, written: str) -> None:
        self.content, self._written = content, written

    @cached_property
    def node(self) -> yaml.Node:
        """Return the root node of the document, or an empty mapping if the document is empty."""
        nothing = yaml.MappingNode("", [], yaml.Mark("", 0, 0, 0, None, None))
        return yaml.compose(self._written, Loader=yaml.CSafeLoader) or nothing


NOTHING = Text({}, "")


def _integer(digits: str) -> int | float:
    # Python refuses to parse integers with thousands of digits. Such a number becomes a float, which is refused as not
    # finite.
    return int(digits) if len(digits) <= 300 else float(digits)


# Plain scalars that are not text by the core schema of YAML 1.2; PyYAML follows YAML 1.1.
_NO_TEXT = re.compile(
    r"(?P<null>~|null|)|(?P<bool>true|false)|(?P<int>[-+]?(?:0|[1-9][0-9]*))"
    r"|(?P<float>[-+]?(?:[0-9]+\.[0-9]*|\.?[0-9]+)(?:e[-+]?[0-9]+)?)",
    re.IGNORECASE,
)
_MEANING: dict[str | None, Callable[[str], Any]] = {
    "null": lambda _: None,
    "bool": lambda text: text.lower() == "true",
    "int": _integer,
    "float": float,
}

# Characters that YAML does not allow in a file, and characters that no text needs, written as YAML escapes ("\\e").
_UNPRINTABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def read(path: Path, shown: str) -> tuple[Text | None, list[Mistake]]:
    """Return the content of a file and the mistakes in its text. `shown` is the file's name in messages.

    The content is None if the file cannot be read.
    """
    content, mistakes = written_bytes(path, shown)
    return (None, mistakes) if content is None else read_bytes(content, shown)


def read_bytes(content: bytes, shown: str) -> tuple[Text | None, list[Mistake]]:
    """Return the content of a file with these bytes and the mistakes in its text, like `read`."""
    try:
        return parse(content.decode("utf-8-sig"), shown)
    except UnicodeDecodeError as problem:
        return _refuse(shown, f"is not text in UTF-8 (byte {problem.start})")


def written_bytes(path: Path, shown: str) -> tuple[bytes | None, list[Mistake]]:
    """Return the bytes of a regular file, or None and the reason why it cannot be read.

    Other files are refused: a device has no end, and reading a pipe may block.
    """
    try:
        opened = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(opened, "rb") as file:
            status = os.fstat(opened)
            if not stat.S_ISREG(status.st_mode):
                return _refuse(shown, "is not a regular file, as a record must be")
            if status.st_size > LARGEST_BYTES:
                return _refuse(shown, f"has {status.st_size:,} bytes; a record has at most {LARGEST_BYTES:,}")
            content = file.read(LARGEST_BYTES + 1)
    except OSError as problem:
        return _refuse(shown, f"cannot be read: {problem.strerror or problem}")
    if len(content) > LARGEST_BYTES:
        return _refuse(shown, f"has more than {LARGEST_BYTES:,} bytes; a record has at most as many")
    return content, []


def parse(written: str, shown: str) -> tuple[Text | None, list[Mistake]]:
    """Return the content of a text and the mistakes in it, like `read`."""
    if not written.strip():
        return _refuse(shown, EMPTY)
    unprintable = _UNPRINTABLE.search(written)
    if unprintable:
        line = written.count("\n", 0, unprintable.start()) + 1
        return _refuse(shown, f"is not YAML: contains the control character {ord(unprintable[0]):#04x}", line)
    reading = _Reading(shown, written)
    try:
        content = reading.document()
    except _RefusedError as refused:
        return _refuse(shown, *refused.args)
    except yaml.MarkedYAMLError as problem:
        mark = problem.problem_mark or problem.context_mark
        reason = " ".join(part for part in (problem.context, problem.problem) if part)
        return _refuse(shown, f"is not YAML: {reason}", mark.line + 1 if mark else 0)
    except (yaml.YAMLError, ValueError, RecursionError) as problem:
        return _refuse(shown, f"is not YAML: {' '.join(str(problem).split())}")
    if content is None:
        return _refuse(shown, EMPTY)
    if not isinstance(content, dict):
        kind = "a list" if isinstance(content, list) else "a single value"
        return _refuse(shown, f"is {kind}; a record is a mapping that begins with `name:`", 1)
    return Text(content, written), reading.mistakes


@lru_cache(maxsize=10_000)
def _scalar(text: str) -> Any:
    plain = _NO_TEXT.fullmatch(text)
    return _MEANING[plain.lastgroup](text) if plain else text


def _refuse(shown: str, message: str, line: int = 0) -> tuple[None, list[Mistake]]:
    return None, [Mistake(shown, line, "", message)]


class _RefusedError(Exception):
    """Raised for content that no record may have, with a message and a line."""


class _Reading:
    """A reader that builds a document from parser events, so that it refuses aliases and too much depth early."""

    def __init__(self, shown: str, written: str) -> None:
        self.mistakes: list[Mistake] = []
        self._shown, self._loader = shown, yaml.CSafeLoader(written)
        self._has_controls = "\\" in written or _CONTROL.search(written) is not None  # possibly, raw or as escapes
        self._events = 0
        self._late: _RefusedError | None = None  # raised only at the end, after mistakes of syntax

    def document(self) -> Any:
        """Return the content of a text with a single document. Raise _RefusedError or yaml.YAMLError."""
        content, documents = None, 0
        try:
            while not isinstance(event := self._next(), yaml.StreamEndEvent):
                documents += isinstance(event, yaml.DocumentStartEvent)
                if documents > 1:
                    raise _RefusedError("contains two documents; a file contains one record", _line(event))
                if isinstance(event, yaml.NodeEvent):
                    content = self._value(event, "", 0)
        finally:
            self._loader.dispose()
        if self._late:
            raise self._late
        return content

    def _next(self, inside: Sized = ()) -> Any:
        event = self._loader.get_event()
        self._events += 1
        if self._events > MOST_EVENTS or len(inside) > MOST_ENTRIES:
            words = f"has more than {MOST_ENTRIES:,} entries in one list or mapping, or too many in all"
            raise _RefusedError(words, _line(event))
        return event

    def _value(self, event: Any, path: str, depth: int) -> Any:
        if event.anchor:  # an alias also has an anchor
            raise _RefusedError(
                "anchors and aliases (& and *) are not used in records; write the value out", _line(event)
            )
        if event.tag is not None:
            words = f"tags such as {event.tag!r} are not used in records; write only the value"
            raise _RefusedError(words, _line(event))
        if isinstance(event, yaml.ScalarEvent):
            if control := self._has_controls and _CONTROL.search(event.value):
                words = f"contains the control character {ord(control[0]):#04x}; no text of a record needs one"
                raise _RefusedError(words, _line(event))
            return _scalar(event.value) if event.implicit[0] else event.value
        if depth == DEEPEST:
            raise _RefusedError(f"is nested deeper than {DEEPEST} levels", _line(event))
        if isinstance(event, yaml.MappingStartEvent):
            return self._mapping(path, depth)
        items: list[Any] = []
        while not isinstance(event := self._next(items), yaml.SequenceEndEvent):
            items.append(self._value(event, f"{path}[{len(items)}]", depth + 1))
        return items

    def _mapping(self, path: str, depth: int) -> dict[Any, Any]:
        """Return the mapping that begins here, with a repeated key's last value. Add a mistake for each repetition."""
        content: dict[Any, Any] = {}
        first_lines: dict[str, int] = {}
        while not isinstance(event := self._next(content), yaml.MappingEndEvent):
            key, line, name = self._value(event, path, depth + 1), _line(event), getattr(event, "value", "")
            if isinstance(key, list | dict):
                words = "is not YAML: while constructing a mapping found unhashable key"
                self._late, key = self._late or _RefusedError(words, line), ""
            if len(name) > LONGEST_KEY:
                raise _RefusedError(f"has a key of {len(name):,} characters; a key has at most {LONGEST_KEY}", line)
            inner_path = f"{path}.{name}" if path else name
            if name in first_lines:
                first_line = first_lines[name]
                places = f"in lines {first_line} and {line}" if line != first_line else f"in line {line}"
                self.mistakes.append(Mistake(self._shown, line, inner_path, f"stands twice, {places}; keep one"))
            first_lines.setdefault(name, line)
            content[key] = self._value(self._next(), inner_path, depth + 1)
        return content


def _line(event: Any) -> int:
    return int(event.start_mark.line) + 1


def line_of(root: yaml.Node, steps: Steps) -> int:
    """Return the line of the innermost node along `steps`. Skip steps that are not in the file: tags of unions."""
    node, line = root, root.start_mark.line + 1
    for step in steps:
        entry = None
        if isinstance(node, yaml.MappingNode):
            entry = next(((key, value) for key, value in reversed(node.value) if key.value == str(step)), None)
            if entry:
                line, node = entry[0].start_mark.line + 1, entry[1]
        elif isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
            node = node.value[step]
            line = node.start_mark.line + 1
    return line


def entries(node: yaml.Node | None) -> list[tuple[str, Any]]:
    """Return the keys of a mapping's node and the nodes of their values; nothing for another node."""
    return [(str(key.value), value) for key, value in node.value] if isinstance(node, yaml.MappingNode) else []


def written_path(content: Any, steps: Steps) -> str:
    """Return steps as a path, `training[0].hardware[0].chip`, without steps that are neither in the content nor last.

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
