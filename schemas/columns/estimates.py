"""Columns of estimates: both methods, the headline with its error, disputes."""

from schemas import vocabulary
from schemas.columns.declared import (
    Column,
    count,
    deviation,
    flag,
    flop,
    fraction,
    in_short,
    index,
    one_of,
    positive,
    sentences,
    share,
)

# Estimates
operation_count_flop = flop("Training compute by counting operations.", label="By counting operations, FLOP")
operation_count_basis = one_of(
    vocabulary.Basis,
    "Basis of the count: counted from the architecture, reported, or derived from connections or parameters.",
    label="Basis of the count",
    words=sentences(vocabulary.Basis),
)
gpu_time_flop = flop(
    "Training compute by GPU time x peak x the default utilization.",
    label="By GPU time at the default utilization, FLOP",
)
gpu_time_informed_flop = flop(
    "Training compute by GPU time x peak x a utilization: stated for the model, else measured on like cases, else the default.",
    label="By GPU time at the best known utilization, FLOP",
)
reported_flop = flop(
    "Training compute reported by the authors, with the base model's.", label="Reported by the authors, FLOP"
)
method_ratio = positive("operation_count_flop / gpu_time_flop.", label="Operations / GPU time", form="ratio")
is_disputed = flag(
    "Whether the two methods differ by more than `reconcile.dispute_ratio` of params.yaml.",
    label="Methods dispute",
    form="yes or no",
)
dispute_cause = one_of(vocabulary.DisputeCause, "Most likely cause of a dispute.", label="Most likely cause")
implied_utilization_fraction = positive(
    "operation_count_flop / (chip time x peak); above 1 some input is wrong.",
    unit="fraction",
    label="Utilization implied by the count",
    form="percent",
)
independence = one_of(
    vocabulary.Independence,
    "Whether the two estimates are independent, share an uncertain input, or are circular.",
    label="Relation of the two methods",
    words=in_short(vocabulary.Independence),
)
imputed_inputs = Column("text", "Inputs of method 2 that were imputed, joined by +.", label="Filled by defaults")
training_flop = flop(
    "The headline: training compute of the model, base model included.", label="Training compute, FLOP"
)
training_flop_low = flop("5 % point of training_flop.", label="90 % interval from, FLOP")
training_flop_p25 = flop("25 % point of the training compute.")
training_flop_p75 = flop("75 % point of the training compute.")
training_flop_high = flop("95 % point of training_flop.", label="90 % interval to, FLOP")
range_low_flop = flop(
    "Lower end of a 90 % range where there is no estimate; what it supposes of the model is `range_basis`.",
    label="Range from, FLOP",
)
range_high_flop = flop("Upper end of that range.", label="Range to, FLOP")
range_basis = one_of(
    vocabulary.RangeBasis,
    "What the range rests on; how well each basis holds known models is in range_backtests.",
    label="Range rests on",
    words=sentences(vocabulary.RangeBasis),
)
low_log = Column("number", "Lower end of what bounds the training compute, ln FLOP.")
middle_log = Column("number", "What bounds the training compute, ln FLOP.")
high_log = Column("number", "Upper end of what bounds the training compute, ln FLOP.")
training_log = Column("number", "ln training_flop.")
ratio_log = Column("number", "training_log - middle_log.")
is_forwards = flag("Whether the range is made of models alone that were a year old.")
range_models_number = count("Known models whose range could be made.")
coverage_fraction = share("Share of known models whose training compute their range holds.")
median_width_decades = positive("Median of log10 of upper over lower end.", unit="decades")
cumulative_flop = flop(
    "Training compute with what other models and runs contributed: synthetic data, teachers, searches (table contributions).",
    label="With the training of data and teachers, FLOP",
)
threshold_total = one_of(
    vocabulary.ThresholdTotal,
    "The total that the probabilities of thresholds are of: the cumulative one where it is known; where only the base"
    " model's is known, that, so that they are lower bounds.",
    label="Total that the thresholds are of",
    words=in_short(vocabulary.ThresholdTotal),
)
own_to_base_ratio = positive(
    "Own training compute / that of the base models: a law may ask whether it is above a third."
)
contribution = index("Number of the contribution in the record, from 0.")
contributor_id = Column("text", "Model of the ledger whose training or outputs contribute.")
contribution_flop = flop("Compute that the source states for it.")
parameter_network = one_of(
    vocabulary.ParameterNetwork, "The kind of network for which 2 x parameters stands, where the record says so."
)
is_search_counted = flag("Whether the operations are, in part, those of an architecture search.")
has_read_contributions = flag("Whether the record says what else its result rests on, or that there is nothing.")
probability_above_1e23_fraction = share(
    "Probability that threshold_total is above 1e23 FLOP.", label="Probability above 10²³", form="probability"
)
probability_above_1e25_fraction = share(
    "Probability that threshold_total is above 1e25 FLOP.", label="Probability above 10²⁵", form="probability"
)
probability_above_1e26_fraction = share(
    "Probability that threshold_total is above 1e26 FLOP.", label="Probability above 10²⁶", form="probability"
)
confidence = one_of(
    vocabulary.Confidence,
    "What the headline rests on: `confident`, a stated or confirmed count that no independent GPU time disputes;"
    " `speculative`, data or chip time that only analysts or the press know, or that is assumed; else `likely`."
    " Of rows of Epoch's table the 90 % interval: within a factor of 3, of 10, or wider.",
    label="Confidence",
)
headline_method = one_of(
    vocabulary.HeadlineMethod,
    "Method of the headline (methods, section 4).",
    label="Method",
    words=sentences(vocabulary.HeadlineMethod),
)

