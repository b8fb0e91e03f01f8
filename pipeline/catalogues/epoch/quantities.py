"""Parse cells as numbers, dates and words. A cell that cannot be read raises CellError; nothing is guessed."""

import re
from contextlib import suppress
from datetime import date

from schemas.limits import FIRST_YEAR, LARGEST_FLOP, LAST_YEAR, LEAST_EPOCHS
from schemas.vocabulary import Domain, OrganizationKind, Precision

DOMAINS = {
    "Language": Domain.LANGUAGE,
    "Vision": Domain.VISION,
    "Image generation": Domain.IMAGE_GENERATION,
    "Video": Domain.VIDEO,
    "Speech": Domain.SPEECH,
    "Audio": Domain.SPEECH,
    "Games": Domain.GAMES,
    "Biology": Domain.BIOLOGY,
    "Medicine": Domain.BIOLOGY,
    "Multimodal": Domain.MULTIMODAL,
    "Recommendation": Domain.RECOMMENDATION,
    "Robotics": Domain.ROBOTICS,
    "Driving": Domain.ROBOTICS,
}
KINDS = {
    "Academia": OrganizationKind.ACADEMIA,
    "Industry": OrganizationKind.INDUSTRY,
    "Government": OrganizationKind.GOVERNMENT,
    "Research collective": OrganizationKind.COLLECTIVE,
}
PRECISIONS = {"nvfp4": Precision.FP4, "mxfp4": Precision.FP4} | {word.value: word for word in Precision}


THOUSANDS = re.compile(r"[-+]?\d{1,3}(?:,\d{3})+(?:\.\d*)?")
# No hours, passes or counts are outside this range, within which products of a few numbers stay finite.
SMALLEST, LARGEST = LEAST_EPOCHS, LARGEST_FLOP


class CellError(ValueError):
    """Raised if the content of a cell does not fit its column."""


def number(cell: str, what: str) -> float | None:
    """Return the number in a cell, or None if it is empty.

    Raise CellError for text, several numbers, and numbers that are not between SMALLEST and LARGEST.

    >>> number("1,307", "chips")
    1307.0
    """
    if not cell:
        return None
    if "," in cell and not THOUSANDS.fullmatch(cell):
        raise CellError(f"{what} is {cell[:60]!r}, several numbers")
    try:
        value = float(cell.replace(",", ""))
    except ValueError:
        raise CellError(f"{what} is {cell[:60]!r}, not a number") from None
    if not SMALLEST <= value <= LARGEST:
        raise CellError(f"{what} is {cell[:60]}, not between {SMALLEST:g} and {LARGEST:g}")
    return value


def publication_date(cell: str) -> str | None:
    """Return the date in a cell, given as a day, a month or a year; None if the cell is empty.

    >>> publication_date("2012-06"), publication_date("1965")
    ('2012-06', '1965')
    """
    if not cell:
        return None
    parts = re.fullmatch(r"(\d{4})(-\d{2})?(-\d{2})?(?:[T ].*)?", cell)
    with suppress(ValueError):
        if parts:
            day = date.fromisoformat(f"{parts[1]}{parts[2] or '-01'}{parts[3] or '-01'}")
            if FIRST_YEAR <= day.year <= LAST_YEAR:
                return "".join(filter(None, parts.groups()))
    raise CellError(f"the publication date is {cell[:60]!r}; it is written 2012-12-03, 2012-12 or 2012")


def entries(cell: str) -> list[str]:
    """Split a cell at commas into its entries.

    >>> entries("NVIDIA A100,NVIDIA H100 NVL")
    ['NVIDIA A100', 'NVIDIA H100 NVL']
    """
    return [entry for entry in (" ".join(part.split()) for part in cell.split(",")) if entry]


def domain_of(cell: str) -> Domain:
    """Return our term for the first domain in a cell that we have a term for; otherwise `other`."""
    return next((DOMAINS[entry] for entry in entries(cell) if entry in DOMAINS), Domain.OTHER)


def organization_kind(cell: str) -> OrganizationKind:
    """Return our term for the kind of organization that trained the model; `mixed` for several or none we know."""
    kinds = {KINDS[entry] for entry in entries(cell) if entry in KINDS}
    return kinds.pop() if len(kinds) == 1 else OrganizationKind.MIXED


def precisions(cell: str) -> list[Precision]:
    """Return the precisions named in a cell, in the cell's order."""
    return [PRECISIONS[entry.lower()] for entry in entries(cell) if entry.lower() in PRECISIONS]
