"""Estimate every row of another catalogue with the ledger's stages. The result contains every row."""

import bisect
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from pipeline.catalogues.bases import Base, Bases
from pipeline.catalogues.model_sizes import is_same_size
from pipeline.catalogues.record_lookup import Recorded
from pipeline.catalogues.rows import Bad, Catalogue, Draft
from pipeline.engines import in_memory
from pipeline.formulas.uncertainty import Lomax, lomax_reach
from pipeline.models import sql
from pipeline.rules.ingestion.organizations import owner_columns
from schemas.errors import ContractError
from schemas.limits import LARGEST_FLOP
from schemas.params import Params
from schemas.records import Model, Records
from schemas.tables import columns_of
from schemas.vocabulary import THRESHOLDS, Confidence, HeadlineMethod, TotalState

# If a row has at least this share of the tokens of a base model of its size, we assume that its data include the base
# model's, because later training usually takes a small fraction of the tokens.
SAME_DATA = 0.8
# Columns with the points of the distribution that we publish, and the share of true values below each point.
POINTS = {
    "training_flop": 0.5, "training_flop_p2_5": 0.025, "training_flop_low": 0.05, "training_flop_p10": 0.1,
    "training_flop_p25": 0.25, "training_flop_p75": 0.75, "training_flop_p90": 0.9, "training_flop_high": 0.95,
    "training_flop_p97_5": 0.975,
}  # fmt: skip
# Most counts in tables are the product that we compute, but some are another product, so errors have a spike and a
# heavy tail.
EXPONENTS = {"count_and_time": 1, "count": 1, "gpu_time": 2}
SHARES = [place / 100_000 for place in range(1, 100_000)]  # shares of true values at which to look up a probability
OF_A_TOTAL = (
    *POINTS, "off_by_two_fraction", *(threshold.column for threshold in THRESHOLDS), "headline_method", "confidence",
)  # fmt: skip
# Columns that are also null if a row has a base model, because they would describe only one part of the total.
OF_ONE_PART = (
    "operation_count_flop", "gpu_time_flop", "gpu_time_informed_flop", "method_ratio", "is_disputed", "dispute_cause",
    "independence", "implied_utilization_fraction",
)  # fmt: skip
OF_ROWS = (
    "source_row", "epoch_tables", "model_id", "no_estimate_reason", "base_training_flop", "rules", "unread_cells",
)  # fmt: skip
# Columns that are also in `estimates`.
SHARED = [name for name in columns_of("catalogue_estimates") if name not in OF_ROWS]
ESTIMATE_COLUMNS = (*OF_ROWS, *SHARED)
Headlines = Mapping[str, Mapping[str, Any]]  # rows of `estimates` by model_id
# The largest factor between the parameters of a row and of a base that its own training, not stated, is compared with.
LIKE_SIZE = 1.5
BATCH = 5_000  # rows whose tables are in memory at once


class Estimated(NamedTuple):
    """The result for a catalogue, in its order: estimates of the rows that can be read, made one by one; other rows."""

    estimates: Iterable[dict[str, Any]]
    bad: list[Bad]


def estimate(
    catalogue: Catalogue, records: Records, parameters: Params, ledger: Headlines, *, finds_records: bool = True
) -> Estimated:
    """Return estimates of all valid rows. The total of a fine-tuned model includes the training of its base model.

    If `finds_records`, a row whose model has a record takes its headline from `ledger`. A row with an impossible number
    counts as unreadable. Drafts lose their models once these are estimated: those of 100,000 rows take 230 MB.
    """
    recorded, drafts = Recorded(records), catalogue.drafts
    for draft in drafts:
        draft.record = recorded.record_of_row(draft.row) if finds_records else None
    bases = Bases(drafts, records, recorded)
    headlines, refused = dict(ledger), dict[str, str]()
    own = [draft for draft in drafts if draft.model and draft.record is None]
    for batch in (own[start : start + BATCH] for start in range(0, len(own), BATCH)):
        models = {}
        for draft in batch:
            if draft.model:
                models[draft.model_id] = _own_model(draft.model, _has_data_of(draft, bases.base_of(draft)))
            draft.model = None
        found, impossible = _headlines(models, records, parameters)
        headlines |= found
        refused |= impossible
    totals = _Totals(bases, Widths.from_records(records), headlines, parameters.reconcile.rough_off_by_two)
    spellings, countries = records.organization_ids(), records.countries()

    def row_of(draft: Draft) -> dict[str, Any]:
        row = _row(draft, totals)
        if draft.record is None:
            row |= owner_columns(row["organization"] or "", row["published"] or "", records, spellings, countries)
        return row

    unread = [draft.row.bad_row(refused[draft.model_id]) for draft in drafts if draft.model_id in refused]
    rows = (row_of(draft) for draft in drafts if draft.model_id not in refused)
    return Estimated(rows, sorted([*catalogue.bad, *unread]))


