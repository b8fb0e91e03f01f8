"""The command line: registers the commands, each of which imports what it needs when it runs, so that --help answers at once."""

import io
import os
import re
import sys
from typing import Annotated

import typer

from pipeline import one_thread  # noqa: F401
from pipeline.commands import output
from pipeline.commands.cite import cite
from pipeline.commands.compare import compare
from pipeline.commands.convert import convert
from pipeline.commands.count import count
from pipeline.commands.diff import diff
from pipeline.commands.draft import draft
from pipeline.commands.estimate import estimate
from pipeline.commands.explain import explain
from pipeline.commands.export import export
from pipeline.commands.fetch import fetch
from pipeline.commands.hardware import hardware
from pipeline.commands.list import list_models
from pipeline.commands.measure import measure
from pipeline.commands.new import new
from pipeline.commands.plot import plot
from pipeline.commands.problems import IN_THE_DATA, USAGE_ERROR, WRONG_USAGE, extra_with, told, unusable
from pipeline.commands.query import query
from pipeline.commands.serve import serve
from pipeline.commands.show import show
from pipeline.commands.thresholds import thresholds
from pipeline.commands.utilization import utilization
from pipeline.commands.validate import validate
from pipeline.paths import collect_seldom, in_a_line, in_utf8
from schemas.plain_text import one_line

LONGEST_SHORT = 63  # characters
app = typer.Typer(
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command(context_settings={"ignore_unknown_options": True})(query)  # SQL may begin with a comment: --
app.command("list")(list_models)
app.command()(show)
app.command()(compare)
app.command()(hardware)
app.command()(explain)
app.command()(plot)
app.command()(thresholds)
app.command()(cite)
app.command()(export)
app.command()(diff)
app.command()(estimate)
app.command()(validate)
app.command()(convert)
app.command()(new)
app.command()(draft)
app.command()(count)
app.command()(utilization)
app.command()(fetch)
app.command()(serve)
app.command(
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True}, add_help_option=False
)(measure)  # fmt: skip


def _short(text: str) -> str:
    """The beginning of a verb's description, up to a mark of punctuation, that fits beside its name at 80 columns.

    >>> _short("List chips, or show one: peaks with evidence, other names, and the measurements of it, by network.")
    'List chips, or show one: peaks with evidence, other names'
    """
    text = re.sub(r" \([^)]*\)", "", text)
    ends = [found.start() for found in re.finditer(r"[,;:.](?= |$)", text) if found.start() <= LONGEST_SHORT]
    return text[: ends[-1]] if ends else text[:LONGEST_SHORT].rpartition(" ")[0]


for command in app.registered_commands:
    command.short_help = _short(" ".join((command.callback.__doc__ or "").split("\n\n")[0].split()))  # type: ignore[union-attr]


def _version(is_asked: bool) -> None:
    if is_asked:
        from importlib.metadata import version

        output.say(f"flop-ledger {version('flop-ledger')}")
        raise typer.Exit


@app.callback()
def flopledger(
    is_version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say which version this is.")
    ] = False,
) -> None:
    """FLOP Ledger: training compute of published machine-learning models, by two methods, with sources."""


def main() -> None:
    """Runs the command line; a closed pipe (`| head`) is no error."""
    in_utf8()
    collect_seldom()
    os.environ.setdefault(
        "PYDANTIC_DISABLE_PLUGINS", "1"
    )  # we have none; to look for them all packages are gone through
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # names have letters that an old terminal lacks
    refused = unusable(sys.argv[1:])
    if refused:
        print(refused, file=sys.stderr)
        raise SystemExit(WRONG_USAGE)
    try:
        words = sys.argv[1:]
        code = app(words or ["--help"], prog_name="flopledger", standalone_mode=False)
        raise SystemExit(code or (0 if words else WRONG_USAGE))
    except USAGE_ERROR as problem:
        output.remark(told(problem))
        raise SystemExit(WRONG_USAGE) from None
    except typer.Abort:
        raise SystemExit(IN_THE_DATA) from None
    except ModuleNotFoundError as problem:
        if not problem.name or problem.name.split(".")[0] in ("pipeline", "schemas"):
            raise
        extra = extra_with(problem.name)
        output.remark(f"this needs the package {problem.name}, which comes with: pip install 'flop-ledger[{extra}]'")
        raise SystemExit(IN_THE_DATA) from None
    except OSError as problem:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(problem, BrokenPipeError):
            said = in_a_line(problem) if problem.filename else f"the output: {in_a_line(problem)}"
            print(one_line(said), file=sys.stderr)
        raise SystemExit(IN_THE_DATA) from None


if __name__ == "__main__":
    main()
