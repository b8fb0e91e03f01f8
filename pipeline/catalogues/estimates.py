"""Estimates every row of another catalogue by the same stages as the published set; every row is in the result."""

import math
from collections import ChainMap
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from pipeline import in_memory, sql
from pipeline.catalogues.bases import Base, Bases, Named, Wanted, row_id
from pipeline.catalogues.columns import Bad, Row
from pipeline.catalogues.epoch import Catalogue, Part
from pipeline.catalogues.networks import is_same_size
from pipeline.catalogues.quantities import domain_of
from pipeline.catalogues.recorded import Recorded
from pipeline.catalogues.training import Draft
from schemas.params import Params
from schemas.records import Model, Records
from schemas.errors import ContractError
from schemas.tables.catalogue_estimates import CatalogueEstimates
from schemas.tables.estimates import Estimates
from schemas.vocabulary import THRESHOLDS, Confidence, HeadlineMethod

# Tokens a parameter from which on the data of a fine-tuned row count as a full training of its own: the least that the
# pretraining of a large model used is 0.7 (MT-NLG), while fine-tuning stays below this.
OWN_TRAINING = 10.0
# Share of the tokens of a base model of its own size from which on a row's data are taken to be the base model's, told again: what is
# trained on after that is mostly a small part of it.
SAME_DATA = 0.8
# The point, and by the share of truths below it each other point of the distribution.
POINTS = {
    "training_flop": 0.5, "training_flop_p2_5": 0.025, "training_flop_low": 0.05, "training_flop_p10": 0.1, "training_flop_p25": 0.25,
    "training_flop_p75": 0.75, "training_flop_p90": 0.9, "training_flop_high": 0.95, "training_flop_p97_5": 0.975,
}  # fmt: skip
MAGNITUDE = "order of magnitude: passes over the data, or FLOP a parameter, come from a rule"
# Of a sum with a base model, and of an order of magnitude, these would be of a part, or a point estimate.
OF_ONE_PART = (
    "operation_count_flop", "gpu_time_flop", "gpu_time_informed_flop", "method_ratio", "is_disputed", "dispute_cause",
    "independence", "implied_utilization_fraction", "probability_above_1e23_fraction", "probability_above_1e25_fraction",
    "probability_above_1e26_fraction",
)  # fmt: skip
CONFIDENCE = {Confidence.CONFIDENT: 3, Confidence.LIKELY: 10}  # factor within which the 90 % interval lies
ESTIMATE_COLUMNS = tuple(CatalogueEstimates.to_schema().columns)
SHARED = [name for name in ESTIMATE_COLUMNS if name in Estimates.to_schema().columns and name != "model_id"]
PART_ROWS = 25_000  # estimated at once: the stages take a second for any number, and a row some 10 kB of memory
Points = tuple[float, ...]
Headlines = Mapping[str, Mapping[str, Any]]  # rows of `estimates` by model_id


class Estimated(NamedTuple):
    """Result rows of a catalogue, in its order: of the rows that could be read, and of those that could not."""

    estimates: list[dict[str, Any]]
    bad: list[Bad]


def estimate(catalogue: Catalogue, records: Records, parameters: Params, ledger: Headlines) -> Estimated:
    """Estimates of all sound rows. A fine-tuned model's total is its own training and that of its base model.

    A row whose model has a record has the record's headline, of the rows of `estimates` in `ledger`. A row with a number that no table
    may hold is one that could not be read.
    """
    whole = Estimated([], [])
    for part in parts(catalogue, records, parameters, ledger):
        whole.estimates.extend(part.estimates)
        whole.bad.extend(part.bad)
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
        self._widths = Widths.of(records)

    def part(self, part: Part, named: list[Named], bases: Bases) -> Estimated:
        """The estimates of these rows, which are `named` in the same order."""
        totals = _Totals(named, bases, self._widths)
        made, refused = self._headlines(part, named, totals)
        totals.headlines = ChainMap(made, self._known)
        estimates, bad = [], list(part.bad)
        for draft, each in zip(part.drafts, named, strict=True):
            identifier = row_id(each.source_row)
            if identifier in refused:
                bad.append(draft.row.bad(refused[identifier]))
                continue
            estimates.append(_shown(draft, each, totals))
        return Estimated(estimates, sorted(bad))

    def learn(self, part: Part, bases: Bases) -> None:
        """Takes note of the headlines of these base models."""
        named = [bases.rows[row_id(each.row.source_row)] for each in part.drafts]
        made, _ = self._headlines(part, named, _Totals(named, bases, self._widths))
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
        made, refused = _headlines(models | siblings, self.records, self._parameters, self._widths)
        self._known |= {name: _of_base(made[name]) if name in made else None for name in siblings}
        return made, refused


def _of_base(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: row[name] for name in (*POINTS, "headline_method")}


