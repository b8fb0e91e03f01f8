"""Columns of gold runs and of measurements."""

from schemas import vocabulary
from schemas.columns.declared import (
    EXAMPLES,
    NOT_NEGATIVE,
    Column,
    count,
    deviation,
    flag,
    flop,
    fraction,
    identifier,
    one_of,
    positive,
    share,
)

# Gold runs: whole runs whose operations and time are known
sequence_length = positive("Positions of a sequence.")
gold_group_id = identifier("File name of a record of gold runs: those of one owner with one code base.")
run = Column("text", "Id of a gold run within its record.")
owner = Column("text", "Who ran it.")
measured_by = Column(
    "text", "Measurement records of the same owner and code, which do not predict its utilization, joined by |."
)
run_evidence = one_of(vocabulary.RunEvidence, "In what its operations and time were read; the weaker.")
hours_cover = one_of(vocabulary.HoursCover, "What its time covers.")
data_text = Column("text", "The words that state its data or steps, verbatim, or a cell or line.")
data_found_at = Column("text", "Copy in which these words were read.")
time_text = Column("text", "The words that state its time, verbatim, or a cell or line.")
time_found_at = Column("text", "Copy in which these words were read.")
six_nd_flop = flop("6 x active parameters x tokens.")
weight = Column("number", "1 / number of runs of its group: each group weighs 1.", checks={"gt": 0, "le": 1})
gold_method = one_of(vocabulary.GoldMethod, "How runs are estimated.")
gold_grouping = one_of(vocabulary.GoldGrouping, "Trait by which runs are grouped.")
group_name = Column("text", "The trait that the runs have in common; all where there is one group.")
runs_number = count("Number of gold runs that a figure is computed from.")
groups_number = count("Number of their groups, whose votes are equal.")
median_ratio = positive("Weighted median of estimated over counted FLOP.")
ratio_standard_deviation = Column("number", "Weighted geometric standard deviation of that ratio.", checks={"ge": 1})
share_of_runs_within_1_25_fraction = share("Weighted share of runs estimated within 1.25x of the count.")
share_of_runs_within_2_fraction = share("Weighted share of runs estimated within 2x of the count.")
share_of_runs_held_fraction = share(
    "Weighted share of runs whose count lies in the 90 % interval that a headline of GPU time alone would have."
)

