"""`flopledger show`: one model on one screen."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

from pipeline.answers import ledger, output, own_run_text
from pipeline.answers.options import Json
from pipeline.base.text.numbers import flop


def show(
    model: Annotated[
        str, typer.Argument(help="Id, name or alias of a model, a name in Epoch's table, or a record's file.")
    ],
    json: Json = False,
) -> None:
    """Show one model on one screen.

    It shows the estimate, what it covers, how it was calculated, other people's figures, both methods, and sources.
    """
    account = ledger.account_or_rows_of(model)
    if isinstance(account, list):
        list_matches(model, account, as_json=json)
        return
    output.answer(account, own_run_text.screen(account), as_json=json)


def list_matches(name: str, models: Sequence[Mapping[str, Any]], *, as_json: bool) -> None:
    """List the models that a name matches, newest first."""
    keys = ("id", "name", "tier", "published", "training_flop")
    matches = [{key: model[key] for key in keys} for model in models]
    lines = [f"{name!r} matches {len(models)} model{'s' * (len(models) > 1)}; `flopledger show ID` shows one:"]
    lines += [
        f"  {model['id']}  {model['name']}, {model['published'] or 'no date'}, {flop(model['training_flop'])}"
        for model in models
    ]
    output.answer({"matches": matches}, lines, as_json=as_json)
