"""The meaning of each column, declared in columns.csv: type, unit, bounds, label, description and the meaning of null.

Reading a meaning imports neither pandas nor pandera.
"""

import csv
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from schemas import vocabulary
from schemas.columns import nulls
from schemas.limits import LARGEST_EXAMPLES, LARGEST_FLOP, LARGEST_LOG_SD, LARGEST_PEAK_FLOP_PER_SECOND

DUCKDB = {  # column types by kind
    "text": "varchar",
    "number": "double",
    "whole number": "bigint",
    "true or false": "boolean",
    "date": "date",
}
PANDAS = {
    "text": "string",
    "number": "float64",
    "whole number": "Int64",
    "true or false": "boolean",
    "date": "datetime64[ns]",
}


@dataclass(frozen=True, eq=False)
class Column:
    """The meaning of a column. A column with a `unit` has a name that ends in it; `checks` are pandera checks, by name.

    `label` names the column for readers, `form` selects its format (base/text/cells.py), `words` has readable forms.
    """

    kind: str
    description: str
    unit: str | None = None
    checks: Mapping[str, Any] = field(default_factory=dict)
    label: str | None = None
    form: str = "words"
    words: Mapping[Any, str] = field(default_factory=dict)
    null: str | None = None  # what null means, if a table allows it


CHECKS: Mapping[str, Mapping[str, Any]] = {  # pandera checks, by name in columns.csv; any other name is a vocabulary
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
    """Return the column that a line of columns.csv declares.

    Its `words` are `sentences` or `short`, which choose the form of readable words, and the vocabulary. Its `check`
    names a rule in CHECKS or a vocabulary, and its `null` a constant in nulls.py or the meaning itself.
    """
    which, _, kind = row["words"].partition(" ")
    words = getattr(vocabulary, kind) if kind else ()
    attribute = "words" if which == "sentences" else "short"
    return Column(
        row["kind"], row["description"], row["unit"] or None,
        CHECKS[row["check"]] if row["check"] in CHECKS
        else {"isin": [word.value for word in getattr(vocabulary, row["check"])]},
        row["label"] or None, row["form"] or "words",
        {word.value: readable for word in words if (readable := getattr(word, attribute))},
        getattr(nulls, row["null"]) if row["null"].isupper() else row["null"] or None,
    )  # fmt: skip


with Path(__file__).with_name("columns.csv").open(encoding="utf-8", newline="") as file:
    ROWS = [
        {key: " ".join(cell.split()) for key, cell in row.items()} for row in csv.DictReader(file)
    ]  # cells may wrap
COLUMNS: Mapping[str, Column] = {row["name"]: _column(row) for row in ROWS}

COMPARED = """
    name organization parent_organization country published domain base_model parameters active_parameters
    examples_seen example_unit training_flop training_flop_low training_flop_high hardware chips chip_hours
    utilization_fraction energy_kwh cost_usd confidence evidence_class named_second gap_ratio own_training_flop
    cumulative_flop probability_above_1e23_fraction probability_above_1e25_fraction probability_above_1e26_fraction
    threshold_total headline_method training_flop_at_least operation_count_flop
    operation_count_basis gpu_time_flop gpu_time_informed_flop reported_flop method_ratio independence is_disputed
    dispute_cause implied_utilization_fraction utilization_basis precision cost_basis co2_kg weights_access
    training_evidence network_evidence imputed_inputs
""".split()  # columns of `estimates` shown in comparisons, and on a model's page if they have no other place there
