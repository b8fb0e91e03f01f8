"""Estimates every row of another catalogue by the same stages as the published set; every row is in the result."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pipeline import flow
from pipeline.catalogues.bases import Base, Bases, row_id
from pipeline.catalogues.columns import Bad
from pipeline.catalogues.epoch import Catalogue
from pipeline.catalogues.quantities import domain_of
from pipeline.catalogues.training import Draft
from pipeline.paths import replace_file
from pipeline.publishing import csv_cells
from pipeline.rules import frames
from schemas.params import Params
from schemas.records import Model, Records

# Tokens a parameter from which on the data of a fine-tuned row count as a full training of its own: the least that the
# pretraining of a large model used is 0.7 (MT-NLG), while fine-tuning stays below this.
OWN_TRAINING = 10.0
FROM_STAGES = (
    "operation_count_flop", "gpu_time_flop", "method_ratio", "is_disputed", "dispute_cause", "operation_count_basis",
    "hardware_basis", "precision", "imputed_inputs",
)  # fmt: skip
ESTIMATE_COLUMNS = (
    "source_row", "name", "published", "domain", "training_flop", "training_flop_low", "training_flop_high",
    "headline_method", "base_flop", *FROM_STAGES, "rules", "reason",
)  # fmt: skip
BAD_COLUMNS = ("source_row", "name", "reason", "cells")


class Estimated(NamedTuple):
    """Result rows of a catalogue, in its order: of the rows that could be read, and of those that could not."""

    estimates: list[dict[str, Any]]
    bad: list[Bad]


def estimate(catalogue: Catalogue, records: Records, parameters: Params) -> Estimated:
    """Estimates of all sound rows. A fine-tuned model's total is its own training and that of its base model."""
    known = without_reported(records)
    bases = Bases(catalogue.drafts, known)
    found = {each.row.source_row: bases.find(each.bases, each.row.name) for each in catalogue.drafts if each.bases}
    models = {
        row_id(each.row.source_row): _scoped(each.model, _includes(each, found.get(each.row.source_row)))
        for each in catalogue.drafts
        if each.model
    }
    own_records = {each.row.source_row: named for each in catalogue.drafts if (named := bases.recorded(each.row.name))}
    used = {base.model_id for base in found.values() if base} | set(own_records.values())
    models |= {name: model for name, model in _with_lineage(used, known.models).items() if name not in models}
    models |= bases.made
    everything = Records(models, known.hardware, known.defaults)
    made = flow.make(["estimates"], everything, parameters)["estimates"]
    headlines = {row["model_id"]: row for row in frames.rows(made)}
    totals = _Totals(catalogue.drafts, found, headlines, own_records)
    return Estimated([_shown(each, totals) for each in catalogue.drafts], catalogue.bad)


def _includes(each: Draft, base: Base | None) -> bool:
    """Whether a fine-tuned row has as many tokens as its base model, so that they are assumed to include the base model's."""
    return bool(base and each.tokens and base.tokens and each.tokens >= base.tokens)


def _scoped(model: Model, includes_base: bool) -> Model:
    # Operations of the whole training and GPU time of the fine-tuning alone are estimates of different quantities.
    phase = model.training[0]
    if not includes_base or phase.examples is None:
        return model
    return model.model_copy(update={"training": [phase.model_copy(update={"hardware": []})]})


def without_reported(records: Records) -> Records:
    """The records without reported totals, external estimates, errata and adjudications, so that no stated compute enters an estimate."""
    models = {
        name: model.model_copy(update={"reported_flop": None, "external_estimates": []})
        for name, model in records.models.items()
    }
    return Records(models, records.hardware, records.defaults)


def _with_lineage(names: Iterable[str], models: dict[str, Model]) -> dict[str, Model]:
    wanted, left = {}, [name for name in names if name in models]
    while left:
        name = left.pop()
        wanted[name] = models[name]
        left += [base for base in [models[name].base_model] if base and base not in wanted]
    return wanted


class _Total(NamedTuple):
    median: float
    low: float
    high: float
    method: str
    base: float | None
    rules: list[str]


