"""`flopledger explain`: where the estimate of a model comes from."""

from typing import Annotated

import typer

from pipeline.commands import output
from pipeline.commands.options import Json
from pipeline.commands.problems import reported
from pipeline.commands.progress import working


def explain(
    model: Annotated[str, typer.Argument(help="Id, name or alias of a model in the ledger.")], json: Json = False
) -> None:
    """Show where a model's estimate comes from: inputs with evidence and source, formulas with numbers, both results."""
    from pipeline.commands import account, explanation
    from pipeline.records.yaml_text import RecordError
    from schemas.errors import ContractError

    with reported(RecordError, ContractError):
        identifier, tables, records = account.find(model)
        if not tables:
            with working("running the stages"):
                tables = account.account(identifier, records)
    if json:
        output.say(account.as_json(tables, identifier))
        return
    output.tell(explanation.explanation(tables, identifier, account.written(tables)))
