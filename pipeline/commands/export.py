"""`flopledger export`: a file with one model's estimate in the terms of a regulation."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from pipeline.base.paths import replace_file
from pipeline.commands import ledger, output
from pipeline.commands.problems import stop

SUFFIXES = (".json", ".html")


def export(
    model: Annotated[str, typer.Argument(help="Id, name or alias of a model in the ledger.")],
    _eu: Annotated[bool, typer.Option("--eu", help="By the European Commission's guidelines (the default).")] = True,
    out: Annotated[
        Path | None, typer.Option(help="Write it here: a .json, or an .html page to print; otherwise JSON is printed.")
    ] = None,
) -> None:
    """Write a model's compute by both approaches of a guideline, with inputs, assumptions and the interval."""
    if out is not None and out.suffix not in SUFFIXES:
        stop(f"{out} ends neither in .json nor in .html")
    from pipeline.publishing import guidelines

    made = guidelines.statement(ledger.account_of(model), ledger.version())
    if out is None:
        output.say(output.as_json(made))
        return
    text = page(made) if out.suffix == ".html" else f"{output.as_json(made)}\n"
    replace_file(out, text)
    output.remark(f"{out}: both approaches of the guidelines, by {made['guidelines']['version_read']}")


def page(made: dict[str, Any]) -> str:
    """Return the statement as a printable page that loads nothing from other hosts."""
    from pipeline.base.text.html_text import policy
    from pipeline.site.page import NOWHERE, environment, finished

    template = environment(NOWHERE, made["model"]["ledger_version"]).get_template("eu_statement.html")
    return finished(template.render(**made, policy=policy()))
