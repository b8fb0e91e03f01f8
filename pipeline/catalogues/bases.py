"""Find the base models of fine-tuned rows: in the ledger, in the file, or as another size of a model family."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple

from pydantic import ValidationError

from pipeline.catalogues.epoch.training import EPOCH, SOURCE
from pipeline.catalogues.names import family, size_in, without_senses
from pipeline.catalogues.recorded import Recorded, meant
from pipeline.catalogues.rows import Draft
from pipeline.publishing.names import Names
from schemas.records import Model, Records
from schemas.vocabulary import Domain, ExampleUnit, OrganizationKind, ParameterNetwork, Scope

LARGE_MODEL = 1e9  # parameters: larger models are pretrained on more tokens than they have parameters

# A factor: most sizes of a family are trained on the same number of tokens, but some on a third (LLaMA, GPT-3).
SIBLING_REACH = 3.0


class Base(NamedTuple):
    """A base model: the id under which we estimate it, its tokens and parameters, and a sentence on how we found it."""

    model_id: str
    tokens: float | None
    parameters: float | None
    rule: str


class Bases:
    """An index of base models by name. `siblings` holds the records made for other sizes of a family, by id."""

    def __init__(self, drafts: Iterable[Draft], records: Records, recorded: Recorded) -> None:
        """Index the drafts of rows that may be base models, in the order of the file."""
        self.siblings: dict[str, Model] = {}
        self._sibling_ids: dict[tuple[float, float, str], str | None] = {}
        self._models = records.models
        self._recorded = recorded
        self.drafts = {draft.model_id: self._with_named_base(draft) for draft in drafts}
        self._rows = Names(
            [_entry(draft) for draft in self.drafts.values() if draft.model or draft.bases or draft.record]
        )
        self._tokens = {identifier: _tokens_of(model) for identifier, model in records.models.items()}
        # Of each family, the first model is kept, so the ledger's models take precedence over the file's rows.
        self._families: dict[str, tuple[float, str, str]] = {}
        for identifier, model in records.models.items():
            tokens = self._tokens[identifier]
            if tokens:
                self._families.setdefault(family(model.name), (tokens, model.name, model.published))
        for draft in self.drafts.values():
            if draft.tokens and draft.model and not draft.bases:
                name = draft.row.name
                self._families.setdefault(family(name), (draft.tokens, name, draft.model.published))
        self._bases = {draft.model_id: self._largest(draft) for draft in self.drafts.values()}

    def of(self, draft: Draft) -> Base | None:
        """Return the base model of a row, the largest if there are several, or None if none was found."""
        return self._bases[draft.model_id]

    def model(self, model_id: str) -> Model | None:
        """Return the record, row or other size of a family with this id."""
        draft = self.drafts.get(model_id)
        return self._models.get(model_id) or self.siblings.get(model_id) or (draft and draft.model)

    def _largest(self, tuned: Draft) -> Base | None:
        sizes = [
            (base.parameters or size_in(name) or 0.0, base) for name in tuned.bases if (base := self._base(name, tuned))
        ]
        return max(sizes, key=lambda pair: pair[0])[1] if sizes else None

    def _with_named_base(self, draft: Draft) -> Draft:
        """Return the draft. If it states no base but is named after a language model of the ledger, add that."""
        plain = None if draft.bases or draft.record else without_senses(draft.row.name)
        return replace(draft, bases=[plain]) if plain and self._recorded.of_name(plain) else draft

    def _base(self, name: str, tuned: Draft) -> Base | None:
        """Return the base model of this name: from the ledger, the file, or as another size of a family; or None."""
        draft = self.drafts.get(meant(name, self._rows) or "")
        identifier = self._recorded.of_name(name) or (draft and draft.record)
        if identifier:
            size = self._models[identifier].parameters
            by_name = ", after which it is called" if name == without_senses(tuned.row.name) else ""
            rule = f"base model {identifier!r} of the ledger{by_name}"
            return Base(identifier, self._tokens[identifier], size and size.amount, rule)
        if draft is not None and draft.model_id != tuned.model_id and not _is_tuned_from_unknown(draft):
            return Base(draft.model_id, draft.tokens, draft.parameters, f"base model {draft.row.name!r} of this file")
        size, relative = size_in(name), self._families.get(family(name))
        if size and relative:
            tokens, sibling_name, published = relative
            sibling_id = self._sibling(size, tokens, published)
            rule = f"base model of the family of {sibling_name!r}, trained on as many tokens"
            return Base(sibling_id, tokens, size, rule) if sibling_id else None
        return None

    def _sibling(self, size: float, tokens: float, published: str) -> str | None:
        """Return the id of the record for another size of a family, made at the first call; None if impossible."""
        key = (size, tokens, published)
        if key not in self._sibling_ids:
            self._sibling_ids[key] = None
            with suppress(ValidationError):
                model = _sibling(size, tokens, published)
                self._sibling_ids[key] = f"catalogue-base-{len(self.siblings) + 1}"
                self.siblings[f"catalogue-base-{len(self.siblings) + 1}"] = model
        return self._sibling_ids[key]


def _entry(draft: Draft) -> dict[str, Any]:
    unknown = dict.fromkeys(("aliases", "keys", "parent_organization", "active_parameters", "weights_access"))
    cells = {
        "organization": draft.row["organization"],
        "published": draft.row.published,
        "parameters": draft.parameters,
    }
    return {"id": draft.model_id, "name": draft.row.name, **unknown, **cells}


def _is_tuned_from_unknown(draft: Draft) -> bool:
    """Return whether a row without a base model must have one: it has too few tokens for pretraining, as Vicuna has."""
    few = draft.tokens is not None and draft.parameters is not None and draft.tokens < draft.parameters / 2
    return few and not draft.bases and (draft.parameters or 0) > LARGE_MODEL


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
