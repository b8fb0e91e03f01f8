"""Rows of `hardware` and `peaks`: chips, their peaks, and the precisions that rules may infer for their runs."""

from pipeline.models.sql import Row
from pipeline.rules.ingestion import cell_of, columns, value_of
from schemas import vocabulary
from schemas.records import Chip, Records


def hardware(records: Records, fast_16bit_ratio: float) -> list[Row]:
    """Return one row per chip. A 16-bit precision is fast if it reaches `fast_16bit_ratio` x the FP32 peak."""
    return [_chip(identifier, chip, fast_16bit_ratio) for identifier, chip in records.hardware.items()]


def peaks(records: Records) -> list[Row]:
    """Return one row per chip and precision."""
    return [
        {
            "hardware_id": identifier,
            "precision": precision,
            **columns(peak, "evidence", peak_flop_per_second="amount"),
            "narrow_accumulate_peak_flop_per_second": value_of(chip.narrow_accumulate_peaks.get(precision)),
        }
        for identifier, chip in records.hardware.items()
        for precision, peak in chip.peaks.items()
    ]


def _chip(identifier: str, chip: Chip, fast_16bit_ratio: float) -> Row:
    """Return a chip's row, including its fastest 16-bit precision.

    That is null if it is less than `fast_16bit_ratio` times as fast as FP32, because runs then gain little from it.
    """
    peaks = {precision: peak.amount for precision, peak in chip.peaks.items()}
    sixteen = {precision: peaks[precision] for precision in vocabulary.SIXTEEN_BIT if precision in peaks}
    # If both are equally fast, choose bf16: 13 of the 19 models in this ledger that state one of the two state bf16.
    best = max(sixteen, key=lambda word: (sixteen[word], word == vocabulary.Precision.BF16), default=None)
    slow = peaks.get(vocabulary.Precision.FP32)
    is_fast = best is not None and (slow is None or sixteen[best] >= fast_16bit_ratio * slow)
    return {
        "hardware_id": identifier,
        **columns(chip, "name manufacturer generation released cores_per_chip dies_per_chip devices_per_chip"),
        **columns(chip, "only_precision", memory_bytes="memory", power_watts="power"),
        "memory_bandwidth_bytes_per_second": value_of(chip.memory_bandwidth),
        "aliases": cell_of(chip.aliases),
        "runtime_names": cell_of(list(chip.runtime_names)),
        "fast_16bit_precision": best if is_fast else None,
        "sixteen_bit_ratio": sixteen[best] / slow if best and slow else None,
    }
