"""The default peak of a year compared with the peaks of the ledger's own models of that year."""

import math
from collections.abc import Iterable, Sequence
from itertools import groupby
from statistics import pstdev

from pipeline.rules.backtests.filled import mean_peak, most_common
from pipeline.sql import Row

KEY = ("published_year", "applies_to")


def comparison(year_peaks: Iterable[Row], chips: Sequence[Row]) -> list[Row]:
    """Rows of `year_peak_comparison`: `chips` are rows of `filled.chips_of_models`, in their order."""
    own = {place: list(some) for place, some in groupby(chips, key=_key)}
    return [
        {**year, "default_peak_flop_per_second": year["peak_flop_per_second"], **_own_peak(own[_key(year)])}
        for year in year_peaks
        if _key(year) in own
    ]


def _key(row: Row) -> tuple[int, str]:
    published_year, applies_to = (row[name] for name in KEY)
    return published_year, applies_to


def _own_peak(chips: Sequence[Row]) -> Row:
    hardware_id, peak, number = most_common(chips)
    return {
        "own_mean_peak_flop_per_second": mean_peak(chips),
        "log_sd": pstdev([math.log(chip["peak_flop_per_second"]) for chip in chips]),
        "models_number": len({chip["model_id"] for chip in chips}),
        "common_hardware_id": hardware_id,
        "common_peak_flop_per_second": peak,
        "common_models_number": number,
    }
