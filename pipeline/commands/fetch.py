"""`flopledger fetch`: downloads another table of models."""

import os
from typing import Annotated

import typer

from pipeline.commands import output
from pipeline.commands.estimate import CatalogueName
from pipeline.commands.problems import reported
from pipeline.commands.progress import working
from pipeline.paths import SNAPSHOT


def fetch(
    catalogue: Annotated[CatalogueName, typer.Argument(help="Whose table.")],
    url: Annotated[str | None, typer.Option(help="Another address of the same table.")] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Take a table with many rows less than the snapshot too.")
    ] = False,
) -> None:
    """Download another's table over its snapshot in data/snapshots, where it has changed, and say how many rows appeared, vanished and moved."""
    from pipeline.catalogues import fetch as fetching
    from pipeline.catalogues.cells import CatalogueError

    address = url or fetching.EPOCH_URL
    with reported(CatalogueError), working(f"downloading {address}"):
        found = fetching.fetch(address, SNAPSHOT, may_shrink=force)
    near = os.path.relpath(found.path)
    output.tell([f"{near}: {found.rows} rows, {'new' if found.is_new else 'unchanged'}; {catalogue.value}"])
    if found.changes:
        appeared, vanished, moved = map(len, found.changes)
        output.tell(
            [f"rows: {appeared} appeared, {vanished} vanished, {moved} moved; then `make repro`, and commit both"]
        )
