"""Closed vocabularies: the only words that records and tables may use for these things."""

import re
from enum import StrEnum
from typing import NamedTuple, Self

from schemas.spelling import Spellings, find

SEPARATOR = " + "  # between the words of a column that holds several


class Worded(StrEnum):
    """A word of records and tables, with what it says to a reader in `words`; empty where nothing has to be said."""

    words: str

    def __new__(cls, value: str, words: str = "") -> Self:
        """The word and its words."""
        word = str.__new__(cls, value)
        word._value_ = value
        word.words = words
        return word


class Precision(StrEnum):
    """Format of the numbers that a chip's matrix or vector units multiply."""

    FP64 = "fp64"
    FP32 = "fp32"
    TF32 = "tf32"
    FP16 = "fp16"
    BF16 = "bf16"
    FP8 = "fp8"
    FP4 = "fp4"
    INT8 = "int8"

    @classmethod
    def _missing_(cls, value: object) -> "Precision | None":
        found = find(str(value), Spellings({each.value: each.value for each in cls} | PRECISION_NAMES))
        return cls(found) if found else None


PRECISION_NAMES = {  # other names of number formats
    "bfloat16": "bf16",
    "float16": "fp16",
    "half": "fp16",
    "float32": "fp32",
    "single": "fp32",
    "float64": "fp64",
    "double": "fp64",
}


SIXTEEN_BIT = (Precision.FP16, Precision.BF16)


class Basis(Worded):
    """Where a number of an estimate comes from."""

    REPORTED = "reported", "stated"
    ANALYST = "analyst", "stated by analysts or the press"  # stated by analysts or the press
    COUNTED = "counted", "counted layer by layer"
    DERIVED = "derived", "worked out"
    MEASURED = "measured", "measured"
    CALIBRATED = "calibrated", "predicted from measurements of like runs"
    DEFAULT_YEAR = "default_year", "usual in that year"
    DEFAULT_NEAREST_YEAR = "default_nearest_year", "usual in the nearest year that is known"
    ASSUMED = "assumed", "assumed"


class Evidence(Worded):
    """How a fact was seen: its words were read, a table cites its source, or neither; or it is an assumption, or the user's own statement."""

    QUOTED = "quoted", ""
    TABLE = "table", "from a table"
    UNSEEN = "unseen", "not read"
    ASSUMED = "assumed", "assumed"  # it rests on the record's assumptions alone
    STATED_BY_USER = "stated_by_user", "stated by you"  # only in users' own records, never in the ledger


FACT_NAMES = {  # of facts whose key says too little to a reader
    "examples": "amount of data",
    "examples_seen": "examples seen",
    "epochs": "passes over the data",
    "batch": "batch size",
    "chip_time": "chip time",
    "chips": "number of chips",
    "duration": "time the chips ran",
    "precision": "number format",
    "hardware": "chip",
    "reported_flop": "overall FLOP figure",
    "contributions": "what else the result rests on",
    "forward_flop": "operations of a forward pass",
    "gated": "gated MLP",
    "tied": "tied embeddings",
}


def fact_name(path: str) -> str:
    """A fact's name for a reader, of its path in the record.

    >>> fact_name("training[0].hardware[0].chip_time"), fact_name("architecture.key_value_heads"), fact_name("architecture.is_tied")
    ('chip time', 'key value heads', 'tied embeddings')
    """
    key = re.sub(r"\[\d+\]|^(is|has)_", "", path.rpartition(".")[2])
    return FACT_NAMES.get(key, key.replace("_", " "))


class Bound(StrEnum):
    """Which end of a range a fact states, where its source states one end alone."""

    AT_LEAST = "at_least"
    AT_MOST = "at_most"


class SourceKind(Worded):
    """Whose words a source holds."""

    AUTHORS = "authors"  # paper, code or configuration by those who made the model
    OFFICIAL = "official"  # a company's announcement, model card or documentation of its own model
    THIRD_PARTY = "third_party", "other people's tables and notes"  # other people's papers, code, tables and notes
    ANALYSIS = "analysis", "analysts"  # an estimate by someone who was not there
    PRESS = "press", "the press"


