"""`flopledger list`: models of the published ledger, filtered and sorted."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from pipeline.commands import ledger, output
from pipeline.commands.options import Csv, Json, refuse_both
from pipeline.publishing.rows import Row, rows
from pipeline.publishing.without_estimate import beside
from pipeline.text.numbers import interval, number
from schemas.columns import shown
from schemas.limits import FIRST_YEAR, LAST_YEAR
from schemas.spelling import chosen
from schemas.vocabulary import THRESHOLDS, Tier

if TYPE_CHECKING:
    import duckdb

ORDERS = {  # models without the quantity are last
    "published": "published, model_id, source_row",
    "name": "lower(name), model_id, source_row",
    "compute": "training_flop desc nulls last, model_id, source_row",
    "width": "training_flop_high / training_flop_low desc nulls last, model_id, source_row",
}
BY_WEIGHT = (  # what a narrow terminal keeps, the most important first
    "model_id name training_flop probability_above_1e23_fraction probability_above_1e25_fraction"
    " probability_above_1e26_fraction dispute_cause method_ratio training_flop_low training_flop_high"
    " published external_flop threshold_total tier headline_method"
).split()


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
    """Which models are listed; None is any. Years are inclusive; `organization` is any part of its name or its parent's.

    `above` is a number of FLOP that the estimate is above, with `probability` in that share of what it may be. Every word of
    `search` stands in the model's id, its names or its organization's.
    """

    domain: str | None = None
    from_year: int | None = None
    to_year: int | None = None
    organization: str | None = None
    is_disputed: bool = False
    tier: str | None = Tier.RECORD.value
    above: float | None = None
    probability: float | None = None
    is_base_only: bool = False
    search: str | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns shown for this filter; rows of Epoch's table have names and no ids."""
        listed = tuple(shown("list"))
        columns = listed if self.tier == Tier.RECORD else ("tier", "name", *listed, "external_flop")
        columns = (*columns, self.chance, "threshold_total") if self.chance else columns
        return (*columns, "method_ratio", "dispute_cause") if self.is_disputed else columns

    @property
    def chance(self) -> str | None:
        """The column of the probability that is asked for. Raises LookupError for a threshold without one."""
        if self.probability is None or self.above is None:
            return None
        found = next((threshold for threshold in THRESHOLDS if threshold.flop == self.above), None)
        if found is None:
            raise LookupError(
                f"--above {number(self.above)}: probabilities are published for {', '.join(threshold.word for threshold in THRESHOLDS)};"
                " without --probability any number will do"
            )
        return found.column


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
        bool, typer.Option("--disputed", help="Whose two methods dispute, with the likeliest cause.")
    ] = False,
    tier: Annotated[
        TierOption, typer.Option(help="Models with a record, rows of Epoch's table without one, or all.")
    ] = TierOption.RECORD,
    above: Annotated[
        float | None, typer.Option(help="Whose training compute, in FLOP, is above this, such as 1e25.")
    ] = None,
    probability: Annotated[
        float | None, typer.Option(help="With --above: that are above it with at least this probability, such as 0.9.")
    ] = None,
    base_only: Annotated[
        bool, typer.Option("--base-only", help="Without models that were fine-tuned from another.")
    ] = False,
    search: Annotated[
        str | None, typer.Option(help="Whose id, names or organization hold each of these words.")
    ] = None,
    columns: Annotated[
        str | None, typer.Option(help="Columns to show, with commas between; a narrow terminal keeps the first.")
    ] = None,
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
    refuse_impossible(above, probability)
    of_tier = None if tier == TierOption.ALL else tier.value
    wanted = Filter(domain, first, last, organization, disputed, of_tier, above, probability, base_only, search)
    with ledger.opened() as connection:
        shown = wanted.columns if columns is None else chosen_columns(columns, connection)
        models = listed(connection, wanted, sort.value, limit, shown)
        if above is not None:
            for remark in without_estimate(connection, above):  # a line of a message is of bounded length
                output.remark("\n".join(textwrap.wrap(remark, 80, subsequent_indent="  ", break_on_hyphens=False)))
    if not models:
        output.remark("no model of the ledger is like that")
    output.write(
        shown,
        [list(row.values()) for row in models],
        as_csv=csv,
        as_json=json,
        digits=4,
        ranks=sorted(range(len(shown)), key=lambda place: BY_WEIGHT.index(shown[place])) if columns is None else None,
        advice="; --columns chooses",
    )


