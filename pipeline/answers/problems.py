"""Report user errors with one line on standard error and an exit code, never a traceback."""

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

import typer

from pipeline.answers.output import remark
from pipeline.base.paths import IS_RELEASE
from schemas.errors import InputError

IN_THE_DATA = 1
WRONG_USAGE = 2
DEADLINE_SECONDS = 600.0
(USAGE_ERROR,) = typer.BadParameter.__bases__  # the parser raises it for wrong arguments; typer does not export it


def stop(message: str, code: int = IN_THE_DATA) -> NoReturn:
    """End the command with this message and exit code."""
    remark(message)
    raise typer.Exit(code) from None


@contextmanager
def reported(*kinds: type[Exception], code: int = IN_THE_DATA) -> Iterator[None]:
    """End the command with the message of any of these exceptions, or of LookupError, which unknown names raise.

    In the message, figures are named as options. KeyError and IndexError are bugs, so they keep their traceback.
    """
    try:
        yield
    except (LookupError, *kinds) as problem:
        if isinstance(problem, KeyError | IndexError):
            raise
        stop(problem.as_options() if isinstance(problem, InputError) else str(problem), code)


def usage_text(problem: Any) -> str:
    """Return the text for a usage error: how to use the command, how to get help, and what is wrong."""
    lines = []
    if problem.ctx is not None:
        lines = [problem.ctx.get_usage(), f"Try '{problem.ctx.command_path} --help' for help.", ""]
    message = problem.format_message().removeprefix("Invalid value: ").replace(": Value error, ", ": ")
    return "\n".join([*lines, f"Error: {message}{_hint(message)}"])


def _hint(message: str) -> str:
    """Return a hint if an unknown command is a table's name, or an unknown option is `estimate`'s; otherwise ""."""
    from pipeline.publishing.views import MAIN
    from schemas.figures import declarations

    kind, _, name = message.removeprefix("No such ").partition(" ")
    name = name.strip("'-.").replace("-", "_")
    if kind == "command" and name in MAIN:
        return f' It is a table: flopledger query "from {name}"'
    return (
        "; `flopledger estimate` has this option, and shows the MFU"
        if kind == "option:" and name in declarations()
        else ""
    )


def extra_with(module: str) -> str:
    """Return the smallest extra that contains this module; `spark`, which needs Java, only if no other does."""
    from importlib.metadata import requires

    groups: dict[str, list[str]] = {}
    for line in requires("flop-ledger") or []:
        name, _, condition = line.partition(";")
        group = re.search(r"extra == '([\w-]+)'", condition.replace('"', "'"))
        if group:
            groups.setdefault(group[1], []).append(re.match(r"[\w-]+", name)[0])  # type: ignore[index]
    package = module.partition(".")[0].replace("_", "-")
    extras = [group for group, names in groups.items() if any(name.startswith(package) for name in names)]
    return min(extras, key=lambda group: (group == "spark", len(groups[group])), default="pipeline")


def missing_package(problem: ModuleNotFoundError) -> str | None:
    """Return how to install the extra that contains a missing package; None for a module of ours.

    The wheel is in no package index, so installing it by name would install somebody else's package.
    """
    from importlib.metadata import version

    name = problem.name or ""
    if not name or name.split(".")[0] in (__name__.split(".")[0], "schemas"):
        return None
    place = f"flop_ledger-{version('flop-ledger')}-py3-none-any.whl" if IS_RELEASE else "."
    return f"this needs the package {name}, which comes with: pip install '{place}[{extra_with(name)}]'"


def argument_refusal(words: Iterable[str]) -> str | None:
    """Return one line that explains why no command can accept these arguments, or None if they are valid.

    An empty argument would be read as the working folder, and bytes that are not text would cause errors later.


    >>> argument_refusal(["show", ""])
    'an argument is empty; is a shell variable unset?'
    """
    for word in words:
        if not word or re.fullmatch("--[a-z-]+=", word):
            return "an argument is empty; is a shell variable unset?"
        try:
            word.encode()
        except UnicodeEncodeError:
            return f"{repr(os.fsencode(word))[1:]} is not text in UTF-8"
    return None