class ReadIn(StrEnum):
    """In what the words of a quote were read."""

    PUBLICATION = "publication"  # itself: source or PDF of a paper, the makers' repository, card or page
    CONVERSION = "conversion"  # its text as somebody converted it
    EXCERPT = "excerpt"  # notes, a summary or an article of a reader
    TRANSLATION = "translation"
    MACHINE_WRITTEN = "machine_written"


WORDS_OF_SOURCE = (ReadIn.PUBLICATION, ReadIn.CONVERSION)  # in which the makers' own words stand


class PlaceResult(StrEnum):
    """What became of looking for the words of a quote at its place in a public repository."""

    FOUND = "found"
    NOT_FOUND = "not_found"  # the file is there, its words are others
    NOT_OPENED = "not_opened"  # neither the repository nor a copy of the file could be had


class Domain(StrEnum):
    """Domain of a model's task."""

    LANGUAGE = "language"
    VISION = "vision"
    SPEECH = "speech"
    GAMES = "games"
    IMAGE_GENERATION = "image_generation"
    VIDEO = "video"
    BIOLOGY = "biology"
    MULTIMODAL = "multimodal"
    RECOMMENDATION = "recommendation"
    ROBOTICS = "robotics"
    OTHER = "other"


class OrganizationKind(StrEnum):
    """Who trained the model."""

    ACADEMIA = "academia"
    INDUSTRY = "industry"
    GOVERNMENT = "government"
    COLLECTIVE = "collective"
    MIXED = "mixed"


class DatePrecision(StrEnum):
    """How far a date is known."""

    DAY = "day"
    MONTH = "month"
    YEAR = "year"


class WeightsAccess(StrEnum):
    """Who can download a model's weights."""

    OPEN = "open"  # anyone, for any use
    RESTRICTED = "restricted"  # under limits: research or non-commercial use, a size of company, on request
    CLOSED = "closed"  # nobody: not released, or behind an interface


class Scope(Worded):
    """What a record covers: every member and every network that the named result needs, without trials; or a published search."""

    SINGLE = "single", ""  # one network
    JOINT_NETWORKS = "joint_networks", "of all networks trained together"  # several networks that work together
    POPULATION = (
        "population",
        "of all agents of the population",
    )  # agents trained together, of which the named one comes
    ENSEMBLE = "ensemble", "of all members of the ensemble"  # networks whose answers are averaged
    SEARCH = "search", "with the trials of the search"  # the trials of a published search for a network
    TEACHER_INCLUDED = (
        "teacher_included",
        "with the training of its teacher",
    )  # a student and the training of its teacher


class Accounting(Worded):
    """What kind of work a phase is, so that totals can take it in or leave it out."""

    PRETRAINING = "pretraining", "pre-training"  # training from new weights, with what it needs itself
    CONTINUED = "continued", "continued pre-training"  # on more of such data, at another length or of another kind
    FINE_TUNING = "fine_tuning", "fine-tuning"
    SYNTHETIC_DATA = "synthetic_data", "making synthetic data"  # making the data
    REINFORCEMENT_LEARNING = (
        "reinforcement_learning",
        "reinforcement learning",
    )  # with the experience that it plays or samples
    DISTILLATION_TEACHER = "distillation_teacher", "training a teacher"
    SEARCH = "search", "the search for the architecture"


class ThresholdTotal(Worded):
    """Which total a probability of a threshold is of."""

    CUMULATIVE_FLOP = (
        "cumulative_flop",
        "the cumulative total: base models and all that its record names as a contribution",
    )
    TRAINING_FLOP = (
        "training_flop",
        "its training with its base models'; what else contributed is not known, so the cumulative total may be larger",
    )
    BASE_TRAINING_FLOP = (
        "base_training_flop",
        "the training of its base model alone; what was added is not known, so the probability is at least this",
    )


