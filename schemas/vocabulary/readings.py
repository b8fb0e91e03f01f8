"""Words for others' figures, adjudications and second readings."""

from enum import StrEnum

from schemas.vocabulary.wording import Worded


class Tier(Worded):
    """The origin of a model's estimate."""

    RECORD = "record", "a record, each fact with its source"
    CATALOGUE = "catalogue", "a row of Epoch's table, with the table's own figures"


class StatedMethod(StrEnum):
    """The method of an external estimate."""

    OPERATION_COUNT = "operation_count"
    GPU_TIME = "gpu_time"


class SharedInputs(Worded):
    """The inputs of our methods that an external estimate repeats. Agreement with such an estimate tests little."""

    OWN = "own"  # repeats neither our time nor our count
    SAME_TIME = "same_time", "; it starts from the same statements on chip time"
    SAME_COUNT = "same_count", "; it starts from the same statements on size and data"
    SAME_BOTH = "same_both", "; it starts from the same statements on size, data and chip time"
    UNKNOWN = "unknown"


class Stratum(StrEnum):
    """A stratum of a sample of published values: those more than 2x from the headline at that time, or the rest."""

    FAR = "far"
    NEAR = "near"


class Fault(Worded):
    """A fault in an adjudicated cell."""

    UNIT = "unit", "a unit: a power of ten, GPU hours taken as hours, a multiply-add as one operation"
    ARITHMETIC = "arithmetic", "the arithmetic: its own factors give another product, or one is missing"
    SCOPE = "scope", "the scope: a search, or another part of the work, in place of the model's training"
    CHIPS = "chips", "the chips: their number, cores for chips, or the peak of another precision"
    OTHER_MODEL = "other_model", "another model's figure, or another base model's"
    DATA = "data", "the data: examples, epochs or tokens that the run did not have, or an input since revised"


class Certainty(StrEnum):
    """The certainty of a finding."""

    CLEAR = "clear"
    LIKELY = "likely"
    OPEN = "open"


class ReadPath(StrEnum):
    """A fact about a model in blind second readings; chips are read but not compared."""

    PARAMETERS = "parameters"
    ACTIVE_PARAMETERS = "active_parameters"
    EXAMPLES_SEEN = "examples_seen"
    CHIP_HOURS = "chip_hours"
    CHIP = "chip"
    PRECISION = "precision"


class ReadUnit(StrEnum):
    """Units of second readings other than units of examples, for which readers use their source's words."""

    PARAMETER = "parameter"
    CHIP_HOUR = "chip_hour"


READ_UNITS = {  # for facts that have only one unit
    ReadPath.PARAMETERS: ReadUnit.PARAMETER,
    ReadPath.ACTIVE_PARAMETERS: ReadUnit.PARAMETER,
    ReadPath.CHIP_HOURS: ReadUnit.CHIP_HOUR,
}


class ReadingOutcome(StrEnum):
    """The result of comparing a blind second reading with the ledger's value of the same fact."""

    AGREES = "agrees"  # within `check.same_reading_ratio` of params.yaml, or the same word
    DIFFERS = "differs"
    OTHER_UNIT = "other_unit"  # both have a value, in units that cannot be converted
    ONLY_READER = "only_reader"
    ONLY_LEDGER = "only_ledger"
    NEITHER = "neither"


class Settlement(StrEnum):
    """The side that was right if a reading and the record differ."""

    LEDGER_WRONG = "ledger_wrong"  # the record was wrong or incomplete, and was corrected
    READER_WRONG = "reader_wrong"
    SCOPE = "scope"  # both are right, about different things
    OPEN = "open"


class ReportedMethod(StrEnum):
    """The method by which authors obtained the compute that they report."""

    OPERATION_COUNT = "operation_count"
    GPU_TIME = "gpu_time"
    UNKNOWN = "unknown"


class ReportedConvention(StrEnum):
    """A convention for counting operations, by which authors report compute."""

    OURS = "ours"  # as the ledger counts: two per multiply-add, half the square for causal attention
    FULL_ATTENTION = "full_attention"  # every position attends to every other, even if a mask hides half of them
    NO_SCORES = "no_scores"  # without the products of queries and keys, and of weights and values
    WITH_EMBEDDINGS = "with_embeddings"  # counts the look-up of input embeddings as a product with a one-hot vector
    SIX_ND = "six_nd"  # 6 x parameters x examples
    HARDWARE = "hardware"  # with recomputed activations: not model FLOP, so never the headline
    UNKNOWN = "unknown"


class Outcome(StrEnum):
    """An external estimate compared with ours when it was recorded; it agrees if within a factor of two."""

    AGREES = "agrees"
    DIFFERS = "differs"
    REFUTED = "refuted"  # differs, and its sources or its own words show that it is wrong
    OTHER_SCOPE = "other_scope"  # differs, because it is of another part, model, version or run
    NO_OWN_VALUE = "no_own_value"  # the ledger has no estimate


class Verdict(Worded):
    """The result of reading the sources of a figure that a sealed interval was tested on."""

    INSIDE = "inside", "inside the sealed 90 % interval"
    OURS_WRONG = "ours_wrong", "our error"
    REFUTED = "refuted", "refuted by its sources or its own words"
    OTHER_SCOPE = "other_scope", "of another part, model, version or run"
    UNDECIDED = "undecided", "nothing that we could read decides it"


class DecidedBy(Worded):
    """The words that decided a verdict."""

    PUBLICATION = "publication", "the publication or the makers' code"
    RECORD = "record", "a quotation in our record"
    THEIR_WORDS = "their_words", "the words of the row itself"


class ComparedScope(Worded):
    """The scope of somebody else's figure, compared with the sealed total."""

    TOTAL = "total"
    OWN_TRAINING = "own_training", "without the base model"
    OTHER_MODEL = "other_model", "another model"
    OTHER_VERSION = "other_version", "another version"
    OTHER_RUN = "other_run", "another run"
