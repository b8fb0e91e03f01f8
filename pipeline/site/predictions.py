"""Utilization predicted for a training run, by the rules and the measurements with which estimates take it where none is stated."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pipeline.records import params
from pipeline.rules.utilization import gaussian_process
from pipeline.rules.utilization.cases import utilization_case
from pipeline.rules.utilization.gaussian_process import Case
from pipeline.rules.utilization.predictions import measured_of
from pipeline.site.ledger import Ledger
from schemas.vocabulary import RunKind

CHIPS = (1, 8, 64, 512, 4096, 16384)  # numbers of chips for which there are predictions


class Predicted(NamedTuple):
    """A kind of network in a format on a chip, and its default.

    For each of CHIPS: low end, median and high end of the 90 % band of measurements, and the utilization of a whole training run.
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
    measured = measured_of(ledger.rows("measured_cases"))
    if not measured:
        return
    defaults = {(row["quantity"], row["applies_to"]): row["default_value"] for row in ledger.rows("defaults")}
    whole_run = defaults["uncertainty", "whole_run"]
    generations = {row["hardware_id"]: row["generation"] for row in ledger.rows("hardware")}
    sizes = params.load().calibrate
    for network in networks:
        assumed = defaults["utilization", utilization_case(network)]
        for precision in precisions:
            peaks = [row for row in ledger.rows("peaks") if row["precision"] == precision]
            cases = [
                Case(network, precision, generations[row["hardware_id"]], row["hardware_id"], row["peak_flop_per_second"], float(number), RunKind.PRODUCTION, assumed)
                for row in peaks
                for number in CHIPS
            ]  # fmt: skip
            bounds = [
                (*band.bounds, band.bounds[1] * whole_run) for band in gaussian_process.bands(measured, cases, sizes)
            ]
            for place, row in enumerate(peaks):
                bands = bounds[place * len(CHIPS) : (place + 1) * len(CHIPS)]
                yield Predicted(network, precision, row["hardware_id"], assumed, bands)
