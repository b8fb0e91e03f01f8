"""Columns of architectures and their operations, and of phases of training."""

from schemas import vocabulary
from schemas.columns.declared import (
    EXAMPLES,
    FRACTION,
    NOT_NEGATIVE,
    Column,
    count,
    flag,
    fraction,
    index,
    one_of,
    positive,
)

# Architectures and their operations
architecture_id = Column(
    "text", "Id of a written architecture: model/phase, measurement/network/lengths, or gold group/run."
)
layer_index = index("Index of a layer in its architecture, from 0.")
layer_name = Column("text", "Path of a layer within its architecture.")
layer_kind = Column("text", "Kind of a layer: a function of pipeline/formulas/layers/.")
arguments = Column("text", "Arguments of the layer's function, as JSON with sorted keys.")
input_shape = Column("text", "Shape of one example at the layer's input, as a JSON list without the batch.")
is_frozen = flag("Whether the layer's weights are not trained.")
times = count("Number of consecutive repetitions of the layer.")
is_convolution = flag("Whether a phase trains a network of dense convolutions.")
has_trainable_below = flag("Whether something below the layer is trainable, so that it computes an input gradient.")
parameters = Column("number", "Number of trainable parameters.", checks=NOT_NEGATIVE)
known_parameters = Column(
    "number",
    "Number of trainable parameters: as stated, else of the written architecture where it is the only network.",
    checks=NOT_NEGATIVE,
    label="Parameters",
    form="count",
)
active_parameters = Column(
    "number",
    "Parameters that one token uses (mixtures of experts use a part).",
    checks=NOT_NEGATIVE,
    label="Parameters used per token",
    form="count",
)
forward_flop = positive(
    "FLOP of one forward pass of one counted example, attention counted by its definition (half under a causal mask).",
    unit="flop",
)
forward_flop_full_attention = positive(
    "The same with every attention counted as a full square, as counters and 6ND-style MFU do.", unit="flop"
)
attention_score_flop = Column(
    "number", "The part of forward_flop in products of two activations (QK and AV).", unit="flop", checks=NOT_NEGATIVE
)
layers = count("Number of layers of the kind, repetitions included.")
kind_forward_flop = Column(
    "number",
    "FLOP of one forward pass in the layers of one kind; 0 for look-ups and elementwise layers.",
    unit="flop",
    checks=NOT_NEGATIVE,
)
kind_forward_flop_full_attention = Column(
    "number", "The same with every attention counted as a full square.", unit="flop", checks=NOT_NEGATIVE
)
backward_flop = Column("number", "FLOP of one backward pass of one counted example.", unit="flop", checks=NOT_NEGATIVE)
elementwise_flop = Column(
    "number", "FLOP of normalisation, activation and pooling; not part of any total.", unit="flop", checks=NOT_NEGATIVE
)
forward_flop_per_example = positive("Forward FLOP of one example in the phase's unit.", unit="flop")
backward_flop_per_example = Column(
    "number", "Backward FLOP of one example in the phase's unit.", unit="flop", checks=NOT_NEGATIVE
)
stated_forward_flop = positive(
    "Forward FLOP of one example as its authors state it (multiply-adds doubled).", unit="flop"
)
is_stated_in_multiply_adds = flag("Whether the stated forward operations are given in multiply-adds.")
counted_parameters = Column("number", "Trainable parameters of the written architecture.", checks=NOT_NEGATIVE)
is_from_parameters = flag("Whether the forward pass is estimated as 2 x parameters, not counted.")
connections = positive("Number of connections as the authors state it.")

# Phases
phase = Column(
    "text",
    "Id of a phase: one stretch of data at one sequence length and precision.",
    checks={"str_matches": r"^[a-z0-9]+([-_][a-z0-9]+)*$"},
)
phase_index = index("Index of the phase in the record, from 0.")
accounting = one_of(vocabulary.Accounting, "What kind of work the phase is, for totals.")
example_unit = one_of(vocabulary.ExampleUnit, "What one example is.")
main_example_unit = one_of(
    vocabulary.ExampleUnit,
    "What one example is; of several units, that of the phases with most operations.",
    label="One example",
)
utilization_case = one_of(vocabulary.UtilizationCase, "Case of the default utilization: text, convolution or other.")
examples = positive("Size of the data set in example units.")
epochs = positive("Number of passes over the data set.")
steps = positive("Number of parameter updates.")
batch = positive("Examples in one update, over all chips.")
architecture_passes_per_example = Column(
    "number",
    "Counted examples (whole sequences) in one example unit: 1, or 1 / sequence length where the unit is a token.",
    checks=FRACTION,
)
allows_2n_rule = flag(
    "Whether 2 x parameters may estimate the operations: a network of tokens, without convolutions or reused layers."
)
examples_seen = Column("number", "Examples processed in training, counted once per epoch.", checks=EXAMPLES)
total_examples_seen = positive(
    "Examples of example_unit that training processed, once per epoch, base models included; without phases that only run forward.",
    label="Examples seen",
    form="count",
)
examples_seen_basis = one_of(vocabulary.Basis, "Basis of examples_seen.")
is_examples_inconsistent = flag("Whether epochs x examples and steps x batch, both stated, differ by more than 20 %.")
is_forward_only = flag(
    "Whether the phase only runs the network forward: generated experience, a frozen teacher or encoder."
)
has_frozen_weights = flag(
    "Whether adapters are trained on a frozen network, which then needs no gradient of its own weights."
)
framework = Column("text", "Software that trained the model, where stated.")
stated_precision = one_of(vocabulary.Precision, "Precision stated by the publication.")
stated_utilization_fraction = fraction("Utilization stated for the model (MFU or a source's judgement; never HFU).")
stated_utilization_basis = one_of(vocabulary.Basis, "Basis of the stated utilization.")
