"""Checks of the models from which training began: they are named, exist, are older and no larger, without circles."""

import re
from collections.abc import Iterator

from pipeline.records.checks.record import LoadedRecord, RecordChecks
from pipeline.records.yaml_text import Mistake
from schemas.records import Base, Model, Records
from schemas.spelling import nearest
from schemas.vocabulary import Accounting

# Words by which a contribution says that training began from its weights, and that a model has no record.
FIRST_WEIGHTS = re.compile(r"first weights|initiali[sz]|on top of|starts? from|is the start", re.IGNORECASE)
NO_RECORD = re.compile(r"([A-Z][^.;]*?)[,;] (?:of which[^,]*, )?(?:which|it|none of which) ha(?:s|ve) no records?")
MOST_LARGER = 1.05  # how many times a base may exceed the model's parameters if no note says which part of it was used


class BaseChecks(RecordChecks):
    """Checks of one model's `base_model`, and of what its notes say of models without a record."""

    def __init__(self, loaded: LoadedRecord, records: Records) -> None:
        super().__init__(loaded)
        self.models = records.models

    def across(self, model: Model) -> Iterator[Mistake]:
        """Yield a mistake for each base that cannot be one, each circle, and each base that is not named."""
        for index, base in enumerate(model.base_model):
            yield from (self._mistake(reason, "base_model", index) for reason in self._base_refusals(model, base))
        if chain := self._circle(self.loaded.identifier, []):
            yield self._mistake(f"base models form a circle: {' -> '.join(chain)}", "base_model")
        yield from self._unnamed_bases(model)

    def _unnamed_bases(self, model: Model) -> Iterator[Mistake]:
        """Yield a mistake if base_model lacks the weights that training began from, or a note denies a record."""
        kinds = {phase.accounting for phase in model.training}
        if kinds and kinds <= {Accounting.FINE_TUNING, Accounting.CONTINUED} and not model.base_model:
            yield self._mistake("all its phases train on from other weights: name them in base_model", "training")
        if model.base_share and not model.base_model:
            yield self._mistake("needs base_model, whose share it is", "base_share")
        for index, contribution in enumerate(model.contributions or []):
            if (
                not (model.base_model or contribution.model)
                and contribution.accounting in (Accounting.PRETRAINING, Accounting.CONTINUED)
                and FIRST_WEIGHTS.search(contribution.note or "")
            ):
                message = "are these the weights from which training began? Then name them in base_model"
                yield self._mistake(message, "contributions", index)
            for clause in NO_RECORD.findall(contribution.note or ""):
                for name in re.split(r" and |, ", clause):
                    if known := self._id_of(name):
                        message = f"the note says that {name} has no record, but {known} is its record"
                        yield self._mistake(message, "contributions", index)

    def _base_refusals(self, model: Model, base: Base) -> Iterator[str]:
        known = self.models.get(base.value)
        if base.value == self.loaded.identifier:
            yield "is this model itself; name the model from whose weights training began"
        elif known is None:
            others = [identifier for identifier in self.models if identifier != self.loaded.identifier]
            if base.is_recorded:
                yield f"{base.value!r} is not a model{nearest(base.value, others)}"
            elif identifier := self._id_of(base.value):
                yield f"{base.value!r} has a record: write {identifier}"
        else:
            yield from () if base.note else _doubts(model, known, base.value)

    def _id_of(self, name: str) -> str | None:
        spelled = name.lower()
        return next((identifier for identifier, model in self.models.items()
                     if spelled in (identifier, model.name.lower(), *map(str.lower, model.aliases))), None)  # fmt: skip

    def _circle(self, identifier: str, before: list[str]) -> list[str] | None:
        """Return the ids of a circle of base models that contains the record, or None."""
        if identifier in before:
            return [*before, identifier] if identifier == self.loaded.identifier and len(before) > 1 else None
        bases = self.models[identifier].base_model if identifier in self.models else []
        chains = (self._circle(base.value, [*before, identifier]) for base in bases)
        return next((chain for chain in chains if chain), None)


def _doubts(model: Model, base: Model, base_id: str) -> Iterator[str]:
    """Yield why a base without a note can hardly be one: it is newer, or larger."""
    if base.published[: len(model.published)] > model.published[: len(base.published)]:
        yield f"{base_id} was published on {base.published}, after this model ({model.published}); say why in note"
    if base.parameters and model.parameters:
        times = base.parameters.amount / model.parameters.amount
        if times > MOST_LARGER:
            yield f"{base_id} has {times:.3g} times the parameters; say in note which part of it was used"
