"""`flopledger diff`: list every published value that changed between two releases."""

from typing import Annotated

import typer

from pipeline.answers import output
from pipeline.answers.options import Csv, Json, refuse_both
from pipeline.answers.problems import reported

HEADLINE = "training_flop"


def diff(
    old: Annotated[
        str | None,
        typer.Argument(
            help="A release, a checkout, a folder of published values, or a git revision; by default, the last release."
        ),
    ] = None,
    new: Annotated[
        str | None, typer.Argument(help="Another of these; by default, the values published in this checkout.")
    ] = None,
    csv: Csv = False,
    json: Json = False,
) -> None:
    """Show published values that changed since the last release.

    Each change is shown with its size and its cause: changed facts, its base model, new measurements, or rules. Models
    that were added or removed also have rows. State two releases to compare them instead.
    """
    from pipeline.publishing import changes

    refuse_both(csv, json)
    with reported(changes.ReleaseError):
        old = old or changes.last_release()
        moved = changes.value_changes(changes.read(old), changes.read(new or "."))
    models = {row["model_id"] for row in moved}
    headlines = sum(row["column_name"] == HEADLINE for row in moved)
    output.remark(
        f"{old} -> {new or 'here'}: {len(moved)} values moved, in {len(models)} models; {headlines} of them are"
        f" {HEADLINE}"
    )
    if not csv and not json:
        moved.sort(key=lambda row: row["column_name"] != HEADLINE)
    rows = [[row[column] for column in changes.COLUMNS] for row in moved]
    output.write(changes.COLUMNS, rows, as_csv=csv, as_json=json, digits=6)
