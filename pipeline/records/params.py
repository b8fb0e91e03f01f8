"""Read params.yaml."""

from pathlib import Path

from pydantic import ValidationError

from pipeline.base.paths import LEDGER
from pipeline.records.yaml_text import Mistake, RecordError, line_of, read
from schemas.params import Params


def load(root: Path = LEDGER) -> Params:
    """Return the settings in params.yaml, checked. Raise RecordError with the line of each problem."""
    text, mistakes = read(root / "params.yaml", "params.yaml")
    if text is None:
        raise RecordError(mistakes)
    try:
        return Params.model_validate(text.content)
    except ValidationError as problems:
        raise RecordError(
            Mistake(
                "params.yaml", line_of(text.node, problem["loc"]), ".".join(map(str, problem["loc"])), problem["msg"]
            )
            for problem in problems.errors()
        ) from None
