"""Find chips by any spelling, and word the messages about unknown chips and peaks."""

import re

from schemas.records import Chip, Records
from schemas.spelling import Spellings, find, nearest

ANOTHER_CHIP = "If you mean another chip, add it to data/records/hardware"


class Chips:
    """The chips of all records. Spellings are collected once, because they are looked up thousands of times."""

    def __init__(self, records: Records) -> None:
        self._hardware, self._ids = records.hardware, records.chip_ids()

    def find(self, spelling: str) -> Chip | None:
        """Return the chip with this id, name or alias, in any spelling; None if there is none."""
        return self._hardware.get(find(spelling, self._ids) or "")

    def unknown(self, spelling: str, otherwise: str = "") -> str:
        """Return a message saying that no chip has this spelling, with the nearest match.

        `otherwise` is further advice, for when another chip was meant.
        """
        message = f"{spelling!r} is not a chip or alias"
        # Do not suggest an RTX 3090 for an unknown RTX 4090.
        number = re.findall(r"\d+", _digits(spelling))[:1]
        same = {name: identifier for name, identifier in self._ids.items() if re.findall(r"\d+", name)[:1] == number}
        if hint := nearest(spelling, Spellings(same), longest_list=0):
            return f"{message}{hint}"
        if hint := nearest(spelling, Spellings(self._ids), longest_list=0):
            return f"{message}{hint} {ANOTHER_CHIP}{otherwise}"
        return f"{message}{nearest(spelling, self._hardware)}"


def _digits(spelling: str) -> str:
    """Return the spelling with 0 and 1 in place of letters that look like them and are next to a digit.

    >>> _digits("nvidia-a10O-sxm4"), _digits("Vl00")
    ('nvidia-a100-sxm4', 'V100')
    """
    zeros = re.sub(r"(?<=\d)[oO]|[oO](?=\d)", "0", spelling)
    return re.sub(r"(?<=\d)[lI]|[lI](?=\d)", "1", zeros)


def no_peak(chip: Chip, precision: str) -> str:
    """Return a message saying that the chip has no peak at this precision, and listing those that it has."""
    return f"{chip.name} has no {precision} peak; it has {', '.join(chip.peaks)}"
