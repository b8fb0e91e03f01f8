"""Which input would narrow a model's interval most if it were known exactly, or at all.

The variances are those that `reconciliations` publishes; an input that is known takes its own away, and with it the variance of gross errors
and of the distance between the methods where it is the cause of their dispute. Fine-tuned models have no row: their base models' inputs
would have to be ranked with their own.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pipeline.formulas import agreement
from pipeline.formulas.uncertainty import spread, variance
from schemas.vocabulary import DisputeCause, HeadlineMethod, Input

Row = Mapping[str, Any]
RANKED = (HeadlineMethod.MIXTURE, HeadlineMethod.OPERATION_COUNT, HeadlineMethod.GPU_TIME)
RESOLVED_BY = {
    DisputeCause.SCOPE_MISMATCH: Input.CHIP_TIME,
    DisputeCause.PRECISION: Input.PRECISION,
    DisputeCause.MULTIPLY_ADD: Input.FORWARD_FLOP,
    DisputeCause.EPOCHS_OR_PASSES: Input.EXAMPLES,
    DisputeCause.CHIP_VS_CORE: Input.CHIP_TIME,
    DisputeCause.IMPUTED_HARDWARE: Input.PEAK,
    DisputeCause.UTILIZATION: Input.UTILIZATION,
    DisputeCause.PARAMETERS_SHARED: Input.FORWARD_FLOP,
}
Gained = (
    tuple[Input, float] | None
)  # a missing input that alone would make the other method available, and that method's log_sd


def ranked(estimates: Iterable[Row], reconciliations: Mapping[str, Row], gained: Mapping[str, Gained]) -> list[Row]:
    """Rows of `input_priorities`, the largest gain first; `gained` has, for models with one method, the input that would make the other available."""
    found = []
    for row in estimates:
        if row["headline_method"] in RANKED and row["base_model"] is None:
            own = reconciliations[row["model_id"]]
            interval_ratio = row["training_flop_high"] / row["training_flop_low"]
            most_informative, narrowing = best(own, interval_ratio, row["dispute_cause"], gained.get(row["model_id"]))
            found.append((narrowing, row, most_informative))
    found.sort(key=lambda each: (-each[0], each[1]["model_id"]))
    return [
        {
            "rank": rank,
            "model_id": row["model_id"],
            "most_informative_input": most_informative.value,
            "interval_ratio": row["training_flop_high"] / row["training_flop_low"],
            "narrowing_ratio": narrowing,
        }
        for rank, (narrowing, row, most_informative) in enumerate(found, start=1)
    ]


def gained(method: str, counted: Sequence[Row], log_sd: Mapping[str, float], classes: Mapping[str, float], default_log_sd: Mapping[str, float]) -> Gained:  # fmt: skip
    """The only missing input of a model's other method, and that method's log standard deviation.

    `counted` are the model's rows of `operation_estimates`; `log_sd` and `classes` the standard deviations by input and by class of
    evidence, `default_log_sd` those of the default utilization by case.
    """
    if method == HeadlineMethod.OPERATION_COUNT:
        used = max(default_log_sd[each["utilization_case"]] for each in counted)
        return Input.CHIP_TIME, spread(variance(classes["chip_seconds_product"], log_sd["peak"], used))
    data = variance(classes["examples_product"])
    if counted and all(each["forward_flop_per_example"] is not None for each in counted):
        return Input.EXAMPLES, spread(data + variance(log_sd["derived"]))
    if counted and all(each["examples_seen_basis"] is not None for each in counted):
        return Input.FORWARD_FLOP, spread(data + variance(log_sd["counted"]))
    return None


def best(row: Row, interval_ratio: float, cause: str | None = None, gained: Gained = None) -> tuple[Input, float]:
    """The input that would narrow the interval most, and by which factor of `interval_ratio`, high / low.

    `row` is one of `reconciliations`. The interval's logarithm shrinks as the standard deviation does.
    """
    now = row["own_log_sd"]
    left = {word: _left(row, word, cause) for word in Input if word not in (Input.GROSS_ERROR, Input.REPORTED)}
    found = [(word, each) for word, each in left.items() if row[f"variance_{word.value}"] > 0]
    found += list(_with_other_method(now, gained))
    if not found:
        return Input.GROSS_ERROR, 1.0
    most_informative, least = min(found, key=lambda each: (each[1], each[0].value))
    return most_informative, interval_ratio ** max(1 - least / now, 0.0)


def _left(row: Row, known: Input, cause: str | None) -> float:
    is_resolved = cause is not None and RESOLVED_BY.get(DisputeCause(cause)) == known
    taken = row[f"variance_{known.value}"] + (row["variance_gross_error"] if is_resolved else 0.0)
    return math.sqrt(max(row["own_log_sd"] ** 2 - taken, 0.0))


def _with_other_method(now: float, gained: Gained) -> Iterator[tuple[Input, float]]:
    if gained:
        word, other = gained
        yield word, math.sqrt(agreement.combined_variance(now**2, other**2))
