"""Checks of a record against all others: the chips, base models, architectures and ids it names exist and agree."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from pipeline.architectures.network import Lengths
from pipeline.records import evidence
from pipeline.records.checks import slips
from pipeline.records.checks.bases import BaseChecks
from pipeline.records.checks.chips import Chips, doubts, missing_peak
from pipeline.records.checks.gold_runs import GoldChecks
from pipeline.records.checks.record import LoadedRecord, RecordChecks
from pipeline.records.yaml_text import Mistake, Steps
from schemas import records as schema
from schemas.organizations import maker_names
from schemas.records import Chip, Measurement, Model, Organization, Phase, Records
from schemas.spelling import nearest
from schemas.units import DAY_SECONDS

TIME_TOLERANCE = 1.2  # largest ratio of chip time to chips x duration, or of the inverse, if both are stated
WITHOUT_CHIP = ", or leave chip out for the year's default peak"


class CrossChecks(RecordChecks):
    """Checks of one record against all others. `chips` and `organizations` (ids by name) come from all records."""

    def __init__(self, loaded: LoadedRecord, records: Records, chips: Chips, organizations: Mapping[str, str]) -> None:
        super().__init__(loaded)
        self.records, self.chips, self.organizations = records, chips, organizations

    def mistakes(self) -> Iterator[Mistake]:
        """Yield the mistakes that can be found only by reading the other records."""
        if isinstance(self.record, Model):
            yield from self._organization(self.record)
            yield from BaseChecks(self.loaded, self.records).across(self.record)
            yield from self._slips(slips.mistakes(self.record, self.records))
            yield from self._contributions(self.record)
            for index, phase in enumerate(self.record.training):
                yield from self._phase(self.record, phase, index)
            yield from self._place(self.record)
        if isinstance(self.record, schema.HardwarePrices):
            for index, price in enumerate(self.record.prices):
                chip = self.chips.find(price.chip)
                released = chip.released.value if chip and chip.released else None
                if chip is None and price.chip:
                    yield self._mistake(self.chips.unknown_chip(price.chip), "prices", index, "chip")
                elif chip and released and price.date and int(price.date[:4]) < int(released[:4]) - 1:
                    message = f"{chip.name} was released on {released}, long after this price"
                    yield self._mistake(message, "prices", index, "date")
        if isinstance(self.record, Organization):
            yield from self._parents(self.record)
        if isinstance(self.record, Measurement):
            yield from self._measurement(self.record)
        if isinstance(self.record, schema.GoldRuns):
            yield from GoldChecks(self.loaded).across(self.records, self.chips)
        if isinstance(self.record, schema.Erratum) and self.record.model not in (None, *self.records.models):
            yield self._refusal(self.record.model, "a model", self.records.models, "model")
        if isinstance(self.record, schema.SecondReadings):
            for name in self.record.models.keys() - self.records.models.keys():
                yield self._refusal(name, "a model", self.records.models, "models", name)
        if isinstance(self.record, schema.Retired):
            yield from self._retired_id(self.record)

    def _retired_id(self, retired: schema.Retired) -> Iterator[Mistake]:
        """Yield a mistake if a retired id is in use again, or if its replacement does not exist."""
        records_of_kind = getattr(self.records, retired.kind, None) if retired.kind in schema.KINDS else None
        if records_of_kind is None:
            yield self._refusal(retired.kind, "a folder of records", schema.KINDS, "kind")
            return
        if self.loaded.identifier in records_of_kind:
            message = f"{self.loaded.identifier!r} is both retired and a record of {retired.kind}; keep one"
            yield self._mistake(message, "kind")
        if retired.replaced_by is not None and retired.replaced_by not in records_of_kind:
            yield self._refusal(retired.replaced_by, f"a record of {retired.kind}", records_of_kind, "replaced_by")

    def _place(self, model: Model) -> Iterator[Mistake]:
        places = self.records.grid_places()
        if model.trained_in is not None and places and model.trained_in.value not in places:
            add = "; add its grid to data/records/grid_factors, or leave it out"
            message = f"{model.trained_in.value!r} has no grid{nearest(model.trained_in.value, places)}{add}"
            yield self._mistake(message, "trained_in", "value")

    def _organization(self, model: Model) -> Iterator[Mistake]:
        """Yield a mistake for each maker of a model that is not the name or alias of an organization."""
        # Users' models, in other folders, need no record of their maker. Some ledgers have no organizations.
        spelled = self.organizations
        if Path(self.loaded.file).parent.name != self.loaded.kind or model.stated_by_user or not spelled:
            return
        for name in maker_names(model.organization or "", spelled):
            if name.lower() not in spelled:
                names = [
                    name
                    for organization in self.records.organizations.values()
                    for name in (organization.name, *organization.aliases)
                ]
                hint = nearest(name, names, longest_list=0)
                draft = "`flopledger new organization ID` drafts its record"
                add = f"{hint} If you mean another, {draft}" if hint else f"; {draft}"
                yield self._mistake(f"{name!r} is not an organization or alias{add}", "organization")

    def _parents(self, organization: Organization) -> Iterator[Mistake]:
        """Yield a mistake for each parent that is not a record, or that belongs to the organization itself."""
        identifier = self.loaded.identifier
        for index, parent in enumerate(organization.parents):
            if parent.value not in self.records.organizations:
                others = self._other_ids(self.records.organizations)
                yield self._refusal(parent.value, "an organization", others, "parents", index, "value")
            elif identifier in self._owner_ids(parent.value):
                yield self._mistake(f"{identifier} belongs to itself through {parent.value}", "parents", index, "value")

    def _owner_ids(self, identifier: str) -> set[str]:
        """Return the ids of an organization and its owners; each is read once, because records may form a circle."""
        owners: set[str] = set()
        pending = [identifier]
        while pending:
            organization = pending.pop()
            if organization in self.records.organizations and organization not in owners:
                owners.add(organization)
                pending += [parent.value for parent in self.records.organizations[organization].parents]
        return owners

    def _contributions(self, model: Model) -> Iterator[Mistake]:
        others = self._other_ids(self.records.models)
        for index, contribution in enumerate(model.contributions or []):
            if contribution.model is not None and contribution.model not in others:
                yield self._refusal(contribution.model, "another model", others, "contributions", index, "model")

    def _other_ids(self, identifiers: Iterable[str]) -> list[str]:
        return [identifier for identifier in identifiers if identifier != self.loaded.identifier]

    def _phase(self, model: Model, phase: Phase, index: int) -> Iterator[Mistake]:
        """Yield mistakes about a phase's chips: unknown, not quoted, too new, without the stated precision or cores."""
        for place, allocation in enumerate(phase.hardware):
            steps = ("training", index, "hardware", place)
            if allocation.chip is None:
                continue
            chip = self.chips.find(allocation.chip.value)
            if chip is None:
                yield self._mistake(self.chips.unknown_chip(allocation.chip.value, WITHOUT_CHIP), *steps, "chip")
                continue
            quotes = {name: quote for name in allocation.chip.quote if (quote := model.quotes.get(name))}
            names = (allocation.chip.value, chip.name, *chip.aliases)
            if doubt := evidence.doubt_of_chip(allocation.chip, names, quotes):
                yield self._mistake(doubt, *steps, "chip")
            for key, message in doubts(chip, model, phase):
                yield self._mistake(message, *(steps if key == "chip" else ("training", index)), key)
            unit = allocation.chip_time.amount_unit if allocation.chip_time else None
            if unit == "core_second" and chip.cores_per_chip is None:
                message = f"counts cores, but {chip.name} has no cores_per_chip in its record"
                yield self._mistake(message, *steps, "chip_time")
            yield from self._time(allocation, chip, steps)

    def _time(self, allocation: schema.Allocation, chip: Chip, steps: Steps) -> Iterator[Mistake]:
        """Yield a mistake if the stated chip time differs from chips x duration by more than the tolerance."""
        if not (allocation.chip_time and allocation.chips and allocation.duration):
            return
        cores = chip.cores_per_chip.amount if chip.cores_per_chip else 1.0
        chip_time = allocation.chip_time.amount / (cores if allocation.chip_time.amount_unit == "core_second" else 1.0)
        product = allocation.chips.amount * allocation.duration.amount
        if not 1 / TIME_TOLERANCE < chip_time / product < TIME_TOLERANCE:
            pair = f"{allocation.chip_time.written} and chips x duration ({product / DAY_SECONDS:.6g} chip_day)"
            message = f"{pair} contradict each other; keep the one that the source states"
            yield self._mistake(message, *steps, "chip_time")

    def _measurement(self, measurement: Measurement) -> Iterator[Mistake]:
        """Yield a mistake for unknown chips and architectures, precisions without a peak, uncountable networks."""
        yield from self._measured_chips(measurement)
        yield from self._measured_networks(measurement)

    def _measured_chips(self, measurement: Measurement) -> Iterator[Mistake]:
        for index, row in enumerate(measurement.rows):
            steps = ("rows", index)
            chip = self.chips.find(row.chip)
            if chip is None:
                yield self._mistake(self.chips.unknown_chip(row.chip), *steps, "chip")
            elif row.precision and chip.peaks and row.precision not in chip.peaks:
                yield self._mistake(missing_peak(chip, row.precision), *steps, "precision")
        for index, stated in enumerate(measurement.reported_utilization):
            if stated.chip is not None and self.chips.find(stated.chip) is None:
                yield self._mistake(self.chips.unknown_chip(stated.chip), "reported_utilization", index, "chip")

    def _measured_networks(self, measurement: Measurement) -> Iterator[Mistake]:
        """Yield a mistake for unknown or uncountable networks; those of the record are counted with its own checks."""
        measured_rows = [(("rows", index), row) for index, row in enumerate(measurement.rows)]
        measured_tasks = [(("tasks", name), task) for name, task in measurement.tasks.items() if task.architecture]
        for place, measured in [*measured_rows, *measured_tasks]:
            architecture = self.records.measured_architecture(measurement, measured.architecture)
            if architecture is None:
                known = [*measurement.architectures, *self.records.models]
                yield self._refusal(measured.architecture, "an architecture", known, *place, "architecture")
            elif place[0] == "tasks" or measured.architecture not in measurement.architectures:
                yield from self._count_problems(architecture, Lengths(*measured.sequence_lengths), (), place)