def _headlines(
    models: Mapping[str, Model], records: Records, parameters: Params
) -> tuple[dict[str, dict[str, Any]], dict[str, str]]:
    """Return headlines of rows' own training, and why the stages refuse a row."""
    refused: dict[str, str] = {}
    # One impossible row makes the rules refuse the whole batch, so leave out the refused rows and run again.
    while True:
        accepted = {name: model for name, model in models.items() if name not in refused}
        row_records = Records(
            models=accepted,
            organizations=records.organizations,
            hardware=records.hardware,
            defaults=records.defaults,
            hardware_prices=records.hardware_prices,
            grid_factors=records.grid_factors,
        )
        try:
            tables = in_memory.make(["estimates"], row_records, parameters)
        except ContractError as problem:
            impossible = {key[0]: line for key, line in problem.rows.items() if key[0] in accepted}
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

    @classmethod
    def from_records(cls, records: Records) -> "Widths":
        """Return the widths in the records."""
        halves = {entry.applies_to: entry.value for entry in records.defaults["catalogue"].values}
        return cls(*(Lomax(halves[name], EXPONENTS[name]) for name in cls._fields))

    def own_error(self, row: Mapping[str, Any]) -> Lomax:
        """Return the error of a headline without a base model."""
        if row["headline_method"] == HeadlineMethod.GPU_TIME or row["is_disputed"]:
            return self.gpu_time  # a count that contradicts the row's time is no more certain than the time
        return self.count if row["gpu_time_flop"] is None else self.count_and_time


def _has_data_of(draft: Draft, base: Base | None) -> bool:
    """Return whether a fine-tuned row's data include its base's: as many tokens, or nearly as many and as large."""
    if not (base and draft.tokens and base.tokens):
        return False
    is_same = bool(base.parameters) and is_same_size(draft.parameters, base.parameters)
    return draft.tokens >= base.tokens * (SAME_DATA if is_same else 1.0)


def _own_model(model: Model, includes_base: bool) -> Model:
    """Return a row's model, without its hardware if its operations include the base model's training."""
    # If the operations are of the whole training, GPU time of the fine-tuning would estimate another quantity.
    phase = model.training[0]
    if not includes_base or phase.examples is None:
        return model
    return model.model_copy(update={"training": [phase.model_copy(update={"hardware": []})]})


class _Part(NamedTuple):
    """The FLOP of one training run, with its errors upwards and downwards."""

    flop: float
    up: Lomax
    down: Lomax

    def point(self, share: float) -> float:
        return self.flop * math.exp((self.up if share > 0.5 else self.down).distance(share))


class _NotStated(NamedTuple):
    """A row's own training that is not stated: a share of its base's FLOP as in similar models (`ratios`, sorted)."""

    base_flop: float
    ratios: Sequence[float]

    @property
    def flop(self) -> float:
        return self.point(0.5)

    def point(self, share: float) -> float:
        # The lower half counts as nothing at the low end, so no interval begins above the base model's.
        place = share * (len(self.ratios) - 1) if share > POINTS["training_flop_p10"] else 0
        low, part = divmod(place, 1)
        ends = self.ratios[int(low) : int(low) + 2]
        return self.base_flop * (ends[0] + part * (ends[-1] - ends[0])) if place else 0.0


