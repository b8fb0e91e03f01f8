"""Checks of gold runs: that operations can be counted, that chips are known, and that the utilization is possible."""

from collections.abc import Iterator
from math import fsum

from pipeline.architectures import counted
from pipeline.architectures.network import ArchitectureError, Lengths
from pipeline.formulas.utilization import largest_utilization_fraction
from pipeline.records.checks.chips import Chips, missing_peak
from pipeline.records.checks.record import RecordChecks
from pipeline.records.yaml_text import Mistake, Steps
from schemas.records import Architecture, Chip, GoldRun, Phase, Records


class GoldChecks(RecordChecks):
    """Checks of the gold runs of one group."""

    def mistakes(self) -> Iterator[Mistake]:
        """Yield the mistakes that can be found in the record itself."""
        yield from self._repeated_names([run.run for run in self.record.runs], "name of run", "runs", "run")
        for index, run in enumerate(self.record.runs):
            architecture = self.record.architectures.get(run.architecture)
            if architecture is not None and run.training is not None:
                lengths = Lengths(*run.training.sequence_lengths)
                yield from self._count_problems(
                    architecture, lengths, ("architectures", run.architecture), ("runs", index, "training")
                )

    def across(self, records: Records, chips: Chips) -> Iterator[Mistake]:
        """Yield the mistakes that can be found only by reading the other records."""
        submitters = {f"{table}/{row.submitter}" for table, rows in records.table_rows.items() for row in rows}
        for index, name in enumerate(self.record.measured_by):
            if name not in records.measurements.keys() | submitters:
                known_names = [*records.measurements, *sorted(submitters)]
                yield self._refusal(name, "a record of measurements", known_names, "measured_by", index)
        for index, run in enumerate(self.record.runs):
            steps = ("runs", index)
            phase, architecture = records.gold_phase(self.record, run)
            if run.training is None and None in (run.model, run.phase):
                continue  # another check reports it
            if phase is None:
                yield self._no_phase(run, records, steps)
            elif architecture is None and run.model:
                yield self._mistake(f"{run.model} has no architecture that could be counted", *steps, "model")
            elif architecture is None:
                known_names = [*self.record.architectures, *records.models]
                yield self._refusal(run.architecture, "an architecture", known_names, *steps, "architecture")
            else:
                yield from self._run(phase, architecture, chips, steps)

    def _no_phase(self, run: GoldRun, records: Records, steps: Steps) -> Mistake:
        """Return the mistake because of which a run has no phase: its model is unknown, or has no such phase."""
        model = records.models.get(run.model or "")
        if model is None:
            return self._refusal(run.model, "a model", records.models, *steps, "model")
        return self._refusal(
            run.phase, f"a phase of {run.model}", [phase.phase for phase in model.training], *steps, "phase"
        )

    def _run(self, phase: Phase, architecture: Architecture, chips: Chips, steps: Steps) -> Iterator[Mistake]:
        """Yield what a run lacks for comparing operations with time; otherwise check the utilization of both."""
        if phase.examples_seen is None or phase.passes_per_example is None:
            yield self._mistake("needs examples and epochs, or steps and batch; tokens need a sequence_length", *steps)
            return
        chip_names = {allocation.chip.value if allocation.chip else "" for allocation in phase.hardware}
        chip = chips.find(chip_names.pop()) if len(chip_names) == 1 else None
        if chip is None:
            yield self._mistake("needs a known chip, one for the whole run", *steps)
            return
        cores = chip.cores_per_chip.amount if chip.cores_per_chip else None
        times = [allocation.chip_seconds(cores) for allocation in phase.hardware]
        stated_precision = phase.precision.value if phase.precision else None
        precision = stated_precision or chip.only_precision
        if None in times or phase.timed_with or any(allocation.is_from_operations for allocation in phase.hardware):
            yield self._mistake("needs a time of its own on its chips, not derived from operations", *steps)
        elif precision is None:
            yield self._mistake(f"needs a precision: {chip.name} has several formats", *steps)
        elif precision not in chip.peaks:
            yield self._mistake(missing_peak(chip, precision), *steps)
        else:
            chip_seconds = fsum(time for time in times if time)
            yield from self._excess_utilization(phase, architecture, chip, precision, chip_seconds, steps)

    def _excess_utilization(
        self, phase: Phase, architecture: Architecture, chip: Chip, precision: str, chip_seconds: float, steps: Steps
    ) -> Iterator[Mistake]:
        """Yield a mistake if the run would have reached more of its chips' peak than is possible."""
        try:
            count = counted(architecture.settings, Lengths(*phase.sequence_lengths))
        except ArchitectureError:
            return  # another check reports it
        passes = (phase.examples_seen or 0.0) * (phase.passes_per_example or 0.0)
        utilization = (
            (count.forward_flop + count.backward_flop) * passes / (chip_seconds * chip.peaks[precision].amount)
        )
        if utilization > largest_utilization_fraction("dense_convolution", precision):
            message = f"is {utilization:.3g} of the {precision} peak of {chip.name}, which is impossible; check data,"
            yield self._mistake(f"{message} time and precision, or move the run to rejected: above_peak", *steps)
