"""What every column means, said once: its type, unit, bounds and sentence. Tables in schemas/tables name it and say where it may be null.

To read a meaning imports neither pandas nor pandera; to call a column, as a table does, makes the field of its contract.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

from schemas import vocabulary
from schemas.limits import (
    FIRST_YEAR,
    LARGEST_EXAMPLES,
    LARGEST_FLOP,
    LARGEST_LOG_SD,
    LARGEST_PEAK_FLOP_PER_SECOND,
    LAST_YEAR,
)

Kind = Literal["text", "number", "whole number", "true or false", "date"]
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
    """Meaning of a column. `unit`, where there is one, is the last word of its name; `checks` are those of pandera by name.

    `label` names the column for a reader, `form` is how pipeline/cells.py writes its values, and `words` are what they say, where they are words.
    """

    kind: Kind
    description: str
    unit: str | None = None
    checks: Mapping[str, Any] = field(default_factory=dict)
    label: str | None = None
    form: Form = "words"
    words: Mapping[Any, str] = field(default_factory=dict)

    def __call__(self, null: str | None = None) -> Any:
        """The column in one table, as a field of pandera; it may be null where a sentence says what that means."""
        import pandera.pandas as pandera

        checks = dict(self.checks)
        if self.kind == "number":  # NaN and infinity lie within no finite bounds
            checks |= {} if {"gt", "ge"} & checks.keys() else {"gt": -math.inf}
            checks |= {} if {"lt", "le"} & checks.keys() else {"lt": math.inf}
        meaning = {"column": self, "null": null}
        return pandera.Field(nullable=null is not None, description=self.description, metadata=meaning, **checks)


def _texts(kind: type[vocabulary.Worded]) -> dict[str, str]:
    return {word.value: word.words for word in kind if word.words}


def _words(kind: type[StrEnum]) -> dict[str, list[str]]:
    return {"isin": [word.value for word in kind]}


_IDENTIFIER = {"str_matches": r"^[a-z0-9]+(-[a-z0-9]+)*$"}
_DAY = {"str_matches": r"^\d{4}(-\d{2}){0,2}$"}
_POSITIVE = {"gt": 0}
_NOT_NEGATIVE = {"ge": 0}
_FRACTION = {"gt": 0, "le": 1}
_SHARE = {"ge": 0, "le": 1}
_EXAMPLES = {"gt": 0, "lt": LARGEST_EXAMPLES}
_FLOP = {"gt": 0, "lt": LARGEST_FLOP}
_PEAK = {"gt": 0, "lt": LARGEST_PEAK_FLOP_PER_SECOND}
_LOG_SD = {"ge": 0, "lt": LARGEST_LOG_SD}

# What null means, where several tables say the same
NOT_STATED = "Not stated in the record's sources."
NO_RANGE_OF_COMPUTE = "There is an estimate, or no basis for a range that holds known models of its years."
NO_STATED_INTERVAL = "They give none."
NO_PROBABILITY = "No estimate, neither of the model nor of a base model."
NO_GPU_TIME = "No estimate by GPU time: chips, time or a peak are not known; chip counts and times are never imputed."
NO_HEADLINE = "No estimate: neither method has its inputs, and the authors report none."
NO_COUNT = "The operations cannot be counted: the network or the examples seen are not known."
NO_ENERGY = "A chip of a phase or base model, its power or its time is not known; never imputed."
NONE_KNOWN = "There is none."
SEEN_OTHERWISE = "The fact was not seen in this way; see `evidence`."
NOT_TWO = "There are not two methods to compare."
WHERE_NOT_TWO = "Where there are not two."
NOT_REPORTED = "The authors do not report it."
NO_COST = "See cost_basis."
NO_CO2 = "The energy, or the grid's factor, is not known."
NO_COUNTRY = "Not known of one of the organizations."
NO_CHIP_TIME = "Neither chip time nor both chips and duration are stated; never imputed."
NO_FORWARD_OPERATIONS = "Where none are stated."
STATED_BY_USER = "Stated by the user of the record; never so in the ledger."
NO_CHIP = "The chip is not stated."
NO_ORGANIZATION = "One of the organizations has no record."
NO_EXAMPLES_SEEN = "Neither epochs nor steps are stated, and one pass is assumed of text alone."
WHERE_NOT_STATED = "Where not stated."
NO_PRECISION = "Neither stated nor inferred."
NO_BASE = "The model was not fine-tuned from another."
NO_OTHER_FORMAT = "The precision is stated or follows from the chip, or the chip has one of the two formats alone."
STATED_ONCE = "Epochs x examples and steps x batch are not both stated."
NOT_JUDGED = "Not judged yet."
NO_LOCATOR = "Not read yet, or the source has no parts."
RECORD_SAYS_NOTHING = "The record does not say."
NO_REASON = "Nothing was found wrong; of a change, it was not traced."
NO_MODEL = "Not about a model of the ledger."
NO_DISPUTE = "There is no dispute."
NO_CUMULATIVE = "Not looked for, or the publication is silent on the compute of something that it mentions."
NO_BASE_OR_ESTIMATE = "The model was not fine-tuned from another, or there is no estimate."
NO_HARDWARE = "No chip is stated, and there is no GPU time that a default could be used for."
NO_PRECISION_BASIS = "The precision is neither stated nor inferred."
NONE_IMPUTED = "Where none was."
NO_DEFAULT_PEAK = "The chip is known, or the year has no default."
NO_ARCHITECTURE = "The record has no architecture."
NO_RANGE_OF_LENGTHS = "No length of a sequence is stated as a range, or none decides the operations that are counted."
NO_EXAMPLES_SEEN_BASIS = "The examples seen are not known."
NO_PASSES = "An example is a token or word, and the length of a sequence is not stated."
NO_TRAINING_FACTS = "The record states no facts of training."
NO_NETWORK_FACTS = "The record has neither an architecture nor a figure in its place."
NO_URL = "The source has no address on the web."
NO_WORD = "Not in the vocabulary."
WHERE_NONE = "Where there is none."
NO_OPERATIONS = "The network's operations are not known."
NO_NETWORK = "Not in the vocabulary, or not known."
NO_CLASS_OF_EXAMPLES = "Examples or epochs are not stated."
NO_CLASS_OF_STEPS = "Steps or the batch are not stated."
NO_RANGE = "Neither a range nor an assumption with a width is stated."
NO_BOUND = "It is not stated as one end alone."
NO_LIKE_MEASUREMENTS = "The chip, its peak or the family of networks is not known: nothing measured is alike."
NO_OWN_HEADLINE = "Its own training has no estimate: neither method has its inputs, and the authors report none."
NO_SECOND = "No second estimate differs from it enough to be named; none is of a sum of parts."
NO_MAIN_UNIT = "The record has no phase of training, or phases with several units whose operations are not all known."
NO_CHIP_HOURS = "Chips or time of a phase or base model are not known; never imputed."
NO_OWN_URL = "No publication of the authors or the organization has an address on the web."
NO_EPOCH_ROW = "Epoch's table has no row of this very model, or nobody compared."
WHOLE_MODEL = "The comparison is of the whole model."
WHOLE_PHASE = "The comparison is of a whole phase or model."
NO_INTENSITY = "No elementwise operations of the network are counted."
NO_BATCH = "The batch is not stated."
NO_WEAK_REASON = "The headline is no count, its inputs are stated, or the authors' own total confirms it."
NO_NEAR_CONVENTION = "There is no count or no total of the authors' to compare, or none is near."
NO_ROW_ESTIMATE = "No estimate: the row's model has a record, or no method has its inputs."
NO_ROW_POINT = "The row's model has a record, no method has its inputs, or the rules give only an order of magnitude."
NO_ROW_TRAINING = "The row's model has a record, or its own training has no estimate."
NOT_SETTLED = "Reader and ledger agree, or it was not settled."
NOT_READ = "The reader found nothing."
NOT_READ_AS_NUMBER = "The reader found nothing, or the fact is a word."
NOT_READ_FROM_ROWS = "Not read from Epoch's table."

NOT_OF_LEDGER = "The run is of no model of the ledger."
NO_TEXT_TOKENS = "It is no transformer that reads tokens of text."
NOT_LOGGED = "Not logged."
NOT_COUNTED = "The network is none that is counted; see `not_counted_reason`."
IS_COUNTED = "The network is counted."
NO_SYSTEM = "The description of the system does not say, or there is none."
NO_SCRIPT = "No script of the implementation chooses it, or several disagree."
NO_RUN_PEAK = "The chip or the number format is not known, or the chip has no such peak."

# Identity
model_id = Column(
    "text", "Permanent id of a model: the file name of its record.", checks=_IDENTIFIER, label="Id", form="verbatim"
)
part_id = Column(
    "text", "Id of a model whose training is part of this one's: itself or a base model.", checks=_IDENTIFIER
)
base_model = Column(
    "text",
    "Id of the model that this one was fine-tuned from.",
    checks=_IDENTIFIER,
    label="Base model",
    form="verbatim",
)
name = Column(
    "text", "Name as written in its publication, or in the table that is adjudicated.", label="Model", form="verbatim"
)
aliases = Column("text", "Other names of a model or chip, joined by |.")
organization = Column("text", "Organization that trained the model.", label="Organization", form="verbatim")
organization_kind = Column(
    "text", "Academia, industry, government, collective or mixed.", checks=_words(vocabulary.OrganizationKind)
)
parent_organization = Column(
    "text",
    "Who owned the organization on the day of publication, the organization itself where it had no owner, joined by + for several.",
    label="Parent organization",
    form="verbatim",
)
organization_id = Column("text", "Permanent id of an organization: the file name of its record.", checks=_IDENTIFIER)
parent_organization_id = Column(
    "text", "Id of the organization that owns it, or of which it is a part.", checks=_IDENTIFIER
)
since = Column("text", "Day, month or year since which it is so.", checks=_DAY)
country = Column(
    "text",
    "Country of the organization in the words of Epoch's table, joined by + for several organizations.",
    label="Country",
    form="verbatim",
)
published = Column(
    "text", "Date of first publication: year, year-month or year-month-day.", checks=_DAY, label="Published", form="day"
)
published_date = Column("date", "Middle of the year, month or day of first publication, for axes and for sorting.")
published_precision = Column(
    "text", "How far the date of first publication is known.", checks=_words(vocabulary.DatePrecision)
)
published_year = Column("whole number", "Year of first publication.", checks={"ge": FIRST_YEAR, "le": LAST_YEAR})
domain = Column("text", "Domain of the model's task.", checks=_words(vocabulary.Domain), label="Domain")
scope = Column(
    "text",
    "What the record covers: one network, all those that the named result needs, or a published search for it.",
    checks=_words(vocabulary.Scope),
    label="What the record covers",
)
scope_note = Column("text", "Which networks, members or trials the record covers.")
weights_access = Column(
    "text",
    "Whether the weights can be downloaded: by anyone, under limits (research or non-commercial use, a size of company, on request), or not.",
    checks=_words(vocabulary.WeightsAccess),
    label="Weights",
)
source_url = Column(
    "text", "Address of the publication: of the record's first source by the authors, else of its first official one."
)
epoch_name = Column(
    "text",
    "The exact Model cell of the same model in Epoch AI's table of notable models, data/snapshots/epoch_notable.csv.",
)
manufacturer = Column("text", "Manufacturer of the chip.")
sources = Column("text", "Addresses of the sources of a record (titles where there is none), joined by |.")

# Facts and sources
record_kind = Column(
    "text",
    "Folder of the record: models, organizations, hardware, defaults, measurements, gold_runs, hardware_prices, grid_factors, errata, adjudications, second_readings.",
)
record_id = Column(
    "text", "File name of the record without its ending.", checks={"str_matches": r"^[a-z0-9]+([-_][a-z0-9]+)*$"}
)
is_retired = Column("true or false", "Whether the id is no longer in use; it is never given to anything else.")
replaced_by = Column("text", "The id that replaces a retired one.", checks=_IDENTIFIER)
former_ids = Column("text", "Earlier ids of the record, joined by |.")
path = Column("text", "Path of the fact in its record, such as training[0].hardware[0].chip.")
looked_in = Column("text", "Sources of the record in which the fact was looked for, joined by |.")
would_settle = Column("text", "What would settle the fact, such as code that its authors have not released.")
written = Column("text", "The fact's value as written in the record, with its unit.")
amount = Column("number", "The fact as a number of `unit`; the geometric mean of a range; the stated end of a bound.")
bound = Column(
    "text", "Which end of a range the source states, where it states one end alone.", checks=_words(vocabulary.Bound)
)
unit = Column("text", "Unit of `amount`.")
stated_by = Column(
    "text",
    "Who states a model's size and training where its makers state none of it: kinds of sources, joined by +.",
)
training_evidence = Column(
    "text",
    "Weakest evidence among the facts of a model's phases: data, epochs, chips and time.",
    checks=_words(vocabulary.Evidence),
    label="Evidence of training facts",
)
network_evidence = Column(
    "text",
    "Weakest evidence among the numbers of a model's network, or of the one figure used in its place.",
    checks=_words(vocabulary.Evidence),
    label="Evidence of the network",
)
evidence = Column(
    "text",
    "How the fact was seen: quoted, table or unseen; assumed where it was not; stated_by_user in records of one's own.",
    checks=_words(vocabulary.Evidence),
)
source = Column("text", "Key of the source within its record.")
text = Column("text", "The words of the source that state the fact, verbatim, at most 25.")
found_at = Column(
    "text", "Copy in which the words were read: an address, github:owner/repository@commit:path, or github-copy:N."
)
read_in = Column("text", "In what the words were read.", checks=_words(vocabulary.ReadIn))
place_result = Column(
    "text", "Whether the words stand at their place in a public repository.", checks=_words(vocabulary.PlaceResult)
)
checked_on = Column("text", "Day on which the words were looked for.", checks=_DAY)
locator = Column("text", "Place of the words in their source, such as a section, table or page.")
quote_index = Column("whole number", "Index of the quote among those of its fact, from 0.", checks=_NOT_NEGATIVE)
via = Column("text", "The table and row that cites the source.")
derived = Column("text", "The number words in the text, or the arithmetic from its figures to the value.")
assumptions = Column(
    "text", "Names of the record's assumptions that the arithmetic uses, joined by +; its other factors were seen."
)
assumption_reasons = Column("text", "The values of these assumptions and the reason of each.")
note = Column("text", "A remark of the record.")
source_kind = Column("text", "Whose words a source of a model holds.", checks=_words(vocabulary.SourceKind))
title = Column("text", "Title of a source.")
url = Column("text", "Address of a source.")
source_year = Column("whole number", "Year of a source.", checks={"ge": 1900, "le": LAST_YEAR})

# Architectures and their operations
architecture_id = Column(
    "text", "Id of a written architecture: model/phase, measurement/network/lengths, or gold group/run."
)
layer_index = Column("whole number", "Index of a layer in its architecture, from 0.", checks=_NOT_NEGATIVE)
layer_name = Column("text", "Path of a layer within its architecture.")
layer_kind = Column("text", "Kind of a layer: a function of pipeline/formulas/layers/.")
arguments = Column("text", "Arguments of the layer's function, as JSON with sorted keys.")
input_shape = Column("text", "Shape of one example at the layer's input, as a JSON list without the batch.")
is_frozen = Column("true or false", "Whether the layer's weights are not trained.")
times = Column("whole number", "Number of consecutive repetitions of the layer.", checks=_POSITIVE)
is_convolution = Column("true or false", "Whether a phase trains a network of dense convolutions.")
has_trainable_below = Column(
    "true or false", "Whether something below the layer is trainable, so that it computes an input gradient."
)
parameters = Column("number", "Number of trainable parameters.", checks=_NOT_NEGATIVE)
known_parameters = Column(
    "number",
    "Number of trainable parameters: as stated, else of the written architecture where it is the only network.",
    checks=_NOT_NEGATIVE,
    label="Parameters",
    form="count",
)
active_parameters = Column(
    "number",
    "Parameters that one token uses (mixtures of experts use a part).",
    checks=_NOT_NEGATIVE,
    label="Parameters used per token",
    form="count",
)
forward_flop = Column(
    "number",
    "FLOP of one forward pass of one counted example, attention counted by its definition (half under a causal mask).",
    unit="flop",
    checks=_POSITIVE,
)
forward_flop_full_attention = Column(
    "number",
    "The same with every attention counted as a full square, as counters and 6ND-style MFU do.",
    unit="flop",
    checks=_POSITIVE,
)
attention_score_flop = Column(
    "number", "The part of forward_flop in products of two activations (QK and AV).", unit="flop", checks=_NOT_NEGATIVE
)
layers = Column("whole number", "Number of layers of the kind, repetitions included.", checks=_POSITIVE)
kind_forward_flop = Column(
    "number",
    "FLOP of one forward pass in the layers of one kind; 0 for look-ups and elementwise layers.",
    unit="flop",
    checks=_NOT_NEGATIVE,
)
kind_forward_flop_full_attention = Column(
    "number", "The same with every attention counted as a full square.", unit="flop", checks=_NOT_NEGATIVE
)
backward_flop = Column("number", "FLOP of one backward pass of one counted example.", unit="flop", checks=_NOT_NEGATIVE)
elementwise_flop = Column(
    "number", "FLOP of normalisation, activation and pooling; not part of any total.", unit="flop", checks=_NOT_NEGATIVE
)
forward_flop_per_example = Column(
    "number", "Forward FLOP of one example in the phase's unit.", unit="flop", checks=_POSITIVE
)
backward_flop_per_example = Column(
    "number", "Backward FLOP of one example in the phase's unit.", unit="flop", checks=_NOT_NEGATIVE
)
stated_forward_flop = Column(
    "number",
    "Forward FLOP of one example as its authors state it (multiply-adds doubled).",
    unit="flop",
    checks=_POSITIVE,
)
is_stated_in_multiply_adds = Column(
    "true or false", "Whether the stated forward operations are given in multiply-adds."
)
counted_parameters = Column("number", "Trainable parameters of the written architecture.", checks=_NOT_NEGATIVE)
is_from_parameters = Column("true or false", "Whether the forward pass is estimated as 2 x parameters, not counted.")
connections = Column("number", "Number of connections as the authors state it.", checks=_POSITIVE)

# Phases
phase = Column(
    "text",
    "Id of a phase: one stretch of data at one sequence length and precision.",
    checks={"str_matches": r"^[a-z0-9]+([-_][a-z0-9]+)*$"},
)
phase_index = Column("whole number", "Index of the phase in the record, from 0.", checks=_NOT_NEGATIVE)
accounting = Column("text", "What kind of work the phase is, for totals.", checks=_words(vocabulary.Accounting))
example_unit = Column("text", "What one example is.", checks=_words(vocabulary.ExampleUnit))
main_example_unit = Column(
    "text",
    "What one example is; of several units, that of the phases with most operations.",
    checks=_words(vocabulary.ExampleUnit),
    label="One example",
)
utilization_case = Column(
    "text", "Case of the default utilization: text, convolution or other.", checks=_words(vocabulary.UtilizationCase)
)
examples = Column("number", "Size of the data set in example units.", checks=_POSITIVE)
epochs = Column("number", "Number of passes over the data set.", checks=_POSITIVE)
steps = Column("number", "Number of parameter updates.", checks=_POSITIVE)
batch = Column("number", "Examples in one update, over all chips.", checks=_POSITIVE)
architecture_passes_per_example = Column(
    "number",
    "Counted examples (whole sequences) in one example unit: 1, or 1 / sequence length where the unit is a token.",
    checks=_FRACTION,
)
allows_2n_rule = Column(
    "true or false",
    "Whether 2 x parameters may estimate the operations: a network of tokens, without convolutions or reused layers.",
)
examples_seen = Column("number", "Examples processed in training, counted once per epoch.", checks=_EXAMPLES)
total_examples_seen = Column(
    "number",
    "Examples of example_unit that training processed, once per epoch, base models included; without phases that only run forward.",
    checks=_POSITIVE,
    label="Examples seen",
    form="count",
)
examples_seen_basis = Column("text", "Basis of examples_seen.", checks=_words(vocabulary.Basis))
is_examples_inconsistent = Column(
    "true or false", "Whether epochs x examples and steps x batch, both stated, differ by more than 20 %."
)
is_forward_only = Column(
    "true or false",
    "Whether the phase only runs the network forward: generated experience, a frozen teacher or encoder.",
)
has_frozen_weights = Column(
    "true or false",
    "Whether adapters are trained on a frozen network, which then needs no gradient of its own weights.",
)
framework = Column("text", "Software that trained the model, where stated.")
stated_precision = Column("text", "Precision stated by the publication.", checks=_words(vocabulary.Precision))
stated_utilization_fraction = Column(
    "number",
    "Utilization stated for the model (MFU or a source's judgement; never HFU).",
    unit="fraction",
    checks=_FRACTION,
)
stated_utilization_basis = Column("text", "Basis of the stated utilization.", checks=_words(vocabulary.Basis))

# Chips and GPU time
hardware_id = Column("text", "Permanent id of a chip: the file name of its record.", checks=_IDENTIFIER)
generation = Column("text", "Microarchitecture or line of the chip.", checks=_words(vocabulary.Generation))
released = Column("text", "Release date of a chip.", checks=_DAY)
cores_per_chip = Column("number", "Cores on a chip, where publications count cores.", checks=_POSITIVE)
dies_per_chip = Column("number", "Dies on a card that publications count as one.", checks=_POSITIVE)
devices_per_chip = Column("number", "Devices that torch or JAX show for one chip, as recorded.", checks=_POSITIVE)
runtime_names = Column("text", "Names of a chip that software prints, joined by |.")
only_precision = Column("text", "The chip's matrix format, where it has only one.", checks=_words(vocabulary.Precision))
fast_16bit_precision = Column(
    "text",
    "The chip's best 16-bit format (bf16 where fp16 is no faster), if it is at least 1.5 times as fast as FP32.",
    checks=_words(vocabulary.Precision),
)
precision = Column("text", "Format of the numbers that the matrix units multiply.", checks=_words(vocabulary.Precision))
precisions = Column(
    "text", "Formats used, joined by + where the allocations of a model differ.", label="Format", form="format"
)
precision_basis = Column("text", "Basis of the precision.", checks=_words(vocabulary.Basis))
precision_rule = Column("text", "Rule that determined the precision (methods, section 3).")
peak_flop_per_second = Column(
    "number", "Dense peak of one chip at that precision.", unit="flop_per_second", checks=_PEAK
)
peak_basis = Column("text", "Basis of the peak.", checks=_words(vocabulary.Basis))
narrow_accumulate_peak_flop_per_second = Column(
    "number",
    "Dense peak with 16-bit accumulation, where that is faster; not used for training.",
    unit="flop_per_second",
    checks=_PEAK,
)
memory_bytes = Column("number", "Memory of one chip.", unit="byte", checks=_POSITIVE)
memory_bandwidth_bytes_per_second = Column(
    "number", "Bandwidth of one chip's memory.", unit="byte_per_second", checks=_POSITIVE
)
power_watts = Column("number", "Thermal design power of one chip.", unit="watt", checks=_POSITIVE)
chip_load_ratio = Column(
    "number", "Power of a server that trains, per chip, over the chip's thermal design power.", checks=_POSITIVE
)
facility_overhead_ratio = Column(
    "number", "What a data centre draws over what its servers draw: power usage effectiveness.", checks={"ge": 1}
)
energy_kwh = Column(
    "number",
    "Electrical energy of training, the data centre's included.",
    unit="kwh",
    checks=_POSITIVE,
    label="Energy",
    form="energy",
)
energy_kwh_low = Column("number", "5 % point of energy_kwh.", unit="kwh", checks=_POSITIVE)
energy_kwh_high = Column("number", "95 % point of energy_kwh.", unit="kwh", checks=_POSITIVE)
energy_log_sd = Column("number", "Standard deviation of the natural logarithm of energy_kwh.", checks=_LOG_SD)
# Cost, carbon and water
price_index = Column("whole number", "Index of a price within its record, from 0.", checks=_NOT_NEGATIVE)
price_date = Column("date", "Day of the price; the middle of a month or year.")
price_kind = Column("text", "Whether the chip is bought or rented.", checks=_words(vocabulary.PriceKind))
price_terms = Column("text", "What the price is for.", checks=_words(vocabulary.PriceTerms))
price_usd = Column(
    "number", "Price of one chip, or of an hour of it, in US dollars of that day.", unit="usd", checks=_POSITIVE
)
vendor = Column("text", "Who offered it.")
prices_number = Column(
    "whole number", "Number of prices of the chip, of that kind.", unit="number", checks=_NOT_NEGATIVE
)
nearest_price_date = Column("date", "Day of the price that is nearest in time, of the kind that the cost rests on.")
began_date = Column(
    "date",
    "Day on which training is taken to have begun: publication, less the days before it, less the time that it took.",
)
server_usd = Column(
    "number",
    "What a chip's share of a server cost on that day, from its prices (methods, section 9).",
    unit="usd",
    checks=_POSITIVE,
)
rent_per_hour_usd = Column(
    "number", "What an hour of a chip cost on that day, rented for long.", unit="usd", checks=_POSITIVE
)
electricity_usd = Column("number", "Cost of the energy.", unit="usd", checks=_POSITIVE)
amortized_usd = Column(
    "number",
    "Chips and their network, amortized over the time that they were used, and electricity.",
    unit="usd",
    checks=_POSITIVE,
)
purchase_usd = Column("number", "What buying the chips would cost: servers and network.", unit="usd", checks=_POSITIVE)
rent_usd = Column("number", "What renting the chips for that time costs.", unit="usd", checks=_POSITIVE)
cost_usd = Column(
    "number",
    "Cost of the compute of training, in US dollars of its time (no inflation): chips amortized, and electricity; else cloud rent. Without staff, data,"
    " trials and failed runs.",
    unit="usd",
    checks=_POSITIVE,
    label="Cost",
    form="money",
)
cost_usd_low = Column("number", "5 % point of cost_usd.", unit="usd", checks=_POSITIVE)
cost_usd_high = Column("number", "95 % point of cost_usd.", unit="usd", checks=_POSITIVE)
cost_log_sd = Column("number", "Standard deviation of the natural logarithm of cost_usd.", checks=_LOG_SD)
cost_basis = Column(
    "text",
    "How cost_usd was made; where it is null, why.",
    checks=_words(vocabulary.CostBasis),
    label="Cost from",
    words=_texts(vocabulary.CostBasis),
)
place = Column("text", "Country or region of a grid.")
grid_year = Column(
    "whole number",
    "Year of the grid's factor: the newest up to the year of publication.",
    checks={"ge": 1990, "le": LAST_YEAR},
)
grid_g_per_kwh = Column(
    "number",
    "Grams of CO2 equivalent per kWh of a grid's electricity, whoever bought certificates.",
    unit="g_per_kwh",
    checks=_POSITIVE,
)
grid_place = Column("text", "Whose grid is taken, places joined by +, whose mean it is.")
grid_basis = Column(
    "text",
    "Whether that place is stated or assumed.",
    checks=_words(vocabulary.GridBasis),
    words=_texts(vocabulary.GridBasis),
)
co2_kg = Column(
    "number",
    "Greenhouse gases of the electricity of training, CO2 equivalent, by the grid where it was trained.",
    unit="kg",
    checks=_POSITIVE,
    label="CO2",
    form="mass",
)
co2_kg_low = Column("number", "5 % point of co2_kg.", unit="kg", checks=_POSITIVE)
co2_kg_high = Column("number", "95 % point of co2_kg.", unit="kg", checks=_POSITIVE)
co2_log_sd = Column("number", "Standard deviation of the natural logarithm of co2_kg.", checks=_LOG_SD)
water_litres = Column("number", "Water that cooling evaporated at the data centre.", unit="litre", checks=_POSITIVE)
epoch_cost_usd = Column(
    "number",
    "Cost of training that Epoch gives: chips amortized and energy, in its dollars of 2023.",
    unit="usd",
    checks=_POSITIVE,
)
epoch_cloud_usd = Column("number", "Cost of training that Epoch gives for cloud compute.", unit="usd", checks=_POSITIVE)
epoch_upfront_usd = Column("number", "Cost of buying the chips that Epoch gives.", unit="usd", checks=_POSITIVE)
epoch_chip_hours = Column("number", "Chips times hours of Epoch's table.", unit="hour", checks=_POSITIVE)
cost_note = Column("text", "Epoch's note on the cost.")
water_log_sd = Column("number", "Standard deviation of the natural logarithm of water_litres.", checks=_LOG_SD)
reported_energy_kwh = Column("number", "Energy of this training as the authors state it.", unit="kwh", checks=_POSITIVE)
reported_co2_kg = Column(
    "number", "Greenhouse gases of this training as the authors state them.", unit="kg", checks=_POSITIVE
)
trained_in = Column("text", "Where it was trained, as stated.")
allocation = Column("whole number", "Index of an allocation of chips within its phase, from 0.", checks=_NOT_NEGATIVE)
chips = Column("number", "Number of chips.", checks=_POSITIVE)
most_chips = Column(
    "number",
    "Largest number of chips that a phase states, base models included; of a range the middle, to the nearest chip.",
    checks=_POSITIVE,
    label="Chips",
    form="count",
)
duration_seconds = Column("number", "Wall-clock time.", unit="second", checks=_POSITIVE)
stated_chip_seconds = Column(
    "number",
    "Chip time as reported (GPU-days, chip-hours), core time divided by the cores of a chip.",
    unit="chip_second",
    checks=_POSITIVE,
)
chip_seconds = Column("number", "Chip time: chips x duration, or as reported.", unit="chip_second", checks=_POSITIVE)
chip_hours = Column(
    "number",
    "Chip time of all phases, base models included.",
    unit="chip_hour",
    checks=_POSITIVE,
    label="Chip-hours",
    form="count",
)
chip_seconds_basis = Column("text", "Basis of the chip time.", checks=_words(vocabulary.Basis))
chip_peak_flop = Column(
    "number", "Chip time x peak: the most that the chips could have computed.", unit="flop", checks=_POSITIVE
)
hardware = Column("text", "Chips that trained the model, joined by +.", label="Chip", form="verbatim")
hardware_basis = Column(
    "text",
    "Basis of the peak: a reported chip, or a year's default in place of an unknown one.",
    checks=_words(vocabulary.Basis),
)
utilization_fraction = Column(
    "number",
    "Utilization used for gpu_time_informed_flop, as a share of the peak.",
    unit="fraction",
    checks=_FRACTION,
    label="Utilization used",
    form="percent",
)
utilization_basis = Column(
    "text",
    "Basis of that utilization.",
    checks=_words(vocabulary.Basis),
    label="Basis of the utilization",
    words=_texts(vocabulary.Basis),
)
default_utilization_fraction = Column(
    "number", "The default share of the peak: 0.3 for text, 0.4 for all else.", unit="fraction", checks=_FRACTION
)
default_peak_flop_per_second = Column(
    "number", "The year's default peak, used in place of an unknown chip's.", unit="flop_per_second", checks=_PEAK
)
default_peak_log_sd = Column("number", "Standard deviation of its natural logarithm.", checks=_LOG_SD)
peak_log_sd = Column(
    "number", "Standard deviation of the peak's natural logarithm, a known chip's or a year's.", checks=_LOG_SD
)
precision_log_sd = Column(
    "number",
    "Standard deviation that an inferred precision adds to ln peak; 0 where it is stated or follows from the chip.",
    checks=_LOG_SD,
)

# Defaults
quantity = Column("text", "Quantity of a default, a standard deviation or a back-test.")
applies_to = Column("text", "The case that a default applies to, such as text, fp32 or all.")
default_value = Column("number", "The default in the unit of its quantity.", checks=_POSITIVE)
log_sd = Column("number", "Standard deviation of the natural logarithm.", checks=_LOG_SD)
default_basis = Column("text", "Basis of the default.", checks=_words(vocabulary.Basis))

# Back-tests of imputation
rule = Column("text", "Rule that imputed the hidden fact, or the other figure it is compared with.")
place = Column(
    "text", "Where in the record the hidden fact stands: total, phase, phase/allocation or external_estimates.id."
)
known_value = Column("number", "The hidden fact, in the unit of its quantity.", checks=_POSITIVE)
filled_value = Column("number", "The imputed value, in the same unit.", checks=_POSITIVE)
log_error = Column("number", "ln(filled_value / known_value).")
is_in_interval = Column(
    "true or false", "Whether the 90 % interval around filled_value, by the log_sd in use, contains known_value."
)
period = Column("text", "Year of publication of the models, or all.", checks={"str_matches": r"^(all|\d{4})$"})
errors_number = Column("whole number", "Number of hidden facts.", checks=_POSITIVE)
median_log_error = Column("number", "Median of |log_error|; 0.69 is a factor of 2.", checks=_NOT_NEGATIVE)
log_bias = Column("number", "Median of log_error: below 0 the imputed values are too low.")
error_log_sd = Column(
    "number",
    "Log standard deviation whose 90 % interval contains 90 % of the hidden facts: the 90 % point of |log_error| / 1.645.",
    checks=_LOG_SD,
)
share_in_interval_fraction = Column(
    "number", "Share of the hidden facts in the 90 % interval by the log_sd in use.", unit="fraction", checks=_SHARE
)
models_number = Column(
    "whole number", "Number of the ledger's models that a figure is computed from.", checks=_POSITIVE
)
own_mean_peak_flop_per_second = Column(
    "number",
    "Geometric mean of the peaks of the chips of the ledger's own models of a year.",
    unit="flop_per_second",
    checks=_PEAK,
)
common_hardware_id = Column("text", "The chip that most of the ledger's models of a year used.", checks=_IDENTIFIER)
common_peak_flop_per_second = Column("number", "Its peak.", unit="flop_per_second", checks=_PEAK)
common_models_number = Column("whole number", "Number of models of the year that used it.", checks=_POSITIVE)

# Standard deviations of the natural logarithms of the inputs
examples_class = Column(
    "text", "How well examples_seen is known, by the evidence of its factors.", checks=_words(vocabulary.InputClass)
)
steps_class = Column(
    "text", "How well steps x batch are known, by their evidence.", checks=_words(vocabulary.InputClass)
)
chip_seconds_class = Column(
    "text", "How well the chip time is known, by the evidence of its factors.", checks=_words(vocabulary.InputClass)
)
examples_bound = Column(
    "text", "Which end examples x epochs are stated as, where it is one alone.", checks=_words(vocabulary.Bound)
)
steps_bound = Column(
    "text", "Which end steps x batch are stated as, where it is one alone.", checks=_words(vocabulary.Bound)
)
chip_seconds_bound = Column(
    "text", "Which end the chip time is stated as, where it is one alone.", checks=_words(vocabulary.Bound)
)
is_bound = Column(
    "true or false",
    "Whether it rests on a figure that its source states as one end alone, such as more than 1e12 tokens.",
)
examples_range_log_sd = Column(
    "number", "Standard deviation of ln (examples x epochs) from stated ranges.", checks=_LOG_SD
)
steps_range_log_sd = Column("number", "Standard deviation of ln (steps x batch) from stated ranges.", checks=_LOG_SD)
lengths_log_sd = Column(
    "number",
    "Standard deviation of ln of an example's operations from a stated range of its length, counted at both ends.",
    checks=_LOG_SD,
)
chip_seconds_range_log_sd = Column("number", "Standard deviation of ln chip time from stated ranges.", checks=_LOG_SD)
examples_log_sd = Column(
    "number",
    "Standard deviation of ln examples_seen, and of an example's operations where its length is a range.",
    checks=_LOG_SD,
)
chip_seconds_log_sd = Column("number", "Standard deviation of ln chip time.", checks=_LOG_SD)

# Estimates
operation_count_flop = Column(
    "number",
    "Training compute by counting operations.",
    unit="flop",
    checks=_FLOP,
    label="By counting operations, FLOP",
    form="flop",
)
operation_count_basis = Column(
    "text",
    "Basis of the count: counted from the architecture, reported, or derived from connections or parameters.",
    checks=_words(vocabulary.Basis),
    label="Basis of the count",
    words=_texts(vocabulary.Basis),
)
gpu_time_flop = Column(
    "number",
    "Training compute by GPU time x peak x the default utilization.",
    unit="flop",
    checks=_FLOP,
    label="By GPU time at the default utilization, FLOP",
    form="flop",
)
gpu_time_informed_flop = Column(
    "number",
    "Training compute by GPU time x peak x a utilization: stated for the model, else measured on like cases, else the default.",
    unit="flop",
    checks=_FLOP,
    label="By GPU time at the best known utilization, FLOP",
    form="flop",
)
reported_flop = Column(
    "number",
    "Training compute reported by the authors, with the base model's.",
    unit="flop",
    checks=_FLOP,
    label="Reported by the authors, FLOP",
    form="flop",
)
method_ratio = Column(
    "number", "operation_count_flop / gpu_time_flop.", checks=_POSITIVE, label="Operations / GPU time", form="ratio"
)
is_disputed = Column(
    "true or false",
    "Whether the two methods differ by more than `reconcile.dispute_ratio` of params.yaml.",
    label="Methods dispute",
    form="yes or no",
)
dispute_cause = Column(
    "text", "Most likely cause of a dispute.", checks=_words(vocabulary.DisputeCause), label="Most likely cause"
)
implied_utilization_fraction = Column(
    "number",
    "operation_count_flop / (chip time x peak); above 1 some input is wrong.",
    unit="fraction",
    checks=_POSITIVE,
    label="Utilization implied by the count",
    form="percent",
)
independence = Column(
    "text",
    "Whether the two estimates are independent, share an uncertain input, or are circular.",
    checks=_words(vocabulary.Independence),
    label="Relation of the two methods",
    words=vocabulary.INDEPENDENCE_NAMES,
)
imputed_inputs = Column("text", "Inputs of method 2 that were imputed, joined by +.", label="Filled by defaults")
training_flop = Column(
    "number",
    "The headline: training compute of the model, base model included.",
    unit="flop",
    checks=_FLOP,
    label="Training compute, FLOP",
    form="flop",
)
training_flop_low = Column(
    "number", "5 % point of training_flop.", unit="flop", checks=_FLOP, label="90 % interval from, FLOP", form="flop"
)
training_flop_p25 = Column("number", "25 % point of the training compute.", unit="flop", checks=_FLOP)
training_flop_p75 = Column("number", "75 % point of the training compute.", unit="flop", checks=_FLOP)
training_flop_high = Column(
    "number", "95 % point of training_flop.", unit="flop", checks=_FLOP, label="90 % interval to, FLOP", form="flop"
)
range_low_flop = Column(
    "number",
    "Lower end of a 90 % range where there is no estimate; what it supposes of the model is `range_basis`.",
    unit="flop",
    checks=_FLOP,
    label="Range from, FLOP",
    form="flop",
)
range_high_flop = Column(
    "number", "Upper end of that range.", unit="flop", checks=_FLOP, label="Range to, FLOP", form="flop"
)
range_basis = Column(
    "text",
    "What the range rests on; how well each basis holds known models is in range_backtests.",
    checks=_words(vocabulary.RangeBasis),
    label="Range rests on",
    words=_texts(vocabulary.RangeBasis),
)
low_log = Column("number", "Lower end of what bounds the training compute, ln FLOP.")
middle_log = Column("number", "What bounds the training compute, ln FLOP.")
high_log = Column("number", "Upper end of what bounds the training compute, ln FLOP.")
training_log = Column("number", "ln training_flop.")
ratio_log = Column("number", "training_log - middle_log.")
is_forwards = Column("true or false", "Whether the range is made of models alone that were a year old.")
range_models_number = Column("whole number", "Known models whose range could be made.", checks=_POSITIVE)
coverage_fraction = Column(
    "number", "Share of known models whose training compute their range holds.", unit="fraction", checks=_SHARE
)
median_width_decades = Column("number", "Median of log10 of upper over lower end.", unit="decades", checks=_POSITIVE)
cumulative_flop = Column(
    "number",
    "Training compute with what other models and runs contributed: synthetic data, teachers, searches (table contributions).",
    unit="flop",
    checks=_FLOP,
    label="With the training of data and teachers, FLOP",
    form="flop",
)
threshold_total = Column(
    "text",
    "The total that the probabilities of thresholds are of: the cumulative one where it is known; where only the base"
    " model's is known, that, so that they are lower bounds.",
    checks=_words(vocabulary.ThresholdTotal),
    label="Total that the thresholds are of",
    words=vocabulary.THRESHOLD_TOTAL_NAMES,
)
own_to_base_ratio = Column(
    "number",
    "Own training compute / that of the base models: a law may ask whether it is above a third.",
    checks=_POSITIVE,
)
contribution = Column("whole number", "Number of the contribution in the record, from 0.", checks=_NOT_NEGATIVE)
contributor_id = Column("text", "Model of the ledger whose training or outputs contribute.")
contribution_flop = Column("number", "Compute that the source states for it.", unit="flop", checks=_FLOP)
parameter_network = Column(
    "text",
    "The kind of network for which 2 x parameters stands, where the record says so.",
    checks=_words(vocabulary.ParameterNetwork),
)
is_search_counted = Column("true or false", "Whether the operations are, in part, those of an architecture search.")
has_read_contributions = Column(
    "true or false", "Whether the record says what else its result rests on, or that there is nothing."
)
probability_above_1e23_fraction = Column(
    "number",
    "Probability that threshold_total is above 1e23 FLOP.",
    unit="fraction",
    checks=_SHARE,
    label="Probability above 10²³",
    form="probability",
)
probability_above_1e25_fraction = Column(
    "number",
    "Probability that threshold_total is above 1e25 FLOP.",
    unit="fraction",
    checks=_SHARE,
    label="Probability above 10²⁵",
    form="probability",
)
probability_above_1e26_fraction = Column(
    "number",
    "Probability that threshold_total is above 1e26 FLOP.",
    unit="fraction",
    checks=_SHARE,
    label="Probability above 10²⁶",
    form="probability",
)
confidence = Column(
    "text",
    "What the headline rests on: `confident`, a stated or confirmed count that no independent GPU time disputes;"
    " `speculative`, data or chip time that only analysts or the press know, or that is assumed; else `likely`."
    " Of rows of Epoch's table the 90 % interval: within a factor of 3, of 10, or wider.",
    checks=_words(vocabulary.Confidence),
    label="Confidence",
)
headline_method = Column(
    "text",
    "Method of the headline (methods, section 4).",
    checks=_words(vocabulary.HeadlineMethod),
    label="Method",
    words=_texts(vocabulary.HeadlineMethod),
)

# Rows of another's table
source_row = Column("whole number", "Row of the table, from 1 after its header.", checks=_POSITIVE)
no_estimate_reason = Column(
    "text", "Why there is no point estimate: what the row lacks, or that only an order of magnitude follows."
)
rules = Column("text", "Rules by which cells and notes of the row were read or what it lacks was assumed, joined by ;.")
unread_cells = Column("text", "Cells of the row that say nothing readable, and why, joined by ;.")

# Reconciliation: the terms of the headline of a model's own training, without its base models
gpu_time_used_reason = Column("text", "Why that GPU time is the one used.", checks=_words(vocabulary.GpuTimeReason))
gpu_time_used_flop = Column("number", "The GPU time estimate that the headline uses.", unit="flop", checks=_FLOP)
utilization_ceiling_fraction = Column(
    "number", "Largest share of the peak that the network can reach in this format.", unit="fraction", checks=_POSITIVE
)
is_hardware_imputed = Column("true or false", "Whether a year's default peak stands in for the chip.")
reported_unused_reason = Column(
    "text", "Why the reported total is not the headline.", checks=_words(vocabulary.UnusedReport)
)
own_training_flop = Column(
    "number",
    "The headline of the model's own training, without base models.",
    unit="flop",
    checks=_FLOP,
    label="Own training, without base models, FLOP",
    form="flop",
)
base_training_flop = Column("number", "The part of training_flop that is a base model's.", unit="flop", checks=_FLOP)
own_training_flop_low = Column("number", "5 % point of own_training_flop.", unit="flop", checks=_FLOP)
own_training_flop_p25 = Column("number", "25 % point of own_training_flop.", unit="flop", checks=_FLOP)
own_training_flop_p75 = Column("number", "75 % point of own_training_flop.", unit="flop", checks=_FLOP)
own_training_flop_high = Column("number", "95 % point of own_training_flop.", unit="flop", checks=_FLOP)

# Disputes, comparison of the methods, priorities
dispute_stated_cause = Column(
    "text", "Cause of the dispute as the record states it.", checks=_words(vocabulary.DisputeCause)
)
dispute_reason = Column(
    "text", "The reader's sentence for dispute_stated_cause, or the words of the quotation that names it."
)
dispute_sides_with = Column(
    "text", "Which method the record takes as right in the dispute.", checks=_words(vocabulary.DisputeSide)
)
has_imputed_inputs = Column("true or false", "Whether an input of either method is imputed.")
grouping = Column(
    "text",
    "Criterion of the groups; published: pairs that AI and Compute (methods, sources) worked out.",
    checks=_words(vocabulary.Grouping),
)
group = Column("text", "Domain, year, imputed or stated; all where there is one group.")
geometric_mean_ratio = Column("number", "Geometric mean of operation_count_flop / gpu_time_flop.", checks=_POSITIVE)
geometric_standard_deviation = Column("number", "Geometric standard deviation of that ratio.", checks={"ge": 1})
share_within_1_7_fraction = Column(
    "number",
    "Share of models whose methods agree within 1.7x, as do the examples of Sevilla et al. (2022).",
    unit="fraction",
    checks=_SHARE,
)
share_within_2_fraction = Column(
    "number", "Share of models whose methods agree within 2x.", unit="fraction", checks=_SHARE
)
share_within_3_fraction = Column(
    "number", "Share of models whose methods agree within 3x.", unit="fraction", checks=_SHARE
)

# Gold runs: whole runs whose operations and time are known
sequence_length = Column("number", "Positions of a sequence.", checks=_POSITIVE)
gold_group_id = Column(
    "text", "File name of a record of gold runs: those of one owner with one code base.", checks=_IDENTIFIER
)
run = Column("text", "Id of a gold run within its record.")
owner = Column("text", "Who ran it.")
measured_by = Column(
    "text", "Measurement records of the same owner and code, which do not predict its utilization, joined by |."
)
run_evidence = Column(
    "text", "In what its operations and time were read; the weaker.", checks=_words(vocabulary.RunEvidence)
)
hours_cover = Column("text", "What its time covers.", checks=_words(vocabulary.HoursCover))
data_text = Column("text", "The words that state its data or steps, verbatim, or a cell or line.")
data_found_at = Column("text", "Copy in which these words were read.")
time_text = Column("text", "The words that state its time, verbatim, or a cell or line.")
time_found_at = Column("text", "Copy in which these words were read.")
six_nd_flop = Column("number", "6 x active parameters x tokens.", unit="flop", checks=_FLOP)
weight = Column("number", "1 / number of runs of its group: each group weighs 1.", checks={"gt": 0, "le": 1})
gold_method = Column("text", "How runs are estimated.", checks=_words(vocabulary.GoldMethod))
gold_grouping = Column("text", "Trait by which runs are grouped.", checks=_words(vocabulary.GoldGrouping))
group_name = Column("text", "The trait that the runs have in common; all where there is one group.")
runs_number = Column("whole number", "Number of gold runs that a figure is computed from.", checks=_POSITIVE)
groups_number = Column("whole number", "Number of their groups, whose votes are equal.", checks=_POSITIVE)
median_ratio = Column("number", "Weighted median of estimated over counted FLOP.", checks=_POSITIVE)
ratio_standard_deviation = Column("number", "Weighted geometric standard deviation of that ratio.", checks={"ge": 1})
share_of_runs_within_1_25_fraction = Column(
    "number", "Weighted share of runs estimated within 1.25x of the count.", unit="fraction", checks=_SHARE
)
share_of_runs_within_2_fraction = Column(
    "number", "Weighted share of runs estimated within 2x of the count.", unit="fraction", checks=_SHARE
)
share_of_runs_held_fraction = Column(
    "number",
    "Weighted share of runs whose count lies in the 90 % interval that a headline of GPU time alone would have.",
    unit="fraction",
    checks=_SHARE,
)

# Measurements
measurement_id = Column("text", "File name of the measurement record, or of the gold runs' record.", checks=_IDENTIFIER)
row = Column("text", "Id of the row within its record.")
network = Column("text", "Kind of network.", checks=_words(vocabulary.Network))
timed = Column("text", "Part of training that was timed.", checks=_words(vocabulary.Timed))
run_kind = Column(
    "text", "Tuned benchmark, plain script, or the training of a model in use.", checks=_words(vocabulary.RunKind)
)
is_whole_run = Column(
    "true or false", "Whether it is the training of a model of the ledger, which may not calibrate its own estimate."
)
is_recomputed = Column("true or false", "Whether activations were recomputed for the backward pass.")
is_circular = Column(
    "true or false", "Whether the throughput was derived from a utilization, so that it tests nothing."
)
about = Column("text", "Network and machine, in the source's terms.")
utilization_kind = Column(
    "text", "Model FLOP (mfu), hardware FLOP (hfu) or a judgement.", checks=_words(vocabulary.UtilizationKind)
)
rejection_reason = Column("text", "Why a published measurement is not used.", checks=_words(vocabulary.Rejection))
examples_per_second = Column(
    "number", "Measured counted examples (images, whole sequences) a second, all chips together.", checks=_POSITIVE
)
reported_mfu_fraction = Column(
    "number", "Model FLOP utilization reported by the source.", unit="fraction", checks=_FRACTION
)
reported_hfu_fraction = Column(
    "number",
    "Hardware FLOP utilization reported by the source; recomputation included.",
    unit="fraction",
    checks=_FRACTION,
)
licence = Column("text", "Licence of the measurement's source.")
utilization_low_fraction = Column(
    "number",
    "5 % point of the utilization predicted from measurements of like cases.",
    unit="fraction",
    checks=_FRACTION,
)
utilization_middle_fraction = Column(
    "number", "Median of the utilization predicted from measurements of like cases.", unit="fraction", checks=_FRACTION
)
utilization_high_fraction = Column(
    "number",
    "95 % point of the utilization predicted from measurements of like cases.",
    unit="fraction",
    checks=_FRACTION,
)
utilization_log_sd = Column("number", "Standard deviation of its natural logarithm.", checks=_LOG_SD)
rows = Column("whole number", "Number of measurements.", checks=_POSITIVE)
sources_number = Column("whole number", "Number of sources that they come from.", checks=_POSITIVE)
utilization_p10_fraction = Column(
    "number", "10 % point of the measured utilizations, interpolated.", unit="fraction", checks=_POSITIVE
)
utilization_median_fraction = Column(
    "number", "Median of the measured utilizations.", unit="fraction", checks=_POSITIVE
)
utilization_p90_fraction = Column(
    "number", "90 % point of the measured utilizations, interpolated.", unit="fraction", checks=_POSITIVE
)
share_within_factor_two_fraction = Column(
    "number", "Share of the measurements within `check.near_ratio` of the default.", unit="fraction", checks=_SHARE
)
default_log_error = Column("number", "Median of |ln(measured / default)|; 0.69 is a factor of 2.", checks=_NOT_NEGATIVE)
predicted_log_error = Column(
    "number", "Median of |ln(measured / predicted)|, each predicted from all sources but its own.", checks=_NOT_NEGATIVE
)
measured_utilization_fraction = Column(
    "number", "Counted model FLOP x throughput / (chips x peak).", unit="fraction", checks=_POSITIVE
)
measurement_source = Column(
    "text", "What the measurement counts as one source with: its record, or one submitter's runs of a table beside it."
)
submitter = Column("text", "Who submitted the run.")
division = Column(
    "text",
    "Division of the benchmark: in `closed`, network and target are the benchmark's own.",
    checks={"isin": ["closed", "open"]},
)
task = Column("text", "What the run trained, as its table names it.")
not_counted_reason = Column("text", "Why the network is none that is counted.")
predicts = Column(
    "true or false", "Whether runs of this task predict utilizations: not where that did not help on sources left out."
)
stated_chip = Column("text", "The chip as the submitter names it.")
nodes = Column("whole number", "Number of nodes.", checks=_POSITIVE)
precision_words = Column("text", "The line of a script or setting that chooses the number format.")
precision_place = Column("text", "Where that line stands: repository, commit, path.")
logged_examples_seen = Column("number", "Examples seen (images, whole sequences).", checks=_EXAMPLES)
run_seconds = Column(
    "number", "From the run's start to the moment when it reached its target.", unit="second", checks=_POSITIVE
)
evaluation_seconds = Column("number", "Time of evaluation within it.", unit="second", checks=_NOT_NEGATIVE)
node_watts = Column("number", "Mean power of a node during the run.", unit="watt", checks=_POSITIVE)
repeats = Column(
    "whole number",
    "Number of runs of the same kind that reached their target; the row is their median.",
    checks=_POSITIVE,
)
repeats_log_sd = Column("number", "Standard deviation of the logarithm of their rates.", checks=_NOT_NEGATIVE)
log_place = Column("text", "Where the run's log stands: repository, commit, path.")
left_out_reason = Column(
    "text", "Why the run has no utilization, or one that is not used.", checks=_words(vocabulary.LeftOut)
)
time_ratio = Column("number", "Time predicted with the default utilization / measured time.", checks=_POSITIVE)
is_within_factor_two = Column(
    "true or false",
    "Whether the default utilization predicts the measured time within `check.near_ratio` of params.yaml.",
)
is_from_operations = Column(
    "true or false",
    "Whether the source derived the chip time from an operation count, so that the two methods are circular.",
)
format_ratio = Column(
    "number",
    "Peak in the other format / peak in the inferred one, where the precision was inferred and the chip has both.",
    checks=_POSITIVE,
)
sixteen_bit_ratio = Column("number", "The chip's best 16-bit peak / its FP32 peak.", checks=_POSITIVE)
reported_method = Column(
    "text",
    "How the authors came to the figure that they report; unknown where the record does not say.",
    checks=_words(vocabulary.ReportedMethod),
)
reported_convention = Column(
    "text",
    "Which operations the reported figure counts, by the authors' words.",
    checks=_words(vocabulary.ReportedConvention),
)
is_reported_hardware_flop = Column(
    "true or false", "Whether the reported figure includes recomputed activations: hardware FLOP, never the headline."
)
has_untimed_phase = Column("true or false", "Whether a phase states neither chips nor their time.")
shared_input = Column(
    "text",
    "Path in the record of the fact that both methods use, because the time was derived from it or it from the time.",
)
chips_ratio = Column("number", "Largest high / low of a record's numbers of chips.", checks={"ge": 1})
has_erratum = Column("true or false", "Whether an erratum contradicts the reported training compute.")
figure = Column("text", "Which published figure the erratum is about.")
external_estimate_id = Column(
    "text", "Id of the external estimate, unique and permanent within its record.", checks=_IDENTIFIER
)
stated_flop = Column("number", "Training compute stated by someone else.", unit="flop", checks=_FLOP)
stated_bound = Column("text", "Which end it is, where they state one end alone.", checks=_words(vocabulary.Bound))
stated_flop_low = Column("number", "Lower end of their interval.", unit="flop", checks=_FLOP)
stated_flop_high = Column("number", "Upper end of their interval.", unit="flop", checks=_FLOP)
stated_confidence = Column("text", "How sure they are of it, in Epoch's words.", checks=_words(vocabulary.Confidence))
stated_method = Column(
    "text", "Method of that figure, where the record states it.", checks=_words(vocabulary.StatedMethod)
)
inputs = Column(
    "text",
    "Whether the figure rests on the same chip time or operation count as the ledger's, on both, or on inputs of its own.",
    checks=_words(vocabulary.SharedInputs),
)
outcome = Column(
    "text",
    "Whether the ledger's value agrees with it within a factor of two, as who recorded it judged, or differs; `no_own_value` where the ledger has none.",
    checks=_words(vocabulary.Outcome),
)
labelled_before = Column(
    "true or false", "Whether `inputs` was written down before the figure was compared with the ledger's value."
)
published_figure = Column("number", "The figure as published.", checks=_POSITIVE)
corrected_figure = Column("number", "The product of the figure's own factors.", checks=_POSITIVE)
factors = Column("text", "The figure's factors, as arithmetic.")
explanation = Column("text", "What went wrong, in a sentence.")
erratum_id = Column("text", "File name of the erratum record.", checks=_IDENTIFIER)
snapshot = Column("text", "The adjudicated table: the file name of its snapshot without its ending.")
published_flop = Column(
    "number",
    "Training compute as the table states it, in its cell or in the notes beside it.",
    unit="flop",
    checks=_FLOP,
)
corrected_flop = Column(
    "number", "What it should be by its sources; the same where nothing is corrected.", unit="flop", checks=_FLOP
)
reason = Column(
    "text", "What was found wrong; with an open finding, what is suspected.", checks=_words(vocabulary.Fault)
)
certainty = Column(
    "text", "How certain the finding is; of an open one the value stays.", checks=_words(vocabulary.Certainty)
)
stratum = Column(
    "text",
    "Whether the value lay within a factor of two of the ledger's (near) or further (far) when the sample was drawn.",
    checks=_words(vocabulary.Stratum),
)
sampling_weight = Column("number", "How many values of its stratum each drawn one stands for.", checks={"ge": 1})

# Blind second readings
seed = Column("text", "Seed by which the models were drawn.")
reader = Column("text", "Who read: the file name of the record of readings.", checks=_IDENTIFIER)
read_on = Column("text", "Day of the reading.", checks=_DAY)
saw_estimates = Column("true or false", "Whether the reader saw a record or an estimate of the ledger; never so.")
read_path = Column("text", "The fact that was looked for.", checks=_words(vocabulary.ReadPath))
is_not_found = Column("true or false", "Whether the reader found nothing of it in what was opened.")
words = Column("text", "The words that state it, verbatim, several of them joined by |, at most 25 each.")
doubt = Column("text", "What the reader was not sure of.")
settlement = Column(
    "text",
    "Who was right, by the sources opened once more: the ledger was wrong or silent (and is mended), the reader was, both are right of different things, or it is open.",
    checks=_words(vocabulary.Settlement),
)
settlement_reason = Column("text", "Why it was settled so.")
settlement_words = Column("text", "Words that settle it, verbatim, several of them joined by |, at most 25 each.")
settlement_place = Column("text", "Where these words stand.")
ledger_had = Column("text", "What the ledger had before it was mended.")
ledger_amount = Column(
    "number",
    "The ledger's number of the same fact and unit, of the phases of pre-training where there are any, else of all; as it was before a mistake was mended.",
    checks=_POSITIVE,
)
ledger_word = Column(
    "text", "The ledger's number format, joined by + for several, as it was before a mistake was mended."
)
reading_ratio = Column("number", "amount / ledger_amount.", checks=_POSITIVE)
reading_outcome = Column(
    "text",
    "How reader and ledger compare; agrees is within `check.same_reading_ratio` of params.yaml.",
    checks=_words(vocabulary.ReadingOutcome),
)

# History
release = Column("text", "Version of the release that has the new value; unreleased where none has it yet.")
column = Column("text", "Column of estimates that moved; training_flop where a model was added or is gone.")
old = Column("text", "The value in the release before, as its CSV has it.")
new = Column("text", "The value in this release, as its CSV has it.")
change_reason = Column(
    "text", "What it moved through: columns, and facts of records with their values before and after."
)

# The headline and its error
evidence_class = Column(
    "text",
    "What the headline rests on, which sets the width of its interval: of a sum the weakest part above a tenth of it.",
    checks=_words(vocabulary.EvidenceClass),
    label="What the headline rests on",
    words=_texts(vocabulary.EvidenceClass),
)
weak_reason = Column(
    "text",
    "Why the count is known less well than one of a stated network and stated data.",
    checks=_words(vocabulary.WeakReason),
)
named_second = Column(
    "text",
    "The second estimate that differs from the headline and widens its interval on its own side.",
    checks=_words(vocabulary.NamedSecond),
    label="Second estimate",
    words=_texts(vocabulary.HeadlineMethod),
)
gap_ratio = Column(
    "number",
    "That second estimate over the headline.",
    checks=_POSITIVE,
    label="Second estimate / headline",
    form="ratio",
)
off_by_two_fraction = Column(
    "number", "Probability that the truth lies beyond a factor of two, on either side.", unit="fraction", checks=_SHARE
)
training_flop_p2_5 = Column("number", "2.5 % point of training_flop.", unit="flop", checks=_FLOP)
training_flop_p10 = Column("number", "10 % point of training_flop.", unit="flop", checks=_FLOP)
training_flop_p90 = Column("number", "90 % point of training_flop.", unit="flop", checks=_FLOP)
training_flop_p97_5 = Column("number", "97.5 % point of training_flop.", unit="flop", checks=_FLOP)
own_training_flop_p2_5 = Column("number", "2.5 % point of own_training_flop.", unit="flop", checks=_FLOP)
own_training_flop_p10 = Column("number", "10 % point of own_training_flop.", unit="flop", checks=_FLOP)
own_training_flop_p90 = Column("number", "90 % point of own_training_flop.", unit="flop", checks=_FLOP)
own_training_flop_p97_5 = Column("number", "97.5 % point of own_training_flop.", unit="flop", checks=_FLOP)
up_log = Column(
    "number", "Half of the headline's error to above, a natural logarithm (methods, section 4).", checks=_POSITIVE
)
down_log = Column(
    "number", "Half of the headline's error to below, a natural logarithm (methods, section 4).", checks=_POSITIVE
)
nearest_convention = Column(
    "text",
    "The way of counting attention in which the authors' total agrees with the count.",
    checks=_words(vocabulary.ReportedConvention),
)
full_attention_flop = Column(
    "number", "The operation count with attention over the full square of positions.", unit="flop", checks=_FLOP
)
no_scores_flop = Column("number", "The operation count without attention scores.", unit="flop", checks=_FLOP)
has_count_at_least = Column("true or false", "Whether the data of a phase are stated as a lower end alone.")
has_count_at_most = Column("true or false", "Whether the data of a phase are stated as an upper end alone.")
is_time_bound = Column("true or false", "Whether a chip time is stated as one end alone.")
chip_peak_log_sd = Column(
    "number",
    "Standard deviation of ln chip_peak_flop by what its record states as a range or leaves open: time, chip, number format.",
    checks=_LOG_SD,
)
covers_sentence = Column("text", "Which work the headline is of, base models included.")
how_sentence = Column("text", "How the headline was made.")
interval_sentence = Column("text", "The 90 % interval of the headline, in words.")
confidence_sentence = Column("text", "How well the headline is known, and why.")
second_sentence = Column(
    "text", "The other estimate that differs from the headline of its own training, and what it does to the interval."
)
independence_sentence = Column("text", "What the agreement of the two methods is worth, where they share an input.")
dispute_sentence = Column("text", "Why the two methods dispute, in words.")
dispute_resolution = Column("text", "What would settle the dispute.")
is_cause_stated = Column("true or false", "Whether the record states the cause, so that no rule chose it.")
is_measured = Column("true or false", "Whether the utilization was predicted from measurements of like cases.")
ratio_at_predicted = Column("number", "operation_count_flop / gpu_time_used_flop.", checks=_POSITIVE)
ratio_at_other_format = Column("number", "The same in the other number format of the chips.", checks=_POSITIVE)
data_reach_ratio = Column("number", "Factor by which the data may be off (90 %).", checks={"ge": 1})
needed_ratio = Column(
    "number", "Factor by which one input must be off for the two methods not to dispute.", checks={"ge": 1}
)
intensity = Column("number", "Forward FLOP per elementwise FLOP of the network.", checks=_POSITIVE)
work_flop = Column("number", "Forward FLOP a chip and step.", unit="flop", checks=_FLOP)
filled_low = Column("number", "Lower end of the 90 % interval that estimates give filled_value.", checks=_POSITIVE)
filled_high = Column("number", "Upper end of the 90 % interval that estimates give filled_value.", checks=_POSITIVE)
like_low_fraction = Column(
    "number",
    "5 % point of what whole runs like it are expected to reach of their peak.",
    unit="fraction",
    checks=_FRACTION,
)
like_high_fraction = Column(
    "number",
    "95 % point of what whole runs like it are expected to reach of their peak.",
    unit="fraction",
    checks=_FRACTION,
)

# Columns of `estimates` that a reader is shown, by their published names and in this order, each with the places where it is shown: the default
# of `list` (list), comparisons (compare), the site's table of all models (table), a model's page at a glance (page).
SHOWN: Mapping[str, tuple[Column, str]] = {
    "model_id": (model_id, "list"),
    "name": (name, "compare"),
    "organization": (organization, "compare page"),
    "parent_organization": (parent_organization, "compare page"),
    "country": (country, "compare page"),
    "published": (published, "list compare table page"),
    "domain": (domain, "compare table page"),
    "base_model": (base_model, "compare page"),
    "parameters": (known_parameters, "compare table page"),
    "active_parameters": (active_parameters, "compare page"),
    "examples_seen": (total_examples_seen, "compare table page"),
    "example_unit": (main_example_unit, "compare page"),
    "training_flop": (training_flop, "list compare"),
    "training_flop_low": (training_flop_low, "list compare"),
    "training_flop_high": (training_flop_high, "list compare"),
    "confidence": (confidence, "compare page"),
    "evidence_class": (evidence_class, "compare page"),
    "named_second": (named_second, "compare"),
    "gap_ratio": (gap_ratio, "compare"),
    "own_training_flop": (own_training_flop, "compare page"),
    "cumulative_flop": (cumulative_flop, "compare page"),
    "probability_above_1e23_fraction": (probability_above_1e23_fraction, "compare"),
    "probability_above_1e25_fraction": (probability_above_1e25_fraction, "compare"),
    "probability_above_1e26_fraction": (probability_above_1e26_fraction, "compare"),
    "threshold_total": (threshold_total, "compare"),
    "headline_method": (headline_method, "list compare page"),
    "range_low_flop": (range_low_flop, "compare"),
    "range_high_flop": (range_high_flop, "compare"),
    "range_basis": (range_basis, "compare"),
    "operation_count_flop": (operation_count_flop, "compare page"),
    "operation_count_basis": (operation_count_basis, "compare page"),
    "gpu_time_flop": (gpu_time_flop, "compare page"),
    "gpu_time_informed_flop": (gpu_time_informed_flop, "compare page"),
    "reported_flop": (reported_flop, "compare page"),
    "method_ratio": (method_ratio, "compare page"),
    "independence": (independence, "compare page"),
    "is_disputed": (is_disputed, "compare page"),
    "dispute_cause": (dispute_cause, "compare page"),
    "implied_utilization_fraction": (implied_utilization_fraction, "compare page"),
    "utilization_fraction": (utilization_fraction, "compare page"),
    "utilization_basis": (utilization_basis, "compare page"),
    "hardware": (hardware, "compare table page"),
    "chips": (most_chips, "compare table page"),
    "chip_hours": (chip_hours, "compare page"),
    "precision": (precisions, "compare page"),
    "energy_kwh": (energy_kwh, "compare page"),
    "cost_usd": (cost_usd, "compare page"),
    "cost_basis": (cost_basis, "compare page"),
    "co2_kg": (co2_kg, "compare page"),
    "weights_access": (weights_access, "compare table page"),
    "training_evidence": (training_evidence, "compare page"),
    "network_evidence": (network_evidence, "compare page"),
    "imputed_inputs": (imputed_inputs, "compare page"),
}


def shown(place: str) -> list[str]:
    """Published names of the columns that are shown at a place.

    >>> shown("list")
    ['model_id', 'published', 'training_flop', 'training_flop_low', 'training_flop_high', 'headline_method']
    """
    return [name for name, (_, places) in SHOWN.items() if place in places.split()]


# What is watched, and what the notes of Epoch's table say
watched_source_id = Column("text", "Id of a watched source: its file in data/records/sources.")
watched_kind = Column("text", "What is watched: a table, repositories by round, or the addresses that records name.")
source_address = Column("text", "Where the source is; {round} stands for each round.")
source_licence = Column("text", "Licence of the source.")
cadence_days = Column("number", "How often it is worth looking, in days.", checks=_POSITIVE)
fetched_on = Column("text", "Day of the copy that the ledger rests on.", checks=_DAY, form="day")
fetched_sha256 = Column("text", "SHA-256 of the raw file as it was read.")
fetched_bytes = Column("whole number", "Size of the raw file, in bytes.", checks=_POSITIVE)
note_place = Column("whole number", "Place of the figure or equation in its note, from 1.", checks=_POSITIVE)
note_equation = Column("text", "The equation in the words of the note.")
note_flop = Column(
    "number", "A figure of a note on compute, or what the left side of its equation comes to.", unit="flop"
)
note_result_flop = Column("number", "What the note says that the left side comes to.", unit="flop")
lacks_six = Column(
    "true or false", "Whether an equation multiplies parameters and tokens, or names 6ND, without the factor of six."
)
table_flop = Column("number", "The row's own training compute, as the table has it.", unit="flop", checks=_FLOP)
finding_reason = Column("text", "What does not agree in a row of the table.", checks=_words(vocabulary.NoteFinding))
finding_ratio = Column(
    "number",
    "What the note comes to, divided by what stands against it: the row's value, or the note's own result.",
    checks=_POSITIVE,
)
