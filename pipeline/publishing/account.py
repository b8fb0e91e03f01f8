"""Build a model's account (schemas/account.py) from any connection that has the ledger's tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import duckdb

from pipeline.base.text.numbers import comparison, flop, interval, units
from pipeline.publishing import screen
from pipeline.publishing.rows import rows
from pipeline.publishing.screen_evidence import INPUTS
from schemas.account import (
    VERSION,
    Account,
    CatalogueRow,
    Facts,
    Missing,
    OtherEstimate,
    Part,
    StatedFact,
    ThresholdChance,
)
from schemas.vocabulary import THRESHOLDS, FactStatus, SharedInputs, fact_name

if TYPE_CHECKING:
    from pipeline.publishing.citation import Citation

SQL = Path(__file__).with_name("account.sql")
Row = Mapping[str, Any]
RANGES = ("chips", "duration", "chip_time")  # facts about an allocation that may be stated as a range or a bound
ELSEWHERE = ("external_estimates", "contributions")  # paths with their own groups in an account
# Epoch's own value for a row, compared with our estimate for the row.
EPOCH_VALUE = """
select 'epoch' as external_estimate_id, epoch_flop as flop, epoch_flop / $2 as times_ours,
    epoch_confidence as confidence, 'unknown' as inputs,
    case when $2 is null then 'no_own_value' when abs(ln(epoch_flop / $2)) <= ln(2) then 'agrees' else 'differs' end
        as outcome,
    'Epoch AI, Data on AI Models' as title, 'https://epoch.ai/data/ai-models' as url
from epoch_results where source_row = $1 and epoch_flop is not null"""
READ_ON = """
select min(fetched_on)::varchar as read_on from watched_sources
where list_contains(?, replace(watched_source_id, '-', '_'))"""
NOT_SHOWN = ("source_kind", "source_title", "derived")
# "93M" and "46 %" are other spellings of the value, not arithmetic.
SCALED = re.compile(r"\s*[\d.]+\s*(\*\s*(10*|1e\d+|10\*\*\d+)|/\s*100)\s*")


def accounts(
    connection: duckdb.DuckDBPyConnection, model_ids: Iterable[str], citation: Citation | None
) -> Iterator[Account]:
    """Yield the account of each model, by id. `citation` cites the release; it is None for a user's own model."""
    for row in rows(connection, SQL.read_text(encoding="utf-8"), models=list(model_ids)):
        yield _account(row, citation)


def account(connection: duckdb.DuckDBPyConnection, model_id: str, citation: Citation | None) -> Account:
    """Return the account of one model."""
    return next(accounts(connection, [model_id], citation))


def _account(row: Row, citation: Citation | None) -> Account:
    """Return the account of a row of account.sql: the columns of estimates, and the groups of the account's schema."""
    estimate, model = row["estimate"], row["model"]
    _state_ranges(row)
    address = citation and citation.address(estimate["model_id"])
    groups: Account = {
        "account_version": VERSION,
        "asked": {"name": estimate["model_id"], "relation": "same", "remark": None} if citation else None,
        "aliases": (model["aliases"] or "").split(" | ") if model["aliases"] else [],
        "scope_note": model["scope_note"],
        "note": model["note"],
        "answer": screen.answer(row),
        "dispute": {
            "cause": row["dispute_cause"],
            "sentence": row["sentences"]["dispute_sentence"],
        } if row["dispute_cause"] else None,
        "parts": row["parts"],
        "base_of": row["base_of"],
        "others": [_other_estimate(other) for other in row["others"]],
        "thresholds": _thresholds(estimate),
        "missing": [cast(Missing, {**missing, "label": fact_name(missing["fact"])}) for missing in row["missing"]],
        "facts": _facts(row),
        "publications": row["publications"],
        "errata": row["errata"],
        "cite": citation and {
            "text": citation.text(statement(estimate), address),
            "version": citation.version,
            "url": address,
        },
        "catalogue_row": None,
    }  # fmt: skip
    return cast(Account, {**estimate, **groups})


def row_account(connection: duckdb.DuckDBPyConnection, name: str) -> Account:
    """Return the account of a model without a record, by the first row of this name in Epoch's table, unchecked."""
    (row,) = rows(connection, "from catalogue_estimates where name = ? order by source_row limit 1", name)
    columns = [name for name, *_ in connection.execute("describe estimates").fetchall()]
    row |= rows(connection, READ_ON, row["epoch_tables"].split())[0]
    chips = rows(connection, "select name from hardware where hardware_id = ?", row["hardware"])
    catalogue_row = {key: row.pop(key) for key in CatalogueRow.__annotations__}
    found = rows(connection, EPOCH_VALUE, catalogue_row["source_row"], row["training_flop"])
    epoch_values = [{**dict.fromkeys(OtherEstimate.__annotations__), **value} for value in found]
    groups: Account = {
        "account_version": VERSION, "asked": None, "aliases": [], "scope_note": None, "note": None, "dispute": None,
        "parts": [], "base_of": [], "others": [_other_estimate(other) for other in epoch_values],
        "answer": screen.row_answer(row, catalogue_row, epoch_values, chips[0]["name"] if chips else None),
        "thresholds": _thresholds(row), "missing": [],
        "facts": {group: [] for group in Facts.__annotations__}, "publications": [], "errata": [], "cite": None,
        "catalogue_row": cast(CatalogueRow, catalogue_row),
    }  # fmt: skip
    return cast(Account, {**{name: row.get(name) for name in columns}, **groups})


