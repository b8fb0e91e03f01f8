"""Estimates training compute: what a record omits is imputed, both methods, the comparison, the headline and its error. The rules are SQL files."""

from typing import NamedTuple

from pipeline import sql
from schemas import params
from schemas.errors import ContractError
from schemas.table import Table
from schemas.tables.allocations import Allocations
from schemas.tables.completed_allocations import CompletedAllocations
from schemas.tables.completed_runs import CompletedRuns
from schemas.tables.contributions import Contributions
from schemas.tables.defaults import Defaults
from schemas.tables.dispute_causes import DisputeCauses
from schemas.tables.energy_estimates import EnergyEstimates
from schemas.tables.estimates import Estimates
from schemas.tables.gpu_time_estimates import GpuTimeEstimates
from schemas.tables.hardware import Hardware
from schemas.tables.layers import Layers
from schemas.tables.lineages import Lineages
from schemas.tables.measured_cases import MeasuredCases
from schemas.tables.measurements import Measurements
from schemas.tables.models import Models
from schemas.tables.operation_counts import OperationCounts
from schemas.tables.operation_counts_by_kind import OperationCountsByKind
from schemas.tables.operation_estimates import OperationEstimates
from schemas.tables.peaks import Peaks
from schemas.tables.reconciliations import Reconciliations
from schemas.tables.runs import Runs
from schemas.tables.sentences import Sentences
from schemas.tables.utilizations import Utilizations
from schemas.tables.year_peaks import YearPeaks


class Estimated(NamedTuple):
    """The published estimates, and what they follow from."""

    completed_runs: Table[CompletedRuns]
    completed_allocations: Table[CompletedAllocations]
    operation_counts: Table[OperationCounts]
    operation_counts_by_kind: Table[OperationCountsByKind]
    measured_cases: Table[MeasuredCases]
    utilizations: Table[Utilizations]
    operation_estimates: Table[OperationEstimates]
    gpu_time_estimates: Table[GpuTimeEstimates]
    energy_estimates: Table[EnergyEstimates]
    reconciliations: Table[Reconciliations]
    dispute_causes: Table[DisputeCauses]
    sentences: Table[Sentences]
    estimates: Table[Estimates]


def build(
    models: Table[Models], lineages: Table[Lineages], contributions: Table[Contributions], runs: Table[Runs],
    allocations: Table[Allocations], hardware: Table[Hardware], peaks: Table[Peaks], year_peaks: Table[YearPeaks],
    layers: Table[Layers], measurements: Table[Measurements], defaults: Table[Defaults], params: params.Params,
) -> Estimated:  # fmt: skip
    """Estimates training compute: what a record omits is imputed, both methods, the comparison, the headline and its error."""
    given = {name: table for name, table in locals().items() if name != "params"}
    connection = sql.connection_with(given, params)
    try:
        sql.run(connection, Estimated._fields)
    except sql.RuleError as problem:
        raise ContractError(str(problem)) from None
    return Estimated(*(connection.table(name) for name in Estimated._fields))
