"""Estimates every row of another catalogue by the same stages as the published set; every row is in the result."""

import math
from collections import ChainMap
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from pipeline import flow
from pipeline.catalogues.bases import Base, Bases, Named, Wanted, row_id
from pipeline.catalogues.columns import Bad, Row
from pipeline.catalogues.epoch import Catalogue, Part
from pipeline.catalogues.networks import is_same_size
from pipeline.catalogues.quantities import domain_of
from pipeline.catalogues.recorded import Recorded
from pipeline.catalogues.training import Draft
from pipeline.formulas.uncertainty import NORMAL_QUANTILE_75, NORMAL_QUANTILE_95
from pipeline.rules import frames
from pipeline.rules.headline import CONFIDENCE
from pipeline.rules.ingestion import defaults
from schemas.params import Params
from schemas.records import Model, Records
from schemas.table import ContractError
from schemas.tables.catalogue_estimates import SHARED, CatalogueEstimates
from schemas.vocabulary import Confidence, HeadlineMethod

# Tokens a parameter from which on the data of a fine-tuned row count as a full training of its own: the least that the
# pretraining of a large model used is 0.7 (MT-NLG), while fine-tuning stays below this.
OWN_TRAINING = 10.0
# Share of the tokens of a base model of its own size from which on a row's data are taken to be the base model's, told again: what is
# trained on after that is mostly a small part of it.
SAME_DATA = 0.8
POINTS = ("training_flop", "training_flop_low", "training_flop_p25", "training_flop_p75", "training_flop_high")
MAGNITUDE = "order of magnitude: passes over the data, or FLOP a parameter, come from a rule"
# Of a sum with a base model, and of an order of magnitude, these would be of a part, or a point estimate.
OF_ONE_PART = (
    "operation_count_flop", "gpu_time_flop", "gpu_time_informed_flop", "method_ratio", "is_disputed", "dispute_cause", "dispute_causes",
    "independence", "implied_utilization_fraction", "probability_above_1e23_fraction", "probability_above_1e25_fraction",
    "probability_above_1e26_fraction",
)  # fmt: skip
OF_METHOD = "method_log_sd"
ESTIMATE_COLUMNS = tuple(CatalogueEstimates.__columns__)
PART_ROWS = 25_000  # estimated at once: the stages take a second for any number, and a row some 10 kB of memory
Points = tuple[float, ...]
Headlines = Mapping[str, Mapping[str, Any]]  # rows of `estimates` by model_id


class Estimated(NamedTuple):
    """Result rows of a catalogue, in its order: of the rows that could be read, and of those that could not.

    `log_sds` has, by row, the standard deviation of the logarithm of an estimate by one method where it does not err grossly.
    """

    estimates: list[dict[str, Any]]
    bad: list[Bad]
    log_sds: Mapping[int, float] = MappingProxyType({})


def estimate(catalogue: Catalogue, records: Records, parameters: Params, ledger: Headlines) -> Estimated:
    """Estimates of all sound rows. A fine-tuned model's total is its own training and that of its base model.

    A row whose model has a record has the record's headline, of the rows of `estimates` in `ledger`. A row with a number that no table
    may hold is one that could not be read.
    """
    whole = Estimated([], [], {})
    for part in parts(catalogue, records, parameters, ledger):
        whole.estimates.extend(part.estimates)
        whole.bad.extend(part.bad)
        whole = whole._replace(log_sds={**whole.log_sds, **part.log_sds})
    return whole


def parts(
    catalogue: Catalogue, records: Records, parameters: Params, ledger: Headlines, size: int = PART_ROWS
) -> Iterator[Estimated]:
    """As `estimate`, of so many rows of the file at once; a row's estimate is the same for any size."""
    recorded = Recorded(records)
    run = _Run(records, parameters, ledger)
    bases = None
    if len(catalogue.rows) > size:
        bases = _bases_among(catalogue, recorded, run, size)

    def estimated(part: Part) -> Estimated:
        named = _named(part, recorded)
        return run.part(part, named, bases or Bases(named, records, recorded))

    yield from map(
        estimated, catalogue.parts(catalogue.rows, size)
    )  # nothing here refers to a part while the next is made


