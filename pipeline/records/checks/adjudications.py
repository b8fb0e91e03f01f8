"""Checks of adjudications: corrections follow from their factors and have reasons, and no value occurs twice."""

import math
from collections.abc import Iterator

from pipeline.records.checks.record import RecordChecks
from pipeline.records.yaml_text import Mistake
from schemas.arithmetic import arithmetic
from schemas.records import Adjudication
from schemas.vocabulary import Certainty, Fault

TOLERANCE = 2e-2  # between a value and the product of its factors, because tables round to two digits


class AdjudicationChecks(RecordChecks):
    """Checks of one file of adjudications."""

    def mistakes(self) -> Iterator[Mistake]:
        """Yield every mistake in the rows of the file."""
        places: dict[tuple[str, float], int] = {}
        for index, row in enumerate(self.record.rows):
            first = places.setdefault((row.name, row.published_flop), index)
            if first != index:
                message = f"{row.name!r} with {row.published_flop:g} is already in row {first}; keep one"
                yield self._mistake(message, "rows", index, "name")
            if row.snapshot != self.loaded.identifier:
                table = self.loaded.identifier
                yield self._refusal(row.snapshot, f"this file's table ({table})", [table], "rows", index, "snapshot")
            for key, message in _doubts(row):
                yield self._mistake(message, "rows", index, key)


def _doubts(row: Adjudication) -> Iterator[tuple[str, str]]:
    if row.corrected_flop is None:
        if row.reason != Fault.OTHER_MODEL:
            message = f"is null, so the value belongs to another artefact; write reason: {Fault.OTHER_MODEL}"
            yield "corrected_flop", message
        if row.factors is not None:
            yield "factors", "give a value that corrected_flop does not state; state it, or leave factors out"
        return
    is_corrected = row.corrected_flop != row.published_flop
    if is_corrected and row.certainty == Certainty.OPEN:
        yield "corrected_flop", "differs from published_flop, but the finding is open; write published_flop"
    elif is_corrected and row.reason is None:
        yield "reason", f"is null, but {row.published_flop:g} became {row.corrected_flop:g}; one of {', '.join(Fault)}"
    elif is_corrected and row.factors is None:
        yield "factors", "is missing: the arithmetic that gives corrected_flop"
    elif not is_corrected and row.reason is not None and row.certainty != Certainty.OPEN:
        yield "corrected_flop", f"is published_flop, but reason is {row.reason}; correct it, or write certainty: open"
    if row.factors is not None:
        result = arithmetic(row.factors)
        if result is None:
            yield "factors", f"{row.factors!r} is not arithmetic (digits + - * / ** ( ))"
        elif not math.isclose(result, row.corrected_flop, rel_tol=TOLERANCE):
            yield "corrected_flop", f"the factors give {result:.6g}, not {row.corrected_flop:g}"
