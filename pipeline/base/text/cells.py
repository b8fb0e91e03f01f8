"""Show column values as text for lists and pages, each in the form that schemas/columns declares for the column."""

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from pipeline.base.text.numbers import UNKNOWN, energy, mass, money, number, percent, probability, short_count
from schemas.columns import Column
from schemas.vocabulary import Evidence

LONGEST_VALUE = 200  # the most characters shown of a fact's value, such as a list of layers
FORMS: Mapping[str, Callable[[Any], str]] = {
    "words": lambda value: str(value).replace("_", " "),
    "verbatim": str,
    "format": lambda value: str(value).upper(),
    "flop": number,
    "count": short_count,
    "percent": percent,
    "energy": energy,
    "money": money,
    "mass": mass,
    "probability": probability,
    "ratio": number,
    "day": str,
    "yes or no": lambda value: "yes" if value else "no",
}


def cell(column: Column, value: Any) -> str:
    """Return a value of this column as text; a dash if it is unknown.

    >>> from schemas.columns import COLUMNS
    >>> cell(COLUMNS["known_parameters"], 5.4e11), cell(COLUMNS["headline_method"], "gpu_time")
    ('540B', 'GPU time')
    >>> cell(COLUMNS["most_chips"], None)
    '–'
    """
    if value is None:
        return UNKNOWN
    return column.words.get(value) or FORMS[column.form](value)


def _kinds(layers: list[dict[str, Any]]) -> Counter[str]:
    """Count the layers of each kind in a list, multiplying the layers of a group by its repetitions."""
    kinds: Counter[str] = Counter()
    for layer in layers:
        inner_kinds = _kinds(layer.get("layers") or layer["side"]) if "kind" not in layer else {layer["kind"]: 1}
        kinds.update({kind: int(layer.get("times", 1)) * count for kind, count in inner_kinds.items()})
    return kinds


def mark_unread(shown: str, is_unread: bool | None) -> str:
    """Return a value for display, marked "not read" if nobody has read it in its source.

    >>> mark_unread("8 epochs", True), mark_unread("8 epochs", False)
    ('8 epochs (not read)', '8 epochs')
    """
    # With +, markup stays markup.
    return shown + f" ({Evidence.UNSEEN.words})" if is_unread else shown


def fact_value(written: str) -> str:
    """Return a fact's value in readable form: yes or no, digits in groups of three, and layers counted by kind.

    >>> fact_value("true"), fact_value("300000 to 2.5e6 hour"), fact_value("14.8 day"), fact_value('{"shape": [3, 32]}')
    ('yes', '300,000 to 2.5e6 hours', '14.8 days', '3 × 32')
    >>> fact_value('[{"kind": "embedding"}, {"times": 2, "layers": [{"side": [{"kind": "rnn"}]}, {"kind": "gelu"}]}]')
    '5 layers: 1 embedding, 2 rnn, 2 gelu'
    """
    if written in ("true", "false"):
        return "yes" if written == "true" else "no"
    if re.fullmatch(r'\{"shape": \[[^]]*\]\}', written):
        return " × ".join(map(str, json.loads(written)["shape"]))
    if written.startswith(('[{"kind"', '[{"times"', '[{"layers"', '[{"side"')):
        kinds = _kinds(json.loads(written))
        return f"{kinds.total()} layers: {', '.join(f'{count} {kind}' for kind, count in kinds.items())}"
    if len(written) > LONGEST_VALUE:  # first, because the expressions take time quadratic in the length of a number
        return f"{written[:LONGEST_VALUE]}…"
    text = re.sub(r"\d+\.\d{7,}", lambda digits: number(float(digits[0]), 6), written)
    text = re.sub(r"(?<![\w.])\d{5,}(?![\w.])", lambda digits: f"{int(digits[0]):,}", text)
    text = re.sub(r"(?<=\d) (day|hour|minute|week|chip_hour|core_hour)\b", r" \1s", text).replace("_hours", "-hours")
    return text.replace("petaflop_s_day", "petaflop/s-days")