def read_beside(catalogue: Catalogue, records: Records, parameters: Params, ledger: Headlines) -> Estimated:
    """As `estimate`, as if no row's model had a record."""
    part = Part(catalogue.drafts, catalogue.bad)
    named = [Named.of(each, None) for each in part.drafts]
    return _Run(records, parameters, ledger).part(part, named, Bases(named, records, Recorded(records)))


def _named(part: Part, recorded: Recorded) -> list[Named]:
    return [Named.of(each, recorded.of_row(each.row)) for each in part.drafts]


def _bases_among(catalogue: Catalogue, recorded: Recorded, run: "_Run", size: int) -> Bases:
    """The base models that rows of the file name, for rows of any part; the run knows their headlines."""
    wanted = Wanted(catalogue.base_names)
    rows = [row for row in catalogue.rows if isinstance(row, Row) and wanted.has(row.name)]
    named = [each for part in catalogue.parts(rows, size) for each in _named(part, recorded)]
    bases = Bases(named, run.records, recorded)
    for part in catalogue.parts(rows, size):
        run.learn(part, bases)
    return bases


class _Run:
    """The stages, and the headlines that rows of any part may need: of the ledger's models, and of base models."""

    def __init__(self, records: Records, parameters: Params, ledger: Headlines) -> None:
        self.records = records
        self._parameters = parameters
        self._known: dict[str, Mapping[str, Any] | None] = dict(ledger)
        width = next(each.spread for each in records.defaults["catalogue"].spreads if each.applies_to == "base_model")
        self._base_log_sd = math.log(width)

    def part(self, part: Part, named: list[Named], bases: Bases) -> Estimated:
        """The estimates of these rows, which are `named` in the same order."""
        totals = _Totals(named, bases, self._base_log_sd)
        made, refused = self._headlines(part, named, totals)
        totals.headlines = ChainMap(made, self._known)
        estimates, bad, log_sds = [], list(part.bad), {}
        for draft, each in zip(part.drafts, named, strict=True):
            identifier = row_id(each.source_row)
            if identifier in refused:
                bad.append(draft.row.bad(refused[identifier]))
                continue
            estimates.append(_shown(draft, each, totals))
            if identifier in made:
                log_sds[each.source_row] = made[identifier][OF_METHOD]
        return Estimated(estimates, sorted(bad), log_sds)

    def learn(self, part: Part, bases: Bases) -> None:
        """Takes note of the headlines of these base models."""
        named = [bases.rows[row_id(each.row.source_row)] for each in part.drafts]
        made, _ = self._headlines(part, named, _Totals(named, bases, self._base_log_sd))
        self._known |= {identifier: _of_base(row) for identifier, row in made.items()}

    def _headlines(
        self, part: Part, named: list[Named], totals: "_Totals"
    ) -> tuple[dict[str, dict[str, Any]], dict[str, str]]:
        models = {
            row_id(each.source_row): _scoped(draft.model, _includes(each, totals.base_of(each)))
            for draft, each in zip(part.drafts, named, strict=True)
            if draft.model and each.record is None
        }
        siblings = {name: model for name, model in totals.bases.made.items() if name not in self._known}
        made, refused = _headlines(models | siblings, self.records, self._parameters)
        self._known |= {name: _of_base(made[name]) if name in made else None for name in siblings}
        return made, refused


def _of_base(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: row[name] for name in (*POINTS, "headline_method")}