def without_estimate(connection: duckdb.DuckDBPyConnection, above: float) -> Iterator[str]:
    """How many models have no estimate, so that no list has them; which of them others place above a number of FLOP, and whose range reaches it."""
    models, placed_above, reaching = beside(connection, above)
    yield f"{len(models)} models have no estimate"
    if placed_above:
        placed = (f"{row['name']} ({number(row['external_flop'])})" for row in placed_above)
        yield f"others place above {number(above)}: {', '.join(placed)}"
    if reaching:
        ranges = (f"{row['name']} ({interval(row['range_low_flop'], row['range_high_flop'])})" for row in reaching)
        yield f"whose range reaches it: {', '.join(ranges)}"


def refuse_impossible(above: float | None, probability: float | None) -> None:
    """Raises BadParameter for a threshold or a probability that cannot be, or a probability of nothing."""
    if above is not None and not (math.isfinite(above) and above >= 0):
        raise typer.BadParameter(f"--above {above:g} is no number of FLOP; write for example 1e25")
    if probability is not None and not 0 < probability <= 1:
        raise typer.BadParameter(f"--probability {probability:g} is no probability; it is above 0 and at most 1")
    if probability is not None and above is None:
        raise typer.BadParameter("--probability goes with --above")


def chosen_columns(written: str, connection: duckdb.DuckDBPyConnection) -> tuple[str, ...]:
    """The columns that a user named, with commas between. Raises LookupError for one that the list has not, with the nearest."""
    known = [row["column_name"] for row in rows(connection, "select column_name from (describe all_estimates)")]
    known.append("external_flop")  # what others state where there is no estimate
    named = [word.strip() for word in written.split(",") if word.strip()]
    if not named:
        raise LookupError(f"--columns {written!r} names none; known are {', '.join(known)}")
    return tuple(dict.fromkeys(chosen(word, known, "a column of the list") for word in named))


def listed(
    connection: duckdb.DuckDBPyConnection,
    wanted: Filter,
    order: str = "published",
    limit: int | None = None,
    columns: tuple[str, ...] | None = None,
) -> list[Row]:
    """The models that pass the filter, in one of ORDERS, the first `limit`. Raises LookupError for a word that no model has."""
    if wanted.domain is not None:
        domain = chosen(wanted.domain, _words(connection, "domain"), "a domain of the ledger")
        wanted = wanted._replace(domain=domain)
    if wanted.organization is not None:
        known = _words(connection, "organization")
        if not any(wanted.organization.lower() in word.lower() for word in known):
            chosen(wanted.organization, known, "part of an organization's name")
    filters = wanted._asdict() | {"limit": limit}
    probability, words = filters.pop("probability"), (filters.pop("search") or "").lower().split()
    return rows(
        connection,
        f"""with listed as (
            select a.*, aliases, base_training_flop,
                coalesce(w.external_flop, case when training_flop is null then epoch_flop end) as external_flop
            from all_estimates a left join (select model_id, aliases from models) using (model_id)
            left join (select source_row, base_training_flop from catalogue_estimates) using (source_row)
            left join (select model_id, external_flop from models_without_estimate) w using (model_id)
            left join (select source_row, epoch_flop from epoch_results) using (source_row)
        )
        select {", ".join(columns or wanted.columns)} from listed
        where domain = coalesce($domain, domain) and (is_disputed or not $is_disputed) and tier = coalesce($tier, tier)
            and coalesce(cast(left(published, 4) as int), 0) between coalesce($from_year, 0) and coalesce($to_year, 9999)
            and contains(lower(concat_ws(' + ', organization, parent_organization)), lower(coalesce($organization, '')))
            and coalesce(training_flop > $above, $above is null or $probability is not null)
            and coalesce({wanted.chance or 0.0} >= $probability, $probability is null)
            and not ($is_base_only and (base_model is not null or base_training_flop is not null))
            and coalesce(list_bool_and([contains(lower(concat_ws(' ', model_id, name, aliases, organization)), word) for word in $words]), true)
        order by {ORDERS[order]} limit $limit""",
        **filters,
        probability=probability,
        words=words,
    )


def _words(connection: duckdb.DuckDBPyConnection, column: str) -> list[str]:
    return [
        word
        for (word,) in connection.execute(
            f"select distinct {column} from all_estimates where {column} is not null order by 1"
        ).fetchall()
    ]
