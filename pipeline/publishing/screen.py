"""The answer of an account: one short line per question, in the order of `schemas.account.Answer`.

Commands, pages, `repr` and JSON begin with these lines. A line is None if it does not apply. A line contains only what
is true of this model in particular; what holds for all models is in the methods.
"""

import math
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pipeline.base.text.cells import fact_value
from pipeline.base.text.numbers import (
    energy,
    flop,
    interval,
    mass,
    money,
    number,
    percent,
    probability,
    within_factors,
    written_date,
)
from pipeline.publishing import screen_methods as methods
from pipeline.publishing.screen_evidence import covers, cut, first, inputs_of, not_found, sure, unrecorded, why
from schemas.account import Answer
from schemas.vocabulary import DISPUTE_CAUSES, THRESHOLDS, SourceKind, ThresholdTotal

Row = Any
LABELS = {  # in the order of the screen; the title and the number have none
    "base": "of this", "counted": "counted", "gpu_time": "GPU time", "methods": "ratio", "others": "others",
    "thresholds": "above", "footprint": "footprint", "covers": "covers", "sure": "how sure", "why": "why",
    "not_found": "not found",
}  # fmt: skip
EFFECTS = {"1e23": "EU: general-purpose AI", "1e25": "EU: systemic risk presumed", "1e26": "US: frontier model"}
SHOWN = 0.005  # smaller probabilities are left to `thresholds`
MOST_OTHERS = 2
MOST_BASES = 3
SCREENS = {100: 14, 80: 20}  # the most rows that an answer may take, by the columns of the screen
MARGIN = 13  # columns before the text of a line
UNKNOWN = "No figure for its training compute is known to us"


def answer(row: Row) -> Answer:
    """Return the lines of one screen about a row of account.sql."""
    estimate, parts, terms = row["estimate"], row["parts"], row["terms"]
    is_known, inputs = estimate["training_flop"] is not None, inputs_of(row)
    others = methods.others(row)
    is_first = not is_known and len(others) == 1 and number_of(row).endswith("by us")
    told = {
        "title": title(estimate),
        "number": number_of(row),
        "base": _base(row),
        "counted": methods.counted(parts[0], terms, estimate),
        "gpu_time": methods.gpu_time(parts[0]),
        "methods": methods.methods(row, _cause(row)),
        "others": None if is_first else _others(others),
        "thresholds": _thresholds(estimate),
        "footprint": _footprint(estimate, row["facts"]),
        "covers": covers(row) if is_known or estimate["own_training_flop"] is not None else None,
        "sure": sure(row, inputs),
        "why": None if is_known else why(row),
        "not_found": not_found(row["missing"], row["facts"]),
        "cut": None,
    }
    return {**_fitted(told, estimate["model_id"]), "inputs": inputs}  # type: ignore[typeddict-item]


def _fitted(told: dict[str, Any], model_id: str) -> dict[str, Any]:
    """Return the lines that fit on one screen: leave out what was not found, the footprint, and a second threshold."""
    shorter = {
        "not_found": None,
        "footprint": None,
        "thresholds": (told["thresholds"] or "").partition("   ")[0] or None,
    }
    number_cut = 0
    for key, text in shorter.items():
        if all(rows(told, model_id, width) <= most for width, most in SCREENS.items()):
            break
        number_cut += told[key] != text
        lines = f"{number_cut} more line{'s' if number_cut > 1 else ''}"
        told = {**told, key: text, "cut": f"({lines} in `explain`)" if number_cut else None}
    return told


def rows(told: Mapping[str, Any], model_id: str, width: int) -> int:
    """Return how many rows of a screen the lines of an answer take, with the commands that lead on."""
    ways = f"flopledger explain {model_id} | cite {model_id} {told['cut'] or ''}"
    texts = [told["title"], told["number"]]
    texts += (f"{'':{MARGIN}}{text}" for text in (*(told[key] for key in LABELS if told[key]), ways))
    broken = (
        textwrap.wrap(text.replace(" %", "_%"), width, subsequent_indent="    ", break_on_hyphens=False)
        for text in texts
    )
    return sum(map(len, broken))


