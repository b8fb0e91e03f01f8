"""`flopledger export`: a file with one model's estimate in the terms of a regulation."""

from pathlib import Path
from typing import Annotated, Any

import typer

from pipeline.answers import ledger, output
from pipeline.answers.problems import stop
from pipeline.base.paths import replace_file

SUFFIXES = (".json", ".html")


def export(
    model: Annotated[str, typer.Argument(help="Id, name or alias of a model in the ledger.")],
    _eu: Annotated[
        bool, typer.Option("--eu", help="Follow the European Commission's guidelines (the default).")
    ] = True,
    out: Annotated[
        Path | None, typer.Option(help="Write to this file, .json or .html (a page to print); without it, print JSON.")
    ] = None,
) -> None:
    """Write a model's compute as the EU's guidelines describe it.

    The file has both approaches of the guidelines, with inputs, assumptions and the interval.
    """
    if out is not None and out.suffix not in SUFFIXES:
        stop(f"{out} ends neither in .json nor in .html")
    from pipeline.answers import guidelines

    statement = guidelines.statement(ledger.account_of(model), ledger.version())
    if out is None:
        output.say(output.as_json(statement))
        return
    text = page(statement) if out.suffix == ".html" else f"{output.as_json(statement)}\n"
    replace_file(out, text)
    output.remark(f"{out}: both approaches in the guidelines, {statement['guidelines']['version_read']}")


def page(statement: dict[str, Any]) -> str:
    """Return the statement as a printable page that loads nothing from other hosts."""
    from pipeline.base.text.html_text import policy
    from pipeline.site.page import NOWHERE, environment, without_breaks

    template = environment(NOWHERE, statement["model"]["ledger_version"]).get_template("eu_statement.html")
    return without_breaks(template.render(**statement, policy=policy()))
