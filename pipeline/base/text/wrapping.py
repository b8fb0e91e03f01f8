"""Break lines at spaces."""

import textwrap

NO_BREAK = "\u00a0"


def wrap(line: str, width: int) -> list[str]:
    """Break a line at spaces into lines of at most `width` characters. A longer word gets its own line.

    Continuation lines are indented by two more spaces than the first.

    >>> wrap("  paper: The Llama 3 Herd of Models", 20)
    ['  paper: The Llama 3', '    Herd of Models']
    """
    indent = line[: len(line) - len(line.lstrip(" "))]
    wrapped_lines = textwrap.wrap(
        line.strip(" ").replace(" %", f"{NO_BREAK}%"),
        width,
        initial_indent=indent,
        subsequent_indent=f"{indent}  ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [wrapped_line.replace(NO_BREAK, " ") for wrapped_line in wrapped_lines] or [""]
