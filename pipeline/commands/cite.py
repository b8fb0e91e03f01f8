"""`flopledger cite`: the citation of one model's number, or of the whole ledger, with its version."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline.commands import ledger, output
from pipeline.commands.options import Json
from pipeline.publishing.rows import rows

if TYPE_CHECKING:
    from pipeline.publishing.citation import Citation

Row = dict[str, Any]


def cite(
    model: Annotated[
        str | None, typer.Argument(help="Id, name or alias of a model in the ledger; none cites the ledger.")
    ] = None,
    bibtex: Annotated[bool, typer.Option("--bibtex", help="Print the BibTeX entry alone.")] = False,
    json: Json = False,
) -> None:
    """Cite a number of the ledger: text and BibTeX, with the version of the data and the model's permanent id."""
    from pipeline.publishing.citation import citation

    if bibtex and json:
        raise typer.BadParameter("choose --bibtex or --json")
    row: Row | None = None
    with ledger.opened() as connection:
        if model is not None:
            identifier = ledger.find_model(model, connection)
            (row,) = rows(connection, "select * from estimates where model_id = ?", identifier)
    source = citation(ledger.version())
    made = answer(source, row)
    if json:
        output.say(output.as_json(made))
    else:
        output.tell([made["bibtex"]] if bibtex else [made["text"], "", made["bibtex"]])


def answer(source: Citation, row: Row | None) -> Row:
    """Text and BibTeX of the citation of a row of `estimates`, or of the ledger."""
    address = source.address(None if row is None else row["model_id"])
    return {
        "text": text(source, row, address),
        "bibtex": source.entry(None if row is None else row["model_id"], None if row is None else stated(row), address),
        "version": source.version,
        "model_id": None if row is None else row["model_id"],
        "url": address,
        "doi": source.doi,
    }


def stated(row: Row) -> str:
    """What the ledger states of a model, in a sentence without its end."""
    if row["training_flop"] is None:
        return f"{row['name']} ({row['model_id']}): training compute unknown"
    interval = f"90 % interval {output.number(row['training_flop_low'])} to {output.number(row['training_flop_high'])}"
    return f"{row['name']} ({row['model_id']}): {output.number(row['training_flop'])} FLOP, {interval}"


def text(source: Citation, row: Row | None, address: str | None) -> str:
    """The citation as text."""
    what = [] if row is None else [stated(row)]
    where = [f"https://doi.org/{source.doi}"] if source.doi else []
    where += [address] if address else []
    parts = [*what, source.authors, source.title, f"Version {source.version}", source.licence, *where]
    return ". ".join(parts) + "."
