"""Columns of estimates: both methods, the headline with its error, disputes."""

from schemas import vocabulary
from schemas.columns.declared import FLOP, FRACTION, LOG_SD, NOT_NEGATIVE, POSITIVE, SHARE, Column, any_of, sentences

# Estimates
operation_count_flop = Column(
    "number",
    "Training compute by counting operations.",
    unit="flop",
    checks=FLOP,
    label="By counting operations, FLOP",
    form="flop",
)
operation_count_basis = Column(
    "text",
    "Basis of the count: counted from the architecture, reported, or derived from connections or parameters.",
    checks=any_of(vocabulary.Basis),
    label="Basis of the count",
    words=sentences(vocabulary.Basis),
)
gpu_time_flop = Column(
    "number",
    "Training compute by GPU time x peak x the default utilization.",
    unit="flop",
    checks=FLOP,
    label="By GPU time at the default utilization, FLOP",
    form="flop",
)
gpu_time_informed_flop = Column(
    "number",
    "Training compute by GPU time x peak x a utilization: stated for the model, else measured on like cases, else the default.",
    unit="flop",
    checks=FLOP,
    label="By GPU time at the best known utilization, FLOP",
    form="flop",
)
reported_flop = Column(
    "number",
    "Training compute reported by the authors, with the base model's.",
    unit="flop",
    checks=FLOP,
    label="Reported by the authors, FLOP",
    form="flop",
)
method_ratio = Column(
    "number", "operation_count_flop / gpu_time_flop.", checks=POSITIVE, label="Operations / GPU time", form="ratio"
)
is_disputed = Column(
    "true or false",
    "Whether the two methods differ by more than `reconcile.dispute_ratio` of params.yaml.",
    label="Methods dispute",
    form="yes or no",
)
dispute_cause = Column(
    "text", "Most likely cause of a dispute.", checks=any_of(vocabulary.DisputeCause), label="Most likely cause"
)
implied_utilization_fraction = Column(
    "number",
    "operation_count_flop / (chip time x peak); above 1 some input is wrong.",
    unit="fraction",
    checks=POSITIVE,
    label="Utilization implied by the count",
    form="percent",
)
independence = Column(
    "text",
    "Whether the two estimates are independent, share an uncertain input, or are circular.",
    checks=any_of(vocabulary.Independence),
    label="Relation of the two methods",
    words=vocabulary.INDEPENDENCE_NAMES,
)
imputed_inputs = Column("text", "Inputs of method 2 that were imputed, joined by +.", label="Filled by defaults")
training_flop = Column(
    "number",
    "The headline: training compute of the model, base model included.",
    unit="flop",
    checks=FLOP,
    label="Training compute, FLOP",
    form="flop",
)
training_flop_low = Column(
    "number", "5 % point of training_flop.", unit="flop", checks=FLOP, label="90 % interval from, FLOP", form="flop"
)
training_flop_p25 = Column("number", "25 % point of the training compute.", unit="flop", checks=FLOP)
training_flop_p75 = Column("number", "75 % point of the training compute.", unit="flop", checks=FLOP)
training_flop_high = Column(
    "number", "95 % point of training_flop.", unit="flop", checks=FLOP, label="90 % interval to, FLOP", form="flop"
)
range_low_flop = Column(
    "number",
    "Lower end of a 90 % range where there is no estimate; what it supposes of the model is `range_basis`.",
    unit="flop",
    checks=FLOP,
    label="Range from, FLOP",
    form="flop",
)
range_high_flop = Column(
    "number", "Upper end of that range.", unit="flop", checks=FLOP, label="Range to, FLOP", form="flop"
)
range_basis = Column(
    "text",
    "What the range rests on; how well each basis holds known models is in range_backtests.",
    checks=any_of(vocabulary.RangeBasis),
    label="Range rests on",
    words=sentences(vocabulary.RangeBasis),
)
low_log = Column("number", "Lower end of what bounds the training compute, ln FLOP.")
middle_log = Column("number", "What bounds the training compute, ln FLOP.")
high_log = Column("number", "Upper end of what bounds the training compute, ln FLOP.")
training_log = Column("number", "ln training_flop.")
ratio_log = Column("number", "training_log - middle_log.")
is_forwards = Column("true or false", "Whether the range is made of models alone that were a year old.")
range_models_number = Column("whole number", "Known models whose range could be made.", checks=POSITIVE)
coverage_fraction = Column(
    "number", "Share of known models whose training compute their range holds.", unit="fraction", checks=SHARE
)
median_width_decades = Column("number", "Median of log10 of upper over lower end.", unit="decades", checks=POSITIVE)
cumulative_flop = Column(
    "number",
    "Training compute with what other models and runs contributed: synthetic data, teachers, searches (table contributions).",
    unit="flop",
    checks=FLOP,
    label="With the training of data and teachers, FLOP",
    form="flop",
)
threshold_total = Column(
    "text",
    "The total that the probabilities of thresholds are of: the cumulative one where it is known; where only the base"
    " model's is known, that, so that they are lower bounds.",
    checks=any_of(vocabulary.ThresholdTotal),
    label="Total that the thresholds are of",
    words=vocabulary.THRESHOLD_TOTAL_NAMES,
)
own_to_base_ratio = Column(
    "number",
    "Own training compute / that of the base models: a law may ask whether it is above a third.",
    checks=POSITIVE,
)
contribution = Column("whole number", "Number of the contribution in the record, from 0.", checks=NOT_NEGATIVE)
contributor_id = Column("text", "Model of the ledger whose training or outputs contribute.")
contribution_flop = Column("number", "Compute that the source states for it.", unit="flop", checks=FLOP)
parameter_network = Column(
    "text",
    "The kind of network for which 2 x parameters stands, where the record says so.",
    checks=any_of(vocabulary.ParameterNetwork),
)
is_search_counted = Column("true or false", "Whether the operations are, in part, those of an architecture search.")
has_read_contributions = Column(
    "true or false", "Whether the record says what else its result rests on, or that there is nothing."
)
probability_above_1e23_fraction = Column(
    "number",
    "Probability that threshold_total is above 1e23 FLOP.",
    unit="fraction",
    checks=SHARE,
    label="Probability above 10²³",
    form="probability",
)
probability_above_1e25_fraction = Column(
    "number",
    "Probability that threshold_total is above 1e25 FLOP.",
    unit="fraction",
    checks=SHARE,
    label="Probability above 10²⁵",
    form="probability",
)
probability_above_1e26_fraction = Column(
    "number",
    "Probability that threshold_total is above 1e26 FLOP.",
    unit="fraction",
    checks=SHARE,
    label="Probability above 10²⁶",
    form="probability",
)
confidence = Column(
    "text",
    "What the headline rests on: `confident`, a stated or confirmed count that no independent GPU time disputes;"
    " `speculative`, data or chip time that only analysts or the press know, or that is assumed; else `likely`."
    " Of rows of Epoch's table the 90 % interval: within a factor of 3, of 10, or wider.",
    checks=any_of(vocabulary.Confidence),
    label="Confidence",
)
headline_method = Column(
    "text",
    "Method of the headline (methods, section 4).",
    checks=any_of(vocabulary.HeadlineMethod),
    label="Method",
    words=sentences(vocabulary.HeadlineMethod),
)

