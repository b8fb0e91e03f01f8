"""`flopledger explain`: every fact and formula behind a model's number."""

from typing import Annotated

import typer

from pipeline.answers import ledger, output, own_run_text
from pipeline.answers.options import Json


def explain(
    model: Annotated[str, typer.Argument(help="Id, name or alias of a model in the ledger, or a record's file.")],
    json: Json = False,
) -> None:
    """Show where a model's number comes from.

    Formulas with their numbers come first, then facts, each with the words that state it.
    """
    account = ledger.account_of(model)
    output.answer(account, own_run_text.explanation(account), as_json=json)