class _Totals:
    """Totals of rows with their base models.

    The parts are summed as headlines, since often one has operations only and the other GPU time only.
    """

    def __init__(self, drafts: list[Draft], found: dict[int, Base | None], headlines: dict[str, Any], records: dict[int, str]) -> None:  # fmt: skip
        self.headlines = headlines
        self._drafts = {row_id(each.row.source_row): each for each in drafts}
        self._found = found
        self._records = records

    def of(self, model_id: str, before: tuple[str, ...] = ()) -> _Total | str:
        """The total of a row, or why there is none."""
        each = self._drafts.get(model_id)
        recorded = self._recorded(each) if each else None
        if recorded and each and each.is_guessed:
            return recorded
        own = self.own(model_id)
        if each is None or not each.bases:
            return own or recorded or (each.missing if each else "") or "no method applies"
        total = self._with_base(model_id, each, own, before)
        return recorded if recorded and isinstance(total, str) else total

    def _recorded(self, each: Draft) -> _Total | None:
        """The ledger's own estimate of a model of the row's name."""
        name = self._records.get(each.row.source_row, "")
        found = self.own(name)
        return found and found._replace(method="ledger", rules=[f"the ledger's own record {name!r}"])

    def _with_base(self, model_id: str, each: Draft, own: _Total | None, before: tuple[str, ...]) -> _Total | str:
        base = self._found[each.row.source_row]
        if base is None or base.model_id in before:
            return self._alone(each, own)
        if own and _includes(each, base):
            return own._replace(rules=["data as large as the base model's are taken to include them"])
        under = self.of(base.model_id, (*before, model_id))
        if isinstance(under, str):
            return self._alone(each, own)
        if own is None:
            return under._replace(
                base=under.median, method="base", rules=[base.rule, "fine-tuning not stated: base alone"]
            )
        sums = (first + second for first, second in zip(own[:3], under[:3], strict=True))
        return _Total(*sums, own.method, under.median, [base.rule])

    def own(self, model_id: str) -> _Total | None:
        """The headline of a row's own training."""
        row = self.headlines.get(model_id)
        if row is None or row["training_flop"] is None:
            return None
        bounds = (row["training_flop"], row["training_flop_low"], row["training_flop_high"])
        return _Total(*bounds, row["headline_method"], None, [])

    def _alone(self, each: Draft, own: _Total | None) -> _Total | str:
        names = ", ".join(each.bases)
        if own and each.tokens and each.parameters and each.tokens / each.parameters >= OWN_TRAINING:
            return own._replace(rules=[f"base model {names!r} not known: own training alone"])
        return f"base model {names!r} is neither in this file nor in the ledger, with an estimate"


def _shown(each: Draft, totals: _Totals) -> dict[str, Any]:
    model_id = row_id(each.row.source_row)
    total = totals.of(model_id)
    stages = totals.headlines.get(model_id, {})
    shown: dict[str, Any] = dict.fromkeys(ESTIMATE_COLUMNS)
    shown |= {"source_row": each.row.source_row, "name": each.row.name, "published": each.row["published"] or None}
    shown |= {"domain": domain_of(each.row["domain"]).value} | {name: stages.get(name) for name in FROM_STAGES}
    if isinstance(total, str):
        return shown | {"reason": total, "rules": "; ".join(each.rules) or None}
    return shown | {
        "training_flop": total.median,
        "training_flop_low": total.low,
        "training_flop_high": total.high,
        "headline_method": total.method,
        "base_flop": total.base,
        "rules": "; ".join([*each.rules, *total.rules]) or None,
    }


def write(estimated: Estimated, out: Path) -> Path | None:
    """Writes the estimates to `out` and the rows that could not be read beside it, each file whole or not at all.

    Returns the path of the latter; None where all rows could be read.
    """
    quarantine = out.with_name(f"{out.name}.quarantine.csv")
    bad = [
        {**each._asdict(), "cells": " | ".join(f"{name}: {cell}" for name, cell in each.cells.items() if cell)}
        for each in estimated.bad
    ]
    _write(out, ESTIMATE_COLUMNS, estimated.estimates)
    if not bad:
        quarantine.unlink(missing_ok=True)  # of an earlier run, whose rows can all be read now
        return None
    _write(quarantine, BAD_COLUMNS, bad)
    return quarantine


def told(estimated: Estimated, out: Path, quarantine: Path | None) -> str:
    """A line with the numbers of rows estimated, without an estimate and unreadable, and the files."""
    number = len(estimated.estimates)
    known = sum(row["training_flop"] is not None for row in estimated.estimates)
    without = f", {number - known} without an estimate, each with the reason" if known < number else ""
    bad = f", {len(estimated.bad)} could not be read (see {quarantine})" if quarantine else ""
    return f"{out}: {number + len(estimated.bad)} rows read, {known} estimated{without}{bad}"


def _write(path: Path, names: Sequence[str], found: Iterable[Mapping[str, Any]]) -> None:
    text = csv_cells.text(names, ([row[name] for name in names] for row in found))
    replace_file(path, lambda beside: beside.write_text(text, encoding="utf-8", newline=""))
