"""What a model's estimate would be with another utilization, precision, number of epochs or chip."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import Any

from pipeline.commands import account, output
from schemas.facts import Epochs, PrecisionWord, Utilization, Word
from schemas.records import Allocation, Model, Phase, Records
from schemas.spelling import chosen
from schemas.vocabulary import HeadlineMethod, Precision, UtilizationKind

SUPPOSED = "supposed"  # source key of the supposed facts
FILLED = {  # origin of a precision that is not stated, by its basis
    "derived": "as its chips leave no other",
    "assumed": "by a rule of thumb: the format that such runs take on such chips",
}
SHOWN = (
    "training_flop training_flop_low training_flop_high headline_method evidence_class operation_count_flop gpu_time_flop"
    " gpu_time_informed_flop utilization_fraction utilization_basis precision hardware method_ratio is_disputed"
    " dispute_cause implied_utilization_fraction"
).split()
Row = dict[str, Any]


class SupposedError(ValueError):
    """An impossible supposition; one line with the option, the problem and the valid values."""


@dataclass(frozen=True)
class Changes:
    """The supposed values, None for no change: utilization (a share of the peak), format, passes over the data, id of a chip."""

    utilization: float | None = None
    precision: str | None = None
    epochs: float | None = None
    hardware: str | None = None

    def stated(self) -> dict[str, Any]:
        """The values that are not None, by name."""
        return {each.name: getattr(self, each.name) for each in fields(self) if getattr(self, each.name) is not None}


def checked(changes: Changes, records: Records) -> Changes:
    """The same with the chip's id. Raises SupposedError for a number out of range, LookupError for an unknown word."""
    least, most = Utilization.smallest, Utilization.largest
    if changes.utilization is not None and not least <= changes.utilization <= most:
        raise SupposedError(
            f"--utilization {changes.utilization:g} is no share of the peak; it is at least {least:g} and at most {most:g}"
        )
    least, most = Epochs.smallest, Epochs.largest
    if changes.epochs is not None and not least <= changes.epochs <= most:
        raise SupposedError(f"--epochs {changes.epochs:g} cannot be; it is at least {least:g} and at most {most:g}")
    if changes.precision is not None:
        precision = chosen(changes.precision, [word.value for word in Precision], "a precision")
        changes = replace(changes, precision=precision)
    if changes.hardware is None:
        return changes
    hardware = chosen(changes.hardware, records.chip_ids(), "a chip of the ledger")
    return replace(changes, hardware=hardware)


def supposed(identifier: str, changes: Changes, records: Records) -> Records:
    """The records with one model changed, not its base models.

    Its reported total and the cause that it states of a dispute are removed: they are of the run as it was.

    Raises LookupError where a change applies to nothing in the model, or a chip lacks the precision.
    """
    model = records.models[identifier]
    if changes.epochs is not None and not any(phase.examples for phase in model.training):
        raise LookupError(f"{identifier} states no number of examples, so --epochs changes nothing")
    training = [_phase(phase, changes) for phase in model.training]
    changed: Model = model.model_copy(update={"training": training, "reported_flop": None, "dispute": None})
    _refuse_without_peak(changed, changes, records)
    return replace(records, models={**records.models, identifier: changed})


def _phase(phase: Phase, changes: Changes) -> Phase:
    update: Row = {}
    if changes.epochs is not None and phase.examples:
        update |= {"epochs": Epochs(value=changes.epochs, source=SUPPOSED), "steps": None}
    if changes.precision is not None:
        update["precision"] = PrecisionWord(value=Precision(changes.precision), source=SUPPOSED)
    if changes.utilization is not None:
        judged = Utilization(value=changes.utilization, source=SUPPOSED, kind=UtilizationKind.JUDGEMENT)
        update["utilization"] = judged
    if changes.hardware is not None:
        update["hardware"] = [_allocation(each, changes.hardware) for each in phase.hardware]
    return phase.model_copy(update=update)


def _allocation(allocation: Allocation, chip: str) -> Allocation:
    return allocation.model_copy(update={"chip": Word(value=chip, source=SUPPOSED)})


def _refuse_without_peak(model: Model, changes: Changes, records: Records) -> None:
    ids = records.chip_ids()
    for phase in model.training:
        wanted = phase.precision.value if phase.precision else None
        for allocation in phase.hardware:
            chip = (
                records.hardware[chosen(allocation.chip.value, ids, "a chip of the ledger")]
                if allocation.chip
                else None
            )
            if wanted and chip and wanted not in chip.peaks and (changes.precision or changes.hardware):
                peaks = ", ".join(peak.value for peak in chip.peaks)
                raise LookupError(f"{chip.name} has no {wanted.value} peak, which {phase.phase} needs; it has {peaks}")


def before_and_after(
    identifier: str, changes: Changes, records: Records, of_all: account.Revisions = account.NONE
) -> tuple[Row, Row]:
    """The model's row of estimates as it is, and with the changes. Raises as `checked` and `supposed` do."""
    changed = supposed(identifier, checked(changes, records), records).models[identifier]
    afterwards = f"{identifier}-what-if"
    rows = account.estimates(
        [identifier, afterwards], replace(records, models={**records.models, afterwards: changed}), of_all
    )
    before, after = rows[identifier], {**rows[afterwards], "model_id": identifier}
    of_chips = _of_chips(changes)
    if of_chips and after["gpu_time_flop"] is None:
        raise LookupError(f"{identifier} has no estimate by GPU time, so --{of_chips[0]} changes nothing")
    return before, after


def _of_chips(changes: Changes) -> list[str]:
    return [name for name in changes.stated() if name != "epochs"]


def as_json(changes: Changes, before: Row, after: Row) -> str:
    """JSON of the changes and both rows in full."""
    return output.as_json({"supposed": changes.stated(), "before": before, "after": after})


def lines(before: Row, after: Row) -> Iterator[list[Any]]:
    """A line a quantity that differs: its name, before, after, and the factor between two numbers."""
    for name in SHOWN:
        old, new = before[name], after[name]
        if _is_same(old, new):
            continue
        is_amount = isinstance(old, float) and isinstance(new, float)
        yield [name, old, new, new / old if is_amount else None]


def _is_same(old: Any, new: Any) -> bool:
    # Sums of several phases may differ in their last bits without a change.
    is_amount = isinstance(old, float) and isinstance(new, float)
    return math.isclose(old, new, rel_tol=1e-9) if is_amount else old == new


def remarks(changes: Changes, before: Row, after: Row) -> Iterator[str]:
    """Remarks without which the comparison would mislead."""
    same = [name for name in SHOWN if before[name] is not None and _is_same(before[name], after[name])]
    yield f"as before: {', '.join(same) or 'nothing'}"
    if changes.hardware is not None:
        yield "the same number of chips for the same time"
    if before["reported_flop"] is not None:
        yield "the authors' own total is of the run as it was, so it is left out afterwards"
    if changes.utilization is not None:
        yield "gpu_time_flop always takes the default utilization; the supposed one is in gpu_time_informed_flop"
    if after["headline_method"] == HeadlineMethod.OPERATION_COUNT and _of_chips(changes):
        yield "the headline is the operation count; GPU time can only widen its interval"
    if before["precision"] is not None and before["precision_basis"] in FILLED:
        filled = before["precision"] if before["precision"] == after["precision"] else f"{before['precision']} before"
        yield f"no precision is stated: {filled} is filled, {FILLED[before['precision_basis']]}"
