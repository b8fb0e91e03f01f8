"""Turns hand-written records into tables of facts; nothing is imputed, absent facts are null."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from pipeline.sql import Row
from pipeline.rules.ingestion import (
    architectures,
    defaults,
    external,
    facts,
    hardware,
    measurements,
    models,
    organizations,
    runs,
)
from schemas import params
from schemas.records import Records
from schemas.table import Table
from schemas.tables.adjudications import Adjudications
from schemas.tables.allocations import Allocations
from schemas.tables.contributions import Contributions
from schemas.tables.defaults import Defaults
from schemas.tables.errata import Errata
from schemas.tables.external_estimates import ExternalEstimates
from schemas.tables.fact_quotes import FactQuotes
from schemas.tables.facts import Facts
from schemas.tables.hardware import Hardware
from schemas.tables.identifiers import Identifiers
from schemas.tables.layers import Layers
from schemas.tables.lineages import Lineages
from schemas.tables.measurements import Measurements
from schemas.tables.missing_facts import MissingFacts
from schemas.tables.models import Models
from schemas.tables.organization_parents import OrganizationParents
from schemas.tables.organizations import Organizations
from schemas.tables.peaks import Peaks
from schemas.tables.quotes import Quotes
from schemas.tables.rejected_measurements import RejectedMeasurements
from schemas.tables.reported_utilizations import ReportedUtilizations
from schemas.tables.runs import Runs
from schemas.tables.sources import Sources
from schemas.tables.year_peaks import YearPeaks


class Ingested(NamedTuple):
    """Tables of all that records state."""

    models: Table[Models]
    lineages: Table[Lineages]
    contributions: Table[Contributions]
    organizations: Table[Organizations]
    organization_parents: Table[OrganizationParents]
    runs: Table[Runs]
    allocations: Table[Allocations]
    hardware: Table[Hardware]
    peaks: Table[Peaks]
    defaults: Table[Defaults]
    year_peaks: Table[YearPeaks]
    layers: Table[Layers]
    sources: Table[Sources]
    facts: Table[Facts]
    quotes: Table[Quotes]
    fact_quotes: Table[FactQuotes]
    measurements: Table[Measurements]
    identifiers: Table[Identifiers]
    missing_facts: Table[MissingFacts]
    reported_utilizations: Table[ReportedUtilizations]
    rejected_measurements: Table[RejectedMeasurements]
    external_estimates: Table[ExternalEstimates]
    errata: Table[Errata]
    adjudications: Table[Adjudications]


def _rows(rule: Callable[..., Iterable[Row]], *of: Any) -> Iterator[Row]:
    """The rows of a rule, worked out where the table is wanted: an estimate of one model wants a third of them."""
    yield from rule(*of)


def build(records: Records, params: params.Params) -> Ingested:
    """Turns hand-written records into tables of facts; nothing is imputed, absent facts are null."""
    return Ingested(
        models=_rows(models.models, records),
        lineages=_rows(models.lineages, records),
        contributions=_rows(models.contributions, records),
        organizations=_rows(organizations.organizations, records),
        organization_parents=_rows(organizations.organization_parents, records),
        runs=_rows(runs.runs, records),
        allocations=_rows(runs.allocations, records),
        hardware=_rows(hardware.hardware, records, params.ingest.fast_16bit_ratio),
        peaks=_rows(hardware.peaks, records),
        defaults=_rows(defaults.defaults, records),
        year_peaks=_rows(defaults.year_peaks, records),
        layers=_rows(architectures.layers, records),
        sources=_rows(facts.sources, records),
        facts=_rows(facts.facts, records),
        quotes=_rows(facts.quotes, records),
        fact_quotes=_rows(facts.fact_quotes, records),
        measurements=_rows(measurements.measurements, records),
        identifiers=_rows(facts.identifiers, records),
        missing_facts=_rows(facts.missing_facts, records),
        reported_utilizations=_rows(measurements.reported_utilizations, records),
        rejected_measurements=_rows(measurements.rejected_measurements, records),
        external_estimates=_rows(external.external_estimates, records),
        errata=_rows(external.errata, records),
        adjudications=_rows(external.adjudications, records),
    )
