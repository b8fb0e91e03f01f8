"""Release files, listed once for the publish stage, the data dictionary and dvc.yaml."""

from pipeline.base.paths import SUMS

CSV_TABLES = {  # file name without extension: table
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
}
STATED = ("facts",)  # files with numbers exactly as stated; all other files round them
EXPECTATIONS = "report/expectations.json"
METRICS = "metrics.json"
PUBLISHED = (  # DVC's outputs, which do not include ledger.duckdb
    SUMS,
    "datapackage.json",
    "estimates.parquet",
    "catalogue_estimates.parquet",
    *(f"{name}.csv" for name in CSV_TABLES),
    EXPECTATIONS,
    METRICS,
)
