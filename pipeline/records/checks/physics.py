"""Checks of measured rows and of peaks per watt, for checked records only, because they are slow."""

from collections.abc import Iterator

from pipeline.architectures import counted
from pipeline.architectures.network import ArchitectureError, Lengths
from pipeline.formulas.utilization import largest_utilization_fraction, utilization_fraction
from pipeline.records.checks import slips
from pipeline.records.checks.chips import Chips
from pipeline.records.checks.record import LoadedRecord, RecordChecks
from pipeline.records.yaml_text import Mistake, Steps
from schemas.records import Architecture, Chip, Measurement, MeasurementRow, Model, Records
from schemas.vocabulary import Timed

# The allowed ratio of a stated MFU to the MFU of the row's throughput, because sources count attention in different
# ways.
STATED_TOLERANCE = 1.2
EXPLAINED_FACTOR = 2.0  # between stated and counted parameters, if a note explains the difference
REMARKED_FACTOR, REFUSED_FACTOR = 1.05, 1.15  # without a note, the first is remarked on, the second refused


def odd_parameters(model: Model) -> tuple[float, str]:
    """Return the factor between a model's stated and counted parameters, and a message about it.

    The factor is at least 1, whichever number is larger, and exactly 1 if either number is unknown.
    """
    if model.parameters is None or model.architecture is None:
        return 1.0, ""
    lengths = next((phase.sequence_lengths for phase in model.training if phase.architecture is None), ())
    try:
        counted_parameters = counted(model.architecture.settings, Lengths(*lengths)).parameters
    except ArchitectureError:  # another check reports it
        return 1.0, ""
    if not counted_parameters:
        return 1.0, ""
    ratio = model.parameters.amount / counted_parameters
    return max(ratio, 1 / ratio), (
        f"{model.parameters.amount:.3g} are stated, but the architecture has {counted_parameters:.3g}; does one of them"
        " belong to another network? If not, explain the difference in a note there"
    )


class PhysicalChecks(RecordChecks):
    """Checks of measured throughputs against the peaks of their chips."""

    def __init__(self, loaded: LoadedRecord, records: Records, chips: Chips) -> None:
        super().__init__(loaded)
        self.records, self.chips = records, chips

    def physical_limits(self) -> Iterator[Mistake]:
        """Yield mistakes for measured rows beyond their limits, and for a chip with odd FLOP per watt."""
        if isinstance(self.record, Chip):
            yield from self._slips(slips.odd_per_watt(self.record, self.records.hardware))
        if not isinstance(self.record, Measurement):
            return
        for index, row in enumerate(self.record.rows):
            chip = self.chips.find(row.chip)
            architecture = self.records.measured_architecture(self.record, row.architecture)
            if chip is not None and architecture is not None:
                yield from self._excess(row, chip, architecture, ("rows", index))

    def _excess(self, row: MeasurementRow, chip: Chip, architecture: Architecture, steps: Steps) -> Iterator[Mistake]:
        """Yield a mistake if a row reaches more of its chips' peak than is possible or than its source states."""
        peaks = {str(precision): peak.amount for precision, peak in chip.peaks.items() if peak}
        is_timed = row.throughput or (row.step_time and row.batch)
        if not is_timed or not row.chips or row.precision not in peaks:
            return  # another check reports it
        try:
            count = counted(architecture.settings, Lengths(*row.sequence_lengths))
        except ArchitectureError:
            return
        rate = row.examples_per_second
        reached = {
            precision: utilization_fraction(
                (count.forward_flop + count.backward_flop) * rate, row.chips, peak_flop_per_second
            )
            for precision, peak_flop_per_second in peaks.items()
        }
        utilization = reached[row.precision]
        largest = largest_utilization_fraction(row.network, row.precision)
        if utilization > largest:
            possible = [f"{precision}, {share:.2g}" for precision, share in reached.items() if share <= 1]
            yield self._mistake(
                f"{row.timing.written} on {row.chips} x {chip.name} is {utilization:.3g} of the {row.precision.value}"
                f" peak, but at most {largest:g} is possible; check it, chips, precision"
                f"{f' (such as {possible[0]})' if possible else ''} and architecture, or move the row to rejected:"
                " above_peak",
                *steps,
                "throughput" if row.throughput else "step_time",
            )
        elif row.timed != Timed.RUN:  # a run's time includes interruptions, which a stated MFU omits
            with_all_pairs = (
                utilization * count.forward_flop_full_attention / count.forward_flop
                if count.forward_flop
                else utilization
            )
            yield from self._stated_utilizations(row, utilization, with_all_pairs, steps)

    def _stated_utilizations(
        self, row: MeasurementRow, utilization: float, with_all_pairs: float, steps: Steps
    ) -> Iterator[Mistake]:
        """Compare stated utilizations with the row's own, counting causal attention (`utilization`) or all pairs."""
        model, hardware = row.reported_mfu, row.reported_hfu
        if model and hardware and hardware.amount < model.amount:
            yield self._mistake("is below reported_mfu; swap them", *steps, "reported_hfu")
            return
        if hardware and not row.is_recomputed and hardware.amount > max(utilization, with_all_pairs) * STATED_TOLERANCE:
            yield self._mistake(
                f"{hardware.written} counts recomputed activations; add is_recomputed: true", *steps, "reported_hfu"
            )
        if model and not utilization / STATED_TOLERANCE <= model.amount <= with_all_pairs * STATED_TOLERANCE:
            is_above = model.amount > with_all_pairs
            advice = "if it counts recomputed activations, write reported_hfu; otherwise " if is_above else ""
            yield self._mistake(
                f"{model.written} is not the {with_all_pairs:.3g} that the row's speed gives; {advice}check throughput,"
                " chips, precision and architecture",
                *steps,
                "reported_mfu",
            )