def title(estimate: Row) -> str:
    """Return who made the model, when, and what it is."""
    names = [name.strip() for name in (estimate["organization"] or "").split(",")]
    makers = first(names, 1 if len(names) > 2 else 2)
    domain = (estimate["domain"] or "").removeprefix("other").replace("_", " ")
    return " · ".join(filter(None, (estimate["name"], makers, written_date(estimate["published"] or ""), domain)))


def number_of(row: Row) -> str:
    """Return the total with its interval, otherwise its lower bound, otherwise what somebody else states."""
    estimate, others = row["estimate"], row["others"]
    if estimate["training_flop"] is not None or estimate["training_flop_at_least"] is not None:
        return total(estimate)
    if estimate["reported_flop"] is not None:
        return f"{flop(estimate['reported_flop'])} by its authors, not by us"
    if not others:
        return UNKNOWN
    other = others[0]
    ends = f", {interval(other['low'], other['high'])}," if other["low"] is not None else ""
    return f"{methods.figure(other)}{ends} by {methods.whose(other)}, not by us"


def total(estimate: Row) -> str:
    """Return a total with its interval and the word for how sure it is, or its lower bound."""
    middle, low, high = (estimate[f"training_flop{end}"] for end in ("", "_low", "_high"))
    if middle is None:
        return f"at least {flop(estimate['training_flop_at_least'])}: a part of its training is not known"
    word = estimate["confidence"].replace("_", " ")
    return f"{flop(middle)}   90 %: {interval(low, high)} ({within_factors(middle, low, high)})   {word}"


def own_part(estimate: Row) -> str:
    """Return the model's own training, with its interval."""
    own, low, high = (estimate[f"own_training_flop{end}"] for end in ("", "_low", "_high"))
    if own is None:
        is_imputed = estimate["training_flop"] is not None
        return "own training as in similar models (not stated)" if is_imputed else "own training (not known)"
    return f"{number(own)} own training{f' ({interval(low, high)})' if low is not None else ''}"


def _base(row: Row) -> str | None:
    """Return the training of a model and of its largest base models, apart; None if it has no base model."""
    if not row["estimate"]["base_model"]:
        return None
    bases = [
        f"{number(base['own_training_flop'])} {base['name']}"
        if base["own_training_flop"] is not None
        else f"{base['name']} (not known)"
        for base in sorted(row["parts"][1:], key=lambda base: -(base["own_training_flop"] or math.inf))
    ]
    own = own_part(row["estimate"])
    if len(bases) > MOST_BASES:  # so that the answer fits one screen
        own, bases = own.partition(" (")[0], [*bases[: MOST_BASES - 1], f"{len(bases) - MOST_BASES + 1} smaller"]
    return " + ".join([own, *bases, *(f"{name} (not known)" for name in unrecorded(row))])


def _cause(row: Row) -> str:
    """Return the cause of a dispute in brief: the record's, otherwise the one that the numbers show."""
    if row["model"]["dispute_stated_cause"]:
        return cut(row["model"]["dispute_reason"])
    used = percent(row["estimate"]["implied_utilization_fraction"])
    return DISPUTE_CAUSES[row["dispute_cause"]].brief.format(used=used) if row["dispute_cause"] else ""


def _others(told: Sequence[str]) -> str | None:
    shown = told[:MOST_OTHERS]
    if shown and all(methods.SAME in text for text in shown):
        shown = [*(text.replace(f"; {methods.SAME}", "") for text in shown), methods.SAME]
    more = [f"{len(told) - MOST_OTHERS} more"] if len(told) > MOST_OTHERS else []
    return " · ".join([*shown, *more]) or None


