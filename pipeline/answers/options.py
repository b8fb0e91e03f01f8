"""Options shared by several commands."""

from collections.abc import Callable, Sequence
from inspect import Parameter, Signature, signature
from typing import Annotated, Any

import typer

from schemas.figures import declarations

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
Csv = Annotated[bool, typer.Option("--csv", help="Print CSV, safe for a spreadsheet.")]


def refuse_both(csv: bool, json: bool) -> None:
    """Raise BadParameter if both CSV and JSON are requested."""
    if csv and json:
        raise typer.BadParameter("choose --csv or --json")


def with_options(options: Sequence[Parameter], place: int = 0) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return a decorator that inserts options at this place among a command's own, which receives them as keywords."""

    def add_options(command: Callable[..., None]) -> Callable[..., None]:
        """Add the options to the command's signature."""
        declared_parameters = [
            item for item in signature(command, eval_str=True).parameters.values() if item.kind != item.VAR_KEYWORD
        ]
        parameters = [
            item.replace(kind=Parameter.KEYWORD_ONLY)
            for item in (*declared_parameters[:place], *options, *declared_parameters[place:])
        ]
        command.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
        command.__annotations__ = {item.name: item.annotation for item in parameters}
        return command

    return add_options


def with_figures(**helps: str | None) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return a decorator that adds options for figures (schemas/figures.py) after a command's first parameter.

    The names in `helps` select the figures; without names, all figures become options. A text in `helps` replaces the
    declared help.
    """
    return with_options([_option(name, helps.get(name)) for name in helps or declarations()], place=1)


def _option(name: str, help_text: str | None) -> Parameter:
    kind, figure = declarations()[name]
    text = help_text or figure.help + "; for FILE or MODEL, replaces the recorded value" * figure.is_supposable
    form: Any = bool if kind is bool else (int if kind is int else str) | None
    limits = {"min": 1, "max": 10**6} if kind is int else {}
    names = [f"--{name.replace('_', '-')}", *filter(None, [figure.alias])] if kind is bool else []
    option = Annotated[form, typer.Option(*names, help=text, **limits)]
    return Parameter(name, Parameter.KEYWORD_ONLY, default=False if kind is bool else None, annotation=option)
