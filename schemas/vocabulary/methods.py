"""Words for the two methods and the headline."""

from enum import StrEnum
from typing import NamedTuple

from schemas.vocabulary.wording import Worded


class Generation(StrEnum):
    """The microarchitecture or product line of a chip, as its maker names it."""

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
    """The evidence behind a headline, which sets the width of its interval (methods, section 4)."""

    CONFIRMED = "confirmed", "an operation count that the authors' own total confirms"
    STATED = "stated", "an operation count from a stated network and stated data"
    WEAK = "weak", "an operation count with one weaker input"
    REPORTED = "reported", "a stated total that no count could check"
    GPU_TIME = "gpu_time", "only GPU time"


class PrecisionRule(Worded):
    """How we know a run's precision: stated, implied by the chip's formats, or inferred (methods, section 3)."""

    STATED = "stated", "stated"
    ONLY_FORMAT = "only_format", "the chip's only format"
    MAKER_CHIP = "maker_chip", "not stated; the only matrix format of its maker's own chips"
    NO_FAST_16BIT = "no_fast_16bit", "not stated; the chip has no fast 16-bit format"
    LARGE_INDUSTRY_RUN = "large_industry_run", "not stated; large industry runs use the chip's fastest 16-bit format"
    BEFORE_SIXTEEN_BIT = "before_sixteen_bit", "not stated; published before 16-bit training was usual"
    BEST_SIXTEEN_BIT = "best_sixteen_bit", "not stated; the chip's fastest 16-bit format is assumed"


class WeakReason(Worded):
    """A reason why an operation count is less certain than a count from a stated network and stated data."""

    SEVERAL_NETWORKS = "several_networks", "several networks train together"
    FROM_PARAMETERS = "from_parameters", "6 × parameters, not by layer"
    STATED_FORWARD = "stated_forward", "the operations of one example are as stated, not counted"
    DATA_ANALYSIS = "data_analysis", "the data come from analysts or the press"
    DATA_ASSUMED = "data_assumed", "part of the data is assumed"
    DATA_IMPUTED = "data_imputed", "the epochs are not stated, and one is assumed"
    DATA_RANGE = "data_range", "the data are known only as a range"
    DATA_TABLE = "data_table", "data or epochs are from somebody else's table"
    DATA_UNREAD = "data_unread", "the source of data or epochs was not read"
    DATA_CONTRADICT = "data_contradict", "stated epochs and steps contradict each other"
    DATA_BOUND = "data_bound", "the data are stated only as a bound"
    PART_LEFT_OUT = "part_left_out", "a part of the network is not counted, so it is at least this"
    NETWORK_UNREAD = "network_unread", "part of the network was not read in its source"
    LENGTH_ASSUMED = "length_assumed", "the sequence length is assumed"
    USER_RANGE = "user_range", "a figure is a range"


class NamedSecond(StrEnum):
    """The second estimate that differs from a headline and widens its interval."""

    GPU_TIME = "gpu_time"
    REPORTED = "reported"
    OPERATION_COUNT = "operation_count"


class GpuTimeReason(Worded):
    """The reason why a headline uses a certain GPU time."""

    STATED_MAY_REST_ON_COUNT = (
        "stated_may_rest_on_count",
        "at three quarters of the default utilization, because the stated one may itself come from an operation count",
        "default × ¾",
    )
    STATED_BEATS_TWO_N = "stated_beats_two_n", "at the stated utilization", "stated"
    STATED = "stated", "at the stated utilization", "stated"
    MEASURED = (
        "measured",
        "at three quarters of the utilization predicted from similar runs, which is typical of whole runs",
        "predicted, × ¾",
    )
    PLAN = "plan", "at the default utilization, which logged whole runs of language models reach", "default"
    NOTHING_BETTER = (
        "nothing_better",
        "at three quarters of the default utilization, which is typical of whole runs",
        "default × ¾",
    )


class UnusedReport(Worded):
    """A reason why a total that the authors report is not the headline."""

    ERRATUM = "erratum", "an erratum contradicts it", "see erratum"
    HARDWARE_FLOP = "hardware_flop", "it includes recomputed activations (hardware FLOP)", "with recomputation"


class InputClass(StrEnum):
    """A class of inputs by how well they are known, from one stated figure to an imputed one."""

    STATED_BY_USER = "stated_by_user"  # the user's figures: exact
    PART_LEFT_OUT = "part_left_out"  # the user's figures, with a network that can be counted only in part
    LENGTH_ASSUMED = "length_assumed"  # the user's figures, with an assumed sequence length
    USER_RANGE = "user_range"  # the user's figures, exact but for a range
    EXACT = "exact"  # one stated figure
    PRODUCT = "product"  # a product of several stated figures
    RANGE = "range"  # stated as a range, with its own width
    TABLE = "table"  # from someone else's table
    UNREAD = "unread"  # from a source that nobody opened
    BOUND = "bound"  # only one end of a factor is stated
    ASSUMED = "assumed"  # a factor is an assumption of the record
    ANALYSIS = "analysis"  # a factor is from analysts or the press
    IMPUTED = "imputed"


PARTLY = {InputClass.ASSUMED: "partly assumed", InputClass.UNREAD: "partly not read"}  # in place of "stated"


class Grouping(StrEnum):
    """The criterion for grouping models in the comparison of methods; `published`: pairs that others calculated."""

    ALL = "all"
    DOMAIN = "domain"
    YEAR = "year"
    IMPUTED = "imputed"
    PUBLISHED = "published"


class Threshold(NamedTuple):
    """A number of FLOP above which a law treats models differently: its column name, consequence and legal text."""

    flop: float
    word: str
    meaning: str
    text: str

    @property
    def column(self) -> str:
        """Return the column of `estimates` with the probability that a model is above the threshold."""
        return f"probability_above_{self.word}_fraction"


THRESHOLDS = (
    Threshold(
        1e23,
        "1e23",
        "EU: indicates a general-purpose AI model, if it generates language, images or video from text",
        "Commission guidelines C(2025) 5045, paragraph 17",
    ),
    Threshold(
        1e25, "1e25", "EU: presumed to have high-impact capabilities, and so systemic risk", "AI Act, Article 51(2)"
    ),
    Threshold(
        1e26,
        "1e26",
        "US: a frontier model in California's SB 53 and New York's RAISE Act, which count later training by its"
        " developer too",
        "California Business and Professions Code 22757.11; New York General Business Law 1420",
    ),
)
POSSIBLE_FRACTION = 0.05  # lists show models that exceed a threshold with at least this probability
# Anyone who modifies a model using more than this share of its compute becomes its provider (same guidelines,
# paragraph 63).
MODIFIER_SHARE_FRACTION = 1 / 3


class Confidence(StrEnum):
    """The word for how far to trust a total: by the probability of an error above 2x and by evidence (methods, 5)."""

    CONFIDENT = "confident"
    ROUGH = "rough"
    ORDER_OF_MAGNITUDE = "order_of_magnitude"
    SPECULATIVE = "speculative"


class StatedConfidence(StrEnum):
    """The confidence of others in their own figure, in their words."""

    CONFIDENT = "confident"
    LIKELY = "likely"
    SPECULATIVE = "speculative"
