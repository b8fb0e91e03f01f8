"""The reasons of `changes` in words: the model's own facts first, then derived columns, base models, and the ledger's defaults."""

import re
from collections.abc import Iterable, Mapping

from pipeline.base.text.cells import cell
from pipeline.base.text.numbers import short
from schemas.columns import SHOWN

MOST_FACTS = 4  # most facts listed per model; changes.csv has all
ELSEWHERE = {"defaults": "default", "measurements": "measurement", "hardware": "chip", "errata": "erratum", "energy": "energy default"}  # fmt: skip
PLACE = re.compile(r"(training|hardware)\[(\d+)\]\.?")
OF_BASE = re.compile(r"\w+ of ([\w.-]+), its base model")
OTHERS = re.compile(r"(\d+) more of (\w+)")
NUMBER = re.compile(r"(?<![\w.])\d{5,}(?![\w.])")
PLACES = {"training": "phase", "hardware": "chips, row"}
ABSENT = ("absent", "unknown")


def in_words(reason: str | None, names: Mapping[str, str]) -> list[str]:
    """Return a reason as parts of sentences, the model's own facts first. `names` has the name of each model by id.

    >>> in_words("headline_method: gpu_time -> operation_count; defaults/a; 3 more of defaults; training[1].hardware[0].duration: 34 hour -> 312 hour", {})
    ['phase 2: duration 34 hour → 312 hour', 'method: GPU time → operation count', '4 defaults of the ledger']
    >>> in_words("training_flop of gpt-3, its base model; training[0].epochs: absent -> 1", {"gpt-3": "GPT-3 175B"})
    ['epochs: none stated → 1', 'its base model GPT-3 175B moved']
    """
    parts = (reason or "").split("; ")
    facts = list(dict.fromkeys(filter(None, map(_fact, parts))))
    more = len(facts) - MOST_FACTS
    if more > 0:
        facts = [*facts[:MOST_FACTS], f"{more} more fact{'s' if more > 1 else ''} of its record"]
    moved = list(dict.fromkeys(filter(None, map(_worked_out, parts))))
    bases = dict.fromkeys(match[1] for match in map(OF_BASE.fullmatch, parts) if match)
    others = [f"its base model {names.get(base, base)} moved" for base in bases]
    return [*facts, *moved, *others, *_elsewhere(parts)] or [_plain(part) for part in parts if part]


def _fact(part: str) -> str | None:
    """Return a changed fact of the record in words; None if the part is not a changed fact."""
    path, colon, change = part.partition(": ")
    if not colon or _is_worked_out(path) or " -> " not in change:
        return None
    places = [(kind, int(number)) for kind, number in PLACE.findall(path)]
    where = ", ".join(f"{PLACES[kind]} {number + 1}" for kind, number in places if number)
    name = re.sub(r" \(\d+\)$", "", PLACE.sub("", path)).replace("architecture.", "network: ").replace("_", " ")
    before, after = (_value(text) for text in change.split(" -> ", 1))
    return f"{where}: {name} {before} → {after}" if where else f"{name}: {before} → {after}"


def _is_worked_out(name: str) -> bool:
    """Return whether stages fill this column of words, so that a change in it is not a change of a record's fact."""
    return name.endswith("_basis") or (name in SHOWN and SHOWN[name][0].form in ("words", "verbatim", "format"))


def _value(text: str) -> str:
    if text in ABSENT:
        return "none stated"
    if text.startswith(("[", "{")):
        return "as listed"
    return NUMBER.sub(lambda number: short(float(number[0])), text.replace("_", " "))


def _worked_out(part: str) -> str | None:
    """Return a change in a column of words, such as a method, chip, precision or basis; None if the part is not such a change."""
    name, colon, change = part.partition(": ")
    if not colon or not _is_worked_out(name) or " -> " not in change:
        return None
    old, new = ("unknown" if text in ABSENT else _written(name, text) for text in change.split(" -> ", 1))
    label = _label(name) or name.removesuffix("_fraction").replace("_", " ")
    return f"{label[:1].lower()}{label[1:]}: {old} → {new}"


def _label(name: str) -> str | None:
    return SHOWN[name][0].label if name in SHOWN else None


def _written(name: str, value: str) -> str:
    return cell(SHOWN[name][0], value) if name in SHOWN else value.replace("_", " ")


def _elsewhere(parts: Iterable[str]) -> list[str]:
    """Return phrases with the number of changed records in each other folder of the ledger."""
    counted: dict[str, int] = {}
    for part in parts:
        more = OTHERS.fullmatch(part)
        folder, number = (more[2], int(more[1])) if more else (part.partition("/")[0], 1)
        if folder in ELSEWHERE and (more or "/" in part):
            counted[folder] = counted.get(folder, 0) + number
    return [
        f"{number} {ELSEWHERE[folder]}{'s' if number > 1 else ''} of the ledger" for folder, number in counted.items()
    ]


def _plain(part: str) -> str:
    label = _label(part)
    return f"{label} moved" if label else part.replace("_", " ")
