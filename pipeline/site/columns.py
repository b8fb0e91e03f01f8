"""Labels and formats of the columns that pages show: the one place where a new column of `estimates` becomes visible."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from markupsafe import Markup, escape

from pipeline.site import numbers


class Column(NamedTuple):
    """A column of `estimates` (or of `models`): its label, its format, and where it is shown."""

    name: str
    label: str
    form: str = "words"
    in_table: bool = False  # of all models, on the first page
    is_at_a_glance: bool = False  # on a model's own page and in comparisons
    includes_base: bool = False  # of a fine-tuned model: with what its base took


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
    Column("name", "Model", "verbatim"),
    Column("organization", "Organization", "verbatim", is_at_a_glance=True),
    Column("parent_organization", "Parent organization", "verbatim", is_at_a_glance=True),
    Column("country", "Country", "verbatim", is_at_a_glance=True),
    Column("published", "Published", "day", in_table=True, is_at_a_glance=True),
    Column("domain", "Domain", in_table=True, is_at_a_glance=True),
    Column("training_flop", "Training compute, FLOP", "flop"),
    Column("headline_method", "Method", is_at_a_glance=True),
    Column("confidence", "Width of the interval", is_at_a_glance=True),
    Column("operation_count_flop", "By counting operations, FLOP", "flop", is_at_a_glance=True),
    Column("gpu_time_flop", "By GPU time at the default utilization, FLOP", "flop", is_at_a_glance=True),
    Column("gpu_time_informed_flop", "By GPU time at the best known utilization, FLOP", "flop", is_at_a_glance=True),
    Column("reported_flop", "Reported by the authors, FLOP", "flop", is_at_a_glance=True),
    Column("method_ratio", "Operations / GPU time", "ratio", is_at_a_glance=True),
    Column("is_disputed", "Methods differ by more than 2×", "yes_or_no", is_at_a_glance=True),
    Column("dispute_cause", "Most likely cause", is_at_a_glance=True),
    Column("independence", "Relation of the two methods", is_at_a_glance=True),
    Column("parameters", "Parameters", "count", in_table=True, is_at_a_glance=True),
    Column("active_parameters", "Parameters used per token", "count", is_at_a_glance=True),
    Column("examples_seen", "Examples seen", "count", in_table=True, is_at_a_glance=True, includes_base=True),
    Column("example_unit", "One example", is_at_a_glance=True),
    Column("hardware", "Chip", "verbatim", in_table=True, is_at_a_glance=True),
    Column("chips", "Chips", "count", in_table=True, is_at_a_glance=True, includes_base=True),
    Column("chip_hours", "Chip-hours", "count", is_at_a_glance=True, includes_base=True),
    Column("precision", "Format", "format", is_at_a_glance=True),
    Column("utilization_fraction", "Utilization used", "fraction", is_at_a_glance=True),
    Column("implied_utilization_fraction", "Utilization implied by the count", "fraction", is_at_a_glance=True),
    Column("own_training_flop", "Own training, without base models, FLOP", "flop", is_at_a_glance=True),
    Column("cumulative_flop", "With the training of data and teachers, FLOP", "flop", is_at_a_glance=True),
    Column("energy_kwh", "Energy", "energy", is_at_a_glance=True),
    Column("probability_above_1e23_fraction", "Probability above 10²³", "probability", is_at_a_glance=True),
    Column("probability_above_1e25_fraction", "Probability above 10²⁵", "probability", is_at_a_glance=True),
    Column("probability_above_1e26_fraction", "Probability above 10²⁶", "probability", is_at_a_glance=True),
    Column("base_model", "Base model", "verbatim", is_at_a_glance=True),
    Column("scope", "What the record covers", is_at_a_glance=True),
    Column("weights_access", "Weights", in_table=True, is_at_a_glance=True),
    Column("training_evidence", "Evidence of training facts", is_at_a_glance=True),
    Column("network_evidence", "Evidence of the network", is_at_a_glance=True),
    Column("imputed_inputs", "Filled by defaults", is_at_a_glance=True),
)
BY_NAME = {column.name: column for column in COLUMNS}


def present(columns: Iterable[Column], rows: Iterable[Mapping[str, Any]]) -> list[Column]:
    """Those columns of which at least one row has a value, in their order."""
    every = list(rows)
    return [column for column in columns if any(row.get(column.name) is not None for row in every)]


WORDS = {  # of values that are not words by themselves
    "headline_method": {
        "mixture": "both methods, weighted",
        "combined": "both methods, combined",  # of the release of 2026-11-21, in the history of changes
        "gpu_time": "GPU time",
        "operation_count": "operation count",
        "reported": "the authors' figure",
        "sum_of_parts": "sum of its own part and its base models",
    },
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
