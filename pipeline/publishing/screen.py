"""The answer of an account: one short line per question, in the order of `schemas.account.Answer`.

Commands, pages, `repr` and JSON begin with these lines. A line is None if it does not apply. A line contains only what
is true of this model in particular; what holds for all models is in the methods.
"""

import math
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from pipeline.base.text.cells import fact_value
from pipeline.base.text.numbers import (
    energy,
    flop,
    interval,
    mass,
    money,
    number,
    probability,
    within_factors,
    written_date,
)
from pipeline.base.text.wrapping import wrap
from pipeline.publishing import screen_methods as methods
from pipeline.publishing.screen_evidence import (
    certainty,
    coverage,
    cut,
    facts_not_found,
    first_words,
    inputs_of,
    lack,
    reason_without_total,
    unrecorded_bases,
    word_of,
)
from schemas.account import Answer
from schemas.units import amount
from schemas.vocabulary import (
    POSSIBLE_FRACTION,
    THRESHOLDS,
    CostBasis,
    Domain,
    HeadlineMethod,
    SourceKind,
    ThresholdTotal,
)

Row = Any
LABELS = {  # in the order of the screen; the title and the number have none
    "base": "sum of", "counted": "counted", "gpu_time": "GPU time", "methods": "ratio", "others": "others",
    "thresholds": "above", "footprint": "footprint", "covers": "covers", "sure": "how sure", "why": "why",
    "not_found": "not found",
}  # fmt: skip
EFFECTS = {  # for each threshold of a law: what follows from it, in brief
    "1e23": "the EU's 1e23 indication of general-purpose AI",
    "1e25": "the EU's 1e25 presumption of systemic risk",
    "1e26": "the 1e26 of frontier models in California and New York",
}
GENERATING = (Domain.LANGUAGE, Domain.IMAGE_GENERATION, Domain.MULTIMODAL, Domain.VIDEO, Domain.SPEECH)
MOST_OTHERS = 2
MOST_BASES = 3
SCREENS = {100: 14, 80: 20}  # the most rows that an answer may take, by the columns of the screen
SIZES = {"usd": 1, "watt_hour": 1e3, "gram": 1e3}  # the units of facts in those of our amounts
UNKNOWN = "No figure for its training compute is known to us"


def answer(row: Row) -> Answer:
    """Return the lines of one screen about a row of account.sql."""
    estimate, parts, terms = row["estimate"], row["parts"], row["terms"]
    is_known = estimate["training_flop"] is not None
    has_own_part = is_known or estimate["own_training_flop"] is not None
    others = methods.other_statements(row)
    is_first = not is_known and len(others) == 1 and number_of(row).endswith("by us")
    own = "own part: " if estimate["base_model"] else ""
    told = {
        "title": title(estimate),
        "number": number_of(row),
        "base": _base(row),
        "counted": _with_label(own, methods.operation_count(parts[0], terms, estimate)),
        "gpu_time": _with_label(own, methods.gpu_time(parts[0])),
        "methods": methods.methods(row, _cause(row)),
        "others": None if is_first else _joined_others(others),
        "thresholds": _thresholds(estimate),
        "footprint": _footprint(estimate, row["facts"]),
        "covers": _with_label("" if is_known else own, coverage(row)) if has_own_part else None,
        "sure": certainty(row, inputs_of(row)) if has_own_part else None,
        "why": None if is_known else reason_without_total(row),
        "not_found": facts_not_found(row["missing"], row["facts"]),
        "cut": None,
    }
    return _one_screen(told, estimate["model_id"])  # type: ignore[return-value]


def _one_screen(told: dict[str, Any], model_id: str) -> dict[str, Any]:
    """Return lines that fit on one screen: cut what was not found first, and the base's interval last."""
    shorter = {
        "not_found": None,
        "footprint": None,
        "thresholds": (told["thresholds"] or "").partition("; ")[0] or None,
        "sure": (told["sure"] or "").partition("; by ")[0] or None,
        "base": told["base"] and re.sub(r" \([\d.e]+ to [\d.e]+\)", "", told["base"]),
    }
    number_cut, ways = 0, [f"flopledger explain {model_id}", f"cite {model_id}"]
    for key, text in shorter.items():
        rows = [*lines({"answer": told}, ways)]
        if all(sum(len(wrap(row, width)) for row in rows) <= most for width, most in SCREENS.items()):
            break
        number_cut += told[key] != text
        cuts = f"({number_cut} more in `explain`)"
        told = {**told, key: text, "cut": cuts if number_cut else None}
    return told


def title(estimate: Row) -> str:
    """Return who made the model, when, and what it is."""
    names = [name.strip() for name in (estimate["organization"] or "").split(",")]
    makers = first_words(names, 1 if len(names) > 2 else 2)
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
    return f"{methods.figure(other)}{ends} by {methods.source_name(other)}, not by us"


def total(estimate: Row) -> str:
    """Return a total with its interval, or its lower bound with the parts that it covers."""
    middle, low, high = (estimate[f"training_flop{end}"] for end in ("", "_low", "_high"))
    if middle is not None:
        return f"{flop(middle)}   90 %: {interval(low, high)} ({within_factors(middle, low, high)})"
    least, own_low = estimate["training_flop_at_least"], estimate["own_training_flop_low"]
    ends = "its own training and its known base models"
    if own_low is None:
        ends = "its base model; its own training is not known"
    elif math.isclose(least, own_low, rel_tol=1e-6):
        ends = "its own training, without its base model, whose compute is not known"
    return f"at least {flop(least)} (low end of the 90 % interval): {ends}"


def _with_label(label: str, text: str | None) -> str | None:
    return text and f"{label}{text}"


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
    return " + ".join([own, *bases, *(f"{name} (not known)" for name in unrecorded_bases(row))])


