"""Find a chip by any name: its id, an alias, or a name that torch, nvidia-smi or a cloud prints."""

import csv
import heapq
import re
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

from schemas.spelling import Spellings, UnknownNameError, find, nearest, words

# Google names a slice of TPUs by its cores: v4-8 has four chips of two cores, v5litepod-8 eight chips of one core.
SLICE = re.compile(
    r"(?:(?:google[- ])?(?:cloud )?tpu[- ]?)?(?:v|(?<=tpu)(?=7x))([2-7])(p|e|x|litepod)?-(\d{1,5})", re.IGNORECASE
)
SIZES_NAMED = 8  # how many sizes of slices a message names, the nearest first
MACHINE = re.compile(
    r"\.\w*(?:large|metal)$|^Standard_N|^BM\.GPU|^gpu_\d+x_|-(?:\w*[gt]pu|standard)-\d+[gt]?$", re.IGNORECASE
)
GIGABYTES = re.compile(r"[ (-]*\d+ ?GB\b\)?", re.IGNORECASE)
MEMORY_FIRST = re.compile(r"(\d+ ?GB) (.+)", re.IGNORECASE)
NOISE = re.compile(r"\s*\(SM ?\d+\)|\s*VRAM", re.IGNORECASE)  # the compute capability, and what gigabytes are of
PART = re.compile(r"[\s-]+MIG[\s-]+\d+g\.\d+gb.*$", re.IGNORECASE)
HALF = re.compile(r"^half (?=.*MI250)|(?<=250|50X)[\s-]+(?:GCDs?|half)$", re.IGNORECASE)
WITHOUT_RECORD = {  # names of chips without a record, and why they have none
    r"tenstorrent|wormhole|blackhole|^[np][135]\d0[ads]?$": "its documents state peaks, but no day of release",
    r"apple|^m[1-9] |cerebras|^wse|^cs-?[123]$|jetson|orin": "we read no data sheet with its dense peak",
}


class FoundChip(NamedTuple):
    """The id of a chip, the cores of a slice of TPUs, whether the name is of half a chip, and how many it counts."""

    hardware_id: str
    cores: int | None = None
    is_half: bool = False
    number: int | None = None

    def chips(self, cores_per_chip: float | None) -> int | None:
        """Return the number of chips that are named, such as those in a slice; None if the name counts none."""
        in_slice = self.cores and self.cores // int(cores_per_chip or 1)
        return in_slice * self.number if in_slice and self.number else in_slice or self.number


def chosen_chip(word: str, ids: Spellings) -> FoundChip:
    """Return the chip with this name, in any spelling.

    Raise UnknownNameError for an unknown chip, a machine, a part, or a slice of a size that does not exist.

    >>> chosen_chip("tpu v4-8", Spellings({"google-tpu-v4": "google-tpu-v4"})).chips(2)
    4
    """
    if (part := SLICE.fullmatch(word)) and (identifier := find(_tpu(part), ids)):
        cores, sizes = int(part[3]), slice_sizes()[identifier]
        if cores not in sizes:
            shown = sorted(heapq.nsmallest(SIZES_NAMED, sizes, key=lambda size: abs(size - cores)))
            listed = ", ".join(map(str, shown))
            raise UnknownNameError(f"no slice of {identifier} has {cores} cores; the nearest have {listed}")
        return FoundChip(identifier, cores)
    plain = NOISE.sub("", word.removeprefix("ml."))  # without SageMaker's prefix of machines
    identifier = find(plain, ids) or find(MEMORY_FIRST.sub(r"\2 \1", plain), ids)
    if identifier is None and HALF.search(word) and (whole := find(HALF.sub("", word), ids)):
        return FoundChip(whole, is_half=True)
    if identifier is None and (whole := find(PART.sub("", word), ids)):
        raise UnknownNameError(f"{word!r} is a part of a chip: state {whole}, and count whole chips")
    for names, reason in WITHOUT_RECORD.items() if identifier is None else ():
        if re.search(names, word, re.IGNORECASE):
            raise UnknownNameError(f"{word!r} is not a chip in the ledger: {reason}")
    if MACHINE.search(word):
        state = f"state {identifier}, and count chips" if identifier else "state its chip, and count chips"
        raise UnknownNameError(f"{word!r} is a machine of one or more chips: {state}")
    if identifier is None:
        bare = GIGABYTES.sub("", word)  # other chips have the same memory
        numbers, parts = model_words(bare), {*words(bare)}
        known = [(name, chip) for name, chip in ids.items() if model_words(name) & numbers]
        fuller = [(name, chip) for name, chip in known if parts <= {*words(name)}]
        near = nearest(bare, Spellings(fuller or known), longest_list=3)
        # A chip with similar letters is another chip: L20Y is no L20.
        near = near or nearest(word, ids, 0, only_slips=bool(numbers))
        near = near or "; `flopledger hardware` lists its chips"
        raise UnknownNameError(f"{word!r} is not a chip in the ledger{near}")
    return FoundChip(identifier)


@cache
def slice_sizes() -> dict[str, list[int]]:
    """Return the cores of the slices that exist, by chip: the rows of slices.csv."""
    with Path(__file__).with_name("slices.csv").open(encoding="utf-8", newline="") as file:
        return {row["hardware_id"]: [*map(int, row["cores"].split())] for row in csv.DictReader(file)}


def peak_of(word: str) -> float | None:
    """Return the peak in FLOP/s that a text states, or None if it is a name.

    >>> peak_of("2.1e14"), peak_of("4090")
    (210000000000000.0, None)
    """
    with suppress(ValueError):
        return peak if (peak := float(word)) >= 1e9 else None
    return None


def model_words(name: str) -> set[str]:
    """Return the words of a chip's name that contain a digit.

    >>> sorted(model_words("NVIDIA H20-3e")), model_words("nvidia-h20")
    (['3e', 'h20'], {'h20'})
    """
    return {word for word in re.findall(r"[a-z0-9]+", name.lower()) if re.search(r"\d", word)}


def _tpu(part: re.Match[str]) -> str:
    kind = (part[2] or "").lower()
    return f"google-tpu-v{part[1]}{'e' if kind == 'litepod' else kind.strip('x')}"
