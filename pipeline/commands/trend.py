"""`flopledger trend`: how fast training compute grows, of all models or of a selection."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.commands import ledger, output
from pipeline.commands.list import Filter, TierOption, listed
from pipeline.commands.options import Csv, Json, refuse_both
from schemas.limits import FIRST_YEAR, LAST_YEAR

if TYPE_CHECKING:
    import duckdb

    from pipeline.publishing.rows import Row

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

    refuse_both(csv, json)
    if to_year is not None and from_year > to_year:
        raise typer.BadParameter(f"--from-year {from_year} is after --to-year {to_year}")
    with ledger.opened() as connection:
        lines = selected(connection, domain, organization, from_year, to_year, tier.value, search)
    if csv or json:
        output.write([*lines[0]], [list(row.values()) for row in lines], as_csv=csv, as_json=json)
    else:
        output.tell(f"{row['frontier']}: {row['growth_sentence']}" for row in lines)
    left = [name for name in trends.FRONTIERS if name not in {row["frontier"] for row in lines}]
    if left:
        output.remark(f"no line for {', '.join(left)}: {trends.TOO_FEW}")


def selected(
    connection: duckdb.DuckDBPyConnection, domain: str | None, organization: str | None, from_year: int, to_year: int | None,
    tier: str, search: str | None,
) -> list[Row]:  # fmt: skip
    """The lines of this selection, as the rows of the view `trends`. Raises LookupError for a word that no model has, and where there is no line."""
    from pipeline.publishing import trends

    of_tier = None if tier == TierOption.ALL else TierOption(tier).value
    wanted = Filter(
        domain=domain, organization=organization, to_year=to_year, tier=of_tier, is_base_only=True, search=search
    )
    lines = trends.trends(listed(connection, wanted, columns=GIVEN), from_year)
    if not lines:
        raise LookupError(f"no line through this selection: {trends.TOO_FEW}")
    return lines
