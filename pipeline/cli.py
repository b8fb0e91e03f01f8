"""The command line. A command is imported when it is called, and imports what it needs when it runs."""

import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Annotated, Any

import typer

from pipeline.answers import output
from pipeline.answers.problems import (
    DEADLINE_SECONDS,
    IN_THE_DATA,
    USAGE_ERROR,
    WRONG_USAGE,
    argument_refusal,
    missing_package,
    usage_text,
)
from pipeline.base import deadline
from pipeline.base.paths import collect_seldom, in_a_line

COMMANDS = (
    "query list show compare hardware explain plot trend thresholds cite export diff estimate validate new count"
    " utilization update measure"
).split()  # in the order of --help; a command's module has the same name
SETTINGS: dict[str, dict[str, Any]] = {
    "query": {"context_settings": {"ignore_unknown_options": True}},  # SQL may begin with a comment: --
    "measure": {
        "context_settings": {"allow_extra_args": True, "ignore_unknown_options": True},
        "add_help_option": False,
    },
}
WITHOUT_END = ("measure", "update")
ENDED = {  # former commands, and what to use now
    "serve": "`make site`, then `python3 -m http.server -d site`",
    "verify": "`sha256sum --check SHA256SUMS` in data/published",
}
FUNCTIONS = {"list": "list_models"}  # commands whose function has another name


def application(words: Sequence[str] = ()) -> typer.Typer:
    """Return the command line. If the first word is a command, register only this command.

    Importing all commands would take longer than most commands run.
    """
    app = typer.Typer(pretty_exceptions_enable=False, rich_markup_mode=None)
    app.callback()(flopledger)
    for name in words[:1] if words and words[0] in COMMANDS else COMMANDS:
        function = getattr(import_module(f"{__package__}.commands.{name}"), FUNCTIONS.get(name, name))
        app.command(name, **SETTINGS.get(name, {}))(function)
    return app


def _version(is_asked: bool) -> None:
    if is_asked:
        import yaml

        from pipeline.publishing.citation import CITATION, last_read, release_of, with_note

        release = with_note(release_of(yaml.safe_load(CITATION.read_text(encoding="utf-8"))["version"]))
        output.say(f"FLOP Ledger {release}; other tables last read on {last_read() or 'an unknown day'}")
        raise typer.Exit


def flopledger(
    context: typer.Context,
    timeout: Annotated[
        float, typer.Option(min=0, metavar="SECONDS", help="End the command after this time; 0 means never.")
    ] = DEADLINE_SECONDS,
    is_version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """FLOP Ledger: the training compute of published machine-learning models, by two methods, with sources.

    Some commands need packages from an extra of the wheel: estimate, plot, download, frames or, for all of them,
    pipeline. A command that lacks packages prints what to install.

    On a terminal, output fits the width: columns that do not fit are left out and named below the table, and long
    output goes through your PAGER. Elsewhere, output is plain text, tab-separated, with all columns. --csv and --json
    keep all digits.

    Exit codes: 0 success; 1 a problem in the data, such as an unknown name; 2 wrong usage, or SQL that is invalid or
    refused; 3 there is work to do (update --check).
    """
    if _is_process and context.invoked_subcommand not in WITHOUT_END:
        deadline.start(timeout, f"took longer than {timeout:g} s; --timeout before the command gives it more time")


_is_process = False  # whether the command is this whole process, which may be divided


def command() -> None:
    """Do the same as `main`, in a child process that ends at its deadline."""
    global _is_process
    _is_process = True
    main()


def main() -> None:
    """Run the command line, and exit with its code. Known errors are one line; a closed pipe (`| head`) is none."""
    collect_seldom()
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "1")  # we have no plugins, and the search for them takes time
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed before the process started
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # old terminals cannot show some characters of names
    words = sys.argv[1:]
    if words[:1] and words[0] in ENDED:
        output.remark(f"{words[0]} has ended; use {ENDED[words[0]]}")
        raise SystemExit(IN_THE_DATA)
    refusal = argument_refusal(words)
    if refusal:
        output.remark(refusal)
        raise SystemExit(WRONG_USAGE)
    try:
        code = application(words)(words or ["--help"], prog_name="flopledger", standalone_mode=False)
        raise SystemExit(code or (0 if words else WRONG_USAGE))
    except USAGE_ERROR as problem:
        output.remark(usage_text(problem))
        raise SystemExit(WRONG_USAGE) from None
    except (Exception, deadline.DeadlineError) as problem:
        if isinstance(problem, OSError) and not problem.filename:
            # Standard output failed, so nothing can be shown there.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        message = _message(problem)
        if message is None:
            raise
        if message:
            output.remark(message)
        raise SystemExit(IN_THE_DATA) from None


def _message(problem: BaseException) -> str | None:
    """Return the line to print for this error: empty for Ctrl-C, a closed pipe and a deadline, and None for a bug."""
    if isinstance(problem, typer.Abort | BrokenPipeError | deadline.DeadlineError):
        return ""
    if isinstance(problem, ModuleNotFoundError):
        return missing_package(problem)
    if isinstance(problem, OSError):
        return in_a_line(problem) if problem.filename else f"the output: {in_a_line(problem)}"
    if isinstance(problem, getattr(sys.modules.get("duckdb"), "Error", ())):
        return f"the database cannot answer; `make repro` rebuilds it ({str(problem).splitlines()[0]})"
    return None


if __name__ == "__main__":
    command()