class RangeBasis(Worded):
    """What the range of a model without an estimate rests on."""

    BASE_FLOOR = "base_floor", "the training of its base model; what was added is not known"
    CHIPS_STATED = "chips_stated", "its chips, and how long other machines of 256 chips or more were used"
    PARAMETERS_STATED = (
        "parameters_stated",
        "its parameters, and how many tokens other language models of those years were trained on",
    )


THRESHOLD_TOTAL_NAMES = {  # the same in few words
    ThresholdTotal.CUMULATIVE_FLOP: "cumulative total",
    ThresholdTotal.TRAINING_FLOP: "training with base models",
    ThresholdTotal.BASE_TRAINING_FLOP: "training of its base model",
}


class ExampleUnit(StrEnum):
    """What one example of a phase is."""

    TOKEN = "token"
    WORD = "word"
    TEXT_SEQUENCE = "text_sequence"
    SENTENCE_PAIR = "sentence_pair"
    IMAGE = "image"
    FRAME = "frame"
    SECOND_OF_AUDIO = "second_of_audio"
    AUDIO_CLIP = "audio_clip"
    GAME_POSITION = "game_position"
    PROTEIN_SEQUENCE = "protein_sequence"
    MOLECULE = "molecule"
    VIDEO_CLIP = "video_clip"
    INTERACTION = "interaction"
    PATTERN = "pattern"


TEXT_UNITS = (ExampleUnit.TOKEN, ExampleUnit.WORD, ExampleUnit.TEXT_SEQUENCE, ExampleUnit.SENTENCE_PAIR)


class ParameterNetwork(StrEnum):
    """Networks in which each parameter is used once per token or step, so that 2 x parameters estimates the operations."""

    DECODER_ONLY = "decoder_only"
    ENCODER_ONLY = "encoder_only"
    RECURRENT = "recurrent"


class Generation(StrEnum):
    """Microarchitecture or line of a chip, by its maker's name."""

    TESLA = "tesla"
    FERMI = "fermi"
    KEPLER = "kepler"
    MAXWELL = "maxwell"
    PASCAL = "pascal"
    VOLTA = "volta"
    TURING = "turing"
    AMPERE = "ampere"
    ADA = "ada"
    HOPPER = "hopper"
    BLACKWELL = "blackwell"
    TPU = "tpu"
    ASCEND = "ascend"
    CDNA = "cdna"
    GAUDI = "gaudi"
    TRAINIUM = "trainium"


class UtilizationKind(Worded):
    """What a stated utilization counts: model FLOP, hardware FLOP (with recomputation), or a source's own judgement."""

    MFU = "mfu", "model FLOP (MFU)"
    HFU = "hfu", "hardware FLOP (HFU)"
    JUDGEMENT = "judgement", "judgement"


class HeadlineMethod(Worded):
    """Method of a model's published training compute (methods, section 4)."""

    REPORTED = "reported", "the authors' figure"
    OPERATION_COUNT = "operation_count", "operation count"
    GPU_TIME = "gpu_time", "GPU time"
    SUM_OF_PARTS = "sum_of_parts", "sum of its own part and its base models"


class EvidenceClass(Worded):
    """What a headline rests on; it sets the width of its interval (methods, section 4)."""

    CONFIRMED = "confirmed", "an operation count that the authors' own total confirms"
    STATED = "stated", "an operation count of a stated network and stated data"
    WEAK = "weak", "an operation count with one weaker input"
    REPORTED = "reported", "a stated total, which could not be counted"
    GPU_TIME = "gpu_time", "GPU time alone"


class PrecisionRule(Worded):
    """How the number format of a run is known: stated, by the formats of its chip, or inferred (methods, section 3)."""

    STATED = "stated", "stated"
    ONLY_FORMAT = "only_format", "the chip's only format"
    NO_FAST_16BIT = "no_fast_16bit", "not stated; the chip has no fast 16-bit format"
    LARGE_INDUSTRY_RUN = "large_industry_run", "not stated; large industry runs use the chip's fastest 16-bit format"
    BEFORE_SIXTEEN_BIT = "before_sixteen_bit", "not stated; published before 16-bit training was usual"
    BEST_SIXTEEN_BIT = "best_sixteen_bit", "not stated; the chip's fastest 16-bit format is assumed"


