"""Find the base models of fine-tuned rows, in the ledger or in the file."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from pipeline.catalogues.model_sizes import size_in
from pipeline.catalogues.record_lookup import Recorded, entry_of
from pipeline.catalogues.rows import Draft
from pipeline.lookup.names import Names
from schemas.records import Model, Records
from schemas.vocabulary import Domain, ExampleUnit


class Base(NamedTuple):
    """A base model: the id under which we estimate it, its tokens and parameters, and a sentence on how we found it."""

    model_id: str
    tokens: float | None
    parameters: float | None
    rule: str


class Bases:
    """An index of base models by name: the ledger's, and the rows of the file."""

    def __init__(self, drafts: Iterable[Draft], records: Records, recorded: Recorded) -> None:
        """Index the drafts of rows that may be base models, in the order of the file."""
        self._models = records.models
        self._recorded = recorded
        self.drafts = {draft.model_id: draft for draft in drafts}
        self._rows = Names(
            [_entry(draft) for draft in self.drafts.values() if draft.model or draft.bases or draft.record]
        )
        self._bases = {draft.model_id: self._largest_base(draft) for draft in self.drafts.values()}

    def base_of(self, draft: Draft) -> Base | None:
        """Return the base model of a row, the largest if there are several, or None if none was found."""
        return self._bases[draft.model_id]

    def domain(self, model_id: str) -> Domain:
        """Return the domain of the record or row with this id."""
        return (self._models.get(model_id) or self.drafts[model_id]).domain

    def _largest_base(self, tuned: Draft) -> Base | None:
        sizes = [
            (base.parameters or size_in(name) or 0.0, base) for name in tuned.bases if (base := self._base(name, tuned))
        ]
        return max(sizes, key=lambda pair: pair[0])[1] if sizes else None

    def _base(self, name: str, tuned: Draft) -> Base | None:
        """Return the base model of this name, from the ledger or the file, or None."""
        draft = self.drafts.get(entry_of(name, self._rows) or "")
        identifier = self._recorded.record_of_name(name) or (draft and draft.record)
        if identifier:
            model = self._models[identifier]
            size = model.parameters and model.parameters.amount
            return Base(identifier, _tokens_of(model), size, f"base model {identifier!r} of the ledger")
        if draft is not None and draft.model_id != tuned.model_id:
            return Base(draft.model_id, draft.tokens, draft.parameters, f"base model {draft.row.name!r} of this file")
        return None


def _entry(draft: Draft) -> dict[str, Any]:
    unknown = dict.fromkeys(("aliases", "keys", "parent_organization", "active_parameters", "weights_access"))
    cells = {
        "organization": draft.row["organization"],
        "published": draft.row.published,
        "parameters": draft.parameters,
    }
    return {"id": draft.model_id, "name": draft.row.name, **unknown, **cells}


def _tokens_of(model: Model) -> float | None:
    """Return the tokens seen in the longest phase; None if any phase counts other examples or none states its data."""
    if not all(phase.example_unit == ExampleUnit.TOKEN for phase in model.training):
        return None
    phase_tokens = [
        phase.examples.amount * (phase.epochs.amount if phase.epochs else 1.0)
        for phase in model.training
        if phase.examples
    ]
    return max(phase_tokens, default=None)
