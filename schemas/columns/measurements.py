"""Columns of gold runs and of measurements."""

from schemas import vocabulary
from schemas.columns.declared import (
    EXAMPLES,
    FLOP,
    FRACTION,
    IDENTIFIER,
    LOG_SD,
    NOT_NEGATIVE,
    POSITIVE,
    SHARE,
    Column,
    any_of,
)

# Gold runs: whole runs whose operations and time are known
sequence_length = Column("number", "Positions of a sequence.", checks=POSITIVE)
gold_group_id = Column(
    "text", "File name of a record of gold runs: those of one owner with one code base.", checks=IDENTIFIER
)
run = Column("text", "Id of a gold run within its record.")
owner = Column("text", "Who ran it.")
measured_by = Column(
    "text", "Measurement records of the same owner and code, which do not predict its utilization, joined by |."
)
run_evidence = Column(
    "text", "In what its operations and time were read; the weaker.", checks=any_of(vocabulary.RunEvidence)
)
hours_cover = Column("text", "What its time covers.", checks=any_of(vocabulary.HoursCover))
data_text = Column("text", "The words that state its data or steps, verbatim, or a cell or line.")
data_found_at = Column("text", "Copy in which these words were read.")
time_text = Column("text", "The words that state its time, verbatim, or a cell or line.")
time_found_at = Column("text", "Copy in which these words were read.")
six_nd_flop = Column("number", "6 x active parameters x tokens.", unit="flop", checks=FLOP)
weight = Column("number", "1 / number of runs of its group: each group weighs 1.", checks={"gt": 0, "le": 1})
gold_method = Column("text", "How runs are estimated.", checks=any_of(vocabulary.GoldMethod))
gold_grouping = Column("text", "Trait by which runs are grouped.", checks=any_of(vocabulary.GoldGrouping))
group_name = Column("text", "The trait that the runs have in common; all where there is one group.")
runs_number = Column("whole number", "Number of gold runs that a figure is computed from.", checks=POSITIVE)
groups_number = Column("whole number", "Number of their groups, whose votes are equal.", checks=POSITIVE)
median_ratio = Column("number", "Weighted median of estimated over counted FLOP.", checks=POSITIVE)
ratio_standard_deviation = Column("number", "Weighted geometric standard deviation of that ratio.", checks={"ge": 1})
share_of_runs_within_1_25_fraction = Column(
    "number", "Weighted share of runs estimated within 1.25x of the count.", unit="fraction", checks=SHARE
)
share_of_runs_within_2_fraction = Column(
    "number", "Weighted share of runs estimated within 2x of the count.", unit="fraction", checks=SHARE
)
share_of_runs_held_fraction = Column(
    "number",
    "Weighted share of runs whose count lies in the 90 % interval that a headline of GPU time alone would have.",
    unit="fraction",
    checks=SHARE,
)

