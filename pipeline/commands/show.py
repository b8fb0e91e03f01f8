"""`flopledger show`: one model on one screen."""

from typing import Annotated

import typer

from pipeline.commands import account_text, ledger, output
from pipeline.commands.options import Json


def show(
    model: Annotated[
        str, typer.Argument(help="Id, name or alias of a model, a name of Epoch's table, or a record's file.")
    ],
    json: Json = False,
) -> None:
    """Show one model on one screen: the number, what it covers, how it was made, others' values, both methods, sources."""
    account = ledger.account_or_row_of(model)
    if json:
        output.say(output.as_json(account))
    else:
        output.tell(account_text.row_screen(account) if account["catalogue_row"] else account_text.screen(account))
