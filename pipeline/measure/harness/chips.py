"""Chips of the ledger and their peaks, read from data/records/hardware with PyYAML alone.

A measuring machine has nothing else of the stack; a test compares this with the ledger's own reader for every chip.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.paths import RECORDS
from schemas import spelling

HARDWARE = RECORDS / "hardware"
FLOP_PER_SECOND = {
    "flop_per_second": 1.0,
    "gigaflop_per_second": 1e9,
    "teraflop_per_second": 1e12,
    "petaflop_per_second": 1e15,
}


class ChipError(ValueError):
    """A chip that the ledger does not have, with the nearest that it has; or a peak in an unknown unit."""


@dataclass(frozen=True)
class LedgerChip:
    """A chip of the ledger: its id, its name and aliases, and dense peaks in FLOP/s by precision."""

    identifier: str
    names: tuple[str, ...]
    peaks: dict[str, float]


def chip(identifier: str, record: Mapping[str, Any]) -> LedgerChip:
    """A chip from its record. Raises ChipError for a peak in a unit that is not known here.

    >>> chip("a", {"name": "A 1", "aliases": ["A1"], "peaks": {"fp32": {"value": "9.5 teraflop_per_second"}}}).peaks
    {'fp32': 9500000000000.0}
    """
    peaks = {precision: _flop_per_second(identifier, peak["value"]) for precision, peak in record["peaks"].items()}
    return LedgerChip(identifier, (record["name"], *record.get("aliases", ())), peaks)


def _flop_per_second(identifier: str, value: str) -> float:
    number, _, unit = value.partition(" ")
    if unit not in FLOP_PER_SECOND:
        raise ChipError(f"{identifier}: {unit!r} is no unit of a peak here; known are {', '.join(FLOP_PER_SECOND)}")
    return float(number) * FLOP_PER_SECOND[unit]


def chips(folder: Path = HARDWARE) -> list[LedgerChip]:
    """Every chip of the ledger; none where the records are not beside the code."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the fast one is there where PyYAML was built with libyaml
    return [chip(path.stem, yaml.load(path.read_text(), loader)) for path in sorted(folder.glob("*.yaml"))]


def find(word: str, known: Sequence[LedgerChip]) -> LedgerChip:
    """The chip of this id, name or alias, spelt as `schemas.spelling` allows. Raises ChipError with the nearest."""
    named = [{"id": chip.identifier, "name": chip.names[0], "aliases": " | ".join(chip.names[1:])} for chip in known]
    try:
        identifier = spelling.chosen(word, spelling.spellings(named), "a chip of the ledger")
    except spelling.UnknownNameError as problem:
        raise ChipError(str(problem)) from None
    return next(chip for chip in known if chip.identifier == identifier)