# Measurements
measurement_id = Column("text", "File name of the measurement record, or of the gold runs' record.", checks=IDENTIFIER)
row = Column("text", "Id of the row within its record.")
network = Column("text", "Kind of network.", checks=any_of(vocabulary.Network))
timed = Column("text", "Part of training that was timed.", checks=any_of(vocabulary.Timed))
run_kind = Column(
    "text", "Tuned benchmark, plain script, or the training of a model in use.", checks=any_of(vocabulary.RunKind)
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
    "text", "Model FLOP (mfu), hardware FLOP (hfu) or a judgement.", checks=any_of(vocabulary.UtilizationKind)
)
rejection_reason = Column("text", "Why a published measurement is not used.", checks=any_of(vocabulary.Rejection))
examples_per_second = Column(
    "number", "Measured counted examples (images, whole sequences) a second, all chips together.", checks=POSITIVE
)
reported_mfu_fraction = Column(
    "number", "Model FLOP utilization reported by the source.", unit="fraction", checks=FRACTION
)
reported_hfu_fraction = Column(
    "number",
    "Hardware FLOP utilization reported by the source; recomputation included.",
    unit="fraction",
    checks=FRACTION,
)
licence = Column("text", "Licence of the measurement's source.")
utilization_low_fraction = Column(
    "number",
    "5 % point of the utilization predicted from measurements of like cases.",
    unit="fraction",
    checks=FRACTION,
)
utilization_middle_fraction = Column(
    "number", "Median of the utilization predicted from measurements of like cases.", unit="fraction", checks=FRACTION
)
utilization_high_fraction = Column(
    "number",
    "95 % point of the utilization predicted from measurements of like cases.",
    unit="fraction",
    checks=FRACTION,
)
utilization_log_sd = Column("number", "Standard deviation of its natural logarithm.", checks=LOG_SD)
effect = Column("text", "A trait, and what it is of: what cases that share it have in common of ln utilization.")
other_effect = Column("text", "Another effect, not before it in the alphabet, or the same.")
covariance = Column(
    "number",
    "Covariance of the two, given the measurements, in units of their standard deviations before (params.yaml).",
)
coefficient = Column("number", "Mean of the effect, given the measurements, in units of its standard deviation before.")
origin_size = Column("number", "The mean, over measurements, of what a slope is along, in the same units.")
rows = Column("whole number", "Number of measurements.", checks=POSITIVE)
sources_number = Column("whole number", "Number of sources that they come from.", checks=POSITIVE)
utilization_p10_fraction = Column(
    "number", "10 % point of the measured utilizations, interpolated.", unit="fraction", checks=POSITIVE
)
utilization_median_fraction = Column("number", "Median of the measured utilizations.", unit="fraction", checks=POSITIVE)
utilization_p90_fraction = Column(
    "number", "90 % point of the measured utilizations, interpolated.", unit="fraction", checks=POSITIVE
)
share_within_factor_two_fraction = Column(
    "number", "Share of the measurements within `check.near_ratio` of the default.", unit="fraction", checks=SHARE
)
default_log_error = Column("number", "Median of |ln(measured / default)|; 0.69 is a factor of 2.", checks=NOT_NEGATIVE)
predicted_log_error = Column(
    "number", "Median of |ln(measured / predicted)|, each predicted from all sources but its own.", checks=NOT_NEGATIVE
)
measured_utilization_fraction = Column(
    "number", "Counted model FLOP x throughput / (chips x peak).", unit="fraction", checks=POSITIVE
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
nodes = Column("whole number", "Number of nodes.", checks=POSITIVE)
precision_words = Column("text", "The line of a script or setting that chooses the number format.")
precision_place = Column("text", "Where that line stands: repository, commit, path.")
logged_examples_seen = Column("number", "Examples seen (images, whole sequences).", checks=EXAMPLES)
run_seconds = Column(
    "number", "From the run's start to the moment when it reached its target.", unit="second", checks=POSITIVE
)
evaluation_seconds = Column("number", "Time of evaluation within it.", unit="second", checks=NOT_NEGATIVE)
node_watts = Column("number", "Mean power of a node during the run.", unit="watt", checks=POSITIVE)
repeats = Column(
    "whole number",
    "Number of runs of the same kind that reached their target; the row is their median.",
    checks=POSITIVE,
)
repeats_log_sd = Column("number", "Standard deviation of the logarithm of their rates.", checks=NOT_NEGATIVE)
log_place = Column("text", "Where the run's log stands: repository, commit, path.")
left_out_reason = Column(
    "text", "Why the run has no utilization, or one that is not used.", checks=any_of(vocabulary.LeftOut)
)
time_ratio = Column("number", "Time predicted with the default utilization / measured time.", checks=POSITIVE)
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
    checks=POSITIVE,
)
sixteen_bit_ratio = Column("number", "The chip's best 16-bit peak / its FP32 peak.", checks=POSITIVE)
reported_method = Column(
    "text",
    "How the authors came to the figure that they report; unknown where the record does not say.",
    checks=any_of(vocabulary.ReportedMethod),
)
reported_convention = Column(
    "text",
    "Which operations the reported figure counts, by the authors' words.",
    checks=any_of(vocabulary.ReportedConvention),
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
    "text", "Id of the external estimate, unique and permanent within its record.", checks=IDENTIFIER
)
stated_flop = Column("number", "Training compute stated by someone else.", unit="flop", checks=FLOP)
stated_bound = Column("text", "Which end it is, where they state one end alone.", checks=any_of(vocabulary.Bound))
stated_flop_low = Column("number", "Lower end of their interval.", unit="flop", checks=FLOP)
stated_flop_high = Column("number", "Upper end of their interval.", unit="flop", checks=FLOP)
stated_confidence = Column("text", "How sure they are of it, in Epoch's words.", checks=any_of(vocabulary.Confidence))
stated_method = Column(
    "text", "Method of that figure, where the record states it.", checks=any_of(vocabulary.StatedMethod)
)
inputs = Column(
    "text",
    "Whether the figure rests on the same chip time or operation count as the ledger's, on both, or on inputs of its own.",
    checks=any_of(vocabulary.SharedInputs),
)
outcome = Column(
    "text",
    "Whether the ledger's value agrees with it within a factor of two, as who recorded it judged, or differs; `no_own_value` where the ledger has none.",
    checks=any_of(vocabulary.Outcome),
)
labelled_before = Column(
    "true or false", "Whether `inputs` was written down before the figure was compared with the ledger's value."
)
published_figure = Column("number", "The figure as published.", checks=POSITIVE)
corrected_figure = Column("number", "The product of the figure's own factors.", checks=POSITIVE)
factors = Column("text", "The figure's factors, as arithmetic.")
explanation = Column("text", "What went wrong, in a sentence.")
erratum_id = Column("text", "File name of the erratum record.", checks=IDENTIFIER)
snapshot = Column("text", "The adjudicated table: the file name of its snapshot without its ending.")
published_flop = Column(
    "number",
    "Training compute as the table states it, in its cell or in the notes beside it.",
    unit="flop",
    checks=FLOP,
)
corrected_flop = Column(
    "number", "What it should be by its sources; the same where nothing is corrected.", unit="flop", checks=FLOP
)
reason = Column(
    "text", "What was found wrong; with an open finding, what is suspected.", checks=any_of(vocabulary.Fault)
)
certainty = Column(
    "text", "How certain the finding is; of an open one the value stays.", checks=any_of(vocabulary.Certainty)
)
stratum = Column(
    "text",
    "Whether the value lay within a factor of two of the ledger's (near) or further (far) when the sample was drawn.",
    checks=any_of(vocabulary.Stratum),
)
sampling_weight = Column("number", "How many values of its stratum each drawn one stands for.", checks={"ge": 1})
