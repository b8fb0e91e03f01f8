"""Base models of fine-tuned rows: found in the file, in the ledger, or as another size of a family."""

from collections.abc import Iterable
from contextlib import suppress
from typing import Any, NamedTuple, Self

from pydantic import ValidationError

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


class Named(NamedTuple):
    """What totals of other rows need of a row: a part of its draft."""

    source_row: int
    name: str
    base_names: list[str]
    tokens: float | None
    parameters: float | None
    published: str | None  # of a row with a model
    missing: str
    is_magnitude: bool
    record: str | None  # the ledger's model that the row is

    @classmethod
    def of(cls, each: Draft, record: str | None) -> Self:
        """That of a draft, whose model has this record."""
        published = each.model.published if each.model else None
        return cls(
            each.row.source_row, each.row.name, each.bases, each.tokens, each.parameters, published, each.missing, each.is_magnitude, record,
        )  # fmt: skip


class Bases:
    """Finds base models by name; `made` collects the records of other sizes of a family."""

    def __init__(self, rows: Iterable[Named], records: Records, recorded: Recorded) -> None:
        """`rows` are those that may be base models, in the order of the file."""
        self.made: dict[str, Model] = {}
        self.rows = {row_id(each.source_row): each for each in rows}
        self._siblings: dict[tuple[float, float, str], str | None] = {}
        self._models = records.models
        self._recorded = recorded
        self._names = Spellings()
        for identifier, each in self.rows.items():
            if each.published or each.base_names or each.record:
                self._names.setdefault(each.name, identifier)
        self._tokens = {identifier: _tokens_of(model) for identifier, model in records.models.items()}
        self._families: dict[str, tuple[float, str, str]] = {}
        for identifier, model in records.models.items():
            tokens = self._tokens[identifier]
            if tokens:
                self._families.setdefault(family(model.name), (tokens, model.name, model.published))
        for each in self.rows.values():
            if each.tokens and each.published and not each.base_names:
                self._families.setdefault(family(each.name), (each.tokens, each.name, each.published))

    def of(self, own: Named) -> Base | None:
        """The base of a row that is found and, of several, the largest by its name."""
        found = [
            (base.parameters or size_in(name) or 0.0, base)
            for name in own.base_names
            if (base := self._find_one(name, own))
        ]
        return max(found, key=lambda pair: pair[0])[1] if found else None

    def _find_one(self, name: str, own: Named) -> Base | None:
        row = self.rows.get(find(name, self._names) or "")
        identifier = self._recorded.of_name(name) or (row and row.record)
        if identifier:
            size = self._models[identifier].parameters
            rule = f"base model {identifier!r} of the ledger"
            return Base(identifier, self._tokens[identifier], size and size.amount, rule)
        if row is not None and row.source_row != own.source_row and not _is_tuned_from_unknown(row):
            return Base(row_id(row.source_row), row.tokens, row.parameters, f"base model {row.name!r} of this file")
        size, sibling = size_in(name), self._families.get(family(name))
        if size and sibling:
            tokens, of, published = sibling
            made = self._sibling(size, tokens, published)
            rule = f"base model of the family of {of!r}, trained on as many tokens"
            return Base(made, tokens, size, rule) if made else None
        return None

    def _sibling(self, size: float, tokens: float, published: str) -> str | None:
        """The id of the record of a model of this size, which is made once; None where its numbers cannot be those of a model."""
        key = (size, tokens, published)
        if key not in self._siblings:
            self._siblings[key] = None
            with suppress(ValidationError):
                model = _sibling(size, tokens, published)
                self._siblings[key] = f"catalogue-base-{len(self.made) + 1}"
                self.made[f"catalogue-base-{len(self.made) + 1}"] = model
        return self._siblings[key]


def _is_tuned_from_unknown(each: Named) -> bool:
    """Whether a row without a base model has too few tokens for pretraining, so that it must have one (Vicuna names none)."""
    few = each.tokens is not None and each.parameters is not None and each.tokens < each.parameters / 2
    return few and not each.base_names and (each.parameters or 0) > LARGE_MODEL


def _tokens_of(model: Model) -> float | None:
    if not all(phase.example_unit == ExampleUnit.TOKEN for phase in model.training):
        return None
    seen = [
        phase.examples.amount * (phase.epochs.amount if phase.epochs else 1.0)
        for phase in model.training
        if phase.examples
    ]
    return max(seen, default=None)


def _sibling(size: float, tokens: float, published: str) -> Model:
    def fact(value: float) -> dict[str, Any]:
        return {"value": value, "source": EPOCH, "via": "epoch: Base model"}

    data = fact(tokens) | {"value": None, "low": tokens / SIBLING_REACH, "high": tokens * SIBLING_REACH}
    return Model.model_validate(
        {
            "name": "another size of a family",
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
