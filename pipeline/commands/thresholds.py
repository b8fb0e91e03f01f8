"""`flopledger thresholds`: the probability that a model's training compute exceeds each regulatory threshold."""

from collections.abc import Iterator
from typing import Annotated, Any

import typer

from pipeline.answers import account_text, guidelines, ledger, output
from pipeline.answers.options import Json
from pipeline.answers.terminal import Aside, Heading, Strong
from pipeline.base.text.numbers import flop, interval, probability
from schemas.vocabulary import THRESHOLDS, ThresholdTotal

Row = dict[str, Any]
OF_TOTAL = (
    "model_id name training_flop training_flop_low training_flop_high training_flop_at_least threshold_total"
    " cumulative_flop"
).split()
OF_THRESHOLD = ("flop", "probability_above_fraction", "meaning", "text")


def thresholds(
    model: Annotated[str, typer.Argument(help="Id, name or alias of a model in the ledger.")], json: Json = False
) -> None:
    """Show the probability that a model exceeds each threshold.

    The thresholds are 1e23, 1e25 and 1e26 FLOP. A third of the model's compute is shown: in the EU, whoever modifies
    the model with more than that is considered the provider of the result.
    """
    row = dict(ledger.account_of(model))
    output.answer(answer(row), lines(row), as_json=json)


def answer(row: Row) -> Row:
    """Return an account's thresholds with their probabilities, and one third of its compute."""
    return {
        **{name: row[name] for name in OF_TOTAL},
        "thresholds": [{key: threshold[key] for key in OF_THRESHOLD} for threshold in row["thresholds"]],
        **guidelines.modification(row),
        "base_model": row["base_model"],
        "own_to_base_ratio": row["own_to_base_ratio"],
    }


def lines(row: Row) -> Iterator[str]:
    """Yield the thresholds and their probabilities as text."""
    made_from = f", made from {row['base_model'].replace(' | ', ' and ')}" if row["base_model"] else ""
    yield Heading(f"{row['name']} ({row['model_id']}){made_from}")
    if row["training_flop"] is None:
        least = row["training_flop_at_least"]
        known = f"at least {flop(least)}" if least else "unknown"
        yield Strong(f"training compute: {known}, so there is no probability")
        yield from (f"  above {threshold.word}: it is" for threshold in THRESHOLDS if (least or 0) >= threshold.flop)
        yield Aside(f"what we looked for: flopledger show {row['model_id']}")
        return
    yield Strong(f"training compute: {flop(row['training_flop'])} ({_interval(row, 'training_flop')})")
    total = guidelines.total_flop(row)
    amount = f"{flop(total)}, " if total is not None else ""
    yield f"total that is compared: {amount}{ThresholdTotal(row['threshold_total']).words}"
    yield "probability that it is above each threshold:"
    for threshold in THRESHOLDS:
        yield f"  {threshold.word}: {probability(row[threshold.column])}"
        yield f"    {threshold.meaning} ({threshold.text})"
    third = guidelines.modification(row)
    ends = _interval(third, "modification", "_flop")
    yield f"a third of its training compute: {flop(third['modification_flop'])} ({ends})"
    yield "  EU: above that, whoever modifies this model is considered the provider of the result (same guidelines)"
    yield from account_text.share_of_base(row)
    yield Aside(f"guidelines read: {guidelines.GUIDELINES['version_read']}. {guidelines.GUIDELINES['status']}")


def _interval(row: Row, name: str, unit: str = "") -> str:
    return f"90 % interval {interval(row[f'{name}_low{unit}'], row[f'{name}_high{unit}'])}"
