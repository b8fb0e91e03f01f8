"""Base models of fine-tuned rows: found in the file, in the ledger, or as another size of a family."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from pipeline.catalogues.columns import Row
from pipeline.catalogues.networks import family, size_in
from pipeline.catalogues.recorded import Recorded
from pipeline.catalogues.training import EPOCH, SOURCE, Draft
from schemas.records import Model, Records
from schemas.spelling import Spellings, find
from schemas.vocabulary import Domain, ExampleUnit, OrganizationKind, ParameterNetwork, Scope

LARGE_MODEL = 1e9  # parameters: models of this size and larger are pretrained on more tokens than they have parameters

# A factor: most sizes of one family are trained on the same number of tokens, some on a third (LLaMA, GPT-3).
SIBLING_REACH = 3.0


class Base(NamedTuple):
    """A base model: the id under which it is estimated together with the rows, and its tokens."""

    model_id: str
    tokens: float | None
    parameters: float | None
    rule: str


def row_id(source_row: int) -> str:
    """The id of a row's record while it is estimated."""
    return f"catalogue-row-{source_row}"


class Bases:
    """Finds base models by name; `made` collects the records of other sizes of a family."""

    def __init__(self, drafts: list[Draft], own: Mapping[int, str], records: Records) -> None:
        """`own` says which rows, by number, have which record."""
        self.made: dict[str, Model] = {}
        self._own = own
        self._models = records.models
        self._recorded = Recorded(records)
        self._drafts = {row_id(each.row.source_row): each for each in drafts}
        self._rows = Spellings()
        for each in drafts:
            if each.model or each.bases or each.row.source_row in own:
                self._rows.setdefault(each.row.name, row_id(each.row.source_row))
        self._tokens = {identifier: _tokens_of(model) for identifier, model in records.models.items()}
        self._families: dict[str, tuple[float, str, str]] = {}
        for identifier, model in records.models.items():
            tokens = self._tokens[identifier]
            if tokens:
                self._families.setdefault(family(model.name), (tokens, model.name, model.published))
        for each in drafts:
            if each.tokens and each.model and not each.bases:
                self._families.setdefault(family(each.row.name), (each.tokens, each.row.name, each.model.published))

    def find(self, names: list[str], own: Row) -> Base | None:
        """The base of these names that is found and, of several, the largest by its name."""
        found = [
            (base.parameters or size_in(name) or 0.0, base) for name in names if (base := self._find_one(name, own))
        ]
        return max(found, key=lambda pair: pair[0])[1] if found else None

    def _find_one(self, name: str, own: Row) -> Base | None:
        row = self._drafts.get(find(name, self._rows) or "")
        identifier = self._recorded.of_name(name) or (row and self._own.get(row.row.source_row))
        if identifier:
            size = self._models[identifier].parameters
            rule = f"base model {identifier!r} of the ledger"
            return Base(identifier, self._tokens[identifier], size and size.amount, rule)
        if row is not None and row.row.source_row != own.source_row and not _is_tuned_from_unknown(row):
            return Base(
                row_id(row.row.source_row), row.tokens, row.parameters, f"base model {row.row.name!r} of this file"
            )
        size, sibling = size_in(name), self._families.get(family(name))
        if size and sibling:
            tokens, of, published = sibling
            identifier = f"catalogue-base-{re.sub('[^a-z0-9]', '', name.lower())}"
            self.made[identifier] = _sibling(name, size, tokens, published)
            return Base(identifier, tokens, size, f"base model of the family of {of!r}, trained on as many tokens")
        return None


def _is_tuned_from_unknown(each: Draft) -> bool:
    """Whether a row without a base model has too few tokens for pretraining, so that it must have one (Vicuna names none)."""
    few = each.tokens is not None and each.parameters is not None and each.tokens < each.parameters / 2
    return few and not each.bases and (each.parameters or 0) > LARGE_MODEL


def _tokens_of(model: Model) -> float | None:
    if not all(phase.example_unit == ExampleUnit.TOKEN for phase in model.training):
        return None
    seen = [
        phase.examples.amount * (phase.epochs.amount if phase.epochs else 1.0)
        for phase in model.training
        if phase.examples
    ]
    return max(seen, default=None)


def _sibling(name: str, size: float, tokens: float, published: str) -> Model:
    def fact(value: float) -> dict[str, Any]:
        return {"value": value, "source": EPOCH, "via": "epoch: Base model"}

    data = fact(tokens) | {"value": None, "low": tokens / SIBLING_REACH, "high": tokens * SIBLING_REACH}
    return Model.model_validate(
        {
            "name": name,
            "organization": "not stated",
            "organization_kind": OrganizationKind.MIXED,
            "published": published,
            "domain": Domain.LANGUAGE,
            "scope": Scope.SINGLE,
            "sources": {EPOCH: SOURCE},
            "parameters": fact(size),
            "network": ParameterNetwork.DECODER_ONLY,
            "training": [{"phase": "training", "example_unit": ExampleUnit.TOKEN, "examples": data}],
        }
    )
