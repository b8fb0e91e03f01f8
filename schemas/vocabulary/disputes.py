"""Words for disputes between the two methods and for the inputs that the methods share."""

from enum import StrEnum

from schemas.vocabulary.wording import Worded


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


# A cause that only restates the ratio of the two methods is not a cause: such disputes are "unexplained".
DISPUTE_CAUSES = {  # in brief; `used` is the utilization that the count implies
    DisputeCause.SLOW_AS_LIKE_RUNS: "unexplained; the count implies {used} of the peak",
    DisputeCause.NETWORK_OR_SCOPE: "count and time cover different work",
    DisputeCause.MACHINE: "chip, precision, number or time is not certain",
    DisputeCause.DATA: "how much data was used is not known exactly",
    DisputeCause.TOO_FAST: "{used} of the peak is too fast: chips or days are too few",
    DisputeCause.SLOW_UNLIKE_OTHERS: "unexplained; the count implies {used} of the peak",
    DisputeCause.UNEXPLAINED: "unexplained",
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
