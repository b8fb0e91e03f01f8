"""The headlines of the ledger's models, for rows and base models that they stand for."""

from typing import Any

from pipeline.engines import in_memory
from pipeline.models import sql
from pipeline.publishing import database, fingerprint
from schemas.params import Params
from schemas.records import Records


def of_ledger(records: Records, parameters: Params) -> dict[str, dict[str, Any]]:
    """Rows of `estimates` by model, as the ledger has them; where it is not of today's records, the stages run."""
    if fingerprint.is_present():
        estimates = database.attached().table("estimates")
    else:
        estimates = in_memory.make(["estimates"], records, parameters)["estimates"]
    return {row["model_id"]: row for row in sql.rows(estimates)}