class WeakReason(Worded):
    """Why an operation count is known less well than one of a stated network and stated data."""

    SEVERAL_NETWORKS = (
        "several_networks",
        "Counted; several networks are trained together, which makes the count less certain.",
    )
    FROM_PARAMETERS = (
        "from_parameters",
        "Approximated as six operations for each parameter and example, because the layers are not known.",
    )
    STATED_FORWARD = (
        "stated_forward",
        "Worked out from the operations of one example, which the authors state or their description of the network gives.",
    )
    DATA_ANALYSIS = "data_analysis", "Counted; the amount of data comes from analysts or the press."
    DATA_ASSUMED = "data_assumed", "Counted; the amount of data is partly assumed."
    DATA_IMPUTED = "data_imputed", "Counted; the number of passes over the data is not stated, and one is assumed."
    DATA_RANGE = "data_range", "Counted; the amount of data is known only as a range."
    DATA_TABLE = "data_table", "Counted; data or passes come from another's table."
    DATA_CONTRADICT = "data_contradict", "Counted; the passes and the steps that are stated contradict each other."
    DATA_BOUND = "data_bound", "Counted; only one end of the amount of data is stated."


class NamedSecond(StrEnum):
    """The second estimate that differs from a headline and widens its interval."""

    GPU_TIME = "gpu_time"
    REPORTED = "reported"
    OPERATION_COUNT = "operation_count"


class GpuTimeReason(Worded):
    """Why that GPU time is the one that a headline uses."""

    STATED_MAY_REST_ON_COUNT = (
        "stated_may_rest_on_count",
        "at the default utilization less a quarter, since the stated utilization may itself rest on an operation count",
    )
    STATED_BEATS_TWO_N = "stated_beats_two_n", "at the stated utilization"
    STATED = "stated", "at the stated utilization"
    MEASURED = "measured", "at the utilization of like runs, less a quarter for what whole runs lose"
    NOTHING_BETTER = "nothing_better", "at the default utilization, less a quarter for what whole runs lose"


class UnusedReport(Worded):
    """Why a total that the authors report is not the headline."""

    ERRATUM = "erratum", "an erratum contradicts it"
    HARDWARE_FLOP = "hardware_flop", "it includes recomputed activations (hardware FLOP)"


class DisputeCause(StrEnum):
    """Why two methods dispute: as a record states it, else by the first rule that applies (methods, section 4)."""

    SLOW_AS_LIKE_RUNS = "slow_as_like_runs"
    NETWORK_OR_SCOPE = "network_or_scope"
    MACHINE = "machine"
    DATA = "data"
    TOO_FAST = "too_fast"
    SLOW_UNLIKE_OTHERS = "slow_unlike_others"
    UNEXPLAINED = "unexplained"  # by no rule; no record states it


# What a record may state: all but that nothing explains it.
StatedCause = StrEnum(  # type: ignore[misc]  # mypy asks for the words themselves, which stand above
    "StatedCause", [(word.name, word.value) for word in DisputeCause if word != DisputeCause.UNEXPLAINED]
)


class CauseText(NamedTuple):
    """What a cause of a dispute means, in a sentence, and the fact that would settle it."""

    meaning: str
    would_settle: str


# What would settle a dispute asks for nothing that the record may have: many disputes rest on a stated speed, chip or batch.
_LOG = "a log of the run that shows how long its chips worked and how long they waited"
DISPUTE_CAUSES = {  # for a reader
    DisputeCause.SLOW_AS_LIKE_RUNS: CauseText(
        "Utilization was low, as is expected of similar runs; the default is too high here. The count stands.",
        _LOG,
    ),
    DisputeCause.NETWORK_OR_SCOPE: CauseText(
        "The two methods cover different work: the count misses operations, or the time covers more than what is counted.",
        "what the count leaves out, or what else the time covers",
    ),
    DisputeCause.MACHINE: CauseText(
        "The chip, its number format, how many chips worked or for how long is not known for certain, and the GPU time follows it.",
        "what is not stated of the machine",
    ),
    DisputeCause.DATA: CauseText(
        "How much data was used is not known exactly.",
        "what is not stated of the data: the examples, the passes over them, the batch of a step or the length of an example",
    ),
    DisputeCause.TOO_FAST: CauseText(
        "The count would need more of the chips' peak than similar runs are expected to reach. The stated chips or days are probably too few.",
        "a log of the chip hours of the whole run",
    ),
    DisputeCause.SLOW_UNLIKE_OTHERS: CauseText(
        "The operation count is known better than the time, so utilization was probably unusually low.",
        _LOG,
    ),
    DisputeCause.UNEXPLAINED: CauseText(
        "Neither side is well enough known to say which is off.",
        "a second source of the data seen, or of the chips and their time",
    ),
}


