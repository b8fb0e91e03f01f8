"""Words for measurements and gold runs."""

from enum import StrEnum

from schemas.vocabulary.wording import Worded


class UtilizationCase(StrEnum):
    """The case that selects a run's default utilization: text examples, a convolutional network, or any other."""

    TEXT = "text"
    CONVOLUTION = "convolution"
    OTHER = "other"


class RunKind(StrEnum):
    """The kind of a measured run: a tuned benchmark, a plain script, or the training of a model for use."""

    BENCHMARK = "benchmark"
    SCRIPT = "script"
    PRODUCTION = "production"


class Rejection(Worded):
    """A reason why a published measurement is not used."""

    HARDWARE_FLOP = "hardware_flop", "includes an unknown number of recomputed operations"
    UNKNOWN_PRECISION = "unknown_precision", "the precision is not known"
    UNKNOWN_ARCHITECTURE = "unknown_architecture", "the network is not described well enough to count it"
    UNKNOWN_CHIP = "unknown_chip", "the chip, or its peak, is not known"
    ABOVE_PEAK = "above_peak", "more operations than the peak of the chip"
    SPARSE_PEAK = "sparse_peak", "a share of the sparse peak"
    INFERENCE = "inference", "not training"
    INPUT_BOUND = "input_bound", "limited by data loading, not by the network"
    CIRCULAR = "circular", "derived from the utilization that it would test"
    CONTRADICTORY = "contradictory", "its own figures contradict each other"


class RunEvidence(Worded):
    """The source of a gold run's operations and time; the weaker source if there are two."""

    LOG = "log", "a log of the run, or a file about it that a program wrote"
    TABLE = "table", "a table of those who ran it"
    QUOTED = "quoted", "sentences of those who ran it"


class HoursCover(Worded):
    """The part of a gold run that its time covers."""

    WHOLE_RUN = "whole_run", "from start to end, with evaluation, saving and pauses"
    TRAINING = "training", "only training steps: the clock stopped for evaluation"
    STEPS = "steps", "steps times the time of a step, or tokens over a throughput"
    NOT_SAID = "not_said", "the time of the run, without stating what it includes"


class GoldMethod(Worded):
    """A method of estimating gold runs, whose accuracy we score."""

    DEFAULT_UTILIZATION = "default_utilization", "GPU time at the default utilization"
    PREDICTED_UTILIZATION = "predicted_utilization", "GPU time at the utilization predicted from measurements by others"
    WHOLE_RUN = (
        "whole_run",
        "GPU time at the predicted utilization times the share that whole runs reach: a headline from GPU time only",
    )
    SIX_ND = "six_nd", "six times active parameters and tokens"


class GoldGrouping(Worded):
    """The criterion by which gold runs are grouped."""

    ALL = "all", "All runs"
    PUBLISHED_YEAR = "published_year", "Year"
    GENERATION = "generation", "Generation of chips"
    PRECISION = "precision", "Number format"
    SCALE = "scale", "FLOP, from this on, a thousandfold"
    NETWORK = "network", "Kind of network"
    HOURS_COVER = "hours_cover", "What the time covers"
    RUN_EVIDENCE = "run_evidence", "Read in"
    IS_IN_LEDGER = "is_in_ledger", "Also a model in the ledger"


class LeftOut(Worded):
    """A reason why a measured run in a table has no utilization, or has one that we do not use."""

    NOT_COUNTED = "not_counted", "the ledger does not count this network"
    OPEN_DIVISION = "open_division", "open division: network and target may be the submitter's own"
    SAMPLES_NOT_LOGGED = "samples_not_logged", "the log does not state the number of samples"
    CHIP_NOT_KNOWN = "chip_not_known", "the chip has no record, or there is none"
    CHIPS_NOT_STATED = "chips_not_stated", "the system's description does not state the number of chips"
    PRECISION_NOT_STATED = (
        "precision_not_stated",
        "no script of the implementation determines the precision, or several disagree",
    )
    NO_PEAK = "no_peak", "the chip has no peak at this precision"
    ABOVE_PEAK = "above_peak", "more operations than the peak of the chips"


class Timed(StrEnum):
    """The part of training that a measurement timed."""

    FORWARD_BACKWARD = "forward_backward"
    STEP = "step"
    RUN = "run"
