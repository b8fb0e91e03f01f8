"""Files of a release: the one list used by publish, the data dictionary and dvc.yaml."""

from pipeline.base.paths import SUMS

CSV_TABLES = {  # file name without ending: table
    "changes": "changes",
    "estimates": "estimates",
    "catalogue_estimates": "catalogue_estimates",
    "executed_flop": "executed_flop",
    "facts": "facts",
    "identifiers": "identifiers",
    "keys": "keys",
    "method_comparison": "method_comparison",
    "utilization": "utilization_cells",
    "benchmark_runs": "rated_runs",
    "note_findings": "note_findings",
}
STATED = ("facts",)  # with numbers in full, as somebody stated them; other files round them to significant digits
EXPECTATIONS = "report/expectations.json"
METRICS = "metrics.json"
PUBLISHED = (  # outputs of DVC; ledger.duckdb is not one
    SUMS,
    "datapackage.json",
    "estimates.parquet",
    "catalogue_estimates.parquet",
    *(f"{name}.csv" for name in CSV_TABLES),
    EXPECTATIONS,
    METRICS,
)
