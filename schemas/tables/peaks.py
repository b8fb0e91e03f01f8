"""Contract of `peaks`: one row a chip and precision."""

from schemas import fields
from schemas.table import TableModel


class Peaks(TableModel, grain=("hardware_id", "precision")):
    """One row a chip and precision."""

    hardware_id: fields.hardware_id
    precision: fields.precision
    peak_flop_per_second: fields.peak_flop_per_second
    narrow_accumulate_peak_flop_per_second: fields.narrow_accumulate_peak_flop_per_second | None
    evidence: fields.evidence