def _widened(points: Points, log_sd: float) -> Points:
    """Percentiles in the order of POINTS, with an independent error of this standard deviation of the logarithm."""
    middle = points[0]
    return (middle, *(
        middle * math.exp(math.copysign(math.hypot(math.log(point / middle), quantile * log_sd), math.log(point / middle)))
        for point, quantile in zip(points[1:], (NORMAL_QUANTILE_95, NORMAL_QUANTILE_75, NORMAL_QUANTILE_75, NORMAL_QUANTILE_95), strict=True)
    ))  # fmt: skip


def _headlines(
    models: Mapping[str, Model], records: Records, parameters: Params
) -> tuple[dict[str, dict[str, Any]], dict[str, str]]:
    """The headlines of these records under the defaults of tables, and of those that no table may hold the line that says so."""
    refused: dict[str, str] = {}
    while True:
        sound = {name: model for name, model in models.items() if name not in refused}
        try:
            made = flow.make(
                ["estimates", "reconciliations"],
                Records(
                    models=sound,
                    organizations=records.organizations,
                    hardware=records.hardware,
                    defaults=records.defaults,
                ),
                parameters,
                {"defaults": defaults.of_tables},
            )
        except ContractError as problem:
            more = {name: line for grain, line in problem.rows.items() for name in grain if name in sound}
            if not more:
                raise
            refused |= more
        else:
            terms = {row["model_id"]: _log_sd(row) for row in frames.rows(made["reconciliations"])}
            rows = frames.rows(made["estimates"])
            return {row["model_id"]: {**row, OF_METHOD: terms[row["model_id"]]} for row in rows}, refused


def _log_sd(row: Mapping[str, Any]) -> float | None:
    used = {"operation_count": "operation_log_sd", "gpu_time": "gpu_time_used_log_sd"}.get(row["headline_method"] or "")
    return row[used] if used else None


def _includes(each: Named, base: Base | None) -> bool:
    """Whether the data of a fine-tuned row hold its base model's: as many tokens, or for a network of its size nearly as many."""
    if not (base and each.tokens and base.tokens):
        return False
    is_same = bool(base.parameters) and is_same_size(each.parameters, base.parameters)
    return each.tokens >= base.tokens * (SAME_DATA if is_same else 1.0)


def _scoped(model: Model, includes_base: bool) -> Model:
    # Operations of the whole training and GPU time of the fine-tuning alone are estimates of different quantities.
    phase = model.training[0]
    if not includes_base or phase.examples is None:
        return model
    return model.model_copy(update={"training": [phase.model_copy(update={"hardware": []})]})


class _Total(NamedTuple):
    """Percentiles of a total in the order of POINTS, its method, its part that is a base model's, and the rules behind it."""

    points: Points
    method: str
    base_flop: float | None
    rules: list[str]
    is_magnitude: bool = False