# Rows of another's table
source_row = Column("whole number", "Row of the table, from 1 after its header.", checks=POSITIVE)
no_estimate_reason = Column(
    "text", "Why there is no point estimate: what the row lacks, or that only an order of magnitude follows."
)
rules = Column("text", "Rules by which cells and notes of the row were read or what it lacks was assumed, joined by ;.")
unread_cells = Column("text", "Cells of the row that say nothing readable, and why, joined by ;.")

# Reconciliation: the terms of the headline of a model's own training, without its base models
gpu_time_used_reason = Column("text", "Why that GPU time is the one used.", checks=any_of(vocabulary.GpuTimeReason))
gpu_time_used_flop = Column("number", "The GPU time estimate that the headline uses.", unit="flop", checks=FLOP)
utilization_ceiling_fraction = Column(
    "number", "Largest share of the peak that the network can reach in this format.", unit="fraction", checks=POSITIVE
)
is_hardware_imputed = Column("true or false", "Whether a year's default peak stands in for the chip.")
reported_unused_reason = Column(
    "text", "Why the reported total is not the headline.", checks=any_of(vocabulary.UnusedReport)
)
own_training_flop = Column(
    "number",
    "The headline of the model's own training, without base models.",
    unit="flop",
    checks=FLOP,
    label="Own training, without base models, FLOP",
    form="flop",
)
base_training_flop = Column("number", "The part of training_flop that is a base model's.", unit="flop", checks=FLOP)
own_training_flop_low = Column("number", "5 % point of own_training_flop.", unit="flop", checks=FLOP)
own_training_flop_p25 = Column("number", "25 % point of own_training_flop.", unit="flop", checks=FLOP)
own_training_flop_p75 = Column("number", "75 % point of own_training_flop.", unit="flop", checks=FLOP)
own_training_flop_high = Column("number", "95 % point of own_training_flop.", unit="flop", checks=FLOP)

# Disputes, comparison of the methods, priorities
dispute_stated_cause = Column(
    "text", "Cause of the dispute as the record states it.", checks=any_of(vocabulary.DisputeCause)
)
dispute_reason = Column(
    "text", "The reader's sentence for dispute_stated_cause, or the words of the quotation that names it."
)
dispute_sides_with = Column(
    "text", "Which method the record takes as right in the dispute.", checks=any_of(vocabulary.DisputeSide)
)
has_imputed_inputs = Column("true or false", "Whether an input of either method is imputed.")
grouping = Column(
    "text",
    "Criterion of the groups; published: pairs that AI and Compute (methods, sources) worked out.",
    checks=any_of(vocabulary.Grouping),
)
group = Column("text", "Domain, year, imputed or stated; all where there is one group.")
geometric_mean_ratio = Column("number", "Geometric mean of operation_count_flop / gpu_time_flop.", checks=POSITIVE)
geometric_standard_deviation = Column("number", "Geometric standard deviation of that ratio.", checks={"ge": 1})
share_within_1_7_fraction = Column(
    "number",
    "Share of models whose methods agree within 1.7x, as do the examples of Sevilla et al. (2022).",
    unit="fraction",
    checks=SHARE,
)
share_within_2_fraction = Column(
    "number", "Share of models whose methods agree within 2x.", unit="fraction", checks=SHARE
)
share_within_3_fraction = Column(
    "number", "Share of models whose methods agree within 3x.", unit="fraction", checks=SHARE
)

