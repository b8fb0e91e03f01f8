"""`flopledger plot`: a chart of training compute over time, for slides, web pages or reports."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline.answers import ledger, output
from pipeline.answers.problems import reported
from pipeline.answers.selection import Selection, add_selection, possible_selection, selected_rows
from pipeline.base.paths import replace_file
from pipeline.publishing.rows import rows

if TYPE_CHECKING:
    import duckdb


@add_selection("base_only", "tier", from_year=2010)
def plot(
    out: Annotated[Path, typer.Option(help="The picture: a .png, .svg or .html file.")] = Path("compute.png"),
    highlight: Annotated[
        list[str] | None, typer.Option(help="A model to highlight and name; may be given several times.")
    ] = None,
    trend: Annotated[bool, typer.Option("--trend/--no-trend", help="Draw the trend of the largest models.")] = True,
    title: Annotated[str | None, typer.Option(help="The title, in place of the usual one.")] = None,
    **options: Any,
) -> None:
    """Draw training compute over time as PNG, SVG or HTML.

    The chart shows 90 % intervals, thresholds, and the trend with its doubling time.
    """
    selection = possible_selection(**options)
    with reported(ValueError), ledger.open_ledger() as connection:
        output.remark("\n".join(draw(connection, selection, out, highlight or (), title, with_trend=trend)))


def draw(
    connection: duckdb.DuckDBPyConnection,
    selection: Selection,
    out: Path,
    highlight: Iterable[str] = (),
    title: str | None = None,
    *,
    with_trend: bool = True,
) -> list[str]:
    """Draw the chart into a file, and return the lines of its caption.

    Raises ValueError if the chart cannot be drawn, and LookupError for an unknown model.
    """
    from pipeline.answers import trends
    from pipeline.publishing import report_views
    from pipeline.site import growth, overview

    if out.suffix not in overview.WRITERS:
        raise ValueError(f"{out} ends in none of {', '.join(overview.WRITERS)}")
    chosen = {row["model_id"] for row in selected_rows(connection, selection._replace(from_year=None), ["model_id"])}
    named = {ledger.find_model(name, connection)[0] for name in highlight}
    external = "(select model_id, columns('external_.*') from models_without_estimate)"
    all_rows = rows(connection, f"from estimates left join {external} using (model_id)")
    largest = rows(connection, report_views.statements()["largest_in_epoch"])
    models = [row for row in all_rows if row["model_id"] in chosen]
    points = [point for point in growth.points(models) if point["date"] >= f"{selection.from_year}"]
    line = trends.trend(models, max(selection.from_year or 0, trends.FIRST_YEAR)) if with_trend else None
    absent = sorted(named - {point["id"] for point in points})
    if absent:
        raise ValueError(
            f"not in the picture: {', '.join(absent)}: without an estimate, fine-tuned, or left out by the filter"
        )
    title = title or overview.TITLE
    spec = overview.picture(points, title, ledger.version(), line, named, largest)
    picture = overview.WRITERS[out.suffix](spec)
    replace_file(out, picture)
    return [f"{out}: {title}", *spec["title"]["subtitle"]]
