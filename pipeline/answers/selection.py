"""Options that select models for a command, the same as the filters of the site's explorer."""

import math
import re
from collections.abc import Callable, Sequence
from enum import StrEnum
from inspect import Parameter
from typing import Annotated, Any, NamedTuple, get_type_hints

import duckdb
import typer

from pipeline.answers.options import with_options
from pipeline.publishing.rows import Row, rows
from schemas.limits import FIRST_YEAR, LAST_YEAR
from schemas.shorthand import ShorthandError
from schemas.shorthand import number as amount
from schemas.spelling import chosen, find, nearest
from schemas.vocabulary import SEPARATOR, Tier

ORDERS = {  # models without the quantity are sorted last
    "published": "published, model_id, source_row",
    "name": "lower(name), model_id, source_row",
    "compute": "training_flop desc nulls last, model_id, source_row",
    "width": "training_flop_high / training_flop_low desc nulls last, model_id, source_row",
}
LISTED = """with chips as (
    select model_id, source_row, string_agg(coalesce(name, chip), ' + ') as chip_names
    from (select model_id, source_row, unnest(string_split(hardware, ' + ')) as chip from all_estimates)
    left join (select hardware_id as chip, name from hardware) using (chip) group by all
), listed as (
    select a.*, aliases, base_training_flop, chip_names, coalesce(weights_access, 'unknown') as access,
        concat_ws(' + ', organization, parent_organization) as organizations,
        coalesce(w.external_flop, case when training_flop is null then epoch_flop end) as external_flop
    from all_estimates a left join (select model_id, aliases from models) using (model_id)
    left join (select source_row, base_training_flop from catalogue_estimates) using (source_row)
    left join (select model_id, external_flop from models_without_estimate) w using (model_id)
    left join (select source_row, epoch_flop from epoch_results) using (source_row)
    left join chips c on c.model_id is not distinct from a.model_id and c.source_row is not distinct from a.source_row
)"""
# Facets accept several values. For each: the column of a model's values, the column to search, and a noun for messages.
FACETS = {
    "domain": ("domain", "domain", "a domain"),
    "organization": ("parent_organization", "organizations", "an organization"),
    "country": ("country", "country", "a country"),
    "access": ("access", "access", "an access to weights"),
    "chip": ("chip_names", "chip_names", "a chip"),
}
MADE_FROM_ANOTHER = "(base_model is not null or base_training_flop is not null)"
CONDITIONS = {
    "from_year": "coalesce(left(published, 4)::int, 0) >= $from_year",
    "to_year": "coalesce(left(published, 4)::int, 0) <= $to_year",
    "at_least": "training_flop >= $at_least",
    "at_most": "training_flop <= $at_most",
    "disputed": "is_disputed = $disputed",
    "base_only": f"not {MADE_FROM_ANOTHER} = $base_only",
    "tier": "tier = $tier",
}


class TierOption(StrEnum):
    """The tiers of models that a command can select."""

    RECORD = Tier.RECORD.value
    CATALOGUE = Tier.CATALOGUE.value
    ALL = "all"


def _flop(written: str) -> float:
    """Parse an amount of compute in any usual notation: 1e25, 10^25, "1e25 FLOP"."""
    try:
        return amount(re.sub(r"\s*FLOPs?$", "", str(written), flags=re.IGNORECASE))
    except ShorthandError as problem:
        raise typer.BadParameter(str(problem)) from None


class Selection(NamedTuple):
    """The models to select. A field that is None selects any.

    A facet may contain several words, separated by commas; a model must match one of them. Limits of years and FLOP are
    inclusive.
    """

    domain: Annotated[
        str | None, typer.Option(help="Of this domain, such as language; separate several by commas.")
    ] = None
    organization: Annotated[
        str | None, typer.Option(help="Of this organization, or of one whose name contains this text.")
    ] = None
    country: Annotated[str | None, typer.Option(help="Of an organization in this country, such as China.")] = None
    access: Annotated[str | None, typer.Option(help="Whose weights are open, restricted, closed or unknown.")] = None
    chip: Annotated[str | None, typer.Option(help="Trained on this chip, or on one whose name contains this text.")] = (
        None
    )
    from_year: Annotated[
        int | None, typer.Option(min=FIRST_YEAR, max=LAST_YEAR, help="Published in this year or later.")
    ] = None
    to_year: Annotated[
        int | None, typer.Option(min=FIRST_YEAR, max=LAST_YEAR, help="Published in this year or earlier.")
    ] = None
    at_least: Annotated[
        float | None,
        typer.Option(
            "--at-least",
            "--above",
            parser=_flop,
            help="With at least this many FLOP, such as 1e25; for a threshold, `list` uses probabilities.",
        ),
    ] = None
    at_most: Annotated[
        float | None, typer.Option(parser=_flop, help="With at most this much training compute, in FLOP.")
    ] = None
    disputed: Annotated[
        bool, typer.Option("--disputed", help="Whose two methods disagree by more than the threshold.")
    ] = False
    base_only: Annotated[bool, typer.Option("--base-only", help="Without models made from another model.")] = False
    tier: Annotated[
        TierOption, typer.Option(help="Models with a record, rows of Epoch's table without one, or all.")
    ] = TierOption.RECORD
    search: Annotated[str | None, typer.Option(help="Whose id, names or organization contain each of these words.")] = (
        None
    )


