"""`flopledger trend`: how fast training compute grows, of all models or of a selection."""

from __future__ import annotations

from typing import Annotated

import typer

from pipeline.commands import ledger, output
from pipeline.commands.list import Filter, TierOption, listed
from pipeline.commands.options import Csv, Json, refuse_both
from schemas.limits import FIRST_YEAR, LAST_YEAR

GIVEN = ("training_flop", "base_model", "organization", "parent_organization", "published", "published_date")


def trend(
    domain: Annotated[str | None, typer.Option(help="Of this domain, such as language.")] = None,
    organization: Annotated[str | None, typer.Option(help="Whose organization's name holds this.")] = None,
    from_year: Annotated[int, typer.Option(min=FIRST_YEAR, max=LAST_YEAR, help="Growth from this year on.")] = 2010,
    to_year: Annotated[
        int | None, typer.Option(min=FIRST_YEAR, max=LAST_YEAR, help="Published in this year or earlier.")
    ] = None,
    tier: Annotated[
        TierOption, typer.Option(help="Models with a record, rows of Epoch's table without one, or all.")
    ] = TierOption.RECORD,
    search: Annotated[
        str | None, typer.Option(help="Whose id, names or organization hold each of these words.")
    ] = None,
    csv: Csv = False,
    json: Json = False,
) -> None:
    """Tell how fast training compute grows: of all models, and of those among the 10, 5 or 1 largest when published.

    A line through its logarithm, with a 90 % interval; none through fewer than 25 models or less than 5 years.
    """
    from pipeline.publishing import trends
    from pipeline.publishing.views import VIEWS

    refuse_both(csv, json)
    if to_year is not None and from_year > to_year:
        raise typer.BadParameter(f"--from-year {from_year} is after --to-year {to_year}")
    of_tier = None if tier == TierOption.ALL else tier.value
    wanted = Filter(
        domain=domain, organization=organization, to_year=to_year, tier=of_tier, is_base_only=True, search=search
    )
    with ledger.opened() as connection:
        models = listed(connection, wanted, columns=GIVEN)
    lines = trends.trends(models, from_year)
    if csv or json:
        output.write([*VIEWS["trends"].columns], [list(row.values()) for row in lines], as_csv=csv, as_json=json)
    for row in [] if csv or json else lines:
        output.say(f"{row['frontier']}: {trends.sentence(row)}")
    left = [name for name in trends.FRONTIERS if name not in {row["frontier"] for row in lines}]
    if left:
        output.remark(f"no line for {', '.join(left)}: fewer than 25 models, 5 years or 6 organizations")
