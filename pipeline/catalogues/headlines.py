"""The ledger's records and the headlines of its models, for rows and base models that they stand for."""

from typing import Any, NamedTuple

from pipeline import sql
from pipeline.engines import in_memory
from pipeline.paths import RECORDS
from pipeline.publishing import database, fingerprint
from pipeline.records import ledger
from schemas.params import Params
from schemas.records import Records

READ = (
    "models",
    "organizations",
    "hardware",
    "defaults",
    "hardware_prices",
    "grid_factors",
)  # the kinds of records that rows are read beside


class Known(NamedTuple):
    """Records, and rows of `estimates` by model."""

    records: Records
    headlines: dict[str, dict[str, Any]]


def of_ledger(parameters: Params) -> Known:
    """Records of the kinds that are read, and headlines as the ledger has them; where it is not of today's records all are read and checked, and the stages run.

    Raises RecordError.
    """
    if fingerprint.is_present():
        files = {kind: sorted((RECORDS / kind).glob("*.yaml")) for kind in READ}
        records = ledger.load_checked({kind: [path.stem for path in paths] for kind, paths in files.items()})
        estimates = database.attached().table("estimates")
    else:
        records = ledger.load_among()
        estimates = in_memory.make(["estimates"], records, parameters)["estimates"]
    return Known(records, {row["model_id"]: row for row in sql.rows(estimates)})
