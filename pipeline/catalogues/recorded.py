"""Which rows are models of the ledger: by the cell that a record cites, else by name and size."""

from pipeline.catalogues.names import is_same_size, size_in
from pipeline.catalogues.rows import Row
from pipeline.rules.adjudicated import CELL
from schemas.records import Model, Records
from schemas.spelling import Spellings, find, spellings

CITED_COLUMN = "Training compute (FLOP)"


class Recorded:
    """Finds the ledger's model of a row, or of the name of a base model."""

    def __init__(self, records: Records) -> None:
        self._models = records.models
        self._names = names(records.models)
        cited: dict[str, set[str]] = {}
        for identifier, model in records.models.items():
            for stated in model.external_estimates:
                cell = CELL.fullmatch(stated.via or "")
                if cell and cell["snapshot"].startswith("epoch_") and cell["column"] == CITED_COLUMN:
                    cited.setdefault(" ".join(cell["name"].split()), set()).add(identifier)
        self._cited = {cell: next(iter(identifiers)) for cell, identifiers in cited.items() if len(identifiers) == 1}

    def of_row(self, row: Row) -> str | None:
        """The id of the record of a row's model; None without one.

        A record that cites the row's compute was written beside the row; a name alone must have about as many parameters.
        """
        return self._cited.get(row.name) or self.of_name(row.name, row.number("parameters"))

    def of_name(self, name: str, parameters: float | None = None) -> str | None:
        """The id of the record of this name, as the ledger's commands find it; its size must be that of `parameters`, or of the name."""
        identifier = find(name, self._names)
        if identifier is None:
            return None
        stated = self._models[identifier].parameters
        return identifier if is_same_size(parameters or size_in(name), stated and stated.amount) else None


def names(models: dict[str, Model]) -> Spellings:
    """Ids of the models by id, name and alias."""
    return spellings(
        {"id": identifier, "name": model.name, "aliases": " | ".join(model.aliases)}
        for identifier, model in models.items()
    )
