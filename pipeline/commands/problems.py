"""Errors of the user: one line on standard error and an exit code, never a traceback."""

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import typer

from pipeline.commands.output import remark

IN_THE_DATA = 1
WRONG_USAGE = 2


@contextmanager
def reported(*kinds: type[Exception], code: int = IN_THE_DATA) -> Iterator[None]:
    """Ends the command with the message of these exceptions, and of LookupError, which unknown names raise.

    KeyError and IndexError are bugs and keep their traceback.
    """
    try:
        yield
    except (LookupError, *kinds) as problem:
        if isinstance(problem, KeyError | IndexError):
            raise
        remark(str(problem))
        raise typer.Exit(code) from None


def unusable(words: Iterable[str]) -> str | None:
    """Why no command can take these arguments, in a line; None where they are valid.

    '' would be taken as the working folder, and bytes that are no text cause errors later.

    >>> unusable(["show", ""])
    'an argument is empty; is a variable of the shell unset?'
    """
    for word in words:
        if not word or re.fullmatch("--[a-z-]+=", word):
            return "an argument is empty; is a variable of the shell unset?"
        try:
            word.encode()
        except UnicodeEncodeError:
            return f"{repr(os.fsencode(word))[1:]} is not text in UTF-8"
    return None
