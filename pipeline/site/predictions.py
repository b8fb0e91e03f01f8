"""Utilization predicted for a training run, by the rules and the measurements with which estimates take it where none is stated."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import narwhals as nw

from pipeline.records import params
from pipeline.rules.utilization import gaussian_process
from pipeline.rules.utilization.cases import utilization_case
from pipeline.rules.utilization.chosen import of_whole_runs
from pipeline.rules.utilization.gaussian_process import Case
from pipeline.rules.utilization.measured import RUN_KIND_OF_MODELS, measured_cases
from pipeline.site.ledger import Ledger
from schemas.tables.defaults import values

CHIPS = (1, 8, 64, 512, 4096, 16384)  # numbers of chips for which there are predictions
TABLES = ("measurements", "operation_counts", "peaks", "hardware")


class Predicted(NamedTuple):
    """A kind of network in a format on a chip, and its default.

    For each of CHIPS: low end, median and high end of the 90 % band of whole training runs, and the median of like measurements alone.
    """

    network: str
    precision: str
    hardware_id: str
    default_fraction: float
    bands: list[tuple[float, float, float, float]]


def predicted(ledger: Ledger, networks: Sequence[str], precisions: Sequence[str]) -> Iterator[Predicted]:
    """Predictions for these kinds of networks and formats on every chip that has a peak in the format.

    As of a published model whose network and batch are not known, so that neither its intensity nor its work a step enters.
    """
    defaults = nw.from_native(ledger.connection.table("defaults"))
    default, production = values(defaults, "utilization"), values(defaults, "uncertainty")
    frames = [nw.from_native(ledger.connection.table(name)) for name in TABLES]
    _, measured = measured_cases(*frames, default)
    if not measured:
        return
    generations = {row["hardware_id"]: row["generation"] for row in ledger.rows("hardware")}
    sizes = params.load().calibrate
    for network in networks:
        assumed = default[utilization_case(network)]
        for precision in precisions:
            peaks = [row for row in ledger.rows("peaks") if row["precision"] == precision]
            cases = [
                Case(network, precision, generations[row["hardware_id"]], row["hardware_id"], row["peak_flop_per_second"], float(number), RUN_KIND_OF_MODELS, assumed)
                for row in peaks
                for number in CHIPS
            ]  # fmt: skip
            of_measurements = gaussian_process.bands(measured, cases, sizes)
            bounds = [(*of_whole_runs(band, precision, production).bounds, band.bounds[1]) for band in of_measurements]
            for place, row in enumerate(peaks):
                own = bounds[place * len(CHIPS) : (place + 1) * len(CHIPS)]
                yield Predicted(network, precision, row["hardware_id"], assumed, own)
