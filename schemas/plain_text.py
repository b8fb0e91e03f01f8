"""Text that comes from outside as a terminal may show it: on one line, nothing that moves its cursor, and of bounded length."""

import re

# Would break a line, move the cursor, split a cell or turn the text that follows from right to left.
BREAKS = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]+")
LONGEST_LINE = 300  # characters of a message
LONGEST_QUOTED = 100  # characters of what a message quotes
_QUOTED = re.compile(rf"""(?<![^\s(])(['"])([^'"]{{{LONGEST_QUOTED}}})[^'"]+\1(?!\w)""")
_WORD = re.compile(rf"(\S{{{LONGEST_QUOTED + 20}}})\S+")


def one_line(text: str) -> str:
    """The text on one line, what would break it or act on a terminal being a space.

    >>> one_line("a\\n\\x1b[2Jb")
    'a [2Jb'
    """
    return BREAKS.sub(" ", text)


def shortened(text: str) -> str:
    """The text on one line, with only the beginnings of long quotations and words.

    >>> shortened("'" + 200 * "a" + "' is not a date")[-20:]
    "aaaa…' is not a date"
    """
    return _WORD.sub(r"\1…", _QUOTED.sub(r"\1\2…\1", one_line(text)))


def cut(text: str, longest: int = LONGEST_LINE) -> str:
    """The text on one line, without its end where it is too long.

    >>> cut("too long", 5)
    'too …'
    """
    line = one_line(text)
    return line if len(line) <= longest else f"{line[: longest - 1]}…"


def lines(text: str) -> str:
    """Each line of a text as `one_line`."""
    return "\n".join(map(one_line, text.split("\n")))


def message(text: str) -> str:
    """Lines of a message, each of bounded length; where one is too long, its long quotations and words are cut before its end is.

    >>> len(message("'" + 5_000 * "a" + "' is not a date")), message("one\\ntwo")
    (117, 'one\\ntwo')
    """
    return "\n".join(line if len(line) <= LONGEST_LINE else cut(shortened(line)) for line in lines(text).split("\n"))
