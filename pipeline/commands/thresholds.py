"""`flopledger thresholds`: the probability that a model's training compute is above the thresholds of regulation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import typer

from pipeline.commands import ledger, output
from pipeline.commands.options import Json
from pipeline.publishing.rows import rows
from schemas.vocabulary import ThresholdTotal

Row = dict[str, Any]
TOTALS = {
    ThresholdTotal.CUMULATIVE_FLOP: "the cumulative total: base models and all that its record names as a contribution",
    ThresholdTotal.TRAINING_FLOP: "its training with its base models'; what else contributed is not known, so that the cumulative total may be larger",
}


def thresholds(
    model: Annotated[str, typer.Argument(help="Id, name or alias of a model in the ledger.")],
    json: Json = False,
) -> None:
    """Say with what probability a model is above 1e23, 1e25 and 1e26 FLOP, and from which compute on who modifies it becomes a provider."""
    with ledger.opened() as connection:
        found = ledger.find_model(model, connection)
        (row,) = rows(connection, "select * from estimates where model_id = ?", found)
    if json:
        output.say(output.as_json(answer(row)))
    else:
        output.tell(lines(row))


def answer(row: Row) -> Row:
    """The thresholds with their probabilities, and the third of the compute, of a row of `estimates`."""
    from pipeline.site import guidelines

    return {
        **{
            name: row[name] for name in ("model_id", "name", "training_flop", "training_flop_low", "training_flop_high")
        },
        "threshold_total": row["threshold_total"],
        "cumulative_flop": row["cumulative_flop"],
        "thresholds": [
            {"flop": each.flop, "probability_above_fraction": row[each.column], "meaning": each.meaning}
            for each in guidelines.THRESHOLDS
        ],
        **guidelines.modification(row),
        "base_model": row["base_model"],
        "own_to_base_ratio": row["own_to_base_ratio"],
    }


def lines(row: Row) -> Iterator[str]:
    """The same as text."""
    from pipeline.site import guidelines, numbers

    yield f"{row['name']} ({row['model_id']})"
    if row["training_flop"] is None:
        yield "training compute: unknown, so that no probability can be given"
        return
    interval = f"90 % interval {output.number(row['training_flop_low'])} to {output.number(row['training_flop_high'])}"
    yield f"training compute: {output.number(row['training_flop'])} FLOP ({interval})"
    yield "probability of being above"
    for each in guidelines.THRESHOLDS:
        yield f"  {each.flop:.0e}  {numbers.probability(row[each.column]):<14}  {each.meaning}".replace("e+", "e")
    yield f"  of {TOTALS[ThresholdTotal(row['threshold_total'])]}"
    third = guidelines.modification(row)
    ends = " to ".join(output.number(third[f"modification_{end}_flop"]) for end in ("low", "high"))
    yield f"a third of it: {output.number(third['modification_flop'])} FLOP (90 % interval {ends})"
    yield "  above that, who modifies this model is considered the provider of the result (EU guidelines)"
    if row["own_to_base_ratio"] is not None:
        is_above = row["own_to_base_ratio"] > guidelines.MODIFIER_SHARE_FRACTION
        side = "above" if is_above else "below"
        yield (
            f"it is itself made from {row['base_model']}: its own training is {row['own_to_base_ratio']:.3g} of its base's,"
            f" {side} a third"
        )
    yield f"read: {guidelines.GUIDELINES['version_read']}; {guidelines.GUIDELINES['status']}"
