"""Options shared by several commands."""

from collections.abc import Callable
from inspect import Parameter, signature
from typing import Annotated, Any

import typer

from schemas.figures import declared

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
Csv = Annotated[bool, typer.Option("--csv", help="Print CSV, safe for a spreadsheet.")]


def refuse_both(csv: bool, json: bool) -> None:
    """Raise BadParameter if both CSV and JSON are requested."""
    if csv and json:
        raise typer.BadParameter("choose --csv or --json")


def with_figures(**helps: str | None) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return a decorator that turns figures (schemas/figures.py), which a command takes as keywords, into options.

    The options follow the first parameter. The names in `helps` select the figures; without names, all figures become
    options. A text in `helps` replaces the declared help.
    """

    def decorated(command: Callable[..., None]) -> Callable[..., None]:
        """Add the figures to the command's signature."""
        first, *others = (
            item for item in signature(command, eval_str=True).parameters.values() if item.kind != item.VAR_KEYWORD
        )
        others = [item.replace(kind=Parameter.KEYWORD_ONLY) for item in others]
        parameters = [first, *(_option(name, helps.get(name)) for name in helps or declared()), *others]
        command.__signature__ = signature(command).replace(parameters=parameters)  # type: ignore[attr-defined]
        command.__annotations__ = {item.name: item.annotation for item in parameters}
        return command

    return decorated


def _option(name: str, help_text: str | None) -> Parameter:
    kind, figure = declared()[name]
    text = help_text or figure.help + "; for FILE or MODEL, replaces the recorded value" * figure.is_supposable
    form: Any = bool if kind is bool else (int if kind is int else str) | None
    limits = {"min": 1, "max": 10**6} if kind is int else {}
    names = [f"--{name.replace('_', '-')}"] if kind is bool else []
    option = Annotated[form, typer.Option(*names, help=text, **limits)]
    return Parameter(name, Parameter.KEYWORD_ONLY, default=False if kind is bool else None, annotation=option)
