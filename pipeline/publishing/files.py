"""Files of a release: the one list used by publish, the data dictionary and dvc.yaml."""

from pipeline.paths import SUMS
from schemas.table import TableModel
from schemas.tables.catalogue_estimates import CatalogueEstimates
from schemas.tables.changes import Changes
from schemas.tables.estimates import Estimates
from schemas.tables.facts import Facts
from schemas.tables.identifiers import Identifiers
from schemas.tables.method_comparison import MethodComparison
from schemas.tables.utilization_cells import UtilizationCells

CSV_TABLES: dict[str, tuple[str, type[TableModel]]] = {  # file name without ending: table and contract
    "changes": ("changes", Changes),
    "estimates": ("estimates", Estimates),
    "catalogue_estimates": ("catalogue_estimates", CatalogueEstimates),
    "facts": ("facts", Facts),
    "identifiers": ("identifiers", Identifiers),
    "method_comparison": ("method_comparison", MethodComparison),
    "utilization": ("utilization_cells", UtilizationCells),
}
STATED = ("facts",)  # whose numbers are as somebody stated them, in full; others have significant digits
EXPECTATIONS = "report/expectations.json"
PUBLISHED = (  # outputs of DVC; ledger.duckdb is not one
    SUMS,
    "datapackage.json",
    "estimates.parquet",
    "catalogue_estimates.parquet",
    *(f"{name}.csv" for name in CSV_TABLES),
    EXPECTATIONS,
)
