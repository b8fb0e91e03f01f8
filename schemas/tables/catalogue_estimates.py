"""Contract of `catalogue_estimates`: one row a row of the snapshot of another's table."""

from schemas import fields
from schemas.table import TableModel
from schemas.tables.estimates import Estimates

# Columns of `estimates` that say of a record what a row of a table does not have.
OF_RECORDS = {
    "model_id", "reported_flop", "scope", "sources", "training_evidence", "network_evidence", "utilization_fraction", "is_bound",
    "evidence_class", "named_second", "gap_ratio",
}  # fmt: skip
ALWAYS = ("name", "domain")
SHARED = {
    name: hint if name in ALWAYS else hint | None
    for name, hint in Estimates.__hints__.items()
    if name not in OF_RECORDS
}


class CatalogueEstimates(TableModel, grain=("source_row",), shared=SHARED):
    """One row a row of the snapshot of Epoch's table; a row whose model has a record names it and has no estimate of its own."""

    source_row: fields.source_row
    model_id: fields.model_id | None
    no_estimate_reason: fields.no_estimate_reason | None
    base_training_flop: fields.base_training_flop | None
    rules: fields.rules | None
    unread_cells: fields.unread_cells | None
