"""Put the reasons in `changes` into words: which facts changed in the records of the model, its base and chips."""

import re
from collections.abc import Mapping

from pipeline.base.text.numbers import short_count

MOST_FACTS = 4  # most facts to list per model; changes.csv lists all
FACT = re.compile(r"(?:([\w.-]+)(, its base model)?: )?([\w.\[\]() ]+): (.*) -> (.*)")
PLACE = re.compile(r"(training|hardware)\[(\d+)\]\.?")
NUMBER = re.compile(r"(?<![\w.])\d{5,}(?![\w.])")
PLACES = {"training": "phase", "hardware": "chips, row"}


def in_words(reason: str | None, names: Mapping[str, str]) -> list[str]:
    """Return a reason as a list of phrases. `names` maps model ids to names.

    >>> in_words("training[1].hardware[0].duration: 34 hour -> 312 hour; gpt-3, its base model: training[0].epochs: absent -> 1", {"gpt-3": "GPT-3 175B"})
    ['phase 2: duration 34 hour → 312 hour', 'GPT-3 175B, its base model: epochs: none stated → 1']
    """
    facts = list(dict.fromkeys(_fact(part, names) for part in (reason or "").split("; ") if part))
    more = len(facts) - MOST_FACTS
    return [*facts[:MOST_FACTS], *([f"{more} more fact{'s' if more > 1 else ''}"] if more > 0 else ())]


def _fact(part: str, names: Mapping[str, str]) -> str:
    """Return a changed fact in words, and any other part of a reason unchanged."""
    if not (fact := FACT.fullmatch(part)):
        return part
    whose, is_base, path, old, new = fact.groups()
    owner = f"{names.get(whose, whose)}{is_base or ''}: " if whose else ""
    places = [(kind, int(number)) for kind, number in PLACE.findall(path)]
    where = ", ".join(f"{PLACES[kind]} {number + 1}" for kind, number in places if number)
    name = re.sub(r" \(\d+\)$", "", PLACE.sub("", path)).replace("architecture.", "network: ").replace("_", " ")
    return f"{owner}{where}{': ' if where else ''}{name}{'' if where else ':'} {_value(old)} → {_value(new)}"


def _value(text: str) -> str:
    if text in ("absent", "unknown"):
        return "none stated"
    if text.startswith(("[", "{")):
        return "as listed"
    return NUMBER.sub(lambda number: short_count(float(number[0])), text.replace("_", " "))