def _thresholds(estimate: Row) -> str | None:
    """Return the chances of exceeding legal thresholds, without small ones and those that a higher one implies."""
    if estimate["threshold_total"] is None or estimate["training_flop"] is None:
        return None
    chances = [(threshold, estimate[threshold.column] or 0) for threshold in THRESHOLDS]
    likely = [threshold for threshold, chance in chances if chance > 0.5]
    shown = [
        f"{threshold.word}: {probability(chance)}{f' ({EFFECTS[threshold.word]})' if threshold in likely[-1:] else ''}"
        for threshold, chance in chances
        if chance >= SHOWN and threshold not in likely[:-1]
    ]
    adds_up = estimate["cumulative_flop"] not in (None, estimate["training_flop"])
    is_cumulative = adds_up and estimate["threshold_total"] == ThresholdTotal.CUMULATIVE_FLOP
    is_between = not is_cumulative and any(estimate["training_flop"] < threshold.flop for threshold in likely)
    aside = "   (of the cumulative total)" if is_cumulative else ""
    aside = "; the number is below, the middle of its interval above" if is_between else aside
    return f"{'   '.join(shown)}{aside}" if shown else None


def _footprint(estimate: Row, facts: Sequence[Row]) -> str | None:
    """Return cost, energy and CO2 with their intervals, and what sources state."""
    stated = {
        fact["path"]: fact for fact in facts if fact["path"] in ("reported_energy", "reported_co2", "reported_cost")
    }
    shown = []
    for name, column, words, path in (
        ("", "cost_usd", money, "reported_cost"),
        ("energy ", "energy_kwh", energy, "reported_energy"),
        ("CO2 ", "co2_kg", mass, "reported_co2"),
    ):  # fmt: skip
        fact = stated.get(path)
        theirs = [f"{SourceKind(fact['source_kind']).short}: {fact_value(fact['value'])}"] if fact else []
        if estimate[column] is not None:
            low, high = (words(estimate[f"{column}{end}"]) for end in ("_low", "_high"))
            unit = high.partition(" ")[1] + high.partition(" ")[2]
            ends = f"{low.removesuffix(unit)} to {high}"
            shown.append(f"{name}{words(estimate[column])} ({'; '.join([ends, *theirs])})")
        elif theirs:
            shown.append(f"{name}{theirs[0]}")
    return "   ".join(shown) or None


def lines(account: Row, ways: Sequence[str]) -> Iterator[str]:
    """Yield the answer as lines with labels; `ways` are the commands that lead on."""
    told = account["answer"]
    yield told["title"]
    yield told["number"]
    yield from (f"  {label:<11}{told[key]}" for key, label in LABELS.items() if told[key])
    if ways:
        yield f"  {'more':<11}{' | '.join(ways)}{' ' + told['cut'] if told['cut'] else ''}"


def of_row(estimate: Row, catalogue_row: Row, epoch_values: Sequence[Row]) -> Answer:
    """Return the lines about a row of Epoch's table, whose figures nobody here read in a publication."""
    told: dict[str, Any] = dict.fromkeys(Answer.__annotations__)
    theirs = first([methods.told_by(value) for value in epoch_values], 1) or None
    floor, base = catalogue_row["training_flop_at_least"], catalogue_row["base_training_flop"]
    told["title"] = f"{title(estimate)} · Epoch AI's row, unchecked"
    if estimate["training_flop"] is not None or floor is not None:
        told["number"], told["others"] = total({**estimate, "training_flop_at_least": floor}), theirs
    else:
        told["number"] = f"{theirs}; we have no number of our own" if theirs else UNKNOWN
    if base is not None:
        told["base"] = f"{own_part(estimate)} + {number(base)} {estimate['base_model'] or 'its base model'}"
    elif estimate["operation_count_flop"] is not None:
        told["counted"] = number(estimate["operation_count_flop"])
    if base is None and estimate["gpu_time_flop"] is not None:
        told["gpu_time"] = f"{number(estimate['gpu_time_flop'])} at the default utilization"
    told["thresholds"] = _thresholds(estimate)
    if reason := catalogue_row["no_estimate_reason"]:
        told["why"] = f"no number: {reason}"
    reasons = [
        f"{word}: {catalogue_row[key]}"
        for key, word in (("rules", "by rules"), ("unread_cells", "cells not read"))
        if catalogue_row[key]
    ]
    told["sure"] = "; ".join([*reasons, f"table of {written_date(catalogue_row['read_on'])}"]) if reasons else None
    told["inputs"] = {"makers": [], "others": [], "assumed": [], "not_read": [], "kinds": []}
    return told  # type: ignore[return-value]
