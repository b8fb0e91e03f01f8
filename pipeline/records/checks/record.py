"""A record as read from its file, and the base class of all checks of one record."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from pipeline.architectures import placed_layers
from pipeline.architectures.network import ArchitectureError, Lengths
from pipeline.records import yaml_text
from pipeline.records.yaml_text import Mistake, Steps
from schemas.records import Architecture
from schemas.spelling import nearest

LENGTHS = ("sequence_length", "target_length")


class LoadedRecord(NamedTuple):
    """A record, or its valid part if the file is invalid, and the file's text, which provides line numbers."""

    kind: str
    identifier: str
    record: Any
    text: yaml_text.Text
    file: str
    wrong: frozenset[str] = frozenset()  # fields that pydantic refused

    def is_wrong(self, field: str) -> bool:
        """Return whether a mistake in the shape of this field, or of anything inside it, is already reported."""
        return any(wrong == field or wrong.startswith(f"{field}.") for wrong in self.wrong)

    def mistake(self, steps: Steps, message: str) -> Mistake:
        """Return a mistake at this place in the record."""
        return Mistake(self.file, self.line_of(steps), yaml_text.written_path(self.text.content, steps), message)

    def line_of(self, steps: Steps) -> int:
        """Return the line of this place in the record."""
        return yaml_text.line_of(self.text.node, steps)


class RecordChecks:
    """Base class for checks of one record; each mistake has the record's file, line and field."""

    def __init__(self, loaded: LoadedRecord) -> None:
        self.loaded, self.record = loaded, loaded.record

    def _mistake(self, message: str, *steps: str | int) -> Mistake:
        return self.loaded.mistake(steps, message)

    def _slips(self, slips: Iterable[tuple[Steps, str]]) -> Iterator[Mistake]:
        return (self._mistake(message, *steps) for steps, message in slips)

    def _refusal(self, word: str | None, what: str, known: Iterable[str], *steps: str | int) -> Mistake:
        """Return a mistake for a word that is not `known`, suggesting the nearest words that are."""
        return self._mistake(f"{word!r} is not {what}{nearest(word or '', known)}", *steps)

    def _repeated_names(self, names: Sequence[str], what: str, steps: str, key: str) -> Iterator[Mistake]:
        for index, name in enumerate(names):
            if name and name in names[:index]:
                yield self._mistake(f"{name!r} is already the {what} {names.index(name)}", steps, index, key)

    def _count_problems(
        self, architecture: Architecture, lengths: Lengths, steps: Steps, lengths_steps: Steps
    ) -> Iterator[Mistake]:
        """Yield problems in counting the architecture at `steps`, and missing lengths at `lengths_steps`.

        If either path is empty, skip its problems, because they belong to another record.
        """
        try:
            placed_layers(architecture.settings, lengths)
        except ArchitectureError as first_problem:
            for problem in (first_problem, *first_problem.others):
                if place := lengths_steps if problem.key in LENGTHS else steps:
                    yield self._mistake(str(problem), *place, *_key_steps(problem.key, architecture))


def _key_steps(key: str | int | None, architecture: Architecture) -> Steps:
    """Return the path from an architecture to the key of a problem, or to a layer if the key is its index."""
    if isinstance(key, int):
        return ("layers", key) if architecture.family == "layers" else ()
    if architecture.family == "hugging_face" and key not in (*LENGTHS, *architecture.settings):
        return ("config", key) if key else ("config",)
    return () if key is None else (key,)
