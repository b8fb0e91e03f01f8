"""Subsets of the records that one question needs, so that the stages compute no more than that."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from schemas.spelling import find

if TYPE_CHECKING:
    from schemas.records import Allocation, Model, Records


def of_models(identifiers: Iterable[str], records: Records, is_measured: bool) -> Records:
    """The records of these models, their base models and errata, with all that their estimates depend on.

    Measurements are included where there are chips, since the utilization predicted from them would differ from the published one otherwise;
    not where tables of them are there (`is_measured`).
    """
    models = _with_bases(identifiers, records)
    allocations = _allocations(models)
    beside = (
        measuring(records)
        if allocations and not is_measured
        else replace(without_measurements([], records), hardware={})
    )
    ids = records.chip_ids()
    chips = {find(each.chip.value, ids) for each in allocations if each.chip}
    hardware = {name: chip for name, chip in records.hardware.items() if name in chips or name in beside.hardware}
    errata = {name: erratum for name, erratum in records.errata.items() if erratum.model in models}
    return replace(beside, models={**beside.models, **models}, hardware=hardware, errata=errata)


def has_chips(identifiers: Iterable[str], records: Records) -> bool:
    """Whether one of these models, or of their base models, states the chips of a phase."""
    return bool(_allocations(_with_bases(identifiers, records)))


def _with_bases(identifiers: Iterable[str], records: Records) -> dict[str, Model]:
    return {name: records.models[name] for each in identifiers for name in lineage(each, records)}


def _allocations(models: Mapping[str, Model]) -> list[Allocation]:
    return [each for model in models.values() for phase in model.training for each in phase.hardware]


def without_measurements(identifiers: Iterable[str], records: Records) -> Records:
    """The records of these models and their base models; enough for what does not depend on a measured utilization."""
    return replace(
        records, models=_with_bases(identifiers, records), measurements={}, errata={}, adjudications={}, retired={}
    )


def lineage(identifier: str, records: Records) -> list[str]:
    """The model, and the base models that it was fine-tuned from."""
    names: list[str] = []
    own: str | None = identifier
    while own is not None:
        names.append(own)
        own = records.models[own].base_model
    return names


def measuring(records: Records) -> Records:
    """The records of measurements with the models and chips that they name; counting other models would cost time only."""
    timed = {row.architecture for record in records.measurements.values() for row in record.rows}
    models = {name: _network_alone(model) for name, model in records.models.items() if name in timed}
    rows = [row for record in records.measurements.values() for row in (*record.rows, *record.reported_utilization)]
    ids = records.chip_ids()
    named = {find(row.chip, ids) for row in rows if row.chip}
    chips = {name: chip for name, chip in records.hardware.items() if name in named}
    return replace(records, models=models, hardware=chips, errata={}, adjudications={}, retired={})


def _network_alone(model: Model) -> Model:
    """The model without its training, base model and external estimates, so that only its network is counted."""
    return model.model_copy(update={"training": [], "base_model": None, "external_estimates": []})
