"""Words for disputes between the two methods and for the inputs that the methods share."""

from enum import StrEnum
from typing import NamedTuple

from schemas.vocabulary.worded import Worded


class DisputeCause(StrEnum):
    """A cause for which the two methods disagree: the record's, otherwise by the first rule that applies (methods, section 4)."""

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
    """A sentence about the cause of a dispute, and the fact that would settle it."""

    meaning: str
    would_settle: str


# `would_settle` never asks for a speed, chip or batch, because many disputed records already state these.
_LOG = "a log of the run that shows how long its chips worked and how long they waited"
DISPUTE_CAUSES = {  # the sentences for readers
    DisputeCause.SLOW_AS_LIKE_RUNS: CauseText(
        "Utilization was low, as is expected of similar runs; the default is too high here. The count stands.", _LOG
    ),
    DisputeCause.NETWORK_OR_SCOPE: CauseText(
        "The two methods cover different work: the count misses operations, or the time covers more than what is counted.",
        "what the count leaves out, or what else the time covers",
    ),
    DisputeCause.MACHINE: CauseText(
        "The chip, its precision, the number of chips or their time is not known for certain, and the GPU time depends on it.",
        "the facts about the machine that are not stated",
    ),
    DisputeCause.DATA: CauseText(
        "How much data was used is not known exactly.",
        "the facts about the data that are not stated: the examples, the epochs, the batch of a step or the length of an example",
    ),
    DisputeCause.TOO_FAST: CauseText(
        "The count would need more of the chips' peak than similar runs are expected to reach. The stated chips or days are probably too few.",
        "a log of the chip hours of the whole run",
    ),
    DisputeCause.SLOW_UNLIKE_OTHERS: CauseText(
        "Unexplained: the chips reached little of their peak, and no source settles why.", _LOG
    ),
    DisputeCause.UNEXPLAINED: CauseText(
        "Neither method is certain enough to tell which one is wrong.",
        "a second source for the data seen, or of the chips and their time",
    ),
}


class DisputeSide(StrEnum):
    """The method that a record considers right: the operation count or the GPU time."""

    OPERATIONS = "operations"
    TIME = "time"


class Independence(Worded):
    """The relation of the two methods: they share no uncertain input, share one, are derived from each other, or are both stated.

    The sentence explains what this means for their agreement; it is empty if there is nothing to explain.
    """

    INDEPENDENT = "independent", "", "independent"
    SHARED_INPUT = (
        "shared_input",
        "Both methods use the same source or figure for the {fact}, so their agreement is no surprise.",
        "both use one fact",
    )
    CIRCULAR = (
        "circular",
        "One of the two was derived from the other, so their agreement proves nothing.",
        "one was derived from the other",
    )
    MEASURED = (
        "measured",
        "Operations and time are both stated. Together they give the utilization; neither confirms the other.",
        "together they give the utilization",
    )