class _Totals:
    """Totals of rows with their base models.

    The parts are summed as headlines, since often one has operations only and the other GPU time only.
    """

    headlines: Mapping[str, Mapping[str, Any] | None]

    def __init__(self, named: Iterable[Named], bases: Bases, base_log_sd: float) -> None:
        self.bases = bases
        self._base_log_sd = base_log_sd
        self._rows = {row_id(each.source_row): each for each in named}
        self._found = {each.source_row: bases.of(each) for each in self._rows.values() if each.base_names}

    def base_of(self, each: Named) -> Base | None:
        """The base model of a row; None where it has none that is found."""
        if each.source_row not in self._found and each.base_names:
            self._found[each.source_row] = self.bases.of(each)
        return self._found.get(each.source_row)

    def of(self, model_id: str, before: tuple[str, ...] = ()) -> _Total | str:
        """The total of a row, or why there is none."""
        each = self._rows.get(model_id) or self.bases.rows.get(model_id)
        if each is not None and each.record is not None:
            return self.own(each.record) or f"the ledger's record {each.record!r} has no estimate"
        own = self.own(model_id)
        if each is None or not each.base_names:
            return own or (each.missing if each else "") or "no method applies"
        return self._with_base(model_id, each, own, before)

    def _with_base(self, model_id: str, each: Named, own: _Total | None, before: tuple[str, ...]) -> _Total | str:
        base = self.base_of(each)
        if base is None or base.model_id in before:
            return self._alone(each, own)
        if own and _includes(each, base):
            return own._replace(rules=["data as large as the base model's are taken to include them"])
        under = self.of(base.model_id, (*before, model_id))
        if isinstance(under, str):
            return self._alone(each, own)
        under = under._replace(points=_widened(under.points, self._base_log_sd))
        whole = under.points[0]
        if own is None:
            return under._replace(base_flop=whole, rules=[base.rule, "fine-tuning not stated: base alone"])
        points = tuple(first + second for first, second in zip(own.points, under.points, strict=True))
        method = own.method if own.method == under.method else HeadlineMethod.SUM_OF_PARTS.value
        return _Total(points, method, whole, [base.rule], own.is_magnitude or under.is_magnitude)

    def own(self, model_id: str) -> _Total | None:
        """The headline of a row's own training, or of a model of the ledger."""
        row = self.headlines.get(model_id)
        if row is None or row["training_flop"] is None:
            return None
        each = self._rows.get(model_id) or self.bases.rows.get(model_id)
        return _Total(
            tuple(row[name] for name in POINTS), row["headline_method"], None, [], bool(each and each.is_magnitude)
        )

    def _alone(self, each: Named, own: _Total | None) -> _Total | str:
        names = ", ".join(each.base_names)
        if own and each.tokens and each.parameters and each.tokens / each.parameters >= OWN_TRAINING:
            return own._replace(rules=[f"base model {names!r} not known: own training alone"])
        return f"base model {names!r} is neither in this file nor in the ledger, with an estimate"


def _shown(each: Draft, named: Named, totals: _Totals) -> dict[str, Any]:
    recorded, model_id = named.record, row_id(named.source_row)
    total = totals.of(model_id)
    stages = totals.headlines.get(recorded or model_id) or {}
    shown: dict[str, Any] = dict.fromkeys(ESTIMATE_COLUMNS)
    if stages:
        shown |= {name: stages.get(name) for name in SHARED}
    shown |= {
        "source_row": each.row.source_row,
        "name": each.row.name,
        "organization": " ".join(each.row["organization"].split()) or None,
        "domain": domain_of(each.row["domain"]).value,
        "published": each.row.published,
        "model_id": recorded,
        "own_training_flop": stages.get("training_flop") if recorded is None else stages.get("own_training_flop"),
        "unread_cells": "; ".join(each.row.unread) or None,
        "rules": "; ".join(each.rules) or None,
    } | dict.fromkeys(POINTS)
    if recorded:
        shown |= {"rules": f"the ledger's record {recorded!r}"}
    if isinstance(total, str):
        return (
            shown
            | dict.fromkeys(("own_training_flop", "headline_method", "confidence"))
            | {"no_estimate_reason": total}
        )
    points = dict(zip(POINTS, total.points, strict=True))
    shown |= points | {
        "headline_method": total.method,
        "base_training_flop": total.base_flop,
        "confidence": _confidence(points),
    }
    if not recorded:
        shown |= {"rules": "; ".join([*each.rules, *total.rules]) or None}
    if total.base_flop or total.is_magnitude:
        shown |= dict.fromkeys(OF_ONE_PART)
    if total.is_magnitude:
        points = dict.fromkeys(("training_flop", "training_flop_p25", "training_flop_p75", "own_training_flop"))
        return shown | points | {"no_estimate_reason": MAGNITUDE}
    return shown


def _confidence(points: Mapping[str, float]) -> str:
    middle, low, high = (points[name] for name in ("training_flop", "training_flop_low", "training_flop_high"))
    factor = max(high / middle, middle / low)
    return next((word.value for word, reach in CONFIDENCE.items() if factor <= reach), Confidence.SPECULATIVE.value)
