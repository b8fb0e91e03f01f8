"""Headlines of the ledger's models, for rows and base models that they stand for."""

from typing import Any

from pipeline import flow
from pipeline.paths import TABLES
from pipeline.publishing import freshness
from pipeline.rules import frames
from schemas.params import Params
from schemas.records import Records


def of_ledger(records: Records, parameters: Params) -> dict[str, dict[str, Any]]:
    """The rows of `estimates` by model: as data/tables has them, or by the stages where those are not of these records."""
    import pandas as pd

    if freshness.are_fresh(["estimates"]):
        table = pd.read_parquet(TABLES / "estimates.parquet")
        rows = table.astype(object).where(table.notna(), None).to_dict("records")
    else:
        rows = frames.rows(flow.make(["estimates"], records, parameters)["estimates"])
    return {row["model_id"]: row for row in rows}
