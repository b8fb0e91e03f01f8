"""Words for disputes between the two methods and for the inputs that the methods share."""

from enum import StrEnum
from typing import NamedTuple

from schemas.vocabulary.worded import Worded


class DisputeCause(StrEnum):
    """Why the two methods disagree: the record's cause, otherwise the first rule that applies (methods, section 4)."""

    SLOW_AS_LIKE_RUNS = "slow_as_like_runs"
    NETWORK_OR_SCOPE = "network_or_scope"
    MACHINE = "machine"
    DATA = "data"
    TOO_FAST = "too_fast"
    SLOW_UNLIKE_OTHERS = "slow_unlike_others"
    UNEXPLAINED = "unexplained"  # the record states no cause and no rule applies


# A record may state every cause except "unexplained".
StatedCause = StrEnum(  # type: ignore[misc]  # mypy asks for literal words
    "StatedCause", [(word.name, word.value) for word in DisputeCause if word != DisputeCause.UNEXPLAINED]
)


class CauseText(NamedTuple):
    """A sentence about the cause of a dispute, and the cause in brief, with the utilization that the count implies."""

    meaning: str
    brief: str


# A cause that only restates the ratio of the two methods is not a cause: such disputes are "unexplained".
DISPUTE_CAUSES = {  # the sentences for readers
    DisputeCause.SLOW_AS_LIKE_RUNS: CauseText(
        "Unexplained: the chips reached little of their peak, as similar runs do. The count stands.",
        "unexplained; the count implies {used} of the peak",
    ),
    DisputeCause.NETWORK_OR_SCOPE: CauseText(
        "The two methods cover different work: the count misses operations, or the time covers more than what is"
        " counted.",
        "count and time cover different work",
    ),
    DisputeCause.MACHINE: CauseText(
        "The chip, its precision, the number of chips or their time is not known for certain, and the GPU time"
        " depends on it.",
        "chip, precision, number or time is not certain",
    ),
    DisputeCause.DATA: CauseText(
        "How much data was used is not known exactly.", "how much data was used is not known exactly"
    ),
    DisputeCause.TOO_FAST: CauseText(
        "The count would need more of the chips' peak than similar runs are expected to reach. The stated chips or"
        " days are probably too few.",
        "{used} of the peak is too fast: chips or days are too few",
    ),
    DisputeCause.SLOW_UNLIKE_OTHERS: CauseText(
        "Unexplained: the chips reached little of their peak, and no source settles why.",
        "unexplained; the count implies {used} of the peak",
    ),
    DisputeCause.UNEXPLAINED: CauseText(
        "Unexplained: neither method is certain enough to tell which one is wrong.", "unexplained"
    ),
}


class DisputeSide(StrEnum):
    """The method that a record considers right: the operation count or the GPU time."""

    OPERATIONS = "operations"
    TIME = "time"


class Independence(Worded):
    """Whether the two methods share no uncertain input, share one, are derived from each other, or are both stated."""

    INDEPENDENT = "independent", "independent"
    SHARED_INPUT = "shared_input", "both use one fact"
    CIRCULAR = "circular", "one was derived from the other"
    MEASURED = "measured", "together they give the utilization"
