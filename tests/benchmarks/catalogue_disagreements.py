"""Why our estimate of a row and Epoch's value differ by more than 2x: whose number is wrong, by rules without judgement case by case.

Each rule takes a Case and returns whose number is wrong (or that the scopes differ) and a sentence, or None where it does not apply."""

import math
import re
from typing import NamedTuple

from pipeline.catalogues.rows import Draft

OURS, THEIRS, SCOPE, OPEN = "ours", "theirs", "scope", "open"
EXACT = 1.05  # factor within which two numbers count as the same product
UTILIZATION = {"text": 1.0, "other": 0.3 / 0.4}  # Epoch mostly assumes 0.3, we 0.4 for all but text


class Case(NamedTuple):
    """A row that disagrees, with Epoch's value and its notes on it."""

    draft: Draft
    estimate: dict
    theirs: float
    notes: str

    @property
    def ratio(self):
        """Ours divided by theirs."""
        return self.estimate["training_flop"] / self.theirs

    def cell(self, name):
        """The number of a cell, None where there is none."""
        return self.draft.row.number(name)


def explanation(case: Case) -> tuple[str, str]:
    """Whose number is wrong, or that the scopes differ, and a sentence with the reason, by the first rule that applies."""
    for rule in RULES:
        said = rule(case)
        if said:
            return said
    return OPEN, "no rule explains it; see the row's notes"


def near(value, other, factor=EXACT):
    """Whether two numbers are known and equal within a factor."""
    return bool(value and other) and 1 / factor <= value / other <= factor


def searched(case):
    """Theirs is the compute of an architecture search, ours the training of the network that it found."""
    if case.ratio < 1 and re.search(r"architecture search|\bNAS\b|search takes|networks \*", case.notes):
        return SCOPE, "theirs is the search for the architecture, ours the training of the network found"
    return None


def power_of_ten(case):
    """6 x parameters x data of their row differs from their compute by a power of ten."""
    product = _product(case)
    for power in (10, 100, 1000):
        for factor in (power, 1 / power):
            if product and near(product * factor, case.theirs):
                wrong = "compute" if near(case.estimate["training_flop"], product, 2) else "compute or data"
                return (
                    THEIRS,
                    f"their {wrong}: 6 x parameters x data of the row give {product / case.theirs:.3g} of it, a power of ten",
                )
    return None


def pictures_as_tokens(case):
    """Theirs is 6 x parameters x pictures, as if a picture were one token."""
    if (
        case.draft.kind in {"images", "needed", "speech", "counted"}
        and near(_product(case), case.theirs)
        and case.ratio > 2
    ):
        return (
            THEIRS,
            "their compute: 6 x parameters x examples uses each parameter once a picture, as no convolution or patch network does",
        )
    return None


def hours_for_chip_hours(case):
    """Their chip-hours are hours of all chips together, or chip-days."""
    stated, chips = case.cell("chip_hours"), case.cell("chips")
    if case.estimate["headline_method"] != "gpu_time" or not stated:
        return None
    ratios = [case.ratio * scale for scale in UTILIZATION.values()]
    if chips and chips > 2 and any(near(ratio, 1 / chips, 1.1) for ratio in ratios):
        return THEIRS, f"their chip-hours ({stated:.6g}) are hours of {chips:.0f} chips"
    if any(near(ratio, 1 / 24, 1.2) for ratio in ratios):
        return THEIRS, f"their chip-hours ({stated:.6g}) are chip-days"
    return None


def base_scope(case):
    """Fine-tuned models: one of the two includes the base model, or counts it otherwise."""
    if not case.draft.bases:
        return None
    base, total = case.estimate["base_training_flop"], case.estimate["training_flop"]
    if base and near(total - base, case.theirs, 2):
        return SCOPE, "theirs is the fine-tuning alone, ours includes the base model"
    if base and base / case.theirs > 2:
        return OURS, "the base model that the row names counts in full; theirs takes less of it"
    if not base and case.ratio < 1:
        return SCOPE, "theirs includes the base model, ours is the row's own training: the base is not known"
    if base:
        return OURS, "the base model's tokens are those of another size of its family, or its epochs are not stated"
    return SCOPE, "data of the row are taken to include the base model's; theirs counts them otherwise"


def guessed_passes(case):
    """Our number of passes over the data comes from a rule."""
    found = re.search(r"([\d.e+]+) passes assumed", case.estimate["rules"] or "")
    if not found:
        return None
    return (
        OURS,
        f"the row states no epochs: {found[1]} assumed, theirs are {float(found[1]) / case.ratio:.3g} if all else agrees",
    )


def one_pass(case):
    """The row states no epochs, and we assume one."""
    if "one pass assumed" in (case.estimate["rules"] or ""):
        if near(case.ratio, 0.5, 3) or case.ratio < 1:
            return OURS, f"the row states no epochs: one assumed, theirs are {1 / case.ratio:.3g} if all else agrees"
        return (
            THEIRS,
            f"their data or parameters: 6 x parameters x data of the row is {case.ratio:.3g} times their compute in a single pass",
        )
    return None


