"""Find a fact that both methods share: time derived from data, data derived from time, or one outsider for both."""

import itertools

from pipeline.rules.ingestion.input_classes import NUMBER, outside_source
from schemas.facts import Fact
from schemas.records import Model

SMALLEST_DISTINCTIVE = 100  # smaller figures may be equal by chance, such as 7 days and 7 epochs


def shared_input(model: Model) -> str | None:
    """Return the path of the first fact that both methods use, such as training[0].steps, or None.

    Data and time that are stated by the same analyst or newspaper count as one fact, because one of them may have been
    derived from the other.
    """
    for index, phase in enumerate(model.training):
        amounts = {name: getattr(phase, name) for name in ("examples", "epochs", "steps") if getattr(phase, name)}
        times = {
            f"hardware[{place}].{name}": getattr(allocation, name)
            for place, allocation in enumerate(phase.hardware)
            for name in ("duration", "chip_time")
            if getattr(allocation, name)
        }
        for (amount_name, amount_fact), (time_name, time_fact) in itertools.product(amounts.items(), times.items()):
            if _is_figure_of(amount_fact, time_fact):
                return f"training[{index}].{amount_name}"
            if _is_figure_of(time_fact, amount_fact):
                return f"training[{index}].{time_name}"
            if (source := outside_source(model, amount_fact)) and source == outside_source(model, time_fact):
                return f"training[{index}].{amount_name}"
    return None


def _is_figure_of(fact: Fact, other: Fact) -> bool:
    """Return whether the value of a fact, as written, occurs in the other fact's arithmetic."""
    if fact.is_range or not other.derived:
        return False
    figure = float(NUMBER.findall(fact.written)[0])
    return figure >= SMALLEST_DISTINCTIVE and figure in map(float, NUMBER.findall(other.derived))