def selection_of(**fields: Any) -> Selection:
    """Return the selection with these fields. Raise TypeError for an unknown field, suggesting the nearest."""
    for name in fields:
        if name not in Selection._fields:
            raise TypeError(f"{name!r} does not select models{nearest(name, Selection._fields)}")
    return Selection(**fields)


def add_selection(*left_out: str, **defaults: Any) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return a decorator that adds the fields of Selection to a command's options, except those in `left_out`.

    `defaults` replace the defaults of fields for this command.
    """
    hints, kind = get_type_hints(Selection, include_extras=True), Parameter.KEYWORD_ONLY
    return with_options(
        [
            Parameter(name, kind, default=defaults.get(name, default), annotation=hints[name])
            for name, default in Selection._field_defaults.items()
            if name not in left_out
        ]
    )


def possible_selection(**options: Any) -> Selection:
    """Return the selection with these options. Raise BadParameter for years in the wrong order or impossible FLOP."""
    selection = Selection(**options)
    first, last = selection.from_year, selection.to_year
    if first is not None and last is not None and first > last:
        raise typer.BadParameter(f"--from-year {first} is after --to-year {last}")
    for option, flop in (("--at-least", selection.at_least), ("--at-most", selection.at_most)):
        if flop is not None and not (math.isfinite(flop) and flop >= 0):
            raise typer.BadParameter(f"{option} {flop:g} is not a number of FLOP; write for example 1e25")
    return selection


def selected_rows(
    connection: duckdb.DuckDBPyConnection,
    selection: Selection,
    columns: Sequence[str],
    order: str = "published",
    limit: int | None = None,
    also: str = "true",
    last: str = "1 = 0",
) -> list[Row]:
    """Return these columns of the first `limit` selected models that meet the SQL condition `also`, in one of ORDERS.

    Models that meet the condition `last` come last. Raises LookupError for a word that matches no model.
    """
    fields = {name: value for name, value in selection._asdict().items() if value is not None and value is not False}
    if TierOption(fields["tier"]) == TierOption.ALL:
        del fields["tier"]
    values = {name: fields[name] for name in CONDITIONS if name in fields}
    where = [also, *(CONDITIONS[name] for name in values)]
    for name in (name for name in FACETS if name in fields):
        conditions = []
        for number, word in enumerate(filter(None, map(str.strip, fields[name].split(",")))):
            condition, values[f"{name}_{number}"] = _facet_condition(connection, name, word)
            conditions.append(f"{condition}, ${name}_{number})")
        where.append(f"({' or '.join(conditions) or 'true'})")
    for number, word in enumerate((selection.search or "").lower().split()):
        values[f"search_{number}"] = word
        where.append(f"contains(lower(concat_ws(' ', model_id, name, aliases, organization)), $search_{number})")
    sql = (
        f"{LISTED} select {', '.join(columns)} from listed where {' and '.join(where)} order by {last}, {ORDERS[order]}"
    )
    return rows(connection, f"{sql} limit {limit or 'all'}", **values)


def _facet_condition(connection: duckdb.DuckDBPyConnection, name: str, word: str) -> tuple[str, str]:
    """Return an SQL condition without its last argument, and this argument: a known value, or text to search for."""
    column, text, what = FACETS[name]
    values = f"string_split({column}, '{SEPARATOR}')"
    models = rows(connection, f"{LISTED} select {values} as known, lower({text}) as text from listed")
    known = sorted({value for row in models for value in row["known"] or []})
    if (value := find(word, known)) is not None:
        return f"list_contains({values}", value
    if not any(word.lower() in (row["text"] or "") for row in models):
        chosen(word, known, f"{what} in the ledger")
    return f"contains(lower({text})", word.lower()