class Width(NamedTuple):
    """The error of a row's estimate: of any share of truths below it the point lies `half` x ((2 x tail)**(-1 / exponent) - 1) from the middle, ln."""

    half: float
    exponent: int

    def points(self, middle: float) -> Points:
        """The points of the distribution in the order of POINTS."""
        return tuple(middle * math.exp(self._distance(share)) for share in POINTS.values())

    def beyond(self, distance: float) -> float:
        """Probability that the truth lies further than `distance`, ln, on one side."""
        return 0.5 * (1 + distance / self.half) ** -self.exponent

    def above(self, distance: float) -> float:
        """Probability that the truth is above e**distance times the middle."""
        return self.beyond(distance) if distance >= 0 else 1 - self.beyond(-distance)

    def _distance(self, share: float) -> float:
        tail = min(share, 1 - share)
        return math.copysign(self.half * ((2 * tail) ** (-1 / self.exponent) - 1), share - 0.5)


class Widths(NamedTuple):
    """Widths of rows by what their estimate is made of (data/records/defaults/catalogue.yaml)."""

    count_and_time: Width
    count: Width
    gpu_time: Width
    base_model: Width

    @classmethod
    def of(cls, records: Records) -> "Widths":
        """Those that the records state."""
        halves = {entry.applies_to: entry.value for entry in records.defaults["catalogue"].values}
        return cls(*(Width(halves[name], EXPONENTS[name]) for name in cls._fields))

    def of_row(self, row: Mapping[str, Any]) -> Width:
        """The width of a row of `estimates` without a base model."""
        if row["headline_method"] == HeadlineMethod.GPU_TIME:
            return self.gpu_time
        return self.count if row["gpu_time_flop"] is None else self.count_and_time


EXPONENTS = {
    "count_and_time": 1,
    "count": 1,
    "gpu_time": 2,
    "base_model": 2,
}  # spike and heavy tail, or as of a record's count


def _headlines(
    self, part: Part, named: list[Named], totals: "_Totals"
) -> tuple[dict[str, dict[str, Any]], dict[str, str]]:
    models = {
        row_id(each.source_row): _scoped(draft.model, _includes(each, totals.base_of(each)))
        for draft, each in zip(part.drafts, named, strict=True)
        if draft.model and each.record is None
    }
    siblings = {name: model for name, model in totals.bases.made.items() if name not in self._known}
    made, refused = _headlines(models | siblings, self.records, self._parameters, self._widths)
    self._known |= {name: _of_base(made[name]) if name in made else None for name in siblings}
    return made, refused


def _of_base(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: row[name] for name in (*POINTS, "headline_method")}


def _headlines(
    models: Mapping[str, Model], records: Records, parameters: Params, widths: Widths
) -> tuple[dict[str, dict[str, Any]], dict[str, str]]:
    """The headlines of these records under the defaults of tables, and of those that no table may hold the line that says so."""
    refused: dict[str, str] = {}
    while True:
        sound = {name: model for name, model in models.items() if name not in refused}
        try:
            made = in_memory.make(
                ["estimates"],
                Records(
                    models=sound,
                    organizations=records.organizations,
                    hardware=records.hardware,
                    defaults=records.defaults,
                ),
                parameters,
            )
        except ContractError as problem:
            more = {name: line for grain, line in problem.rows.items() for name in grain if name in sound}
            if not more:
                raise
            refused |= more
        else:
            return {row["model_id"]: _with_width(row, widths) for row in sql.rows(made["estimates"])}, refused


def _with_width(row: dict[str, Any], widths: Widths) -> dict[str, Any]:
    if row["training_flop"] is None:
        return row
    return row | _spread(row["training_flop"], widths.of_row(row))


def _spread(middle: float, width: Width) -> dict[str, Any]:
    """The columns of `estimates` that say how well a total is known."""
    above = {each.column: min(max(width.above(math.log(each.flop / middle)), 1e-6), 1 - 1e-6) for each in THRESHOLDS}
    points = dict(zip(POINTS, width.points(middle), strict=True))
    return points | above | {"off_by_two_fraction": 2 * width.beyond(math.log(2))}


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

    def __init__(self, named: Iterable[Named], bases: Bases, widths: Widths) -> None:
        self.bases = bases
        self._width = widths.base_model
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
        whole = under.points[0]
        under = under._replace(points=self._width.points(whole))
        if own is None:
            return under._replace(base_flop=whole, rules=[base.rule, "fine-tuning not stated: base alone"])
        points = self._width.points(own.points[0] + whole)
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
    } | dict.fromkeys([*POINTS])
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
        points = dict.fromkeys(
            ("training_flop", "training_flop_p25", "training_flop_p75", "own_training_flop", "off_by_two_fraction")
        )
        return shown | points | {"no_estimate_reason": MAGNITUDE}
    return shown


def _confidence(points: Mapping[str, float]) -> str:
    middle, low, high = (points[name] for name in ("training_flop", "training_flop_low", "training_flop_high"))
    factor = max(high / middle, middle / low)
    return next((word.value for word, reach in CONFIDENCE.items() if factor <= reach), Confidence.SPECULATIVE.value)
