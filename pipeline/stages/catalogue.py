"""Estimates every row of the snapshot of Epoch's table by the same stages: the catalogue tier, beside the records."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pipeline import sql
from pipeline.catalogues import epoch, tier
from pipeline.catalogues.cells import CatalogueError
from pipeline.catalogues.estimates import parts
from schemas import params
from schemas.records import Records
from schemas.table import ContractError, Table
from schemas.tables.catalogue_estimates import CatalogueEstimates
from schemas.tables.estimates import Estimates


def build(
    estimates: Table[Estimates], snapshot: Path, records: Records, params: params.Params
) -> Table[CatalogueEstimates]:
    """Estimates every row of the snapshot of Epoch's table by the same stages: the catalogue tier, beside the records."""

    def made() -> Iterator[dict[str, Any]]:
        ledger = {row["model_id"]: row for row in sql.rows(estimates, ["model_id"])}
        catalogue = epoch.read(snapshot, records)
        for part in parts(catalogue, records, params, ledger):
            yield from tier.rows(part)

    try:
        return list(made())
    except CatalogueError as problem:
        raise ContractError(str(problem)) from None
