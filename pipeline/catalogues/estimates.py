"""Estimate every row of another catalogue with the ledger's stages. Every row is in the result."""

import bisect
import math
from collections import ChainMap
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from pipeline.catalogues.bases import Base, Bases
from pipeline.catalogues.names import is_same_size
from pipeline.catalogues.recorded import Recorded
from pipeline.catalogues.rows import Bad, Catalogue, Draft
from pipeline.engines import in_memory
from pipeline.formulas.uncertainty import Lomax, lomax_reach
from pipeline.models import sql
from pipeline.rules.ingestion.organizations import of_makers
from schemas.errors import ContractError
from schemas.limits import LARGEST_FLOP
from schemas.params import Params
from schemas.records import Model, Records
from schemas.tables import columns_of
from schemas.vocabulary import THRESHOLDS, Confidence, HeadlineMethod

# If a row has at least this share of the tokens of a base model of its size, we assume that its data include the base
# model's, because later training usually takes a small fraction of the tokens.
SAME_DATA = 0.8
# Published points of the distribution, by the share of true values below each point.
POINTS = {
    "training_flop": 0.5, "training_flop_p2_5": 0.025, "training_flop_low": 0.05, "training_flop_p10": 0.1, "training_flop_p25": 0.25,
    "training_flop_p75": 0.75, "training_flop_p90": 0.9, "training_flop_high": 0.95, "training_flop_p97_5": 0.975,
}  # fmt: skip
# Most counts in tables are the product that we compute, but some are another product, so errors have a spike and a
# heavy tail.
EXPONENTS = {"count_and_time": 1, "count": 1, "gpu_time": 2, "tuning_not_stated": 2}
SHARES = [place / 100_000 for place in range(1, 100_000)]  # shares of true values at which to look up a probability
MAGNITUDE = "order of magnitude: passes over the data, or FLOP per parameter, come from a rule"
# Columns that are null if a row has only an order of magnitude, which is an interval without a point estimate.
OF_A_POINT = (
    "training_flop", "training_flop_p25", "training_flop_p75", "off_by_two_fraction", *(threshold.column for threshold in THRESHOLDS),
)  # fmt: skip
OF_A_TOTAL = (*POINTS, *OF_A_POINT, "headline_method", "confidence")
# Columns that are also null if a row has a base model, because they would describe only its own part of the total.
OF_ONE_PART = (
    "operation_count_flop", "gpu_time_flop", "gpu_time_informed_flop", "method_ratio", "is_disputed", "dispute_cause",
    "independence", "implied_utilization_fraction",
)  # fmt: skip
CONFIDENCE = {Confidence.CONFIDENT: 3, Confidence.LIKELY: 10}  # factor within which the 90 % interval must be
OF_ROWS = (
    "source_row",
    "epoch_tables",
    "model_id",
    "no_estimate_reason",
    "base_training_flop",
    "rules",
    "unread_cells",
)
SHARED = [name for name in columns_of("catalogue_estimates") if name not in OF_ROWS]  # columns that `estimates` has too
ESTIMATE_COLUMNS = (*OF_ROWS, *SHARED)
Headlines = Mapping[str, Mapping[str, Any]]  # rows of `estimates` by model_id


class Estimated(NamedTuple):
    """Results for a catalogue, in its order: rows that could be read, and rows that could not."""

    estimates: list[dict[str, Any]]
    bad: list[Bad]


def estimate(catalogue: Catalogue, records: Records, parameters: Params, ledger: Headlines) -> Estimated:
    """Return estimates of all valid rows. A fine-tuned model's total is its own training plus its base model's.

    If a row's model has a record, the row takes the record's headline from the rows of `estimates` in `ledger`. A row
    with an impossible number counts as one that could not be read.
    """
    recorded = Recorded(records)
    drafts = [replace(draft, record=recorded.of_row(draft.row)) for draft in catalogue.drafts]
    return estimate_drafts(drafts, catalogue.bad, records, parameters, ledger)