class DisputeSide(StrEnum):
    """Which of two methods a record takes as right: the operation count or the GPU time."""

    OPERATIONS = "operations"
    TIME = "time"


class Independence(StrEnum):
    """Relation of the two estimates: no uncertain input in common, one in common, or one derived from the other."""

    INDEPENDENT = "independent"
    SHARED_INPUT = "shared_input"
    CIRCULAR = "circular"


INDEPENDENCE = {  # what the relation of the two methods means for their agreement; empty where it is as good as it looks
    Independence.INDEPENDENT: "",
    Independence.SHARED_INPUT: "Both methods take the {fact} from one source or one figure, so their agreement is weak evidence.",
    Independence.CIRCULAR: "The chip time and the operations were worked out from each other, so their agreement is no evidence.",
}


INDEPENDENCE_NAMES = {  # the same in few words
    Independence.INDEPENDENT: "independent",
    Independence.SHARED_INPUT: "both rest on one fact",
    Independence.CIRCULAR: "one was worked out from the other",
}


class InputClass(StrEnum):
    """How well an input is known: from one stated figure to one that is imputed."""

    STATED_BY_USER = "stated_by_user"  # the user's own figures: exact
    EXACT = "exact"  # one stated figure
    PRODUCT = "product"  # of stated figures
    RANGE = "range"  # stated as one, with its own width
    TABLE = "table"  # from another's table, or unseen
    BOUND = "bound"  # a factor is stated as one end alone
    ASSUMED = "assumed"  # a factor is an assumption of the record
    ANALYSIS = "analysis"  # a factor is from analysts or the press
    IMPUTED = "imputed"


class Grouping(StrEnum):
    """Criterion by which models are grouped in the comparison of methods; published are pairs that others worked out."""

    ALL = "all"
    DOMAIN = "domain"
    YEAR = "year"
    IMPUTED = "imputed"
    PUBLISHED = "published"


class Threshold(NamedTuple):
    """A number of FLOP from which on a law treats a model otherwise: how columns name it, what follows, and which text says so."""

    flop: float
    word: str
    meaning: str
    text: str

    @property
    def column(self) -> str:
        """The column of `estimates` with the probability of being above it."""
        return f"probability_above_{self.word}_fraction"


THRESHOLDS = (
    Threshold(
        1e23,
        "1e23",
        "EU: indicates a general-purpose AI model, where it generates language, images or video from text",
        "Commission guidelines C(2025) 5045, paragraph 17",
    ),
    Threshold(
        1e25, "1e25", "EU: presumed to have high-impact capabilities, and so systemic risk", "AI Act, Article 51(2)"
    ),
    Threshold(
        1e26,
        "1e26",
        "US: a frontier model in California's SB 53 and New York's RAISE Act, which count later training by its developer too",
        "California Business and Professions Code 22757.11; New York General Business Law 1420",
    ),
)
# Who modifies a model becomes its provider where that takes more than this share of the model's compute: the same guidelines, paragraph 63.
MODIFIER_SHARE_FRACTION = 1 / 3


class Confidence(StrEnum):
    """How far a headline can be trusted, by what it rests on; of rows of Epoch's table, by the width of the interval."""

    CONFIDENT = "confident"
    LIKELY = "likely"
    SPECULATIVE = "speculative"


