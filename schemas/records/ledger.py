"""All records of a ledger, and the facts in each record."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Any, get_args, get_type_hints

from pydantic import BaseModel

from schemas.facts import Seen, Word
from schemas.records.judgements import Adjudications, BlindFigure, Defaults, Erratum, Retired, SecondReadings
from schemas.records.measurements import ExecutedPass, GoldRun, GoldRuns, Measurement, TableRow
from schemas.records.models import Chip, Model, Organization
from schemas.records.parts import Record
from schemas.records.reference_data import GridFactors, HardwarePrices, WatchedSource
from schemas.records.training import Architecture, Phase
from schemas.spelling import Spellings, spellings


@dataclass(frozen=True, kw_only=True)
class Records:
    """All records, by id."""

    models: Mapping[str, Model] = dataclass_field(default_factory=dict)
    organizations: Mapping[str, Organization] = dataclass_field(default_factory=dict)
    hardware: Mapping[str, Chip] = dataclass_field(default_factory=dict)
    defaults: dict[str, Defaults] = dataclass_field(default_factory=dict)
    measurements: dict[str, Measurement] = dataclass_field(default_factory=dict)
    gold_runs: dict[str, GoldRuns] = dataclass_field(default_factory=dict)
    hardware_prices: dict[str, HardwarePrices] = dataclass_field(default_factory=dict)
    grid_factors: dict[str, GridFactors] = dataclass_field(default_factory=dict)
    errata: Mapping[str, Erratum] = dataclass_field(default_factory=dict)
    adjudications: dict[str, Adjudications] = dataclass_field(default_factory=dict)
    second_readings: dict[str, SecondReadings] = dataclass_field(default_factory=dict)
    sources: dict[str, WatchedSource] = dataclass_field(default_factory=dict)
    retired: dict[str, Retired] = dataclass_field(default_factory=dict)
    table_rows: dict[str, list[TableRow]] = dataclass_field(default_factory=dict)  # by measurement id
    executed: list[ExecutedPass] = dataclass_field(default_factory=list)  # rows of executed_flop.csv
    blind: dict[str, tuple[BlindFigure, dict[str, str]]] = dataclass_field(default_factory=dict)  # with the sealed row
    # Result and date of the look-up of a quote, by its `found_at` and text.
    places: dict[tuple[str, str], dict[str, str]] = dataclass_field(default_factory=dict)
    keys: list[dict[str, str]] = dataclass_field(default_factory=list)  # the rows of keys.csv
    remarks: list[str] = dataclass_field(default_factory=list)  # one line per valid fact that should state more

    def chip_ids(self) -> Spellings:
        """Map each chip spelling, in lower case, to the chip's id, for `spelling.find`."""
        return Spellings(
            (spelling.lower(), identifier)
            for identifier, chip in self.hardware.items()
            for spelling in (identifier, chip.name, *chip.aliases, *chip.runtime_names)
        )

    def model_ids(self) -> Spellings:
        """Map each id, name, alias and former id to the model's id."""
        return spellings(
            {"id": identifier, "name": model.name, "aliases": " | ".join([*model.aliases, *model.renamed_from])}
            for identifier, model in self.models.items()
        )

    def organization_ids(self) -> dict[str, str]:
        """Map each organization name in lower case to the organization's id."""
        return {
            name.lower(): identifier
            for identifier, organization in self.organizations.items()
            for name in (organization.name, *organization.aliases)
        }

    def grid_places(self) -> Spellings:
        """Return the place for every name and code of a country or region whose grid has an emission factor."""
        return spellings(
            {"id": grid.place, "name": grid.place, "aliases": " | ".join(grid.aliases)}
            for record in self.grid_factors.values()
            for grid in record.factors
        )

    def countries(self) -> dict[str, tuple[str, str | None]]:
        """Return the short name and the ISO code of each country with an emission factor, by each of its names."""
        places, codes = self.grid_places(), dict[str, str]()
        for name, place in places.items():
            if len(name) == 2:
                codes.setdefault(place, name)  # the first one: "UK" is another name of "GB"
        return {name: (place, codes.get(place)) for name, place in places.items()}

    def measured_architecture(self, measurement: Measurement | GoldRuns, name: str) -> Architecture | None:
        """Return the architecture that a measurement row or gold run names, from the record itself or from a model."""
        model = self.models.get(name)
        return measurement.architectures.get(name) or (model.architecture if model else None)

    def gold_phase(self, group: GoldRuns, run: GoldRun) -> tuple[Phase | None, Architecture | None]:
        """Return a gold run's phase and network: from the run itself, or from a model's record; None if unknown."""
        if run.training is not None:
            return run.training, self.measured_architecture(group, run.architecture or "")
        model = self.models.get(run.model or "")
        phase = next((trained for trained in model.training if trained.phase == run.phase), None) if model else None
        return phase, model.architecture_of(phase) if model and phase else None

    def entries(self) -> Iterator[tuple[str, str, Record]]:
        """Yield all records in order, each with its folder and id."""
        for kind in KINDS:
            for identifier, record in sorted(getattr(self, kind).items()):
                yield kind, identifier, record


KINDS: dict[str, type[Record]] = {
    name: kind
    for name, hint in get_type_hints(Records).items()
    if isinstance(kind := get_args(hint)[-1], type) and issubclass(kind, Record)
}


class Setting(Word):
    """A number in an architecture, with the evidence that covers it."""


def settings(architecture: Architecture) -> Iterator[tuple[str, Setting]]:
    """Yield each number in an architecture as a fact, once per piece of evidence that covers it, or once as unseen."""
    unseen = {"source": architecture.source}
    for key, value in architecture.settings.items():
        if key == "family":
            continue
        shown = value if isinstance(value, str) else json.dumps(value)
        covering = [cited for cited in architecture.evidence if key in cited.covers]
        for place, cited in enumerate(covering or [None]):
            evidence = {name: getattr(cited, name) for name in cited.model_fields_set - {"covers"}} if cited else unseen
            # The values are already valid, and validating them again would take longer than everything else.
            yield f"{key} ({place + 1})" if place else key, Setting.model_construct(value=shown, **evidence)


def facts(record: BaseModel, path: str = "") -> Iterator[tuple[str, Seen]]:
    """Yield every fact of a record with its path, in the order of the record's fields."""
    if isinstance(record, Architecture):
        yield from ((f"{path}.{key}", setting) for key, setting in settings(record))
        return
    for name in type(record).model_fields:
        value = getattr(record, name)
        if value is not None and type(value) is not str:
            yield from _facts_in(value, f"{path}.{name}" if path else name)


def _facts_in(value: Any, path: str) -> Iterator[tuple[str, Seen]]:
    if isinstance(value, Seen):
        yield path, value
    elif isinstance(value, BaseModel):
        yield from facts(value, path)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _facts_in(item, f"{path}[{index}]")
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _facts_in(item, f"{path}.{key}")