# Measurements
measurement_id = identifier("File name of the measurement record, or of the gold runs' record.")
row = Column("text", "Id of the row within its record.")
network = one_of(vocabulary.Network, "Kind of network.")
timed = one_of(vocabulary.Timed, "Part of training that was timed.")
run_kind = one_of(vocabulary.RunKind, "Tuned benchmark, plain script, or the training of a model in use.")
is_whole_run = flag("Whether it is the training of a model of the ledger, which may not calibrate its own estimate.")
is_recomputed = flag("Whether activations were recomputed for the backward pass.")
is_circular = flag("Whether the throughput was derived from a utilization, so that it tests nothing.")
about = Column("text", "Network and machine, in the source's terms.")
utilization_kind = one_of(vocabulary.UtilizationKind, "Model FLOP (mfu), hardware FLOP (hfu) or a judgement.")
rejection_reason = one_of(vocabulary.Rejection, "Why a published measurement is not used.")
examples_per_second = positive("Measured counted examples (images, whole sequences) a second, all chips together.")
reported_mfu_fraction = fraction("Model FLOP utilization reported by the source.")
reported_hfu_fraction = fraction("Hardware FLOP utilization reported by the source; recomputation included.")
licence = Column("text", "Licence of the measurement's source.")
utilization_low_fraction = fraction("5 % point of the utilization predicted from measurements of like cases.")
utilization_middle_fraction = fraction("Median of the utilization predicted from measurements of like cases.")
utilization_high_fraction = fraction("95 % point of the utilization predicted from measurements of like cases.")
utilization_log_sd = deviation("Standard deviation of its natural logarithm.")
effect = Column("text", "A trait, and what it is of: what cases that share it have in common of ln utilization.")
other_effect = Column("text", "Another effect, not before it in the alphabet, or the same.")
covariance = Column(
    "number",
    "Covariance of the two, given the measurements, in units of their standard deviations before (params.yaml).",
)
coefficient = Column("number", "Mean of the effect, given the measurements, in units of its standard deviation before.")
origin_size = Column("number", "The mean, over measurements, of what a slope is along, in the same units.")
rows = count("Number of measurements.")
sources_number = count("Number of sources that they come from.")
utilization_p10_fraction = positive("10 % point of the measured utilizations, interpolated.", unit="fraction")
utilization_median_fraction = positive("Median of the measured utilizations.", unit="fraction")
utilization_p90_fraction = positive("90 % point of the measured utilizations, interpolated.", unit="fraction")
share_within_factor_two_fraction = share("Share of the measurements within `check.near_ratio` of the default.")
default_log_error = Column("number", "Median of |ln(measured / default)|; 0.69 is a factor of 2.", checks=NOT_NEGATIVE)
predicted_log_error = Column(
    "number", "Median of |ln(measured / predicted)|, each predicted from all sources but its own.", checks=NOT_NEGATIVE
)
measured_utilization_fraction = positive("Counted model FLOP x throughput / (chips x peak).", unit="fraction")
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
predicts = flag("Whether runs of this task predict utilizations: not where that did not help on sources left out.")
stated_chip = Column("text", "The chip as the submitter names it.")
nodes = count("Number of nodes.")
precision_words = Column("text", "The line of a script or setting that chooses the number format.")
precision_place = Column("text", "Where that line stands: repository, commit, path.")
logged_examples_seen = Column("number", "Examples seen (images, whole sequences).", checks=EXAMPLES)
run_seconds = positive("From the run's start to the moment when it reached its target.", unit="second")
evaluation_seconds = Column("number", "Time of evaluation within it.", unit="second", checks=NOT_NEGATIVE)
node_watts = positive("Mean power of a node during the run.", unit="watt")
repeats = count("Number of runs of the same kind that reached their target; the row is their median.")
repeats_log_sd = Column("number", "Standard deviation of the logarithm of their rates.", checks=NOT_NEGATIVE)
log_place = Column("text", "Where the run's log stands: repository, commit, path.")
left_out_reason = one_of(vocabulary.LeftOut, "Why the run has no utilization, or one that is not used.")
time_ratio = positive("Time predicted with the default utilization / measured time.")
is_within_factor_two = flag(
    "Whether the default utilization predicts the measured time within `check.near_ratio` of params.yaml."
)
is_from_operations = flag(
    "Whether the source derived the chip time from an operation count, so that the two methods are circular."
)
format_ratio = positive(
    "Peak in the other format / peak in the inferred one, where the precision was inferred and the chip has both."
)
sixteen_bit_ratio = positive("The chip's best 16-bit peak / its FP32 peak.")
reported_method = one_of(
    vocabulary.ReportedMethod,
    "How the authors came to the figure that they report; unknown where the record does not say.",
)
reported_convention = one_of(
    vocabulary.ReportedConvention, "Which operations the reported figure counts, by the authors' words."
)
is_reported_hardware_flop = flag(
    "Whether the reported figure includes recomputed activations: hardware FLOP, never the headline."
)
has_untimed_phase = flag("Whether a phase states neither chips nor their time.")
shared_input = Column(
    "text",
    "Path in the record of the fact that both methods use, because the time was derived from it or it from the time.",
)
chips_ratio = Column("number", "Largest high / low of a record's numbers of chips.", checks={"ge": 1})
has_erratum = flag("Whether an erratum contradicts the reported training compute.")
figure = Column("text", "Which published figure the erratum is about.")
external_estimate_id = identifier("Id of the external estimate, unique and permanent within its record.")
stated_flop = flop("Training compute stated by someone else.")
stated_bound = one_of(vocabulary.Bound, "Which end it is, where they state one end alone.")
stated_flop_low = flop("Lower end of their interval.")
stated_flop_high = flop("Upper end of their interval.")
stated_confidence = one_of(vocabulary.Confidence, "How sure they are of it, in Epoch's words.")
stated_method = one_of(vocabulary.StatedMethod, "Method of that figure, where the record states it.")
inputs = one_of(
    vocabulary.SharedInputs,
    "Whether the figure rests on the same chip time or operation count as the ledger's, on both, or on inputs of its own.",
)
outcome = one_of(
    vocabulary.Outcome,
    "Whether the ledger's value agrees with it within a factor of two, as who recorded it judged, or differs; `no_own_value` where the ledger has none.",
)
labelled_before = flag("Whether `inputs` was written down before the figure was compared with the ledger's value.")
published_figure = positive("The figure as published.")
corrected_figure = positive("The product of the figure's own factors.")
factors = Column("text", "The figure's factors, as arithmetic.")
explanation = Column("text", "What went wrong, in a sentence.")
erratum_id = identifier("File name of the erratum record.")
snapshot = Column("text", "The adjudicated table: the file name of its snapshot without its ending.")
published_flop = flop("Training compute as the table states it, in its cell or in the notes beside it.")
corrected_flop = flop("What it should be by its sources; the same where nothing is corrected.")
reason = one_of(vocabulary.Fault, "What was found wrong; with an open finding, what is suspected.")
certainty = one_of(vocabulary.Certainty, "How certain the finding is; of an open one the value stays.")
stratum = one_of(
    vocabulary.Stratum,
    "Whether the value lay within a factor of two of the ledger's (near) or further (far) when the sample was drawn.",
)
sampling_weight = Column("number", "How many values of its stratum each drawn one stands for.", checks={"ge": 1})
