"""Checks for slips that no quote shows: epochs counted twice, the base model's data, runs and peaks out of line."""

import math
import re
from collections.abc import Iterator, Mapping
from statistics import median

from pipeline.records.meanings import WORDS
from schemas.arithmetic import factors
from schemas.facts import Peak
from schemas.records import Chip, Model, Phase, Records
from schemas.units import DAY_SECONDS
from schemas.vocabulary import Precision

SHORTEST_RUN_SECONDS, LONGEST_RUN_SECONDS = 1800.0, 200.0 * DAY_SECONDS
LARGEST_ACTIVE_SHARE = 0.9  # of the parameters, in a network with experts

BITS = {Precision.TF32: 32, Precision.FP16: 16, Precision.FP8: 8, Precision.INT8: 8, Precision.FP4: 4}
OFF_RATIO = 0.05  # from the usual ratio of a peak to the 16-bit peak
FARTHEST_PER_WATT, FEWEST_SIMILAR = 2.5, 3  # a factor to the median of similar chips, and how many must be known

SPARSE, DENSE = (re.compile(WORDS[name], re.IGNORECASE) for name in ("sparse", "dense"))
HALVED = re.compile(r"/\s*2(?![\d.])|\*\s*0\.5(?!\d)")

SWITCHES = ("is_forward_only", "has_frozen_weights")
Slip = tuple[tuple[str | int, ...], str]  # the key of a fact, and a message


def mistakes(model: Model, records: Records | None = None) -> Iterator[Slip]:
    """Yield each slip for which the record's data need a note; `records` has the base model to compare, if any."""
    bases = [records.models[name] for name in model.base_ids if name in records.models] if records else []
    of_bases = [(base, phase) for base in bases for phase in base.training if phase.examples]
    words_of_bases = {words for base, phase in of_bases for words in _data_quotes(base, phase)}
    notes_of_bases = {phase.examples.note for _, phase in of_bases}  # a copied note explains nothing
    for index, phase in enumerate(model.training):
        if phase.examples is None:
            continue
        note, epochs = phase.examples.note, f"{phase.epochs.amount:g}" if phase.epochs else ""
        if records is None and epochs not in (note or "") and _has_epochs_twice(phase):
            way_on = f"if it is not the number of epochs, say in a note there what {epochs} is"
            message = f"multiplies by {epochs}, as `epochs` does again; {way_on}"
            yield ("training", index, "examples", "derived"), message
        words = {*_data_quotes(model, phase)}
        if note in {None, *notes_of_bases} and words and words <= words_of_bases:
            bases = " or ".join(model.base_ids)
            message = (
                f"has the words of the data of {bases}; if they hold for this training too, say so in a note there"
            )
            yield ("training", index, "examples", "quote"), message


def _data_quotes(model: Model, phase: Phase) -> Iterator[str]:
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
    """Yield remarks on missing switches, runs too short or too long, and experts that leave all parameters active."""
    for index, phase in enumerate(model.training):
        for key in SWITCHES if phase.model_fields_set.isdisjoint(SWITCHES) else ():
            if re.search(WORDS[key], phase.phase):
                yield ("training", index, "phase"), f"is usually a phase with {key}; state {key}: true or false"
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


def odd_ratios(chip: Chip) -> Iterator[Slip]:
    """Yield each peak that is neither the 16-bit peak nor in proportion to it, without a note."""
    half = _half_precision(chip)
    for precision, peak in chip.peaks.items():
        if half and precision in BITS and not peak.note:
            ratio, usual = peak.amount / half.amount, 16 / BITS[precision]
            if not any(math.isclose(ratio, right, rel_tol=OFF_RATIO) for right in (1.0, usual)):
                message = f"is {ratio:.3g} times the 16-bit peak, not 1 or {usual:g}; correct one, or add a note there"
                yield ("peaks", str(precision)), message


def odd_per_watt(chip: Chip, chips: Mapping[str, Chip]) -> Iterator[Slip]:
    """Yield a chip's power without a note if its FLOP per watt is far from the median of similar chips.

    Similar are chips released at most a year apart with the same power of two between FP32 and 16-bit peak.
    """
    kind = _kind(chip)
    if kind is None or chip.power.note:
        return
    others = [other for known in chips.values() if known.name != chip.name and (other := _kind(known))]
    similar = [each for year, step, each in others if abs(year - kind[0]) <= 1 and step == kind[1]]
    factor = kind[2] / median(similar) if len(similar) >= FEWEST_SIMILAR else 1.0
    if max(factor, 1 / factor) > FARTHEST_PER_WATT:
        message = f"gives {factor:.2g} times the FLOP per watt of similar chips; correct it or the peaks, or add a note"
        yield ("power",), message


def _half_precision(chip: Chip) -> Peak | None:
    return chip.peaks.get(Precision.BF16) or chip.peaks.get(Precision.FP16)


def _kind(chip: Chip) -> tuple[int, int | None, float] | None:
    """Return a chip's year, the power of two from FP32 to its best peak, and FLOP per watt; None if unknown."""
    single = chip.peaks.get(Precision.FP32)
    best = _half_precision(chip) or single
    if not (best and chip.power and chip.released):
        return None
    step = round(math.log2(best.amount / single.amount)) if single else None
    return int(chip.released.value[:4]), step, best.amount / chip.power.amount


def _is_sparse(words: str, peak: float) -> bool:
    """Return whether words state only a sparse peak. Twice `peak` (or 1,000 times that) is halved already."""
    stated = SPARSE.search(words)
    after = float(stated[1].rstrip(".,").replace(",", "")) if stated and stated[1] else 0.0
    is_double = any(math.isclose(after * unit, 2 * peak, rel_tol=0.01) for unit in (1, 1e-3, 1e3))
    return stated is not None and not DENSE.search(words) and not is_double