class _Total(NamedTuple):
    """A sum of training runs, with its method, the base model's part, and the rules that led to it."""

    parts: tuple[_Part | _NotStated, ...]
    method: str
    base_flop: float | None
    rules: list[str]

    @property
    def has_guess(self) -> bool:
        """Return whether a part is not stated, and taken as in similar models."""
        return any(isinstance(part, _NotStated) for part in self.parts)

    @property
    def flop(self) -> float:
        return math.fsum(part.flop for part in self.parts)

    def point(self, share: float) -> float:
        """Return the quantile at this share. As in the ledger, quantiles of parts add: no total is below its base's."""
        return math.fsum(part.point(share) for part in self.parts)

    def exceedance(self, flop: float) -> float:
        """Return the probability that the truth is above `flop`."""
        return 1 - bisect.bisect_left(SHARES, flop, key=self.point) / len(SHARES)


class _Totals:
    """The totals of rows, including their base models.

    We add headlines, because one part often has only operations and the other only GPU time.
    """

    def __init__(self, bases: Bases, widths: Widths, headlines: Headlines, rough_off_by_two: float) -> None:
        self.bases = bases
        self._widths = widths
        self.headlines = headlines
        self.rough_off_by_two = rough_off_by_two
        self._ratios = sorted(row["own_to_base_ratio"] for row in headlines.values() if row.get("own_to_base_ratio"))

    def total(self, model_id: str, before: tuple[str, ...] = ()) -> _Total | str:
        """Return a row's total, or the reason why it has none. `before` lists the rows that led to this base model."""
        draft = self.bases.drafts.get(model_id)
        if draft is not None and draft.record is not None:
            return self.headline(draft.record) or f"the ledger's record {draft.record!r} has no estimate"
        own_total = self.headline(model_id)
        if draft is None or not draft.bases:
            return own_total or (draft.missing if draft else "") or "no method applies"
        return self._with_base(draft, own_total, before)

    def _with_base(self, draft: Draft, tuning: _Total | None, before: tuple[str, ...]) -> _Total | str:
        """Return the total of a fine-tuned row with its base, or why it has none. `tuning` is the row's own total."""
        base = self.bases.base_of(draft)
        if base is None or base.model_id in before:
            return _unknown_base(draft, tuning)
        if tuning and _has_data_of(draft, base):
            rules = ["data as large as the base model's are assumed to include them"]
            return tuning._replace(rules=rules)
        base_total = self.total(base.model_id, (*before, draft.model_id))
        if isinstance(base_total, str):
            return _unknown_base(draft, tuning)
        if tuning is None:
            if not self._is_like(draft, base) or not self._ratios or base_total.has_guess:
                unlike = f"base model {base.model_id!r} differs in domain or size, or has an imputed part itself"
                return f"its own training is not stated, and {unlike}"
            rules = [base.rule, "its own training is not stated: taken as in similar models"]
            parts = (*base_total.parts, _NotStated(base_total.flop, self._ratios))
            return base_total._replace(parts=parts, base_flop=base_total.flop, rules=rules)
        method = tuning.method if tuning.method == base_total.method else HeadlineMethod.SUM_OF_PARTS.value
        return _Total(tuning.parts + base_total.parts, method, base_total.flop, [base.rule])

    def _is_like(self, draft: Draft, base: Base) -> bool:
        """Return whether a row has the domain of its base, and about its size, as far as they are known."""
        domain = self.bases.domain(base.model_id)
        ratio = draft.parameters / base.parameters if draft.parameters and base.parameters else 1.0
        return domain == draft.domain and 1 / LIKE_SIZE <= ratio <= LIKE_SIZE

    def lower_bound(self, draft: Draft) -> float | None:
        """Return the low end of what is known of a row without a total: its own training, or its base model's."""
        base = self.bases.base_of(draft)
        is_larger = base and draft.parameters and base.parameters and base.parameters > LIKE_SIZE * draft.parameters
        base_part = self.total(base.model_id, (draft.model_id,)) if base and not is_larger else None
        parts = (self.headline(draft.model_id), base_part)
        lows = [part.point(POINTS["training_flop_low"]) for part in parts if isinstance(part, _Total)]
        return math.fsum(lows) or None

    def headline(self, model_id: str) -> _Total | None:
        """Return the headline of a row's own training or of a ledger's model as a total; None without one."""
        row = self.headlines.get(model_id)
        if row is None or row["training_flop"] is None:
            return None
        draft = self.bases.drafts.get(model_id)
        flop = row["training_flop"]
        if draft is None:  # a model in the ledger has its own interval
            up, down = (
                Lomax(math.log(ratio) / lomax_reach(0.95), 2)
                for ratio in (row["training_flop_high"] / flop, flop / row["training_flop_low"])
            )
        else:
            up = down = self._widths.own_error(row)
        return _Total((_Part(flop, up, down),), row["headline_method"], base_flop=None, rules=[])


