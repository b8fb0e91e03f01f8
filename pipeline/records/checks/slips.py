"""Checks for slips that no quote shows: epochs counted twice, the base model's data, a run too short or too long."""

import math
import re
from collections.abc import Iterator

from pipeline.records.meanings import WORDS
from schemas.arithmetic import factors
from schemas.records import Chip, Model, Phase, Records
from schemas.units import DAY_SECONDS

SHORTEST_RUN_SECONDS, LONGEST_RUN_SECONDS = 1800.0, 200.0 * DAY_SECONDS
LARGEST_ACTIVE_SHARE = 0.9  # of the parameters, in a network with experts

SPARSE, DENSE = (re.compile(WORDS[name], re.IGNORECASE) for name in ("sparse", "dense"))
HALVED = re.compile(r"/\s*2(?![\d.])|\*\s*0\.5(?!\d)")

Slip = tuple[tuple[str | int, ...], str]  # the key of a fact, and a message


def mistakes(model: Model, records: Records | None = None) -> Iterator[Slip]:
    """Yield each slip for which the record's data need a note; `records` has the base model to compare, if any."""
    bases = [records.models[name] for name in model.base_ids if name in records.models] if records else []
    words_of_bases = {words for base in bases for phase in base.training for words in _quoted(base, phase)}
    for index, phase in enumerate(model.training):
        if phase.examples is None or phase.examples.note:
            continue
        if records is None and _has_epochs_twice(phase):
            message = (
                f"multiplies by {phase.epochs.amount:g}, as `epochs` does again; if it is not the number of epochs,"
                " explain it in a note there"
            )  # fmt: skip
            yield ("training", index, "examples", "derived"), message
        if words_of_bases and words_of_bases.issuperset(_quoted(model, phase)) and phase.examples.quote:
            bases = " or ".join(model.base_ids)
            message = (
                f"has the words of the data of {bases}; if they hold for this training too, say so in a note there"
            )
            yield ("training", index, "examples", "quote"), message


def _quoted(model: Model, phase: Phase) -> Iterator[str]:
    for name in phase.examples.quote if phase.examples else []:
        if quote := model.quotes.get(name):
            yield quote.text


def _has_epochs_twice(phase: Phase) -> bool:
    epochs = phase.epochs.amount if phase.epochs else None
    if not epochs or epochs <= 1 or phase.examples is None:
        return False
    multiplied = factors(phase.examples.derived or "")
    # A number before a power of ten is written in words: two trillion is 2 * 1e12.
    is_scaled = [math.log10(after or 2) % 1 == 0 and after >= 1e3 for after in [*multiplied[1:], 0.0]]
    return len(multiplied) > 1 and any(
        math.isclose(factor, epochs) for factor, is_words in zip(multiplied, is_scaled, strict=True) if not is_words
    )


def remarks(model: Model) -> Iterator[Slip]:
    """Yield remarks on the length of each run, and on experts that leave as many parameters active as there are."""
    for index, phase in enumerate(model.training):
        for number, allocation in enumerate(phase.hardware):
            time = allocation.duration
            if time and not SHORTEST_RUN_SECONDS <= time.amount <= LONGEST_RUN_SECONDS:
                message = f"{time.written} is shorter than half an hour or longer than 200 days; is the unit right?"
                yield ("training", index, "hardware", number, "duration"), message
    has_experts = any(network.settings.get("experts") for network in model.networks().values())
    active = model.active_parameters
    is_all = active and model.parameters and active.amount >= LARGEST_ACTIVE_SHARE * model.parameters.amount
    if is_all or (has_experts and active is None):
        message = "is missing or nearly all of `parameters`, but in a network with experts a token uses a few of them"
        yield ("active_parameters",), message


def sparse_peaks(chip: Chip) -> Iterator[Slip]:
    """Yield a slip for each peak whose quote states it with structured sparsity, which doubles the dense peak."""
    message = "is quoted with sparsity, but peaks are dense: write half, with derived: the number / 2"
    for name, peaks in (("peaks", chip.peaks), ("narrow_accumulate_peaks", chip.narrow_accumulate_peaks)):
        for precision, peak in peaks.items():
            if peak is None or HALVED.search(peak.derived or ""):
                continue
            quotes = [chip.quotes[quote] for quote in peak.quote if quote in chip.quotes]
            if any(_is_sparse(f"{quote.text} {quote.where or ''}", peak.numbers[-1]) for quote in quotes):
                yield (name, str(precision)), message


def _is_sparse(words: str, peak: float) -> bool:
    """Return whether words state only a sparse peak. Twice `peak` (or 1,000 times that) is halved already."""
    stated = SPARSE.search(words)
    after = float(stated[1].rstrip(".,").replace(",", "")) if stated and stated[1] else 0.0
    is_double = any(math.isclose(after * unit, 2 * peak, rel_tol=0.01) for unit in (1, 1e-3, 1e3))
    return stated is not None and not DENSE.search(words) and not is_double
