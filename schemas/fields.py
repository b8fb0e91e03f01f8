"""Declaration of every column: type, unit, bounds and one sentence. A name has the same meaning in every table."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import Annotated, Any

from schemas import vocabulary
from schemas.limits import (
    FIRST_YEAR,
    LARGEST_EXAMPLES,
    LARGEST_FLOP,
    LARGEST_LOG_SD,
    LARGEST_PEAK_FLOP_PER_SECOND,
    LAST_YEAR,
)


@dataclass(frozen=True, eq=False)
class Column:
    """Meaning of a column. `unit`, where there is one, is the last word of the name; `bounds` are checks of pandera by name."""

    description: str
    unit: str | None = None
    bounds: dict[str, Any] = field(default_factory=dict)


def _words(kind: type[StrEnum]) -> dict[str, Sequence[str]]:
    return {"isin": [word.value for word in kind]}


_IDENTIFIER = {"str_matches": r"^[a-z0-9]+(-[a-z0-9]+)*$"}
_POSITIVE = {"gt": 0}
_NOT_NEGATIVE = {"ge": 0}
_FRACTION = {"gt": 0, "le": 1}
_SHARE = {"ge": 0, "le": 1}
_EXAMPLES = {"gt": 0, "lt": LARGEST_EXAMPLES}
_FLOP = {"gt": 0, "lt": LARGEST_FLOP}
_PEAK = {"gt": 0, "lt": LARGEST_PEAK_FLOP_PER_SECOND}
_LOG_SD = {"ge": 0, "lt": LARGEST_LOG_SD}

# Identity
model_id = Annotated[str, Column("Permanent id of a model: the file name of its record.", bounds=_IDENTIFIER)]
part_id = Annotated[
    str, Column("Id of a model whose training is part of this one's: itself or a base model.", bounds=_IDENTIFIER)
]
base_model = Annotated[str, Column("Id of the model that this one was fine-tuned from.", bounds=_IDENTIFIER)]
name = Annotated[str, Column("Name as written in its publication, or in the table that is adjudicated.")]
aliases = Annotated[str, Column("Other names of a model or chip, joined by |.")]
organization = Annotated[str, Column("Organization that trained the model.")]
organization_kind = Annotated[
    str, Column("Academia, industry, government, collective or mixed.", bounds=_words(vocabulary.OrganizationKind))
]
parent_organization = Annotated[
    str,
    Column(
        "Who owned the organization on the day of publication, the organization itself where it had no owner, joined by + for several."
    ),
]
organization_id = Annotated[
    str, Column("Permanent id of an organization: the file name of its record.", bounds=_IDENTIFIER)
]
parent_organization_id = Annotated[
    str, Column("Id of the organization that owns it, or of which it is a part.", bounds=_IDENTIFIER)
]
since = Annotated[
    str,
    Column("Day, month or year since which it is so.", bounds={"str_matches": r"^\d{4}(-\d{2}){0,2}$"}),
]
country = Annotated[
    str, Column("Country of the organization in the words of Epoch's table, joined by + for several organizations.")
]
published = Annotated[
    str,
    Column(
        "Date of first publication: year, year-month or year-month-day.",
        bounds={"str_matches": r"^\d{4}(-\d{2}){0,2}$"},
    ),
]
published_date = Annotated[
    date, Column("Middle of the year, month or day of first publication, for axes and for sorting.")
]
published_precision = Annotated[
    str, Column("How far the date of first publication is known.", bounds=_words(vocabulary.DatePrecision))
]
published_year = Annotated[int, Column("Year of first publication.", bounds={"ge": FIRST_YEAR, "le": LAST_YEAR})]
domain = Annotated[str, Column("Domain of the model's task.", bounds=_words(vocabulary.Domain))]
scope = Annotated[
    str,
    Column(
        "What the record covers: one network, all those that the named result needs, or a published search for it.",
        bounds=_words(vocabulary.Scope),
    ),
]
scope_note = Annotated[str, Column("Which networks, members or trials the record covers.")]
weights_access = Annotated[
    str,
    Column(
        "Whether the weights can be downloaded: by anyone, under limits (research or non-commercial use, a size of company, on request), or not.",
        bounds=_words(vocabulary.WeightsAccess),
    ),
]
source_url = Annotated[
    str,
    Column("Address of the publication: of the record's first source by the authors, else of its first official one."),
]
epoch_name = Annotated[
    str, Column("The exact Model cell of the same model in Epoch AI's table of notable models (May 2026).")
]
manufacturer = Annotated[str, Column("Manufacturer of the chip.")]
sources = Annotated[str, Column("Addresses of the sources of a record (titles where there is none), joined by |.")]

# Facts and sources
record_kind = Annotated[
    str,
    Column("Folder of the record: models, organizations, hardware, defaults, measurements, errata or adjudications."),
]
record_id = Annotated[
    str,
    Column(
        "File name of the record without its ending.",
        bounds={"str_matches": r"^[a-z0-9]+([-_][a-z0-9]+)*$"},  # adjudications have the name of a snapshot
    ),
]
is_retired = Annotated[bool, Column("Whether the id is no longer in use; it is never given to anything else.")]
replaced_by = Annotated[str, Column("The id that replaces a retired one.", bounds=_IDENTIFIER)]
former_ids = Annotated[str, Column("Earlier ids of the record, joined by |.")]
path = Annotated[str, Column("Path of the fact in its record, such as training[0].hardware[0].chip.")]
looked_in = Annotated[str, Column("Sources of the record in which the fact was looked for, joined by |.")]
would_settle = Annotated[str, Column("What would settle the fact, such as code that its authors have not released.")]
written = Annotated[str, Column("The fact's value as written in the record, with its unit.")]
amount = Annotated[
    float,
    Column(
        "The fact as a number of `unit`; the geometric mean of a range; the stated end of a bound; null for words and dates."
    ),
]
bound = Annotated[
    str,
    Column("Which end of a range the source states, where it states one end alone.", bounds=_words(vocabulary.Bound)),
]
unit = Annotated[str, Column("Unit of `amount`; null for plain numbers, words and dates.")]
training_evidence = Annotated[
    str,
    Column(
        "Weakest evidence among the facts of a model's phases: data, epochs, chips and time.",
        bounds=_words(vocabulary.Evidence),
    ),
]
network_evidence = Annotated[
    str,
    Column(
        "Weakest evidence among the numbers of a model's network, or of the one figure used in its place.",
        bounds=_words(vocabulary.Evidence),
    ),
]
evidence = Annotated[
    str,
    Column(
        "How the fact was seen: quoted, table or unseen; assumed where it was not; stated_by_user in records of one's own.",
        bounds=_words(vocabulary.Evidence),
    ),
]
source = Annotated[str, Column("Key of the source within its record.")]
text = Annotated[str, Column("The words of the source that state the fact, verbatim, at most 25.")]
found_at = Annotated[
    str, Column("Copy in which the words were read: an address, github:owner/repository:path, or github-copy:N.")
]
locator = Annotated[str, Column("Place of the words in their source, such as a section, table or page.")]
quote_index = Annotated[int, Column("Index of the quote among those of its fact, from 0.", bounds=_NOT_NEGATIVE)]
via = Annotated[str, Column("The table and row that cites the source.")]
derived = Annotated[str, Column("The number words in the text, or the arithmetic from its figures to the value.")]
assumptions = Annotated[
    str, Column("Names of the record's assumptions that the arithmetic uses, joined by +; its other factors were seen.")
]
note = Annotated[str, Column("A remark of the record.")]
source_kind = Annotated[str, Column("Whose words a source of a model holds.", bounds=_words(vocabulary.SourceKind))]
title = Annotated[str, Column("Title of a source.")]
url = Annotated[str, Column("Address of a source.")]
source_year = Annotated[int, Column("Year of a source.", bounds={"ge": 1900, "le": LAST_YEAR})]

# Architectures and their operations
architecture_id = Annotated[str, Column("Id of a written architecture: model/phase, or measurement/network/lengths.")]
layer_index = Annotated[int, Column("Index of a layer in its architecture, from 0.", bounds=_NOT_NEGATIVE)]
layer_name = Annotated[str, Column("Path of a layer within its architecture.")]
layer_kind = Annotated[str, Column("Kind of a layer: a function of pipeline/formulas/layers/.")]
arguments = Annotated[str, Column("Arguments of the layer's function, as JSON with sorted keys.")]
input_shape = Annotated[str, Column("Shape of one example at the layer's input, as a JSON list without the batch.")]
is_frozen = Annotated[bool, Column("Whether the layer's weights are not trained.")]
times = Annotated[int, Column("Number of consecutive repetitions of the layer.", bounds=_POSITIVE)]
is_convolution = Annotated[bool, Column("Whether a phase trains a convolutional network.")]
has_trainable_below = Annotated[
    bool, Column("Whether something below the layer is trainable, so that it computes an input gradient.")
]
parameters = Annotated[float, Column("Number of trainable parameters.", bounds=_NOT_NEGATIVE)]
known_parameters = Annotated[
    float,
    Column(
        "Number of trainable parameters: as stated, else of the written architecture where it is the only network.",
        bounds=_NOT_NEGATIVE,
    ),
]
active_parameters = Annotated[
    float, Column("Parameters that one token uses (mixtures of experts use a part).", bounds=_NOT_NEGATIVE)
]
forward_flop = Annotated[
    float,
    Column(
        "FLOP of one forward pass of one counted example, attention counted by its definition (half under a causal mask).",
        "flop",
        _POSITIVE,
    ),
]
forward_flop_full_attention = Annotated[
    float,
    Column(
        "The same with every attention counted as a full square, as counters and 6ND-style MFU do.", "flop", _POSITIVE
    ),
]
attention_score_flop = Annotated[
    float, Column("The part of forward_flop in products of two activations (QK and AV).", "flop", _NOT_NEGATIVE)
]
layers = Annotated[int, Column("Number of layers of the kind, repetitions included.", bounds=_POSITIVE)]
kind_forward_flop = Annotated[
    float,
    Column(
        "FLOP of one forward pass in the layers of one kind; 0 for look-ups and elementwise layers.",
        "flop",
        _NOT_NEGATIVE,
    ),
]
kind_forward_flop_full_attention = Annotated[
    float, Column("The same with every attention counted as a full square.", "flop", _NOT_NEGATIVE)
]
backward_flop = Annotated[float, Column("FLOP of one backward pass of one counted example.", "flop", _NOT_NEGATIVE)]
elementwise_flop = Annotated[
    float, Column("FLOP of normalisation, activation and pooling; not part of any total.", "flop", _NOT_NEGATIVE)
]
forward_flop_per_example = Annotated[
    float, Column("Forward FLOP of one example in the phase's unit.", "flop", _POSITIVE)
]
backward_flop_per_example = Annotated[
    float, Column("Backward FLOP of one example in the phase's unit.", "flop", _NOT_NEGATIVE)
]
stated_forward_flop = Annotated[
    float, Column("Forward FLOP of one example as its authors state it (multiply-adds doubled).", "flop", _POSITIVE)
]
is_stated_in_multiply_adds = Annotated[
    bool, Column("Whether the stated forward operations are given in multiply-adds; null where none are stated.")
]
counted_parameters = Annotated[float, Column("Trainable parameters of the written architecture.", bounds=_NOT_NEGATIVE)]
is_from_parameters = Annotated[bool, Column("Whether the forward pass is estimated as 2 x parameters, not counted.")]
connections = Annotated[float, Column("Number of connections as the authors state it.", bounds=_POSITIVE)]

# Phases
phase = Annotated[
    str,
    Column(
        "Id of a phase: one stretch of data at one sequence length and precision.",
        bounds={"str_matches": r"^[a-z0-9]+([-_][a-z0-9]+)*$"},
    ),
]
phase_index = Annotated[int, Column("Index of the phase in the record, from 0.", bounds=_NOT_NEGATIVE)]
accounting = Annotated[str, Column("What kind of work the phase is, for totals.", bounds=_words(vocabulary.Accounting))]
example_unit = Annotated[str, Column("What one example is.", bounds=_words(vocabulary.ExampleUnit))]
main_example_unit = Annotated[
    str,
    Column(
        "What one example is; of several units, that of the phases with most operations.",
        bounds=_words(vocabulary.ExampleUnit),
    ),
]
utilization_case = Annotated[
    str,
    Column(
        "Case of the default utilization: text, convolution or other.",
        bounds=_words(vocabulary.UtilizationCase),
    ),
]
examples = Annotated[float, Column("Size of the data set in example units.", bounds=_POSITIVE)]
epochs = Annotated[float, Column("Number of passes over the data set.", bounds=_POSITIVE)]
steps = Annotated[float, Column("Number of parameter updates.", bounds=_POSITIVE)]
batch = Annotated[float, Column("Examples in one update, over all chips.", bounds=_POSITIVE)]
architecture_passes_per_example = Annotated[
    float,
    Column(
        "Counted examples (whole sequences) in one example unit: 1, or 1 / sequence length where the unit is a token.",
        bounds=_FRACTION,
    ),
]
allows_2n_rule = Annotated[
    bool,
    Column(
        "Whether 2 x parameters may estimate the operations: a network of tokens, without convolutions or reused layers."
    ),
]
examples_seen = Annotated[float, Column("Examples processed in training, counted once per epoch.", bounds=_EXAMPLES)]
total_examples_seen = Annotated[
    float,
    Column(
        "Examples of example_unit that training processed, once per epoch, base models included; without phases that only run forward.",
        bounds=_POSITIVE,
    ),
]
examples_seen_basis = Annotated[str, Column("Basis of examples_seen.", bounds=_words(vocabulary.Basis))]
is_examples_inconsistent = Annotated[
    bool, Column("Whether epochs x examples and steps x batch, both stated, differ by more than 20 %.")
]
is_forward_only = Annotated[
    bool, Column("Whether the phase only runs the network forward: generated experience, a frozen teacher or encoder.")
]
has_frozen_weights = Annotated[
    bool, Column("Whether adapters are trained on a frozen network, which then needs no gradient of its own weights.")
]
framework = Annotated[str, Column("Software that trained the model, where stated.")]
stated_precision = Annotated[str, Column("Precision stated by the publication.", bounds=_words(vocabulary.Precision))]
stated_utilization_fraction = Annotated[
    float, Column("Utilization stated for the model (MFU or a source's judgement; never HFU).", "fraction", _FRACTION)
]
stated_utilization_basis = Annotated[str, Column("Basis of the stated utilization.", bounds=_words(vocabulary.Basis))]

# Chips and GPU time
hardware_id = Annotated[str, Column("Permanent id of a chip: the file name of its record.", bounds=_IDENTIFIER)]
generation = Annotated[str, Column("Microarchitecture or line of the chip.", bounds=_words(vocabulary.Generation))]
released = Annotated[str, Column("Release date of a chip.", bounds={"str_matches": r"^\d{4}(-\d{2}){0,2}$"})]
cores_per_chip = Annotated[float, Column("Cores on a chip, where publications count cores.", bounds=_POSITIVE)]
dies_per_chip = Annotated[float, Column("Dies on a card that publications count as one.", bounds=_POSITIVE)]
only_precision = Annotated[
    str, Column("The chip's matrix format, where it has only one.", bounds=_words(vocabulary.Precision))
]
fast_16bit_precision = Annotated[
    str,
    Column(
        "The chip's best 16-bit format (bf16 where fp16 is no faster), if it is at least 1.5 times as fast as FP32.",
        bounds=_words(vocabulary.Precision),
    ),
]
precision = Annotated[
    str, Column("Format of the numbers that the matrix units multiply.", bounds=_words(vocabulary.Precision))
]
precisions = Annotated[str, Column("Formats used, joined by + where the allocations of a model differ.")]
precision_basis = Annotated[str, Column("Basis of the precision.", bounds=_words(vocabulary.Basis))]
precision_rule = Annotated[str, Column("Rule that determined the precision (methods, section 3).")]
peak_flop_per_second = Annotated[float, Column("Dense peak of one chip at that precision.", "flop_per_second", _PEAK)]
peak_basis = Annotated[str, Column("Basis of the peak.", bounds=_words(vocabulary.Basis))]
narrow_accumulate_peak_flop_per_second = Annotated[
    float,
    Column(
        "Dense peak with 16-bit accumulation, where that is faster; not used for training.",
        "flop_per_second",
        _PEAK,
    ),
]
memory_bytes = Annotated[float, Column("Memory of one chip.", "byte", _POSITIVE)]
memory_bandwidth_bytes_per_second = Annotated[
    float, Column("Bandwidth of one chip's memory.", "byte_per_second", _POSITIVE)
]
power_watts = Annotated[float, Column("Thermal design power of one chip.", "watt", _POSITIVE)]
chip_load_ratio = Annotated[
    float,
    Column("Power of a server that trains, per chip, over the chip's thermal design power.", bounds=_POSITIVE),
]
facility_overhead_ratio = Annotated[
    float, Column("What a data centre draws over what its servers draw: power usage effectiveness.", bounds={"ge": 1})
]
energy_kwh = Annotated[float, Column("Electrical energy of training, the data centre's included.", "kwh", _POSITIVE)]
energy_kwh_low = Annotated[float, Column("5 % point of energy_kwh.", "kwh", _POSITIVE)]
energy_kwh_high = Annotated[float, Column("95 % point of energy_kwh.", "kwh", _POSITIVE)]
energy_log_sd = Annotated[float, Column("Standard deviation of the natural logarithm of energy_kwh.", bounds=_LOG_SD)]
allocation = Annotated[int, Column("Index of an allocation of chips within its phase, from 0.", bounds=_NOT_NEGATIVE)]
chips = Annotated[float, Column("Number of chips.", bounds=_POSITIVE)]
most_chips = Annotated[
    float, Column("Largest number of chips that a phase states, base models included.", bounds=_POSITIVE)
]
duration_seconds = Annotated[float, Column("Wall-clock time.", "second", _POSITIVE)]
stated_chip_seconds = Annotated[
    float,
    Column(
        "Chip time as reported (GPU-days, chip-hours), core time divided by the cores of a chip.",
        "chip_second",
        _POSITIVE,
    ),
]
chip_seconds = Annotated[float, Column("Chip time: chips x duration, or as reported.", "chip_second", _POSITIVE)]
chip_hours = Annotated[float, Column("Chip time of all phases, base models included.", "chip_hour", _POSITIVE)]
chip_seconds_basis = Annotated[str, Column("Basis of the chip time.", bounds=_words(vocabulary.Basis))]
chip_peak_flop = Annotated[
    float, Column("Chip time x peak: the most that the chips could have computed.", "flop", _POSITIVE)
]
hardware = Annotated[str, Column("Chips that trained the model, joined by +; null where not stated.")]
hardware_basis = Annotated[
    str,
    Column(
        "Basis of the peak: a reported chip, or a year's default in place of an unknown one.",
        bounds=_words(vocabulary.Basis),
    ),
]
utilization_fraction = Annotated[
    float, Column("Utilization used for gpu_time_informed_flop, as a share of the peak.", "fraction", _FRACTION)
]
utilization_basis = Annotated[str, Column("Basis of that utilization.", bounds=_words(vocabulary.Basis))]
default_utilization_fraction = Annotated[
    float, Column("The default share of the peak: 0.3 for text, 0.4 for all else.", "fraction", _FRACTION)
]

default_peak_flop_per_second = Annotated[
    float,
    Column("The year's default peak, used in place of an unknown chip's.", "flop_per_second", _PEAK),
]
default_peak_log_sd = Annotated[float, Column("Standard deviation of its natural logarithm.", bounds=_LOG_SD)]
peak_log_sd = Annotated[
    float, Column("Standard deviation of the peak's natural logarithm, a known chip's or a year's.", bounds=_LOG_SD)
]
precision_log_sd = Annotated[
    float,
    Column(
        "Standard deviation that an inferred precision adds to ln peak; 0 where it is stated or follows from the chip.",
        bounds=_LOG_SD,
    ),
]

# Defaults
quantity = Annotated[str, Column("Quantity of a default, a standard deviation or a back-test.")]
applies_to = Annotated[str, Column("The case that a default applies to, such as text, fp32 or all.")]
default_value = Annotated[float, Column("The default in the unit of its quantity.", bounds=_POSITIVE)]
log_sd = Annotated[float, Column("Standard deviation of the natural logarithm.", bounds=_LOG_SD)]
default_basis = Annotated[str, Column("Basis of the default.", bounds=_words(vocabulary.Basis))]

# Back-tests of imputation
rule = Annotated[str, Column("Rule that imputed the hidden fact, or the other figure it is compared with.")]
place = Annotated[
    str, Column("Where in the record the hidden fact stands: total, phase, phase/allocation or external_estimates.id.")
]
known_value = Annotated[float, Column("The hidden fact, in the unit of its quantity.", bounds=_POSITIVE)]
filled_value = Annotated[float, Column("The imputed value, in the same unit.", bounds=_POSITIVE)]
log_error = Annotated[float, Column("ln(filled_value / known_value).")]
is_in_interval = Annotated[
    bool, Column("Whether the 90 % interval around filled_value, by the log_sd in use, contains known_value.")
]
period = Annotated[str, Column("Year of publication of the models, or all.", bounds={"str_matches": r"^(all|\d{4})$"})]
errors_number = Annotated[int, Column("Number of hidden facts.", bounds=_POSITIVE)]
median_log_error = Annotated[float, Column("Median of |log_error|; 0.69 is a factor of 2.", bounds=_NOT_NEGATIVE)]
log_bias = Annotated[float, Column("Median of log_error: below 0 the imputed values are too low.")]
error_log_sd = Annotated[
    float,
    Column(
        "Log standard deviation whose 90 % interval contains 90 % of the hidden facts: the 90 % point of |log_error| / 1.645.",
        bounds=_LOG_SD,
    ),
]
share_in_interval_fraction = Annotated[
    float,
    Column("Share of the hidden facts in the 90 % interval by the log_sd in use.", "fraction", {"ge": 0, "le": 1}),
]
models_number = Annotated[
    int, Column("Number of the ledger's models that a figure is computed from.", bounds=_POSITIVE)
]
own_mean_peak_flop_per_second = Annotated[
    float,
    Column(
        "Geometric mean of the peaks of the chips of the ledger's own models of a year.",
        "flop_per_second",
        _PEAK,
    ),
]
common_hardware_id = Annotated[
    str, Column("The chip that most of the ledger's models of a year used.", bounds=_IDENTIFIER)
]
common_peak_flop_per_second = Annotated[float, Column("Its peak.", "flop_per_second", _PEAK)]
common_models_number = Annotated[int, Column("Number of models of the year that used it.", bounds=_POSITIVE)]

# Standard deviations of the natural logarithms of the inputs
examples_class = Annotated[
    str,
    Column("How well examples_seen is known, by the evidence of its factors.", bounds=_words(vocabulary.InputClass)),
]
steps_class = Annotated[
    str, Column("How well steps x batch are known, by their evidence.", bounds=_words(vocabulary.InputClass))
]
chip_seconds_class = Annotated[
    str,
    Column("How well the chip time is known, by the evidence of its factors.", bounds=_words(vocabulary.InputClass)),
]
examples_bound = Annotated[
    str, Column("Which end examples x epochs are stated as, where it is one alone.", bounds=_words(vocabulary.Bound))
]
steps_bound = Annotated[
    str, Column("Which end steps x batch are stated as, where it is one alone.", bounds=_words(vocabulary.Bound))
]
chip_seconds_bound = Annotated[
    str, Column("Which end the chip time is stated as, where it is one alone.", bounds=_words(vocabulary.Bound))
]
is_bound = Annotated[
    bool, Column("Whether it rests on a figure that its source states as one end alone, such as more than 1e12 tokens.")
]
examples_range_log_sd = Annotated[
    float, Column("Standard deviation of ln (examples x epochs) from stated ranges.", bounds=_LOG_SD)
]
steps_range_log_sd = Annotated[
    float, Column("Standard deviation of ln (steps x batch) from stated ranges.", bounds=_LOG_SD)
]
chip_seconds_range_log_sd = Annotated[
    float, Column("Standard deviation of ln chip time from stated ranges.", bounds=_LOG_SD)
]
examples_log_sd = Annotated[float, Column("Standard deviation of ln examples_seen.", bounds=_LOG_SD)]
chip_seconds_log_sd = Annotated[float, Column("Standard deviation of ln chip time.", bounds=_LOG_SD)]

# Estimates
operation_count_flop = Annotated[float, Column("Training compute by counting operations.", "flop", _FLOP)]
operation_count_basis = Annotated[
    str,
    Column(
        "Basis of the count: counted from the architecture, reported, or derived from connections or parameters.",
        bounds=_words(vocabulary.Basis),
    ),
]
gpu_time_flop = Annotated[
    float, Column("Training compute by GPU time x peak x the default utilization.", "flop", _FLOP)
]
gpu_time_informed_flop = Annotated[
    float,
    Column(
        "Training compute by GPU time x peak x a utilization: stated for the model, else measured on like cases, else the default.",
        "flop",
        _FLOP,
    ),
]
reported_flop = Annotated[
    float, Column("Training compute reported by the authors, with the base model's.", "flop", _FLOP)
]
method_ratio = Annotated[float, Column("operation_count_flop / gpu_time_flop.", bounds=_POSITIVE)]
is_disputed = Annotated[bool, Column("Whether the two methods differ by more than 2x; null where there are not two.")]
dispute_cause = Annotated[str, Column("Most likely cause of a dispute.", bounds=_words(vocabulary.DisputeCause))]
implied_utilization_fraction = Annotated[
    float, Column("operation_count_flop / (chip time x peak); above 1 some input is wrong.", "fraction", _POSITIVE)
]
independence = Annotated[
    str,
    Column(
        "Whether the two estimates are independent, share an uncertain input, or are circular; null where there are not two.",
        bounds=_words(vocabulary.Independence),
    ),
]
imputed_inputs = Annotated[str, Column("Inputs of method 2 that were imputed, joined by +; null where none was.")]
training_flop = Annotated[
    float, Column("The headline: training compute of the model, base model included.", "flop", _FLOP)
]
training_flop_low = Annotated[float, Column("5 % point of training_flop.", "flop", _FLOP)]
training_flop_p25 = Annotated[float, Column("25 % point of the training compute.", "flop", _FLOP)]
training_flop_p75 = Annotated[float, Column("75 % point of the training compute.", "flop", _FLOP)]
training_flop_high = Annotated[float, Column("95 % point of training_flop.", "flop", _FLOP)]
cumulative_flop = Annotated[
    float,
    Column(
        "Training compute with what other models and runs contributed: synthetic data, teachers, searches (table contributions).",
        "flop",
        _FLOP,
    ),
]
threshold_total = Annotated[
    str,
    Column(
        "The total that the probabilities of thresholds are of: the cumulative one where it is known.",
        bounds=_words(vocabulary.ThresholdTotal),
    ),
]
own_to_base_ratio = Annotated[
    float,
    Column(
        "Own training compute / that of the base models: a law may ask whether it is above a third.", bounds=_POSITIVE
    ),
]
contribution = Annotated[int, Column("Number of the contribution in the record, from 0.", bounds=_NOT_NEGATIVE)]
contributor_id = Annotated[str, Column("Model of the ledger whose training or outputs contribute.")]
contribution_flop = Annotated[float, Column("Compute that the source states for it.", "flop", _FLOP)]
parameter_network = Annotated[
    str,
    Column(
        "The kind of network for which 2 x parameters stands, where the record says so.",
        bounds=_words(vocabulary.ParameterNetwork),
    ),
]
is_search_counted = Annotated[bool, Column("Whether the operations are, in part, those of an architecture search.")]
has_read_contributions = Annotated[
    bool, Column("Whether the record says what else its result rests on, or that there is nothing.")
]
probability_above_1e23_fraction = Annotated[
    float, Column("Probability that threshold_total is above 1e23 FLOP.", "fraction", _SHARE)
]
probability_above_1e25_fraction = Annotated[
    float, Column("Probability that threshold_total is above 1e25 FLOP.", "fraction", _SHARE)
]
probability_above_1e26_fraction = Annotated[
    float, Column("Probability that threshold_total is above 1e26 FLOP.", "fraction", _SHARE)
]
confidence = Annotated[
    str,
    Column(
        "Class of the 90 % interval's width: confident within a factor of 3 of training_flop, likely within 10, speculative beyond.",
        bounds=_words(vocabulary.Confidence),
    ),
]
headline_method = Annotated[
    str, Column("Method of the headline (methods, section 4).", bounds=_words(vocabulary.HeadlineMethod))
]

# Rows of another's table
source_row = Annotated[int, Column("Row of the table, from 1 after its header.", bounds=_POSITIVE)]
no_estimate_reason = Annotated[
    str, Column("Why there is no point estimate: what the row lacks, or that only an order of magnitude follows.")
]
rules = Annotated[
    str, Column("Rules by which cells and notes of the row were read or what it lacks was assumed, joined by ;.")
]
unread_cells = Annotated[str, Column("Cells of the row that say nothing readable, and why, joined by ;.")]

# Reconciliation: the terms of the headline of a model's own training, without its base models
gpu_time_used_reason = Annotated[
    str, Column("Why that GPU time is the one used.", bounds=_words(vocabulary.GpuTimeReason))
]
gpu_time_used_flop = Annotated[float, Column("The GPU time estimate that the headline uses.", "flop", _FLOP)]
utilization_ceiling_fraction = Annotated[
    float, Column("Largest share of the peak that the network can reach in this format.", "fraction", _POSITIVE)
]
is_hardware_imputed = Annotated[
    bool, Column("Whether a year's default peak stands in for the chip; null where no phase has chips.")
]
reported_unused_reason = Annotated[
    str,
    Column(
        "Why the reported total is not the headline; null where it is, or where none is reported.",
        bounds=_words(vocabulary.UnusedReport),
    ),
]
own_training_flop = Annotated[
    float, Column("The headline of the model's own training, without base models.", "flop", _FLOP)
]
base_training_flop = Annotated[float, Column("The part of training_flop that is a base model's.", "flop", _FLOP)]
own_training_flop_low = Annotated[float, Column("5 % point of own_training_flop.", "flop", _FLOP)]
own_training_flop_p25 = Annotated[float, Column("25 % point of own_training_flop.", "flop", _FLOP)]
own_training_flop_p75 = Annotated[float, Column("75 % point of own_training_flop.", "flop", _FLOP)]
own_training_flop_high = Annotated[float, Column("95 % point of own_training_flop.", "flop", _FLOP)]

# Disputes, comparison of the methods, priorities
rank = Annotated[int, Column("Rank: 1 is the most likely cause, or the largest gain.", bounds=_POSITIVE)]
dispute_stated_cause = Annotated[
    str, Column("Cause of the dispute as the record states it.", bounds=_words(vocabulary.DisputeCause))
]
dispute_reason = Annotated[
    str, Column("The reader's sentence for dispute_stated_cause, or the words of the quotation that names it.")
]
dispute_sides_with = Annotated[
    str, Column("Which method the record takes as right in the dispute.", bounds=_words(vocabulary.DisputeSide))
]
has_imputed_inputs = Annotated[bool, Column("Whether an input of either method is imputed.")]
grouping = Annotated[
    str,
    Column(
        "Criterion of the groups; published: pairs that AI and Compute (methods, sources) worked out.",
        bounds=_words(vocabulary.Grouping),
    ),
]
group = Annotated[str, Column("Domain, year, imputed or stated; all where there is one group.")]
geometric_mean_ratio = Annotated[
    float, Column("Geometric mean of operation_count_flop / gpu_time_flop.", bounds=_POSITIVE)
]
geometric_standard_deviation = Annotated[
    float, Column("Geometric standard deviation of that ratio; null for one model.", bounds={"ge": 1})
]
share_within_1_7_fraction = Annotated[
    float,
    Column(
        "Share of models whose methods agree within 1.7x, as do the examples of Sevilla et al. (2022).",
        "fraction",
        _SHARE,
    ),
]
share_within_2_fraction = Annotated[float, Column("Share of models whose methods agree within 2x.", "fraction", _SHARE)]
share_within_3_fraction = Annotated[float, Column("Share of models whose methods agree within 3x.", "fraction", _SHARE)]

# Measurements
measurement_id = Annotated[str, Column("File name of the measurement record.", bounds=_IDENTIFIER)]
row = Annotated[str, Column("Id of the row within its record.")]
network = Annotated[str, Column("Kind of network.", bounds=_words(vocabulary.Network))]
timed = Annotated[str, Column("Part of training that was timed.", bounds=_words(vocabulary.Timed))]
run_kind = Annotated[
    str, Column("Tuned benchmark, plain script, or the training of a model in use.", bounds=_words(vocabulary.RunKind))
]
is_whole_run = Annotated[
    bool,
    Column("Whether it is the training of a model of the ledger, which may not calibrate its own estimate."),
]
is_recomputed = Annotated[bool, Column("Whether activations were recomputed for the backward pass.")]
is_circular = Annotated[
    bool, Column("Whether the throughput was derived from a utilization, so that it tests nothing.")
]
about = Annotated[str, Column("Network and machine, in the source's terms.")]
utilization_kind = Annotated[
    str,
    Column("Model FLOP (mfu), hardware FLOP (hfu) or a judgement.", bounds=_words(vocabulary.UtilizationKind)),
]
rejection_reason = Annotated[
    str, Column("Why a published measurement is not used.", bounds=_words(vocabulary.Rejection))
]
examples_per_second = Annotated[
    float, Column("Measured counted examples (images, whole sequences) a second, all chips together.", bounds=_POSITIVE)
]
reported_mfu_fraction = Annotated[
    float, Column("Model FLOP utilization reported by the source.", "fraction", _FRACTION)
]
reported_hfu_fraction = Annotated[
    float, Column("Hardware FLOP utilization reported by the source; recomputation included.", "fraction", _FRACTION)
]
licence = Annotated[str, Column("Licence of the measurement's source.")]
utilization_low_fraction = Annotated[
    float, Column("5 % point of the utilization predicted from measurements of like cases.", "fraction", _FRACTION)
]
utilization_middle_fraction = Annotated[
    float, Column("Median of the utilization predicted from measurements of like cases.", "fraction", _FRACTION)
]
utilization_high_fraction = Annotated[
    float, Column("95 % point of the utilization predicted from measurements of like cases.", "fraction", _FRACTION)
]
utilization_log_sd = Annotated[float, Column("Standard deviation of its natural logarithm.", bounds=_LOG_SD)]
rows = Annotated[int, Column("Number of measurements.", bounds=_POSITIVE)]
sources_number = Annotated[int, Column("Number of sources that they come from.", bounds=_POSITIVE)]
utilization_p10_fraction = Annotated[
    float, Column("10 % point of the measured utilizations, interpolated.", "fraction", _POSITIVE)
]
utilization_median_fraction = Annotated[float, Column("Median of the measured utilizations.", "fraction", _POSITIVE)]
utilization_p90_fraction = Annotated[
    float, Column("90 % point of the measured utilizations, interpolated.", "fraction", _POSITIVE)
]
share_within_factor_two_fraction = Annotated[
    float,
    Column("Share of the measurements within a factor of 2 of the default.", "fraction", {"ge": 0, "le": 1}),
]
default_log_error = Annotated[
    float, Column("Median of |ln(measured / default)|; 0.69 is a factor of 2.", bounds=_NOT_NEGATIVE)
]
predicted_log_error = Annotated[
    float,
    Column(
        "Median of |ln(measured / predicted)|, each predicted from all sources but its own; null where circular.",
        bounds=_NOT_NEGATIVE,
    ),
]
measured_utilization_fraction = Annotated[
    float, Column("Counted model FLOP x throughput / (chips x peak).", "fraction", _POSITIVE)
]
time_ratio = Annotated[float, Column("Time predicted with the default utilization / measured time.", bounds=_POSITIVE)]
is_within_factor_two = Annotated[
    bool, Column("Whether the default utilization predicts the measured time within a factor of 2.")
]
is_from_operations = Annotated[
    bool,
    Column("Whether the source derived the chip time from an operation count, so that the two methods are circular."),
]
format_ratio = Annotated[
    float,
    Column(
        "Peak in the other format / peak in the inferred one, where the precision was inferred and the chip has both.",
        bounds=_POSITIVE,
    ),
]
sixteen_bit_ratio = Annotated[float, Column("The chip's best 16-bit peak / its FP32 peak.", bounds=_POSITIVE)]
reported_method = Annotated[
    str,
    Column(
        "How the authors came to the figure that they report; unknown where the record does not say.",
        bounds=_words(vocabulary.ReportedMethod),
    ),
]
reported_convention = Annotated[
    str,
    Column(
        "Which operations the reported figure counts, by the authors' words.",
        bounds=_words(vocabulary.ReportedConvention),
    ),
]
is_reported_hardware_flop = Annotated[
    bool, Column("Whether the reported figure includes recomputed activations: hardware FLOP, never the headline.")
]
has_untimed_phase = Annotated[bool, Column("Whether a phase states neither chips nor their time.")]
shared_input = Annotated[
    str,
    Column(
        "Path in the record of the fact that both methods use, because the time was derived from it or it from the time; null where there is none."
    ),
]
has_unread_data = Annotated[
    bool,
    Column("Whether a fact about data or epochs has no quoted words: it comes from a table or is unseen."),
]
chips_ratio = Annotated[
    float,
    Column(
        "Largest high / low of a record's numbers of chips; null where none is a range.",
        bounds={"ge": 1},
    ),
]
has_erratum = Annotated[bool, Column("Whether an erratum contradicts the reported training compute.")]
figure = Annotated[str, Column("Which published figure the erratum is about.")]
external_estimate_id = Annotated[
    str, Column("Id of the external estimate, unique and permanent within its record.", bounds=_IDENTIFIER)
]
stated_flop = Annotated[float, Column("Training compute stated by someone else.", "flop", _FLOP)]
stated_method = Annotated[
    str,
    Column("Method of that figure, where the record states it.", bounds=_words(vocabulary.StatedMethod)),
]
inputs = Annotated[
    str,
    Column(
        "Whether the figure rests on the same chip time or operation count as the ledger's, on both, or on inputs of its own.",
        bounds=_words(vocabulary.SharedInputs),
    ),
]
outcome = Annotated[
    str,
    Column(
        "Whether the ledger's value agrees with it within 2x, or differs; differs, too, where the ledger has none.",
        bounds=_words(vocabulary.Outcome),
    ),
]
published_figure = Annotated[float, Column("The figure as published.", bounds=_POSITIVE)]
corrected_figure = Annotated[float, Column("The product of the figure's own factors.", bounds=_POSITIVE)]
factors = Annotated[str, Column("The figure's factors, as arithmetic.")]
explanation = Annotated[str, Column("What went wrong, in a sentence.")]
erratum_id = Annotated[str, Column("File name of the erratum record.", bounds=_IDENTIFIER)]
snapshot = Annotated[str, Column("The adjudicated table: the file name of its snapshot without its ending.")]
published_flop = Annotated[
    float,
    Column("Training compute as the table states it, in its cell or in the notes beside it.", "flop", _FLOP),
]
corrected_flop = Annotated[
    float, Column("What it should be by its sources; the same where nothing is corrected.", "flop", _FLOP)
]
reason = Annotated[
    str,
    Column("What was found wrong; with an open finding, what is suspected.", bounds=_words(vocabulary.Fault)),
]
certainty = Annotated[
    str,
    Column("How certain the finding is; of an open one the value stays.", bounds=_words(vocabulary.Certainty)),
]
stratum = Annotated[
    str,
    Column(
        "Whether the value lay within 2x of the ledger's (near) or further (far) when the sample was drawn.",
        bounds=_words(vocabulary.Stratum),
    ),
]
sampling_weight = Annotated[
    float, Column("How many values of its stratum each drawn one stands for.", bounds={"ge": 1})
]

# History
release = Annotated[str, Column("Version of the release that has the new value; unreleased where none has it yet.")]
column = Annotated[str, Column("Column of estimates that moved; training_flop where a model was added or is gone.")]
old = Annotated[str, Column("The value in the release before, as its CSV has it.")]
new = Annotated[str, Column("The value in this release, as its CSV has it.")]
change_reason = Annotated[
    str, Column("What it moved through: columns, and facts of records with their values before and after.")
]

# The headline and its error
evidence_class = Annotated[
    str,
    Column(
        "What the headline rests on, which sets the width of its interval: of a sum the weakest part above a tenth of it.",
        bounds=_words(vocabulary.EvidenceClass),
    ),
]
weak_reason = Annotated[
    str,
    Column(
        "Why the count is known less well than one of a stated network and stated data.",
        bounds=_words(vocabulary.WeakReason),
    ),
]
named_second = Annotated[
    str,
    Column(
        "The second estimate that differs from the headline and widens its interval on its own side.",
        bounds=_words(vocabulary.NamedSecond),
    ),
]
gap_ratio = Annotated[float, Column("That second estimate over the headline.", bounds=_POSITIVE)]
off_by_two_fraction = Annotated[
    float, Column("Probability that the truth lies beyond a factor of two, on either side.", "fraction", _SHARE)
]
training_flop_p2_5 = Annotated[float, Column("2.5 % point of training_flop.", "flop", _FLOP)]
training_flop_p10 = Annotated[float, Column("10 % point of training_flop.", "flop", _FLOP)]
training_flop_p90 = Annotated[float, Column("90 % point of training_flop.", "flop", _FLOP)]
training_flop_p97_5 = Annotated[float, Column("97.5 % point of training_flop.", "flop", _FLOP)]
own_training_flop_p2_5 = Annotated[float, Column("2.5 % point of own_training_flop.", "flop", _FLOP)]
own_training_flop_p10 = Annotated[float, Column("10 % point of own_training_flop.", "flop", _FLOP)]
own_training_flop_p90 = Annotated[float, Column("90 % point of own_training_flop.", "flop", _FLOP)]
own_training_flop_p97_5 = Annotated[float, Column("97.5 % point of own_training_flop.", "flop", _FLOP)]
up_log = Annotated[
    float, Column("Half of the headline's error to above, a natural logarithm (methods, section 4).", bounds=_POSITIVE)
]
down_log = Annotated[
    float, Column("Half of the headline's error to below, a natural logarithm (methods, section 4).", bounds=_POSITIVE)
]
nearest_convention = Annotated[
    str,
    Column(
        "The way of counting attention in which the authors' total agrees with the count.",
        bounds=_words(vocabulary.ReportedConvention),
    ),
]
full_attention_flop = Annotated[
    float, Column("The operation count with attention over the full square of positions.", "flop", _FLOP)
]
no_scores_flop = Annotated[float, Column("The operation count without attention scores.", "flop", _FLOP)]
has_count_at_least = Annotated[bool, Column("Whether the data of a phase are stated as a lower end alone.")]
has_count_at_most = Annotated[bool, Column("Whether the data of a phase are stated as an upper end alone.")]
is_time_bound = Annotated[bool, Column("Whether a chip time is stated as one end alone.")]
chip_peak_log_sd = Annotated[
    float,
    Column(
        "Standard deviation of ln chip_peak_flop by what its record states as a range or leaves open: time, chip, number format.",
        bounds=_LOG_SD,
    ),
]
headline_sentence = Annotated[str, Column("How the headline was made and how well it is known, in words.")]
dispute_sentence = Annotated[str, Column("Why the two methods dispute, in words.")]
dispute_resolution = Annotated[str, Column("What would settle the dispute.")]
is_cause_stated = Annotated[bool, Column("Whether the record states the cause, so that no rule chose it.")]
is_measured = Annotated[bool, Column("Whether the utilization was predicted from measurements of like cases.")]
ratio_at_predicted = Annotated[
    float, Column("operation_count_flop / gpu_time_used_flop.", bounds=_POSITIVE)
]
ratio_at_other_format = Annotated[
    float, Column("The same in the other number format of the chips.", bounds=_POSITIVE)
]
data_reach_ratio = Annotated[float, Column("Factor by which the data may be off (90 %).", bounds={"ge": 1})]
needed_ratio = Annotated[
    float, Column("Factor by which one input must be off for the two methods not to dispute.", bounds={"ge": 1})
]
intensity = Annotated[float, Column("Forward FLOP per elementwise FLOP of the network.", bounds=_POSITIVE)]
work_flop = Annotated[float, Column("Forward FLOP a chip and step.", "flop", _FLOP)]
filled_low = Annotated[float, Column("Lower end of the 90 % interval that estimates give filled_value.", bounds=_POSITIVE)]
filled_high = Annotated[float, Column("Upper end of the 90 % interval that estimates give filled_value.", bounds=_POSITIVE)]