def estimate_drafts(
    drafts: list[Draft], bad: list[Bad], records: Records, parameters: Params, ledger: Headlines
) -> Estimated:
    """Return estimates as `estimate` does, for rows whose drafts already name their records."""
    totals = _Totals(Bases(drafts, records, Recorded(records)), Widths.of(records))
    headlines, refused = _headlines(totals, records, parameters, ledger)
    totals.headlines = ChainMap(headlines, dict(ledger))
    estimates, unread, spellings = [], list(bad), records.organization_ids()
    for draft in drafts:
        row = _shown(draft, totals)
        if draft.record is None:
            row |= of_makers(row["organization"] or "", row["published"] or "", records, spellings)
        reason = refused.get(draft.model_id) or _beyond_limits(row)
        if reason:
            unread.append(draft.row.bad(reason))
        else:
            estimates.append(row)
    return Estimated(estimates, sorted(unread))


def _headlines(
    totals: "_Totals", records: Records, parameters: Params, ledger: Headlines
) -> tuple[dict[str, Any], dict[str, str]]:
    """Return rows of `estimates` for each row's own training and for other sizes of a family, and the reason for each refused row."""
    models = {
        draft.model_id: _scoped(draft.model, _includes(draft, totals.base_of(draft)))
        for draft in totals.bases.drafts.values()
        if draft.model and draft.record is None
    }
    models |= {name: model for name, model in totals.bases.siblings.items() if name not in ledger}
    refused: dict[str, str] = {}
    while True:
        sound = {name: model for name, model in models.items() if name not in refused}
        row_records = Records(
            models=sound,
            organizations=records.organizations,
            hardware=records.hardware,
            defaults=records.defaults,
            hardware_prices=records.hardware_prices,
            grid_factors=records.grid_factors,
        )
        try:
            tables = in_memory.make(["estimates"], row_records, parameters)
        except ContractError as problem:
            impossible = {key[0]: line for key, line in problem.rows.items() if key[0] in sound}
            if not impossible:
                raise
            refused |= impossible
        else:
            return {row["model_id"]: row for row in sql.rows(tables["estimates"])}, refused


class Widths(NamedTuple):
    """The errors of a row's total, by the method behind it (data/records/defaults/catalogue.yaml)."""

    count_and_time: Lomax
    count: Lomax
    gpu_time: Lomax
    tuning_not_stated: Lomax

    @classmethod
    def of(cls, records: Records) -> "Widths":
        """Return the widths stated in the records."""
        halves = {entry.applies_to: entry.value for entry in records.defaults["catalogue"].values}
        return cls(*(Lomax(halves[name], EXPONENTS[name]) for name in cls._fields))

    def of_own(self, row: Mapping[str, Any], *, is_magnitude: bool) -> Lomax:
        """Return the error of a row of `estimates` without a base model. For an order of magnitude, use its assumed range."""
        if is_magnitude:
            return Lomax(math.log(row["training_flop_high"] / row["training_flop"]) / lomax_reach(0.95), 2)
        if row["headline_method"] == HeadlineMethod.GPU_TIME or row["is_disputed"]:
            return self.gpu_time  # a count that contradicts the row's time is no more certain than the time
        return self.count if row["gpu_time_flop"] is None else self.count_and_time


def _beyond_limits(row: Mapping[str, Any]) -> str | None:
    """Return the first number of FLOP that is too large for any table, in words, or None."""
    beyond = (name for name in ESTIMATE_COLUMNS if name.endswith("_flop") or name in POINTS)
    wrong = next((name for name in beyond if (row[name] or 0) >= LARGEST_FLOP), None)
    return f"{wrong}: {row[wrong]:.6g} is not less than {LARGEST_FLOP:g}" if wrong else None


def _spread(total: "_Total") -> dict[str, Any]:
    """Return the columns of `estimates` that describe how well a total is known."""
    return (
        {name: total.point(share) for name, share in POINTS.items()}
        | {threshold.column: min(max(total.above(threshold.flop), 1e-6), 1 - 1e-6) for threshold in THRESHOLDS}
        | {"off_by_two_fraction": total.above(2 * total.flop) + 1 - total.above(total.flop / 2)}
    )


