"""Turn a stage's refusal of a value into mistakes in the records that state the value."""

from collections.abc import Mapping
from pathlib import Path

from pipeline.records import yaml_text
from pipeline.records.loading import RecordError
from pipeline.records.yaml_text import Mistake
from schemas.errors import ContractError


def in_records(problem: ContractError, files: Mapping[str, Path]) -> ContractError | RecordError:
    """Return a RecordError with one mistake per record whose facts give a refused value; `files` maps ids to files.

    Return `problem` unchanged if a value belongs to no record.
    """
    mistakes = {}
    for grain, message in problem.rows.items():
        identifier = next((name for name in (value.partition("/")[0] for value in grain) if name in files), None)
        if identifier is None:
            return problem
        mistakes.setdefault(identifier, mistake_at(files[identifier], "training", f"its facts give {message}"))
    return RecordError(mistakes.values()) if mistakes else problem


def mistake_at(file: Path, key: str, message: str) -> Mistake:
    """Return a mistake with the line of this key in a record."""
    text, _ = yaml_text.read(file, str(file))
    return Mistake(str(file), yaml_text.line_of(text.node, (key,)) if text else 0, key, message)