class Tier(Worded):
    """Where the estimate of a model comes from."""

    RECORD = "record", "a record, each fact with its source"
    CATALOGUE = "catalogue", "a row of Epoch's table, with its figures as they stand there"


class StatedMethod(StrEnum):
    """Method of an external estimate."""

    OPERATION_COUNT = "operation_count"
    GPU_TIME = "gpu_time"


class SharedInputs(StrEnum):
    """Which of our two methods' inputs an external estimate restates; of a figure that restates one, agreement tests little."""

    OWN = "own"  # neither our time nor our count
    SAME_TIME = "same_time"
    SAME_COUNT = "same_count"
    SAME_BOTH = "same_both"
    UNKNOWN = "unknown"


class Stratum(StrEnum):
    """Where an adjudicated value lay when the sample was drawn: further than 2x from the ledger's headline, or within it."""

    FAR = "far"
    NEAR = "near"


class Fault(Worded):
    """What was found wrong in an adjudicated cell."""

    UNIT = "unit", "a unit: a power of ten, GPU hours taken as hours, a multiply-add as one operation"
    ARITHMETIC = "arithmetic", "the arithmetic: its own factors give another product, or one is missing"
    SCOPE = "scope", "the scope: a search, or another part of the work, in place of the model's training"
    CHIPS = "chips", "the chips: their number, cores for chips, or the peak of another number format"
    OTHER_MODEL = "other_model", "another model's figure, or another base model's"
    DATA = "data", "the data: examples, passes or tokens that the run did not have, or an input since revised"


class Certainty(StrEnum):
    """How certain a finding is."""

    CLEAR = "clear"
    LIKELY = "likely"
    OPEN = "open"


class ReadPath(StrEnum):
    """A fact of a model that blind second readings are about; chips are read, and not compared."""

    PARAMETERS = "parameters"
    ACTIVE_PARAMETERS = "active_parameters"
    EXAMPLES_SEEN = "examples_seen"
    CHIP_HOURS = "chip_hours"
    CHIP = "chip"
    PRECISION = "precision"


class ReadUnit(StrEnum):
    """Units of second readings beside those of examples, which readers name as their source does."""

    PARAMETER = "parameter"
    CHIP_HOUR = "chip_hour"


READ_UNITS = {  # of the facts that have one alone
    ReadPath.PARAMETERS: ReadUnit.PARAMETER,
    ReadPath.ACTIVE_PARAMETERS: ReadUnit.PARAMETER,
    ReadPath.CHIP_HOURS: ReadUnit.CHIP_HOUR,
}


class ReadingOutcome(StrEnum):
    """How a blind second reading compares with the ledger's value of the same fact."""

    AGREES = "agrees"  # within `check.same_reading_ratio` of params.yaml, or the same word
    DIFFERS = "differs"
    OTHER_UNIT = "other_unit"  # both state it, in units that have no common measure
    ONLY_READER = "only_reader"
    ONLY_LEDGER = "only_ledger"
    NEITHER = "neither"


class Settlement(StrEnum):
    """Who was right where a reading and the record differ."""

    LEDGER_WRONG = "ledger_wrong"  # or silent on what its sources state; its record was mended
    READER_WRONG = "reader_wrong"
    SCOPE = "scope"  # both are right, of different things
    OPEN = "open"


class ReportedMethod(StrEnum):
    """How authors came to the compute that they report."""

    OPERATION_COUNT = "operation_count"
    GPU_TIME = "gpu_time"
    UNKNOWN = "unknown"


class ReportedConvention(StrEnum):
    """Which operations the compute that authors report counts."""

    OURS = "ours"  # as the ledger counts: multiply-adds as two, causal attention by half
    FULL_ATTENTION = "full_attention"  # every position attends to every other, also where a mask hides half
    NO_SCORES = "no_scores"  # without the products of queries and keys, and of weights and values
    WITH_EMBEDDINGS = "with_embeddings"  # a look-up in the input embeddings as a product with a one-hot vector
    SIX_ND = "six_nd"  # 6 x parameters x examples
    HARDWARE = "hardware"  # with activations computed again: no model FLOP, so never the headline
    UNKNOWN = "unknown"


