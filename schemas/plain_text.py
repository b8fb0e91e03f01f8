"""Text from outside, made safe for a terminal: on one line, without control characters, and of bounded length."""

import re

# Characters that break a line, move the cursor, split a cell or reverse the direction of the text after them.
_MOVES = "\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069"
BREAKS = re.compile(f"[{_MOVES}\\t\\n\\r\\u2028\\u2029]+")
CONTROLS = re.compile(f"[{_MOVES}]")  # those that no table needs; cells have tabs and line breaks
LONGEST_LINE = 300  # characters in a line of a message
LONGEST_QUOTED = 100  # characters of a quotation within a message
_QUOTED = re.compile(rf"""(?<![^\s(])(['"])([^'"]{{{LONGEST_QUOTED}}})[^'"]+\1(?!\w)""")
_WORD = re.compile(rf"(\S{{{LONGEST_QUOTED + 20}}})\S+")


def one_line(text: str) -> str:
    """Return the text on one line, with spaces in place of characters that break lines or control a terminal.

    >>> one_line("a\\n\\x1b[2Jb")
    'a [2Jb'
    """
    return BREAKS.sub(" ", text)


def shorten(text: str) -> str:
    """Return the text on one line, with long quotations and words cut short.

    >>> shorten("'" + 200 * "a" + "' is not a date")[-20:]
    "aaaa…' is not a date"
    """
    return _WORD.sub(r"\1…", _QUOTED.sub(r"\1\2…\1", one_line(text)))


def cut(text: str, longest: int = LONGEST_LINE) -> str:
    """Return the text on one line, cut at the end if it is too long.

    >>> cut("too long", 5), cut("right", 5)
    ('too …', 'right')
    """
    line = one_line(text)
    return line if len(line) <= longest else f"{line[: longest - 1]}…"


def lines(text: str) -> str:
    """Return the text with `one_line` applied to each line."""
    return "\n".join(map(one_line, text.split("\n")))


def message(text: str) -> str:
    """Return a message with lines of bounded length. In a line that is too long, cut long quotations and words first.

    >>> len(message("'" + 5_000 * "a" + "' is not a date")), message("one\\ntwo")
    (117, 'one\\ntwo')
    """
    return "\n".join(line if len(line) <= LONGEST_LINE else cut(shorten(line)) for line in lines(text).split("\n"))