def _includes(draft: Draft, base: Base | None) -> bool:
    """Return whether a fine-tuned row's data include its base model's: it has as many tokens, or nearly as many at the same size."""
    if not (base and draft.tokens and base.tokens):
        return False
    is_same = bool(base.parameters) and is_same_size(draft.parameters, base.parameters)
    return draft.tokens >= base.tokens * (SAME_DATA if is_same else 1.0)


def _scoped(model: Model, includes_base: bool) -> Model:
    # Operations for the whole training and GPU time for only the fine-tuning estimate different quantities.
    phase = model.training[0]
    if not includes_base or phase.examples is None:
        return model
    return model.model_copy(update={"training": [phase.model_copy(update={"hardware": []})]})


class _Part(NamedTuple):
    """The FLOP of one training run, with its error on each side. Quantiles of parts add."""

    flop: float
    up: tuple[Lomax, ...]
    down: tuple[Lomax, ...]

    def point(self, share: float) -> float:
        return self.flop * math.exp(
            math.fsum(error.distance(share) for error in (self.up if share > 0.5 else self.down))
        )


class _Total(NamedTuple):
    """A sum of training runs, with its method, the base model's part, and the rules behind it."""

    parts: tuple[_Part, ...]
    method: str
    base_flop: float | None
    rules: list[str]
    is_magnitude: bool

    @property
    def flop(self) -> float:
        return math.fsum(part.flop for part in self.parts)

    def point(self, share: float) -> float:
        """Return the quantile at this share. As in the ledger, the parts' quantiles add, so no total is below its base model's."""
        return math.fsum(part.point(share) for part in self.parts)

    def above(self, flop: float) -> float:
        """Return the probability that the truth is above `flop`."""
        return 1 - bisect.bisect_left(SHARES, flop, key=self.point) / len(SHARES)


class _Totals:
    """Totals of rows including their base models.

    We add headlines, because one part often has only operations and the other only GPU time.
    """

    headlines: Mapping[str, Mapping[str, Any] | None]

    def __init__(self, bases: Bases, widths: Widths) -> None:
        self.bases = bases
        self._widths = widths
        self._bases = {draft.model_id: bases.of(draft) for draft in bases.drafts.values() if draft.bases}

    def base_of(self, draft: Draft) -> Base | None:
        """Return the base model of a row, or None if none was found."""
        return self._bases.get(draft.model_id)

    def of(self, model_id: str, before: tuple[str, ...] = ()) -> _Total | str:
        """Return the total of a row, or the reason why it has none. `before` lists the rows that led to this base model."""
        draft = self.bases.drafts.get(model_id)
        if draft is not None and draft.record is not None:
            return self._own_total(draft.record) or f"the ledger's record {draft.record!r} has no estimate"
        own_total = self._own_total(model_id)
        if draft and draft.times_base:
            return self._times_base(draft, draft.times_base, before)
        if draft is None or not draft.bases:
            return own_total or (draft.missing if draft else "") or "no method applies"
        return self._with_base(draft, own_total, before)

    def _with_base(self, draft: Draft, tuning: _Total | None, before: tuple[str, ...]) -> _Total | str:
        """Return the total of a fine-tuned row and its base model, or why there is none. `tuning` is the row's own total."""
        base = self.base_of(draft)
        if base is None or base.model_id in before:
            return _unknown_base(draft, tuning)
        if tuning and _includes(draft, base):
            rules = ["data as large as the base model's are assumed to include them"]
            return tuning._replace(rules=rules)
        base_total = self.of(base.model_id, (*before, draft.model_id))
        if isinstance(base_total, str):
            return _unknown_base(draft, tuning)
        if tuning is None:
            rules = [base.rule, "fine-tuning not stated: only the base model"]
            parts = tuple(part._replace(up=(*part.up, self._widths.tuning_not_stated)) for part in base_total.parts)
            return base_total._replace(parts=parts, base_flop=base_total.flop, rules=rules)
        method = tuning.method if tuning.method == base_total.method else HeadlineMethod.SUM_OF_PARTS.value
        is_magnitude = tuning.is_magnitude or base_total.is_magnitude
        return _Total(tuning.parts + base_total.parts, method, base_total.flop, [base.rule], is_magnitude)

    def _times_base(self, draft: Draft, times: float, before: tuple[str, ...]) -> _Total | str:
        base = self.base_of(draft)
        under = self.of(base.model_id, (*before, draft.model_id)) if base and base.model_id not in before else None
        if base is None or not isinstance(under, _Total):
            return f"its compute is {times:.3g} times that of its base model, which is not known here"
        rules = [base.rule, f"{times:.3g} times the base model's compute, from the note"]
        parts = tuple(part._replace(flop=times * part.flop) for part in under.parts)
        return under._replace(parts=parts, base_flop=under.flop, rules=rules)

    def _own_total(self, model_id: str) -> _Total | None:
        """Return the headline of a row's own training, or of a model in the ledger."""
        row = self.headlines.get(model_id)
        if row is None or row["training_flop"] is None:
            return None
        draft = self.bases.drafts.get(model_id)
        is_magnitude = bool(draft and draft.is_magnitude)
        flop = row["training_flop"]
        if draft is None and model_id not in self.bases.siblings:  # a model of the ledger has its own interval
            up, down = (
                Lomax(math.log(ratio) / lomax_reach(0.95), 2)
                for ratio in (row["training_flop_high"] / flop, flop / row["training_flop_low"])
            )
        else:
            up = down = self._widths.of_own(row, is_magnitude=is_magnitude)
        return _Total((_Part(flop, (up,), (down,)),), row["headline_method"], None, [], is_magnitude)