# Rows of another's table
source_row = count("Row of the table, from 1 after its header.")
no_estimate_reason = Column(
    "text", "Why there is no point estimate: what the row lacks, or that only an order of magnitude follows."
)
rules = Column("text", "Rules by which cells and notes of the row were read or what it lacks was assumed, joined by ;.")
unread_cells = Column("text", "Cells of the row that say nothing readable, and why, joined by ;.")

# Reconciliation: the terms of the headline of a model's own training, without its base models
gpu_time_used_reason = one_of(vocabulary.GpuTimeReason, "Why that GPU time is the one used.")
gpu_time_used_flop = flop("The GPU time estimate that the headline uses.")
utilization_ceiling_fraction = positive(
    "Largest share of the peak that the network can reach in this format.", unit="fraction"
)
is_hardware_imputed = flag("Whether a year's default peak stands in for the chip.")
reported_unused_reason = one_of(vocabulary.UnusedReport, "Why the reported total is not the headline.")
own_training_flop = flop(
    "The headline of the model's own training, without base models.", label="Own training, without base models, FLOP"
)
base_training_flop = flop("The part of training_flop that is a base model's.")
own_training_flop_low = flop("5 % point of own_training_flop.")
own_training_flop_p25 = flop("25 % point of own_training_flop.")
own_training_flop_p75 = flop("75 % point of own_training_flop.")
own_training_flop_high = flop("95 % point of own_training_flop.")

# Disputes, comparison of the methods, priorities
dispute_stated_cause = one_of(vocabulary.DisputeCause, "Cause of the dispute as the record states it.")
dispute_reason = Column(
    "text", "The reader's sentence for dispute_stated_cause, or the words of the quotation that names it."
)
dispute_sides_with = one_of(vocabulary.DisputeSide, "Which method the record takes as right in the dispute.")
has_imputed_inputs = flag("Whether an input of either method is imputed.")
grouping = one_of(
    vocabulary.Grouping, "Criterion of the groups; published: pairs that AI and Compute (methods, sources) worked out."
)
group = Column("text", "Domain, year, imputed or stated; all where there is one group.")
geometric_mean_ratio = positive("Geometric mean of operation_count_flop / gpu_time_flop.")
geometric_standard_deviation = Column("number", "Geometric standard deviation of that ratio.", checks={"ge": 1})
share_within_1_7_fraction = share(
    "Share of models whose methods agree within 1.7x, as do the examples of Sevilla et al. (2022)."
)
share_within_2_fraction = share("Share of models whose methods agree within 2x.")
share_within_3_fraction = share("Share of models whose methods agree within 3x.")

# The headline and its error
evidence_class = one_of(
    vocabulary.EvidenceClass,
    "What the headline rests on, which sets the width of its interval: of a sum the weakest part above a tenth of it.",
    label="What the headline rests on",
    words=sentences(vocabulary.EvidenceClass),
)
weak_reason = one_of(
    vocabulary.WeakReason, "Why the count is known less well than one of a stated network and stated data."
)
named_second = one_of(
    vocabulary.NamedSecond,
    "The second estimate that differs from the headline and widens its interval on its own side.",
    label="Second estimate",
    words=sentences(vocabulary.HeadlineMethod),
)
gap_ratio = positive("That second estimate over the headline.", label="Second estimate / headline", form="ratio")
off_by_two_fraction = share("Probability that the truth lies beyond a factor of two, on either side.")
training_flop_p2_5 = flop("2.5 % point of training_flop.")
training_flop_p10 = flop("10 % point of training_flop.")
training_flop_p90 = flop("90 % point of training_flop.")
training_flop_p97_5 = flop("97.5 % point of training_flop.")
own_training_flop_p2_5 = flop("2.5 % point of own_training_flop.")
own_training_flop_p10 = flop("10 % point of own_training_flop.")
own_training_flop_p90 = flop("90 % point of own_training_flop.")
own_training_flop_p97_5 = flop("97.5 % point of own_training_flop.")
up_log = positive("Half of the headline's error to above, a natural logarithm (methods, section 4).")
down_log = positive("Half of the headline's error to below, a natural logarithm (methods, section 4).")
nearest_convention = one_of(
    vocabulary.ReportedConvention, "The way of counting attention in which the authors' total agrees with the count."
)
full_attention_flop = flop("The operation count with attention over the full square of positions.")
no_scores_flop = flop("The operation count without attention scores.")
has_count_at_least = flag("Whether the data of a phase are stated as a lower end alone.")
has_count_at_most = flag("Whether the data of a phase are stated as an upper end alone.")
is_time_bound = flag("Whether a chip time is stated as one end alone.")
chip_peak_log_sd = deviation(
    "Standard deviation of ln chip_peak_flop by what its record states as a range or leaves open: time, chip, number format."
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
is_cause_stated = flag("Whether the record states the cause, so that no rule chose it.")
is_measured = flag("Whether the utilization was predicted from measurements of like cases.")
ratio_at_predicted = positive("operation_count_flop / gpu_time_used_flop.")
ratio_at_other_format = positive("The same in the other number format of the chips.")
data_reach_ratio = Column("number", "Factor by which the data may be off (90 %).", checks={"ge": 1})
needed_ratio = Column(
    "number", "Factor by which one input must be off for the two methods not to dispute.", checks={"ge": 1}
)
intensity = positive("Forward FLOP per elementwise FLOP of the network.")
work_flop = flop("Forward FLOP a chip and step.")
filled_low = positive("Lower end of the 90 % interval that estimates give filled_value.")
filled_high = positive("Upper end of the 90 % interval that estimates give filled_value.")
like_low_fraction = fraction("5 % point of what whole runs like it are expected to reach of their peak.")
like_high_fraction = fraction("95 % point of what whole runs like it are expected to reach of their peak.")