class Outcome(StrEnum):
    """How an external estimate compares with ours, as who recorded it judged: within a factor of two, or not."""

    AGREES = "agrees"
    DIFFERS = "differs"
    NO_OWN_VALUE = "no_own_value"  # the ledger has no estimate


class Network(Worded):
    """Family of the network that a measurement timed."""

    DENSE_CONVOLUTION = "dense_convolution", "dense convolutional networks"
    DEPTHWISE_CONVOLUTION = "depthwise_convolution", "networks of depthwise convolutions"
    RECURRENT = "recurrent", "recurrent networks"
    LANGUAGE_TRANSFORMER = "language_transformer", "language transformers"
    OTHER_TRANSFORMER = "other_transformer", "other transformers"


# What people call networks of these families.
NETWORK_NAMES: dict[str, str] = {
    **dict.fromkeys(("cnn", "convolution", "alexnet", "vgg", "resnet", "resnext", "inception", "densenet", "unet"), Network.DENSE_CONVOLUTION.value),
    **dict.fromkeys(("depthwise", "mobilenet", "efficientnet", "xception", "convnext"), Network.DEPTHWISE_CONVOLUTION.value),
    **dict.fromkeys(("rnn", "lstm", "gru", "seq2seq"), Network.RECURRENT.value),
    **dict.fromkeys(("llm", "language_model", "gpt", "llama", "bert", "t5", "transformer_decoder", "transformer_encoder", "transformer_encoder_decoder"), Network.LANGUAGE_TRANSFORMER.value),
    **dict.fromkeys(("vit", "vision_transformer", "deit", "swin", "whisper", "evoformer", "diffusion_transformer"), Network.OTHER_TRANSFORMER.value),
    **{network.value: network.value for network in Network},
}  # fmt: skip


class UtilizationCase(StrEnum):
    """Which default utilization a training run has: examples of text, a convolutional network, or another."""

    TEXT = "text"
    CONVOLUTION = "convolution"
    OTHER = "other"


class PriceTerms(Worded):
    """What a price of a chip is for."""

    CHIP = "chip", "the chip alone, bought"
    SERVER = "server", "its share of a server, bought"
    LIST = "list", "an hour on demand, of a provider that discounts commitments"
    ONE_YEAR = "one_year", "an hour, committed for one year"
    THREE_YEARS = "three_years", "an hour, committed for three years"
    MARKET = "market", "an hour on demand, of a provider without such discounts"


class PriceKind(Worded):
    """Whether a chip is bought or rented."""

    PURCHASE = "purchase", "bought"
    RENT = "rent", "rented by the hour"


class CostBasis(Worded):
    """How the cost was estimated, or why it was not."""

    AMORTIZED = "amortized", "chips amortized, and electricity"
    CLOUD_RENT = "cloud_rent", "cloud rent"
    AMORTIZED_AND_RENT = (
        "amortized + cloud_rent",
        "chips amortized with electricity, and cloud rent for those without a price of purchase",
    )
    NO_CHIP_TIME = "no_chip_time", "unknown: the chip time is not known"
    CHIP_UNKNOWN = "chip_unknown", "unknown: the chip is not known"
    NEVER_PRICED = "never_priced", "unknown: no price of the chip is known"
    NO_POWER = "no_power", "unknown: the chip's power is not known, nor a price of rent"
    BEFORE_FIRST_PRICE = "before_first_price", "unknown: trained before the first price that is known of the chip"


class GridBasis(Worded):
    """Whose grid is taken."""

    STATED = "stated", "where it was trained, as stated"
    OPERATOR_COUNTRY = "operator_country", "assumed: the countries of those who trained it"
    WORLD = "world", "assumed: the world's mean, since no country is known"
    NO_GRID = "no_grid", "unknown: no factor of the place is known for that year"


class RunKind(StrEnum):
    """Kind of a measured run: tuned benchmark, plain script, or the training of a model that was then used."""

    BENCHMARK = "benchmark"
    SCRIPT = "script"
    PRODUCTION = "production"