def _cause(row: Row) -> str:
    """Return the cause of a dispute in brief."""
    return cut(row["sentences"]["dispute_sentence"].partition(" (")[0]) if row["dispute_cause"] else ""


def _joined_others(told: Sequence[str]) -> str | None:
    more = [f"{len(told) - MOST_OTHERS} more"] if len(told) > MOST_OTHERS else []
    return " · ".join([*told[:MOST_OTHERS], *more]) or None


def _thresholds(estimate: Row) -> str | None:
    """Return the chances of exceeding legal thresholds, except small ones and those that a higher threshold implies."""
    if estimate["threshold_total"] is None or estimate["training_flop"] is None:
        return None
    limits = [limit for limit in THRESHOLDS if limit.word != "1e23" or estimate["domain"] in GENERATING]
    chances = [(threshold, estimate[threshold.column] or 0) for threshold in limits]
    likely = [threshold for threshold, chance in chances if chance > 0.5]
    shown = [
        f"{EFFECTS[threshold.word] if threshold in likely[-1:] else threshold.word}: {probability(chance)}"
        for threshold, chance in chances
        if chance >= POSSIBLE_FRACTION and threshold not in likely[:-1]
    ]
    adds_up = estimate["cumulative_flop"] not in (None, estimate["training_flop"])
    is_cumulative = adds_up and estimate["threshold_total"] == ThresholdTotal.CUMULATIVE_FLOP
    is_between = not is_cumulative and any(estimate["training_flop"] < threshold.flop for threshold in likely)
    aside = " (of the cumulative total)" if is_cumulative else ""
    aside = "; the number is below, the middle of its interval above" if is_between else aside
    return f"{'; '.join(shown).replace(': ', ': probability ', 1)}{aside}" if shown else None


def _footprint(estimate: Row, facts: Sequence[Row]) -> str | None:
    """Return cost, energy and CO2 with their intervals, and what sources state."""
    stated = {fact["path"]: fact for fact in facts}
    shown = []
    for name, column, words in (("", "cost_usd", money), ("energy ", "energy_kwh", energy), ("CO2 ", "co2_kg", mass)):
        fact = stated.get(f"reported_{column.partition('_')[0]}")
        whose = f"{SourceKind(fact['source_kind']).short}: " if fact else ""
        if (middle := estimate[column]) is not None:
            low, high = (words(estimate[f"{column}{end}"], middle) for end in ("_low", "_high"))
            _, unit_space, unit = high.partition(" ")
            theirs = [f"{whose}{_stated_amount(fact, words, middle)}"] if fact else []
            ends = f"{low.removesuffix(unit_space + unit)} to {high}"
            of = f" of {CostBasis(estimate['cost_basis']).words}" if column == "cost_usd" else ""
            shown.append(f"{name}{words(middle)}{of} ({'; '.join([ends, *theirs])})")
        elif fact:
            shown.append(f"{name}{whose}{fact_value(fact['value'])}")
    return "   ".join(shown) or None


def _stated_amount(fact: Row, words: Callable[[float, float], str], like: float) -> str:
    """Return a stated amount, range or bound in the unit of our own amount."""
    size = SIZES[fact["unit"]]
    return re.sub(r"[\d.]+(e\d+)? \w+", lambda each: words(amount(each[0], fact["unit"]) / size, like), fact["value"])


def lines(account: Row, ways: Sequence[str]) -> Iterator[str]:
    """Yield the answer as lines with labels; `ways` are the commands that lead on."""
    told = account["answer"]
    yield told["title"]
    yield told["number"]
    yield from (f"  {label:<11}{told[key]}" for key, label in LABELS.items() if told[key])
    if ways:
        yield f"  {'more':<11}{' · '.join(ways)}{' ' + told['cut'] if told['cut'] else ''}"


def row_answer(estimate: Row, catalogue_row: Row, epoch_values: Sequence[Row], chip: str | None) -> Answer:
    """Return the lines about a row of Epoch's table, whose figures nobody here read; `chip` is a name."""
    told: dict[str, Any] = dict.fromkeys(Answer.__annotations__)
    estimate = {**estimate, **catalogue_row}
    base, ours = catalogue_row["base_training_flop"], estimate["training_flop"]
    theirs = first_words([methods.statement(value, ours) for value in epoch_values], 1) or None
    told["title"] = f"{title(estimate)} · Epoch AI's table, unchecked by us"
    if ours is not None or estimate["training_flop_at_least"] is not None:
        told["number"], told["others"] = total(estimate), theirs and f"{theirs}; ours rests on the same table"
    else:
        told["number"] = f"{theirs}; we have no number of our own" if theirs else UNKNOWN
    if base is not None:
        told["base"] = f"{own_part(estimate)} + {number(base)} {estimate['base_model'] or 'its base model'}"
    told["counted"], told["gpu_time"] = methods.row_methods(estimate, chip)
    told["thresholds"] = _thresholds(estimate)
    if reason := catalogue_row["no_estimate_reason"]:
        told["why"] = f"{lack(estimate)}: {reason}"
    only = "only " if None in (estimate["operation_count_flop"], estimate["gpu_time_flop"]) and base is None else ""
    reasons = [f"{only}{HeadlineMethod(estimate['headline_method']).words}"] if estimate["headline_method"] else []
    words = {"rules": "by rules", "unread_cells": "cells not read"}
    reasons += [f"{word}: {catalogue_row[key]}" for key, word in words.items() if catalogue_row[key]]
    reasons += [f"table of {written_date(catalogue_row['read_on'])}"] if reasons else []
    told["sure"] = ": ".join(filter(None, (word_of(estimate), "; ".join(reasons)))) or None
    return told  # type: ignore[return-value]