# The headline and its error
evidence_class = Column(
    "text",
    "What the headline rests on, which sets the width of its interval: of a sum the weakest part above a tenth of it.",
    checks=any_of(vocabulary.EvidenceClass),
    label="What the headline rests on",
    words=sentences(vocabulary.EvidenceClass),
)
weak_reason = Column(
    "text",
    "Why the count is known less well than one of a stated network and stated data.",
    checks=any_of(vocabulary.WeakReason),
)
named_second = Column(
    "text",
    "The second estimate that differs from the headline and widens its interval on its own side.",
    checks=any_of(vocabulary.NamedSecond),
    label="Second estimate",
    words=sentences(vocabulary.HeadlineMethod),
)
gap_ratio = Column(
    "number",
    "That second estimate over the headline.",
    checks=POSITIVE,
    label="Second estimate / headline",
    form="ratio",
)
off_by_two_fraction = Column(
    "number", "Probability that the truth lies beyond a factor of two, on either side.", unit="fraction", checks=SHARE
)
training_flop_p2_5 = Column("number", "2.5 % point of training_flop.", unit="flop", checks=FLOP)
training_flop_p10 = Column("number", "10 % point of training_flop.", unit="flop", checks=FLOP)
training_flop_p90 = Column("number", "90 % point of training_flop.", unit="flop", checks=FLOP)
training_flop_p97_5 = Column("number", "97.5 % point of training_flop.", unit="flop", checks=FLOP)
own_training_flop_p2_5 = Column("number", "2.5 % point of own_training_flop.", unit="flop", checks=FLOP)
own_training_flop_p10 = Column("number", "10 % point of own_training_flop.", unit="flop", checks=FLOP)
own_training_flop_p90 = Column("number", "90 % point of own_training_flop.", unit="flop", checks=FLOP)
own_training_flop_p97_5 = Column("number", "97.5 % point of own_training_flop.", unit="flop", checks=FLOP)
up_log = Column(
    "number", "Half of the headline's error to above, a natural logarithm (methods, section 4).", checks=POSITIVE
)
down_log = Column(
    "number", "Half of the headline's error to below, a natural logarithm (methods, section 4).", checks=POSITIVE
)
nearest_convention = Column(
    "text",
    "The way of counting attention in which the authors' total agrees with the count.",
    checks=any_of(vocabulary.ReportedConvention),
)
full_attention_flop = Column(
    "number", "The operation count with attention over the full square of positions.", unit="flop", checks=FLOP
)
no_scores_flop = Column("number", "The operation count without attention scores.", unit="flop", checks=FLOP)
has_count_at_least = Column("true or false", "Whether the data of a phase are stated as a lower end alone.")
has_count_at_most = Column("true or false", "Whether the data of a phase are stated as an upper end alone.")
is_time_bound = Column("true or false", "Whether a chip time is stated as one end alone.")
chip_peak_log_sd = Column(
    "number",
    "Standard deviation of ln chip_peak_flop by what its record states as a range or leaves open: time, chip, number format.",
    checks=LOG_SD,
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
ratio_at_predicted = Column("number", "operation_count_flop / gpu_time_used_flop.", checks=POSITIVE)
ratio_at_other_format = Column("number", "The same in the other number format of the chips.", checks=POSITIVE)
data_reach_ratio = Column("number", "Factor by which the data may be off (90 %).", checks={"ge": 1})
needed_ratio = Column(
    "number", "Factor by which one input must be off for the two methods not to dispute.", checks={"ge": 1}
)
intensity = Column("number", "Forward FLOP per elementwise FLOP of the network.", checks=POSITIVE)
work_flop = Column("number", "Forward FLOP a chip and step.", unit="flop", checks=FLOP)
filled_low = Column("number", "Lower end of the 90 % interval that estimates give filled_value.", checks=POSITIVE)
filled_high = Column("number", "Upper end of the 90 % interval that estimates give filled_value.", checks=POSITIVE)
like_low_fraction = Column(
    "number",
    "5 % point of what whole runs like it are expected to reach of their peak.",
    unit="fraction",
    checks=FRACTION,
)
like_high_fraction = Column(
    "number",
    "95 % point of what whole runs like it are expected to reach of their peak.",
    unit="fraction",
    checks=FRACTION,
)