class NoteFinding(Worded):
    """What does not agree between a note on compute and its row."""

    LACKS_SIX = "lacks_six", "the note multiplies parameters and tokens, or names 6ND, without the factor of six"
    SIDES_DIFFER = "sides_differ", "the left side of an equation comes to something else than its right side"
    NOT_IN_NOTE = "not_in_note", "the row's value is neither in the note nor follows from its figures"


class Rejection(Worded):
    """Why a published measurement is not used."""

    HARDWARE_FLOP = "hardware_flop", "includes an unknown number of recomputed operations"
    UNKNOWN_PRECISION = "unknown_precision", "the format of the numbers is not known"
    UNKNOWN_ARCHITECTURE = "unknown_architecture", "the network is not described well enough to count it"
    UNKNOWN_CHIP = "unknown_chip", "the chip, or its peak, is not known"
    ABOVE_PEAK = "above_peak", "more operations than the peak of the chip"
    SPARSE_PEAK = "sparse_peak", "a share of the sparse peak"
    INFERENCE = "inference", "not training"
    INPUT_BOUND = "input_bound", "limited by data loading, not by the network"
    CIRCULAR = "circular", "derived from the utilization that it would test"
    CONTRADICTORY = "contradictory", "its own figures contradict each other"


class RunEvidence(Worded):
    """In what the operations and the time of a gold run were read; the weaker where they differ."""

    LOG = "log", "a log of the run, or a file that a program wrote of it"
    TABLE = "table", "a table of those who ran it"
    QUOTED = "quoted", "sentences of those who ran it"


class HoursCover(Worded):
    """What the time of a gold run covers."""

    WHOLE_RUN = "whole_run", "from start to end, with evaluation, saving and pauses"
    TRAINING = "training", "training steps alone: the clock stopped for evaluation"
    STEPS = "steps", "steps times the time of a step, or tokens over a throughput"
    NOT_SAID = "not_said", "the time of the run, without a word on what is in it"


class GoldMethod(Worded):
    """What a gold run is estimated by, for its score."""

    DEFAULT_UTILIZATION = "default_utilization", "GPU time at the default utilization"
    PREDICTED_UTILIZATION = "predicted_utilization", "GPU time at the utilization that measurements of others predict"
    WHOLE_RUN = "whole_run", "GPU time at what whole runs reach of that: a headline of GPU time alone"
    SIX_ND = "six_nd", "six times active parameters and tokens"


class GoldGrouping(Worded):
    """By what gold runs are grouped."""

    ALL = "all", "All runs"
    PUBLISHED_YEAR = "published_year", "Year"
    GENERATION = "generation", "Generation of chips"
    PRECISION = "precision", "Number format"
    SCALE = "scale", "FLOP, from this on, a thousandfold"
    NETWORK = "network", "Kind of network"
    HOURS_COVER = "hours_cover", "What the time covers"
    RUN_EVIDENCE = "run_evidence", "Read in"
    IS_IN_LEDGER = "is_in_ledger", "Also a model of the ledger"


class LeftOut(Worded):
    """Why a run of a table of measured runs has no utilization, or one that is not used."""

    NOT_COUNTED = "not_counted", "the network is none that the ledger counts"
    OPEN_DIVISION = "open_division", "open division: network and target may be the submitter's own"
    SAMPLES_NOT_LOGGED = "samples_not_logged", "the log does not say how many samples were seen"
    CHIP_NOT_KNOWN = "chip_not_known", "the chip has no record, or there is none"
    CHIPS_NOT_STATED = "chips_not_stated", "the system's description does not say how many chips"
    PRECISION_NOT_STATED = (
        "precision_not_stated",
        "no script of the implementation chooses the number format, or several disagree",
    )
    NO_PEAK = "no_peak", "the chip has no peak in this format"
    ABOVE_PEAK = "above_peak", "more operations than the peak of the chips"


class Timed(StrEnum):
    """Part of training that a measurement timed."""

    FORWARD_BACKWARD = "forward_backward"
    STEP = "step"
    RUN = "run"
