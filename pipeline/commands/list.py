"""`flopledger list`: models of the published ledger, filtered and sorted."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from pipeline.commands import ledger, output
from pipeline.commands.options import Csv, Json, refuse_both
from pipeline.publishing.rows import Row, rows
from schemas.limits import FIRST_YEAR, LAST_YEAR
from schemas.spelling import chosen
from schemas.vocabulary import Tier

if TYPE_CHECKING:
    import duckdb

ORDERS = {  # models without the quantity are last
    "published": "published, model_id, source_row",
    "name": "lower(name), model_id, source_row",
    "compute": "training_flop desc nulls last, model_id, source_row",
    "width": "training_flop_high / training_flop_low desc nulls last, model_id, source_row",
}
LISTED = ("model_id", "published", "training_flop", "training_flop_low", "training_flop_high", "headline_method")


class Order(StrEnum):
    """Orders of the list."""

    COMPUTE = "compute"
    PUBLISHED = "published"
    NAME = "name"
    WIDTH = "width"


class TierOption(StrEnum):
    """Tiers of the list."""

    RECORD = Tier.RECORD.value
    CATALOGUE = Tier.CATALOGUE.value
    ALL = "all"


class Filter(NamedTuple):
    """Which models are listed; None is any. Years are inclusive; `organization` is any part of its name."""

    domain: str | None = None
    from_year: int | None = None
    to_year: int | None = None
    organization: str | None = None
    is_disputed: bool = False
    tier: str | None = Tier.RECORD.value

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns shown for this filter; rows of Epoch's table have names and no ids."""
        of_tier = LISTED if self.tier == Tier.RECORD else ("tier", "name", *LISTED)
        return (*of_tier, "method_ratio", "dispute_cause") if self.is_disputed else of_tier


def list_models(
    domain: Annotated[str | None, typer.Option(help="Of this domain, such as language.")] = None,
    year: Annotated[int | None, typer.Option(min=FIRST_YEAR, max=LAST_YEAR, help="Published in this year.")] = None,
    from_year: Annotated[
        int | None, typer.Option(min=FIRST_YEAR, max=LAST_YEAR, help="Published in this year or later.")
    ] = None,
    to_year: Annotated[
        int | None, typer.Option(min=FIRST_YEAR, max=LAST_YEAR, help="Published in this year or earlier.")
    ] = None,
    organization: Annotated[str | None, typer.Option(help="Whose organization's name holds this.")] = None,
    disputed: Annotated[
        bool, typer.Option("--disputed", help="Whose two methods differ by more than 2x, with the likeliest cause.")
    ] = False,
    tier: Annotated[
        TierOption, typer.Option(help="Models with a record, rows of Epoch's table without one, or all.")
    ] = TierOption.RECORD,
    sort: Annotated[Order, typer.Option(help="By what: largest compute or widest interval first.")] = Order.PUBLISHED,
    limit: Annotated[int | None, typer.Option(min=1, max=1_000_000, help="At most so many.")] = None,
    csv: Csv = False,
    json: Json = False,
) -> None:
    """List models with training FLOP, its 90 % interval and how it came about."""
    refuse_both(csv, json)
    if year is not None and (from_year is not None or to_year is not None):
        raise typer.BadParameter("--year goes without --from-year and --to-year")
    if from_year is not None and to_year is not None and from_year > to_year:
        raise typer.BadParameter(f"--from-year {from_year} is after --to-year {to_year}")
    first, last = (year, year) if year is not None else (from_year, to_year)
    wanted = Filter(domain, first, last, organization, disputed, None if tier == TierOption.ALL else tier.value)
    with ledger.opened() as connection:
        models = listed(connection, wanted, sort.value, limit)
    if not models:
        typer.echo("no model of the ledger is like that", err=True)
    output.write(wanted.columns, [list(row.values()) for row in models], as_csv=csv, as_json=json, digits=4)


def listed(
    connection: duckdb.DuckDBPyConnection, wanted: Filter, order: str = "published", limit: int | None = None
) -> list[Row]:
    """The models that pass the filter, in one of ORDERS, the first `limit`. Raises LookupError for a word that no model has."""
    if wanted.domain is not None:
        domain = chosen(wanted.domain, _words(connection, "domain"), "a domain of the ledger")
        wanted = wanted._replace(domain=domain)
    if wanted.organization is not None:
        known = _words(connection, "organization")
        if not any(wanted.organization.lower() in word.lower() for word in known):
            chosen(wanted.organization, known, "part of an organization's name")
    return rows(
        connection,
        f"""select {", ".join(wanted.columns)} from all_estimates
        where domain = coalesce($1, domain) and coalesce(cast(left(published, 4) as int), 0) between coalesce($2, 0) and coalesce($3, 9999)
            and contains(lower(coalesce(organization, '')), lower(coalesce($4, ''))) and (is_disputed or not $5)
            and tier = coalesce($6, tier)
        order by {ORDERS[order]} limit $7""",
        *wanted,
        limit,
    )


def _words(connection: duckdb.DuckDBPyConnection, column: str) -> list[str]:
    return [
        word
        for (word,) in connection.execute(
            f"select distinct {column} from all_estimates where {column} is not null order by 1"
        ).fetchall()
    ]
