"""`flopledger cite`: the citation for one model's number, or for the whole ledger, with its version."""

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from pipeline.answers import ledger, output
from pipeline.answers.options import Json
from pipeline.answers.problems import stop


def cite(
    model: Annotated[
        str | None, typer.Argument(help="Id, name or alias of a model in the ledger; without it, cite the ledger.")
    ] = None,
    bibtex: Annotated[bool, typer.Option("--bibtex", help="Print only the BibTeX entry.")] = False,
    json: Json = False,
) -> None:
    """Cite a number from the ledger, as text and BibTeX.

    The citation includes the version of the data and the model's permanent id.
    """
    if bibtex and json:
        raise typer.BadParameter("choose --bibtex or --json")
    if model is not None and not ledger.is_name(model):
        stop(f"{model} has your own number, which the ledger cannot be cited for; `flopledger cite` cites the ledger")
    answer = citation_of(None if model is None else dict(ledger.account_of(model)))
    whole = [answer["text"], "", answer["bibtex"], "", f"other tables last read on {answer['sources_last_read']}"]
    output.answer(answer, [answer["bibtex"]] if bibtex else whole, as_json=json)


def citation_of(row: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the citation for the number in this account, or for the ledger."""
    from pipeline.publishing.account import statement
    from pipeline.publishing.citation import citation, last_read

    source = citation(ledger.version())
    identifier, words = (row["model_id"], statement(row)) if row else (None, None)
    address = source.address(identifier)
    return {
        "text": source.text(words, address),
        "bibtex": source.entry(identifier, words, address),
        "version": source.version,
        "model_id": identifier,
        "url": address,
        "doi": source.doi,
        "sources_last_read": last_read(),
    }