def _unknown_base(draft: Draft, tuning: _Total | None) -> str:
    unknown = f"base model {', '.join(draft.bases)!r} has no estimate in this file or in the ledger"
    return f"{unknown}; only its own training has one" if tuning else unknown


def _row(draft: Draft, totals: _Totals) -> dict[str, Any]:
    """Return a row of `catalogue_estimates`, with the total of a draft or the reason why it has no total."""
    headline = totals.headlines.get(draft.record or draft.model_id) or {}
    row = dict.fromkeys(ESTIMATE_COLUMNS) | {name: headline.get(name) for name in SHARED}
    row |= {
        "source_row": draft.row.source_row,
        "epoch_tables": draft.row["epoch_tables"] or None,
        "name": draft.row.name,
        "organization": " ".join(draft.row["organization"].split()) or None,
        "domain": draft.domain.value,
        "published": draft.row.published,
        "model_id": draft.record,
        "unread_cells": "; ".join(draft.row.unread) or None,
    }
    total_or_reason = totals.total(draft.model_id)
    if draft.record:
        reason = total_or_reason if isinstance(total_or_reason, str) else None
        return row | {"rules": f"the ledger's record {draft.record!r}", "no_estimate_reason": reason}
    # A total whose upper end is beyond any possible run is no estimate; the reason replaces it.
    if isinstance(total_or_reason, _Total):
        highest = total_or_reason.point(POINTS["training_flop_p97_5"])
        if highest >= LARGEST_FLOP:
            total_or_reason = f"its interval reaches up to {highest:.2g} FLOP, more than any run"
    rules = draft.rules if isinstance(total_or_reason, str) else [*draft.rules, *total_or_reason.rules]
    row["rules"] = "; ".join(rules) or None
    own = totals.headline(draft.model_id)
    row["own_training_flop"], row["own_training_flop_low"], row["own_training_flop_high"] = (
        own and own.point(POINTS[name]) for name in ("training_flop", "training_flop_low", "training_flop_high")
    )
    least = totals.lower_bound(draft) if isinstance(total_or_reason, str) else None
    row |= {"training_flop_at_least": least, "total_state": _state(total_or_reason, least).value}
    return row | _total_columns(total_or_reason, totals.rough_off_by_two)


def _state(total: _Total | str, least: float | None) -> TotalState:
    """Return what is known of the parts of a row's total; `least` is a lower bound, if there is one."""
    if isinstance(total, str):
        return TotalState.AT_LEAST if least else TotalState.UNKNOWN
    return TotalState.OWN_IMPUTED if total.has_guess else TotalState.KNOWN


def _total_columns(total: _Total | str, rough_off_by_two: float) -> dict[str, Any]:
    """Return the columns that describe a total: its points and OF_A_TOTAL, with null in those that do not apply."""
    if isinstance(total, str):
        return dict.fromkeys((*OF_A_TOTAL, *OF_ONE_PART)) | {"no_estimate_reason": total}
    columns: dict[str, Any] = {name: total.point(share) for name, share in POINTS.items()}
    columns |= {"headline_method": total.method, "base_training_flop": total.base_flop}
    if total.base_flop:
        columns |= dict.fromkeys(OF_ONE_PART)
    columns |= {
        threshold.column: min(max(total.exceedance(threshold.flop), 1e-6), 1 - 1e-6) for threshold in THRESHOLDS
    }
    off_by_two = total.exceedance(2 * total.flop) + 1 - total.exceedance(total.flop / 2)
    # A row without a record is never confident.
    word = Confidence.ROUGH if off_by_two <= rough_off_by_two else Confidence.ORDER_OF_MAGNITUDE
    return columns | {"off_by_two_fraction": off_by_two, "confidence": word}
