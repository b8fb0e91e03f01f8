"""Find the records of rows' models, by the cell that a record cites or else by name and size; and their headlines."""

import re
from typing import Any

from pipeline.catalogues.model_sizes import is_same_size, size_in
from pipeline.catalogues.rows import Row
from pipeline.engines import in_memory
from pipeline.lookup.names import Names
from pipeline.models import sql
from pipeline.publishing import database, fingerprint
from pipeline.rules.ingestion.models import models
from schemas.params import Params
from schemas.records import Records
from schemas.vocabulary import KeyRelation

CELL = re.compile(r"(?P<snapshot>[a-z0-9_]+): (?P<name>.+), (?P<column>[^,]+)")  # a cell as cited in `via`
CITED_COLUMN = "Training compute (FLOP)"


class Recorded:
    """An index of the ledger's models, which finds the one that a row or the name of a base model refers to."""

    def __init__(self, records: Records) -> None:
        """Index the ledger's models by name, and by the cell of Epoch's table that their external estimates cite.

        A cell that several models cite identifies none of them.
        """
        self._names = Names(_entries(records))
        cited: dict[str, set[str]] = {}
        for identifier, model in records.models.items():
            for estimate in model.external_estimates:
                cell = CELL.fullmatch(estimate.via or "")
                if cell and cell["snapshot"].startswith("epoch_") and cell["column"] == CITED_COLUMN:
                    cited.setdefault(" ".join(cell["name"].split()), set()).add(identifier)
        self._cited = {cell: next(iter(identifiers)) for cell, identifiers in cited.items() if len(identifiers) == 1}

    def record_of_row(self, row: Row) -> str | None:
        """Return the id of the record of a row's model, or None.

        A record that cites the row's compute was written from this row. A record with the same name must also have a
        similar number of parameters.
        """
        return self._cited.get(row.name) or entry_of(
            row.name, self._names, row.number("parameters"), but=KeyRelation.VARIANT
        )

    def record_of_name(self, name: str) -> str | None:
        """Return the id of the base model's record with this name. If the name states a size, the sizes must match."""
        return entry_of(name, self._names)


def entry_of(name: str, names: Names, parameters: float | None = None, but: KeyRelation | None = None) -> str | None:
    """Return the id of the only entry that fits a name and its size, or None; ignore those of the relation `but`."""
    size = parameters or size_in(name)
    fits = [
        match for match in names.fits(name) if is_same_size(size, match.entry["parameters"]) and match.relation != but
    ]
    return fits[0].entry["id"] if len(fits) == 1 else None


def headlines(records: Records, parameters: Params) -> dict[str, dict[str, Any]]:
    """Return the rows of `estimates` by model: from the ledger, or from the stages if it is older than the records."""
    if fingerprint.is_present():
        estimates = database.memory_connection().table("estimates")
    else:
        estimates = in_memory.make(["estimates"], records, parameters)["estimates"]
    return {row["model_id"]: row for row in sql.rows(estimates)}


def _entries(records: Records) -> list[dict[str, Any]]:
    keys: dict[str, dict[str, str]] = {}
    for row in records.keys:
        keys.setdefault(row["model_id"], {})[row["key"]] = row["relation"]
    return [{**row, "id": row["model_id"], "keys": keys.get(row["model_id"])} for row in models(records)]
