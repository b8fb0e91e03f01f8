"""Look up the headlines of rows and base models that have a record."""

from typing import Any

from pipeline.engines import in_memory
from pipeline.models import sql
from pipeline.publishing import database, fingerprint
from schemas.params import Params
from schemas.records import Records


def of_ledger(records: Records, parameters: Params) -> dict[str, dict[str, Any]]:
    """Return the rows of `estimates` by model: from the ledger, or from the stages if it is older than the records."""
    if fingerprint.is_present():
        estimates = database.connected().table("estimates")
    else:
        estimates = in_memory.make(["estimates"], records, parameters)["estimates"]
    return {row["model_id"]: row for row in sql.rows(estimates)}
