"""Turns hand-written records into tables of facts; nothing is imputed, absent facts are null."""

from typing import NamedTuple

from pipeline.rules.ingestion.tables import INGESTED
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


def build(records: Records, params: params.Params) -> Ingested:
    """Turns hand-written records into tables of facts; nothing is imputed, absent facts are null."""
    return Ingested(**{name: list(rows(records, params)) for name, rows in INGESTED.items()})