def guessed_share(case):
    """The active parameters of a mixture of experts are not stated, and we assume a share."""
    if "active share" in (case.estimate["rules"] or ""):
        return (
            OURS,
            f"the active share of the experts is not stated: 10 % assumed, theirs is {10 / case.ratio:.3g} % if all else agrees",
        )
    return None


def two_methods(case):
    """We have both methods: theirs is near one of them, or near neither."""
    operations, timed = case.estimate["operation_count_flop"], case.estimate["gpu_time_flop"]
    if not (operations and timed):
        return None
    nearer, other = (
        ("GPU time", "operations")
        if abs(math.log(timed / case.theirs)) < abs(math.log(operations / case.theirs))
        else ("operations", "GPU time")
    )
    value = timed if nearer == "GPU time" else operations
    if near(value, case.theirs, 2):
        return (
            OURS,
            f"the two methods differ by {operations / timed:.3g}; theirs follows {nearer}, ours combines it with {other}",
        )
    return (
        OURS,
        f"neither operations ({operations / case.theirs:.3g} of theirs) nor GPU time ({timed / case.theirs:.3g}) is near",
    )


def left_out(case):
    """We left out operations or time, and theirs follows the one left out."""
    rules = case.estimate["rules"] or ""
    product = _product(case)
    if "operations left out" in rules and near(product, case.theirs, 2):
        return OURS, "theirs follows operations, which were left out beside the stated time"
    if "time left out" in rules:
        return OURS, "theirs follows the time, which was left out since operations are above the peak of its chips"
    return None


def precision(case):
    """GPU time only: the chip, the number format or the scope differ."""
    if case.estimate["headline_method"] != "gpu_time":
        return None
    said = case.estimate["precision"] or "the year's default"
    is_inferred = "precision" in (case.estimate["imputed_inputs"] or "")
    if case.estimate["hardware_basis"] in {"default_year", "default_nearest_year"}:
        return OURS, "the chip is not named: the year's default peak stands for it"
    if is_inferred and near(case.ratio, 1, 14):
        return OURS, f"the number format is not stated: {said} by rule, theirs takes the peak of another"
    if near(case.ratio, 1, 5):
        return (
            THEIRS,
            f"their peak or utilization: the row's chips, time and format ({said}) give {case.ratio:.3g} times theirs",
        )
    return (
        SCOPE,
        f"chips and time of the row give {case.ratio:.3g} times theirs: it covers another part of the training",
    )


def image_ratio(case):
    """Image networks without a known architecture: FLOP a parameter and picture are assumed."""
    if "of counted image networks" not in (case.estimate["rules"] or ""):
        return None
    implied = 266 / case.ratio
    if 80 <= implied <= 900:
        return OURS, f"layers unknown: 266 FLOP a parameter a picture assumed, theirs comes to {implied:.3g}"
    return (
        THEIRS,
        f"their data, epochs or compute: together they come to {implied:.3g} FLOP a parameter a picture, outside the 24 to 900 of counted networks",
    )


def dense(case):
    """Small networks before 2012, taken as fully connected: each parameter is used once an example."""
    if case.draft.kind == "dense":
        return (
            OURS,
            f"each parameter taken once an example; theirs comes to {1 / case.ratio:.3g} uses (weights shared, or data counted otherwise)",
        )
    return None


def speech(case):
    """Speech: frames for each word of the transcript are assumed."""
    if case.draft.kind == "speech":
        return OURS, f"words taken for {13.2:.3g} frames each; theirs comes to {13.2 / case.ratio:.3g}"
    return None


def ledger(case):
    """Ours is a record of the ledger, with facts from the publication."""
    if case.estimate["headline_method"] == "ledger":
        return THEIRS, "ours is the ledger's record, from the publication's own words; see `flopledger explain`"
    return None


def hardware_of_theirs(case):
    """Theirs follows a time that only its note states, ours the operations."""
    says_time = re.search(
        r"utili[sz]ation|GPU|TPU|V100|A100|peak|seconds?|hours?|days?|FLOPS|TFLOP", case.notes, re.IGNORECASE
    )
    if case.estimate["headline_method"] == "operation_count" and says_time:
        return (
            OURS,
            f"theirs follows a time or factors of its note; data of the row come to {case.ratio:.3g} of it (passes or data are of another stage)",
        )
    if case.estimate["headline_method"] == "operation_count":
        return (
            THEIRS,
            f"their compute is quoted from elsewhere; parameters, data and epochs of the row come to {case.ratio:.3g} of it",
        )
    return None


def _product(case):
    parameters, data = case.cell("parameters"), case.cell("datapoints")
    return 6 * parameters * data * (case.cell("epochs") or 1) if parameters and data else None


RULES = (
    searched, power_of_ten, pictures_as_tokens, hours_for_chip_hours, ledger, base_scope, guessed_share, guessed_passes,
    two_methods, left_out, precision, image_ratio, dense, speech, one_pass, hardware_of_theirs,
)  # fmt: skip
