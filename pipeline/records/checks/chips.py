"""Find chips by any spelling, and word the messages about unknown and impossible chips and peaks."""

from collections.abc import Iterator

from schemas.chips import chosen_chip
from schemas.records import Chip, Model, Phase, Records
from schemas.spelling import find


class Chips:
    """The chips of all records. Spellings are collected once, because they are looked up thousands of times."""

    def __init__(self, records: Records) -> None:
        self._hardware, self._ids = records.hardware, records.chip_ids()

    def find(self, spelling: str) -> Chip | None:
        """Return the chip with this id, name or alias, in any spelling; None if there is none."""
        return self._hardware.get(find(spelling, self._ids) or "")

    def unknown_chip(self, spelling: str, otherwise: str = "") -> str:
        """Return why no record has this spelling, and the nearest or the way on."""
        try:
            chip = chosen_chip(spelling, self._ids).hardware_id
        except LookupError as problem:
            add = "" if "; did you mean" in str(problem) else f"; add it to data/records/hardware{otherwise}"
            return f"{problem}{add}"
        return f"{spelling!r} is not a whole chip: state {chip}, and count whole chips"


def doubts(chip: Chip, model: Model, phase: Phase) -> Iterator[tuple[str, str]]:
    """Yield the key (chip or precision) that contradicts training on this chip, and why."""
    # Either date may be only a year or a month, so compare the part that both state.
    released, precision = chip.released.value if chip.released else "", phase.precision
    if released[: len(model.published)] > model.published[: len(released)]:
        yield "chip", f"{chip.name} was released on {released}, after the model ({model.published})"
    if precision and chip.peaks and precision.value not in chip.peaks:
        yield "precision", missing_peak(chip, precision.value)


def missing_peak(chip: Chip, precision: str) -> str:
    """Return a message saying that the chip has no peak at this precision, and listing those that it has."""
    return f"{chip.name} has no {precision} peak; it has {', '.join(chip.peaks)}"
