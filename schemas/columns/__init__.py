"""The meaning of each column, declared in columns.csv: type, unit, bounds, label, description and the meaning of null.

Reading a meaning imports neither pandas nor pandera.
"""

import csv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from schemas import vocabulary
from schemas.columns import nulls
from schemas.errors import ContractError
from schemas.limits import LARGEST_EXAMPLES, LARGEST_FLOP, LARGEST_LOG_SD, LARGEST_PEAK_FLOP_PER_SECOND

Kind = Literal["text", "number", "whole number", "true or false", "date"]
DUCKDB: dict[Kind, str] = {  # column types
    "text": "varchar",
    "number": "double",
    "whole number": "bigint",
    "true or false": "boolean",
    "date": "date",
}
Form = Literal[
    "words",
    "verbatim",
    "format",
    "flop",
    "count",
    "percent",
    "energy",
    "money",
    "mass",
    "probability",
    "ratio",
    "day",
    "yes or no",
]


@dataclass(frozen=True, eq=False)
class Column:
    """The meaning of a column. If it has a `unit`, its name ends in it; `checks` are pandera's, by name.

    `label` names the column for readers, `form` selects the format in pipeline/base/text/cells.py, and `words` are the readable forms of words.
    """

    kind: Kind
    description: str
    unit: str | None = None
    checks: Mapping[str, Any] = field(default_factory=dict)
    label: str | None = None
    form: Form = "words"
    words: Mapping[Any, str] = field(default_factory=dict)
    null: str | None = None  # what null means, if a table allows it


CHECKS: Mapping[str, Mapping[str, Any]] = {  # pandera's, by name in columns.csv; other names are those of vocabularies
    "": {},
    "identifier": {"str_matches": r"^[a-z0-9]+(-[a-z0-9]+)*$"},
    "record_file": {"str_matches": r"^[a-z0-9]+([-_][a-z0-9]+)*$"},
    "day": {"str_matches": r"^\d{4}(-\d{2}){0,2}$"},
    "all_or_year": {"str_matches": r"^(all|\d{4})$"},
    "open_or_closed": {"isin": ["closed", "open"]},
    "positive": {"gt": 0},
    "not_negative": {"ge": 0},
    "fraction": {"gt": 0, "le": 1},
    "share": {"ge": 0, "le": 1},
    "examples": {"gt": 0, "lt": LARGEST_EXAMPLES},
    "flop": {"gt": 0, "lt": LARGEST_FLOP},
    "peak": {"gt": 0, "lt": LARGEST_PEAK_FLOP_PER_SECOND},
    "log_sd": {"ge": 0, "lt": LARGEST_LOG_SD},
    "one_or_more": {"ge": 1},
    "year": {"ge": 1940, "le": 2040},
    "year_of_chips": {"ge": 1990, "le": 2040},
    "year_of_source": {"ge": 1900, "le": 2040},
}


def _column(row: Mapping[str, Any]) -> Column:
    which, _, kind = row["words"].partition(" ")
    words = getattr(vocabulary, kind) if kind else ()
    attribute = "words" if which == "sentences" else "short"
    return Column(
        row["kind"], row["description"], row["unit"] or None,
        CHECKS[row["check"]] if row["check"] in CHECKS else {"isin": [word.value for word in getattr(vocabulary, row["check"])]},
        row["label"] or None, row["form"] or "words",
        {word.value: readable for word in words if (readable := getattr(word, attribute))},
        getattr(nulls, row["null"]) if row["null"].isupper() else row["null"] or None,
    )  # fmt: skip


def declared(lines: Iterable[str]) -> dict[str, Column]:
    """Return the columns that the lines of columns.csv declare, by name.

    Raise ContractError with one line per mistake: a name declared twice, or an unknown kind, form, check or sentence.
    """
    columns, mistakes = dict[str, Column](), list[str]()
    for number, row in enumerate(csv.DictReader(lines), 2):
        wrong = [
            f"{key} {row[key]!r} is unknown; known are {', '.join(known)}"
            for key, known in (("kind", get_args(Kind)), ("form", ("", *get_args(Form))))
            if row[key] not in known
        ]
        if row["check"] not in CHECKS and not hasattr(vocabulary, row["check"]):
            wrong.append(f"check {row['check']!r} is neither one of CHECKS nor a vocabulary")
        if row["null"].isupper() and not hasattr(nulls, row["null"]):
            wrong.append(f"null {row['null']!r} is no sentence of nulls.py")
        if row["name"] in columns:
            wrong.append(f"{row['name']!r} is declared twice")
        mistakes += [f"columns.csv, declaration {number - 1}: {problem}" for problem in wrong]
        if not wrong:
            columns[row["name"]] = _column(row)
    if mistakes:
        raise ContractError("\n".join(mistakes))
    return columns


