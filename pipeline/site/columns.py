"""Labels and formats of the columns that pages show: the one place where a new column of `estimates` becomes visible."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from markupsafe import Markup, escape

from pipeline.site import numbers
from schemas import columns
from schemas.vocabulary import EVIDENCE_CLASSES


class Column(NamedTuple):
    """A column of `estimates` (or of `models`): what it means, its format, and where it is shown."""

    name: str
    meaning: columns.Column
    form: str = "words"
    in_table: bool = False  # of all models, on the first page
    is_at_a_glance: bool = False  # on a model's own page and in comparisons
    includes_base: bool = False  # of a fine-tuned model: with what its base took

    @property
    def label(self) -> str:
        """Its name on pages; schemas/columns.py has it."""
        assert self.meaning.label is not None, f"{self.name} has no label in schemas/columns.py"
        return self.meaning.label


FORMS: Mapping[str, Callable[[Any], str]] = {
    "words": lambda value: numbers.UNKNOWN if value is None else str(value).replace("_", " "),
    "verbatim": lambda value: numbers.UNKNOWN if value is None else str(value),
    "format": lambda value: numbers.UNKNOWN if value is None else str(value).upper(),
    "flop": numbers.flop,
    "count": numbers.short,
    "fraction": numbers.fraction,
    "energy": numbers.energy,
    "probability": numbers.probability,
    "ratio": numbers.times,
    "day": lambda value: numbers.UNKNOWN if value is None else Markup("<span class=day>{}</span>").format(value),
    "yes_or_no": lambda value: numbers.UNKNOWN if value is None else "yes" if value else "no",
}  # fmt: skip

COLUMNS = (
    Column("name", columns.name, "verbatim"),
    Column("organization", columns.organization, "verbatim", is_at_a_glance=True),
    Column("parent_organization", columns.parent_organization, "verbatim", is_at_a_glance=True),
    Column("country", columns.country, "verbatim", is_at_a_glance=True),
    Column("published", columns.published, "day", in_table=True, is_at_a_glance=True),
    Column("domain", columns.domain, in_table=True, is_at_a_glance=True),
    Column("training_flop", columns.training_flop, "flop"),
    Column("headline_method", columns.headline_method, is_at_a_glance=True),
    Column("evidence_class", columns.evidence_class, is_at_a_glance=True),
    Column("confidence", columns.confidence, is_at_a_glance=True),
    Column("operation_count_flop", columns.operation_count_flop, "flop", is_at_a_glance=True),
    Column("gpu_time_flop", columns.gpu_time_flop, "flop", is_at_a_glance=True),
    Column("gpu_time_informed_flop", columns.gpu_time_informed_flop, "flop", is_at_a_glance=True),
    Column("reported_flop", columns.reported_flop, "flop", is_at_a_glance=True),
    Column("method_ratio", columns.method_ratio, "ratio", is_at_a_glance=True),
    Column("is_disputed", columns.is_disputed, "yes_or_no", is_at_a_glance=True),
    Column("dispute_cause", columns.dispute_cause, is_at_a_glance=True),
    Column("independence", columns.independence, is_at_a_glance=True),
    Column("parameters", columns.known_parameters, "count", in_table=True, is_at_a_glance=True),
    Column("active_parameters", columns.active_parameters, "count", is_at_a_glance=True),
    Column(
        "examples_seen", columns.total_examples_seen, "count", in_table=True, is_at_a_glance=True, includes_base=True
    ),
    Column("example_unit", columns.main_example_unit, is_at_a_glance=True),
    Column("hardware", columns.hardware, "verbatim", in_table=True, is_at_a_glance=True),
    Column("chips", columns.most_chips, "count", in_table=True, is_at_a_glance=True, includes_base=True),
    Column("chip_hours", columns.chip_hours, "count", is_at_a_glance=True, includes_base=True),
    Column("precision", columns.precisions, "format", is_at_a_glance=True),
    Column("utilization_fraction", columns.utilization_fraction, "fraction", is_at_a_glance=True),
    Column("implied_utilization_fraction", columns.implied_utilization_fraction, "fraction", is_at_a_glance=True),
    Column("own_training_flop", columns.own_training_flop, "flop", is_at_a_glance=True),
    Column("cumulative_flop", columns.cumulative_flop, "flop", is_at_a_glance=True),
    Column("energy_kwh", columns.energy_kwh, "energy", is_at_a_glance=True),
    Column(
        "probability_above_1e23_fraction", columns.probability_above_1e23_fraction, "probability", is_at_a_glance=True
    ),
    Column(
        "probability_above_1e25_fraction", columns.probability_above_1e25_fraction, "probability", is_at_a_glance=True
    ),
    Column(
        "probability_above_1e26_fraction", columns.probability_above_1e26_fraction, "probability", is_at_a_glance=True
    ),
    Column("base_model", columns.base_model, "verbatim", is_at_a_glance=True),
    Column("scope", columns.scope, is_at_a_glance=True),
    Column("weights_access", columns.weights_access, in_table=True, is_at_a_glance=True),
    Column("training_evidence", columns.training_evidence, is_at_a_glance=True),
    Column("network_evidence", columns.network_evidence, is_at_a_glance=True),
    Column("imputed_inputs", columns.imputed_inputs, is_at_a_glance=True),
)
BY_NAME = {column.name: column for column in COLUMNS}


def present(columns: Iterable[Column], rows: Iterable[Mapping[str, Any]]) -> list[Column]:
    """Those columns of which at least one row has a value, in their order."""
    every = list(rows)
    return [column for column in columns if any(row.get(column.name) is not None for row in every)]


WORDS = {  # of values that are not words by themselves
    "headline_method": {
        "mixture": "both methods, weighted",  # before one estimate was chosen
        "combined": "both methods, combined",  # of the release of 2026-11-21, in the history of changes
        "gpu_time": "GPU time",
        "operation_count": "operation count",
        "reported": "the authors' figure",
        "sum_of_parts": "sum of its own part and its base models",
    },
    "evidence_class": dict(EVIDENCE_CLASSES),
    "independence": {
        "independent": "independent",
        "shared_input": "both rest on one fact",
        "circular": "one was worked out from the other",
    },
}


def words_of(name: str, value: Any) -> str | None:
    """A value of this column in words, where WORDS has it."""
    return WORDS.get(name, {}).get(value)


def shown(column: Column, row: Mapping[str, Any]) -> str:
    """A row's value in this column, in HTML; a dash where it is unknown.

    >>> str(shown(BY_NAME["parameters"], {"parameters": 5.4e11})), str(shown(BY_NAME["name"], {"name": "<b>"}))
    ('540B', '&lt;b&gt;')
    """
    value = row.get(column.name)
    return escape(words_of(column.name, value) or FORMS[column.form](value))