def has_unread(account: Account, part: Part, phase: str, *keys: str) -> bool:
    """Return whether a fact of a phase was never checked in its source; False for base models."""
    places = [place for place, row in enumerate(part["phases"]) if row["phase"] == phase]
    if part["model_id"] != account["model_id"] or not places:
        return False
    path = rf"training\[{places[0]}\]\.(.*\.)?({'|'.join(keys)})"
    return any(fact["status"] == FactStatus.NOT_READ and re.fullmatch(path, fact["path"]) for fact in facts_of(account))


def facts_of(account: Account) -> list[StatedFact]:
    """Return the facts of all groups."""
    return [fact for group in account["facts"].values() for fact in cast(list[StatedFact], group)]


def _state_ranges(row: Row) -> None:
    """Add to each allocation its stated chips and times if they are ranges or bounds of the model, otherwise None."""
    (model_part, *_) = row["parts"]
    phases = [phase["phase"] for phase in model_part["phases"]]
    values = {fact["path"]: fact["value"] for fact in row["facts"] if fact["bound"] or " to " in fact["value"]}
    for part in row["parts"]:
        for chips in part["allocations"]:
            index = phases.index(chips["phase"]) if part is model_part else None
            for name in RANGES:
                chips[f"stated_{name}"] = values.get(f"training[{index}].hardware[{chips['allocation']}].{name}")


def _other_estimate(other: Row) -> OtherEstimate:
    ratio = other["times_ours"]
    shared = SharedInputs(other["inputs"]).words
    return cast(OtherEstimate, {**other, "verdict": None if ratio is None else f"{comparison(ratio, 1.0)}{shared}"})


def _thresholds(estimate: Row) -> list[ThresholdChance]:
    rows = ({**limit._asdict(), "probability_above_fraction": estimate[limit.column]} for limit in THRESHOLDS)
    return [cast(ThresholdChance, row) for row in rows]


def _facts(row: Row) -> Facts:
    """Return a record's facts by group. Further evidence for the same value is merged into the first fact."""
    groups: Facts = {"data": [], "machine": [], "network": [], "other": []}
    (model_part, *_) = row["parts"]
    chip_names = {chips["hardware_id"]: chips["hardware"] for chips in model_part["allocations"]}
    latest: StatedFact | None = None
    for fact in row["facts"]:
        path, _, is_repeated = fact["path"].partition(" (")  # "path (2)" marks further evidence for the same fact
        key = path.rpartition(".")[2]
        if is_repeated and latest and latest["path"] == path and latest["value"] == fact["value"]:
            latest["quotes"] = [*latest["quotes"], *fact["quotes"]]
            continue
        if path.startswith(ELSEWHERE):
            continue
        shown = {
            "path": path,
            "label": _label(path, model_part["phases"]),
            "value": chip_names.get(fact["value"], fact["value"]),
            "worked_out": worked_out(fact),
            "unused": _reason_unused(path, model_part["phases"]),
        }
        latest = cast(StatedFact, {**{name: fact[name] for name in fact if name not in NOT_SHOWN}, **shown})
        of = "network" if "architecture" in path else INPUTS.get(key, "machine" if key == "framework" else "other")
        groups[of if of in groups else "machine"].append(latest)  # type: ignore[literal-required]
    return groups


def worked_out(fact: Row) -> str | None:
    """Return the arithmetic that leads from a source's words to a value; None if the words have it, even as "93M".

    >>> derived = ("4 * 4096", "93 * 1e6", "46.2 / 100", "half", None)
    >>> [worked_out({"derived": text, "assumption_reasons": None}) for text in derived]
    ['4 * 4096', None, None, None, None]
    """
    derived = fact["derived"]
    if derived is None or fact["assumption_reasons"]:
        return derived and str(derived)
    is_arithmetic = re.fullmatch(r"[\d.eE()\s*/+-]+", derived) and re.search(r"[*/+-]", derived)
    return str(derived) if is_arithmetic and not SCALED.fullmatch(derived) else None


def _reason_unused(path: str, phases: list[Row]) -> str | None:
    place = re.fullmatch(r"training\[(\d+)\]\.utilization", path)
    if place is None or phases[int(place[1])]["stated_utilization_fraction"] is not None:
        return None
    return "Not used: it counts recomputed activations (HFU)."


def _label(path: str, phases: list[Row]) -> str:
    """Return a fact's label, with phase and group of chips if there are several; data and batches have their unit."""
    place, chips = re.match(r"training\[(\d+)\]", path), re.search(r"hardware\[([1-9]\d*)\]", path)
    name = fact_name(path)
    phase = phases[int(place[1])] if place else None
    if phase and path.endswith(".examples"):
        name = f"{units(phase['example_unit'])} in the data"
    elif phase and path.endswith(".batch"):
        name = f"{name} in {units(phase['example_unit'])}"
    prefix = f"{phase['phase'].replace('_', ' ')}: " if phase and len(phases) > 1 else ""
    return f"{prefix}{name}{f', chips {int(chips[1]) + 1}' if chips else ''}"


def statement(estimate: Row) -> str:
    """Return a model's name, id and estimate with its interval, without a full stop."""
    named = f"{estimate['name']} ({estimate['model_id']})"
    if estimate["training_flop"] is None:
        least = estimate["training_flop_at_least"]
        return f"{named}: {f'at least {flop(least)} of training compute' if least else 'training compute unknown'}"
    ends = interval(estimate["training_flop_low"], estimate["training_flop_high"])
    return f"{named}: {flop(estimate['training_flop'])} of training compute, 90 % interval {ends}"
