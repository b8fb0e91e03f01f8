"""Predict utilization for a training run, by the rules and measurements that estimates without a stated one use."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pipeline.engines import utilization_cases
from pipeline.site.ledger import Ledger

BANDS = """
    select default_utilization_fraction, utilization_low_fraction, utilization_middle_fraction,
        utilization_high_fraction, case run_utilization_rule(asked_cases.network)
            when 'default' then default_utilization_fraction else utilization_middle_fraction * whole_run.default_value end
    from utilizations join asked_cases using (allocation)
    join defaults whole_run on quantity = 'uncertainty' and applies_to = 'whole_run'
    order by allocation
"""
CHIPS = (1, 8, 64, 512, 4096, 16384)  # the numbers of chips for which we predict


class Predicted(NamedTuple):
    """A kind of network in a precision on a chip, with its default and predicted utilization.

    For each of CHIPS, `bands` holds the low end, median and high end of the measurements' 90 % band, and the utilization of a
    whole training run.
    """

    network: str
    precision: str
    hardware_id: str
    default_fraction: float
    bands: list[tuple[float, float, float, float]]


def predictions(ledger: Ledger, networks: Sequence[str], precisions: Sequence[str]) -> Iterator[Predicted]:
    """Yield predictions for these kinds of networks and precisions, on every chip that has a peak in the precision.

    They apply to a published model whose network and batch are unknown, so intensity and work per step play no role.
    """
    peaks = {(row["hardware_id"], row["precision"]) for row in ledger.rows("peaks")}
    cases = [
        {"network": network, "precision": precision, "hardware_id": chip, "chips": number}
        for network in networks
        for chip, precision in sorted(peaks)
        if precision in precisions
        for number in CHIPS
    ]
    with utilization_cases.tables_of_cases(ledger.connection, cases, "utilizations") as cursor:
        bands = cursor.execute(BANDS).fetchall()
    # The bands are in the order of the cases, so those of one network, chip and precision follow each other.
    for place in range(0, len(cases), len(CHIPS)):
        network, precision, chip, _ = cases[place].values()
        case_bands = bands[place : place + len(CHIPS)]
        yield Predicted(str(network), str(precision), str(chip), case_bands[0][0], [band[1:] for band in case_bands])
