"""`flopledger list`: models of the published ledger, filtered and sorted."""

from __future__ import annotations

import textwrap
from collections.abc import Container, Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline.answers import ledger, output
from pipeline.answers.options import Csv, Json, refuse_both
from pipeline.answers.selection import (
    MADE_FROM_ANOTHER,
    Selection,
    TierOption,
    add_selection,
    possible_selection,
    selected_rows,
)
from pipeline.base.text.numbers import bound_text, number
from pipeline.publishing.models_without_estimate import models_without_estimate
from pipeline.publishing.rows import rows
from schemas.limits import FIRST_YEAR, LAST_YEAR
from schemas.spelling import chosen
from schemas.vocabulary import POSSIBLE_FRACTION, THRESHOLDS

if TYPE_CHECKING:
    import duckdb


class Order(StrEnum):
    """The orders in which models can be listed."""

    COMPUTE = "compute"
    PUBLISHED = "published"
    NAME = "name"
    WIDTH = "width"


@add_selection()
def list_models(
    year: Annotated[int | None, typer.Option(min=FIRST_YEAR, max=LAST_YEAR, help="Published in this year.")] = None,
    probability: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=1,
            help="With --at-least: show models that reach it with at least this probability (by default 0.05).",
        ),
    ] = None,
    columns: Annotated[
        str | None, typer.Option(help="Columns to show, separated by commas; a narrow terminal shows only the first.")
    ] = None,
    sort: Annotated[
        Order, typer.Option(help="Sort order; compute and width list the largest first.")
    ] = Order.PUBLISHED,
    limit: Annotated[int | None, typer.Option(min=1, max=1_000_000, help="Show at most this many.")] = None,
    csv: Csv = False,
    json: Json = False,
    **options: Any,
) -> None:
    """List models with their training FLOP and its 90 % interval."""
    refuse_both(csv, json)
    selection = possible_selection(**options)
    if year is not None:
        if selection.from_year is not None or selection.to_year is not None:
            raise typer.BadParameter("--year goes without --from-year and --to-year")
        selection = selection._replace(from_year=year, to_year=year)
    threshold = selection.at_least
    with ledger.open_ledger() as connection:
        chance = column_of_chance(threshold, probability)
        shown = columns_of(selection, chance) if columns is None else chosen_columns(columns, connection)
        of_any = selection._replace(at_least=None)
        if chance:
            least = POSSIBLE_FRACTION if probability is None else probability
            models = selected_rows(
                connection, of_any, shown, sort.value, limit, f"{chance} >= {least}", MADE_FROM_ANOTHER
            )
            for words, among in modified_and_near(chance, least):
                if number := len(selected_rows(connection, of_any, ["model_id"], also=among)):
                    output.remark(f"{number} {words}")
        else:
            models = selected_rows(connection, selection, shown, sort.value, limit)
        if sort is Order.COMPUTE and limit and models and threshold is None:
            threshold = models[-1].get("training_flop")  # remark on models that may be above the last one listed
        if threshold is not None:
            unknown = selected_rows(connection, of_any, ["model_id"], also="training_flop is null")
            for remark in remarks_without_estimate(connection, threshold, {row["model_id"] for row in unknown}):
                # Wrapped here, because `remark` cuts long lines.
                output.remark("\n".join(textwrap.wrap(remark, 80, subsequent_indent="  ", break_on_hyphens=False)))
    if not models:
        output.remark("no model in the ledger matches")
    output.write(shown, [list(row.values()) for row in models], as_csv=csv, as_json=json, digits=4)


def columns_of(selection: Selection, chance: str | None) -> tuple[str, ...]:
    """Return the columns to show for a selection, most important first. Rows of Epoch's table have names but no ids."""
    has_names = selection.tier != TierOption.RECORD
    return (
        "model_id",
        *(("name",) if has_names else ()),
        *((chance,) if chance else ()),
        *(("dispute_cause", "method_ratio") if selection.disputed else ()),
        "training_flop",
        *(("threshold_total", "cumulative_flop", "own_to_base_ratio") if chance else ()),
        *("training_flop_low", "training_flop_high", "training_flop_at_least", "published"),
        *(("external_flop", "tier") if has_names else ()),
        "headline_method",
    )


def modified_and_near(chance: str, least: float) -> Iterator[tuple[str, str]]:
    """Yield remarks on models that a list by probability puts last or leaves out, with their SQL condition."""
    ratio = "own_to_base_ratio is their own training divided by their base model's"
    last = f"of these are made from another model and come last; {ratio}"
    yield last, f"{chance} >= {least} and {MADE_FROM_ANOTHER}"
    if least > POSSIBLE_FRACTION:
        near = f"more have a probability of {100 * POSSIBLE_FRACTION:g} % to {100 * least:g} %"
        yield near, f"{chance} >= {POSSIBLE_FRACTION} and {chance} < {least}"


def column_of_chance(at_least: float | None, probability: float | None) -> str | None:
    """Return the column with the probability of exceeding this number, or None if it is not a threshold.

    Raises BadParameter if a probability is given without a number, and LookupError if the number is not a threshold.
    """
    column = next((threshold.column for threshold in THRESHOLDS if threshold.flop == at_least), None)
    words = ", ".join(threshold.word for threshold in THRESHOLDS)
    if probability is None:
        return column
    if at_least is None:
        raise typer.BadParameter("--probability goes with --at-least")
    if column is None:
        raise LookupError(
            f"--at-least {number(at_least)}: probabilities are published for {words}; without --probability, any"
            " number is accepted"
        )
    return column


def remarks_without_estimate(
    connection: duckdb.DuckDBPyConnection, at_least: float, among: Container[str | None]
) -> Iterator[str]:
    """Yield remarks on models without an estimate: their number, and which may be above `at_least`."""
    models, known_above, placed_above = models_without_estimate(connection, at_least, among)
    yield f"{len(models)} model{' has' if len(models) == 1 else 's have'} no estimate"
    if known_above:
        known = (f"{row['name']} (at least {number(row['training_flop_at_least'])})" for row in known_above)
        yield f"above {number(at_least)} by their known parts: {', '.join(known)}"
    if placed_above:
        placed = (
            f"{row['name']} ({bound_text(number(row['external_flop']), row['external_bound'])})" for row in placed_above
        )
        yield f"placed at {number(at_least)} or more by others: {', '.join(placed)}"


def chosen_columns(written: str, connection: duckdb.DuckDBPyConnection) -> tuple[str, ...]:
    """Return the columns that a user named, separated by commas. Raise LookupError for an unknown one."""
    known = [row["column_name"] for row in rows(connection, "select column_name from (describe all_estimates)")]
    known.append("external_flop")  # a figure stated by others, for models without an estimate
    named = [word.strip() for word in written.split(",") if word.strip()]
    if not named:
        raise LookupError(f"--columns {written!r} names no column; known columns are {', '.join(known)}")
    return tuple(dict.fromkeys(chosen(word, known, "a column of the list") for word in named))
