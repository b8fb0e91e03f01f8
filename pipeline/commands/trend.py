"""`flopledger trend`: how fast training compute grows, for all models or a selection."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pipeline.answers import ledger, output
from pipeline.answers.options import Csv, Json, refuse_both
from pipeline.answers.selection import Selection, add_selection, possible_selection, selected_rows

if TYPE_CHECKING:
    import duckdb

    from pipeline.publishing.rows import Row

TIERS = (
    "A model with a record has a source for each fact; a row of the catalogue (--tier all) is a model in Epoch AI's"
    " tables that we did not research, with the tables' figures."
)
COLUMNS = ("training_flop", "base_model", "parent_organization", "published_date")


@add_selection("base_only", from_year=2010)
def trend(csv: Csv = False, json: Json = False, **options: Any) -> None:
    """Show how fast training compute grows.

    There is a line for all models, and one each for those that were among the 10, 5 or 1 largest when published. Growth
    is fitted from --from-year on; earlier models still count when the largest are ranked. The fit is a line through the
    logarithm of compute, with a 90 % interval. It needs at least 25 models and 5 years.
    """
    from pipeline.answers import trends

    refuse_both(csv, json)
    with ledger.open_ledger() as connection:
        lines = lines_of(connection, possible_selection(**options))
    if csv or json:
        output.write([*lines[0]], [list(row.values()) for row in lines], as_csv=csv, as_json=json)
    else:
        output.tell(f"{row['frontier']}: {row['growth_sentence']}" for row in lines)
        output.remark(TIERS)
        if {name for name, value in options.items() if value} <= {"from_year", "to_year", "base_only", "tier"}:
            output.remark(trends.EPOCH)
    left = [name for name in trends.FRONTIERS if name not in {row["frontier"] for row in lines}]
    if left:
        output.remark(f"no line for {', '.join(left)}: {trends.TOO_FEW}")


def lines_of(connection: duckdb.DuckDBPyConnection, selection: Selection) -> list[Row]:
    """Return the trend lines for this selection, as rows of the view `trends`.

    Raise LookupError if a word matches no model, or if there is no line.
    """
    from pipeline.answers import trends

    all_years = selection._replace(from_year=None, base_only=True)
    lines = trends.trends(selected_rows(connection, all_years, COLUMNS), selection.from_year or 0)
    if not lines:
        raise LookupError(f"no line through this selection: {trends.TOO_FEW}; an earlier --from-year includes more")
    return lines
