"""Predictions from measurements of like cases: for each allocation, and for each measurement from all other sources."""

from collections.abc import Iterator, Sequence

from pipeline.rules.frames import Row
from pipeline.rules.utilization import gaussian_process
from pipeline.rules.utilization.gaussian_process import Band, Case, Measured
from schemas.params import Calibrate


def of_allocations(
    rows: Sequence[Row], cases: Sequence[Case], measured: Sequence[Measured], sizes: Calibrate
) -> Iterator[Row]:
    """Rows of `utilizations`; `rows` are allocations, `cases` the Case of each."""
    different = list(dict.fromkeys(cases))
    bands = dict(zip(different, gaussian_process.bands(measured, different, sizes), strict=True))
    for row, case in zip(rows, cases, strict=True):
        keys = {name: row[name] for name in ("model_id", "phase", "allocation", "network")}
        yield {**keys, **_points(bands[case]), "utilization_log_sd": bands[case].log_sd}


def of_sources_left_out(rows: Sequence[Row], measured: Sequence[Measured], sizes: Calibrate) -> Iterator[Row]:
    """Rows of `utilization_backtests`; `rows` are measurements, `measured` the Measured of each."""
    kept = ("measurement_id", "row", "network", "precision", "generation", "measured_utilization_fraction")
    bands = gaussian_process.bands_left_out(measured, sizes)
    for row, each, band in zip(rows, measured, bands, strict=True):
        default = {"default_utilization_fraction": each.case.default_utilization_fraction}
        yield {**{name: row[name] for name in kept}, **default, **_points(band)}


def _points(band: Band) -> Row:
    low, median, high = band.bounds
    return {
        "utilization_low_fraction": low,
        "utilization_middle_fraction": median,
        "utilization_high_fraction": high,
    }