def _unknown_base(draft: Draft, tuning: _Total | None) -> str:
    unknown = f"base model {', '.join(draft.bases)!r} is neither in this file nor in the ledger, with an estimate"
    return f"{unknown}: only its own training" if tuning and not tuning.is_magnitude else unknown


def _shown(draft: Draft, totals: _Totals) -> dict[str, Any]:
    """Return a row of `catalogue_estimates`: the total of a draft, or the reason why it has none."""
    stages = totals.headlines.get(draft.record or draft.model_id) or {}
    shown: dict[str, Any] = dict.fromkeys(ESTIMATE_COLUMNS) | {name: stages.get(name) for name in SHARED}
    shown |= {
        "source_row": draft.row.source_row,
        "epoch_tables": draft.row["epoch_tables"] or None,
        "name": draft.row.name,
        "organization": " ".join(draft.row["organization"].split()) or None,
        "domain": draft.domain.value,
        "published": draft.row.published,
        "model_id": draft.record,
        "unread_cells": "; ".join(draft.row.unread) or None,
    }
    total = totals.of(draft.model_id)
    if draft.record:
        reason = total if isinstance(total, str) else None
        return shown | {"rules": f"the ledger's record {draft.record!r}", "no_estimate_reason": reason}
    shown |= {
        "own_training_flop": None if draft.is_magnitude else stages.get("training_flop"),
        "rules": "; ".join(draft.rules) or None,
    }
    if not isinstance(total, str) and total.flop < LARGEST_FLOP <= (
        highest := total.point(POINTS["training_flop_p97_5"])
    ):
        total = f"order of magnitude: including the unknown part of its base models, it may be as much as {highest:.2g} FLOP"
    if isinstance(total, str):
        return shown | dict.fromkeys((*OF_A_TOTAL, *OF_ONE_PART)) | {"no_estimate_reason": total}
    shown |= _spread(total) | {
        "headline_method": total.method,
        "base_training_flop": total.base_flop,
        "rules": "; ".join([*draft.rules, *total.rules]) or None,
    }
    shown["confidence"] = _confidence(shown)
    if total.base_flop or total.is_magnitude:
        shown |= dict.fromkeys(OF_ONE_PART)
    if total.is_magnitude:
        return shown | dict.fromkeys(OF_A_POINT) | {"no_estimate_reason": MAGNITUDE}
    return shown


def _confidence(points: Mapping[str, Any]) -> str:
    middle, low, high = (points[name] for name in ("training_flop", "training_flop_low", "training_flop_high"))
    factor = max(high / middle, middle / low)
    return next((word.value for word, reach in CONFIDENCE.items() if factor <= reach), Confidence.SPECULATIVE.value)