with Path(__file__).with_name("columns.csv").open(encoding="utf-8", newline="") as file:
    COLUMNS: Mapping[str, Column] = declared(file)

# Columns of `estimates` that readers see, by published name, in order, each with the places that show it: the default
# of `list` (list), comparisons (compare), the site's table of all models (table), the summary on a model's page (page).
SHOWN: Mapping[str, tuple[Column, str]] = {
    "model_id": (COLUMNS["model_id"], "list"),
    "name": (COLUMNS["name"], "compare"),
    "organization": (COLUMNS["organization"], "compare page"),
    "parent_organization": (COLUMNS["parent_organization"], "compare page"),
    "country": (COLUMNS["country"], "compare page"),
    "published": (COLUMNS["published"], "list compare table page"),
    "domain": (COLUMNS["domain"], "compare table page"),
    "base_model": (COLUMNS["base_model"], "compare page"),
    "parameters": (COLUMNS["known_parameters"], "compare table page"),
    "active_parameters": (COLUMNS["active_parameters"], "compare page"),
    "examples_seen": (COLUMNS["total_examples_seen"], "compare table page"),
    "example_unit": (COLUMNS["main_example_unit"], "compare page"),
    "training_flop": (COLUMNS["training_flop"], "list compare"),
    "training_flop_low": (COLUMNS["training_flop_low"], "list compare"),
    "training_flop_high": (COLUMNS["training_flop_high"], "list compare"),
    "hardware": (COLUMNS["hardware"], "compare table page"),
    "chips": (COLUMNS["most_chips"], "compare table page"),
    "chip_hours": (COLUMNS["chip_hours"], "compare page"),
    "utilization_fraction": (COLUMNS["utilization_fraction"], "compare page"),
    "energy_kwh": (COLUMNS["energy_kwh"], "compare page"),
    "cost_usd": (COLUMNS["cost_usd"], "compare page"),
    "confidence": (COLUMNS["confidence"], "compare page"),
    "evidence_class": (COLUMNS["evidence_class"], "compare page"),
    "named_second": (COLUMNS["named_second"], "compare"),
    "gap_ratio": (COLUMNS["gap_ratio"], "compare"),
    "own_training_flop": (COLUMNS["own_training_flop"], "compare page"),
    "cumulative_flop": (COLUMNS["cumulative_flop"], "compare page"),
    "probability_above_1e23_fraction": (COLUMNS["probability_above_1e23_fraction"], "compare"),
    "probability_above_1e25_fraction": (COLUMNS["probability_above_1e25_fraction"], "compare"),
    "probability_above_1e26_fraction": (COLUMNS["probability_above_1e26_fraction"], "compare"),
    "threshold_total": (COLUMNS["threshold_total"], "compare"),
    "headline_method": (COLUMNS["headline_method"], "list compare page"),
    "range_low_flop": (COLUMNS["range_low_flop"], "compare"),
    "range_high_flop": (COLUMNS["range_high_flop"], "compare"),
    "range_basis": (COLUMNS["range_basis"], "compare"),
    "operation_count_flop": (COLUMNS["operation_count_flop"], "compare page"),
    "operation_count_basis": (COLUMNS["operation_count_basis"], "compare page"),
    "gpu_time_flop": (COLUMNS["gpu_time_flop"], "compare page"),
    "gpu_time_informed_flop": (COLUMNS["gpu_time_informed_flop"], "compare page"),
    "reported_flop": (COLUMNS["reported_flop"], "compare page"),
    "method_ratio": (COLUMNS["method_ratio"], "compare page"),
    "independence": (COLUMNS["independence"], "compare page"),
    "is_disputed": (COLUMNS["is_disputed"], "compare page"),
    "dispute_cause": (COLUMNS["dispute_cause"], "compare page"),
    "implied_utilization_fraction": (COLUMNS["implied_utilization_fraction"], "compare page"),
    "utilization_basis": (COLUMNS["utilization_basis"], "compare page"),
    "precision": (COLUMNS["precisions"], "compare page"),
    "cost_basis": (COLUMNS["cost_basis"], "compare page"),
    "co2_kg": (COLUMNS["co2_kg"], "compare page"),
    "weights_access": (COLUMNS["weights_access"], "compare table page"),
    "training_evidence": (COLUMNS["training_evidence"], "compare page"),
    "network_evidence": (COLUMNS["network_evidence"], "compare page"),
    "imputed_inputs": (COLUMNS["imputed_inputs"], "compare page"),
}


def shown(place: str) -> list[str]:
    """Return the published names of the columns shown at a place.

    >>> shown("list")
    ['model_id', 'published', 'training_flop', 'training_flop_low', 'training_flop_high', 'headline_method']
    """
    return [name for name, (_, places) in SHOWN.items() if place in places.split()]
