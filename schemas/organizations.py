"""The organizations that a model's record names in one line, as publications do: "Google, Stanford University and others"."""

import re
from collections.abc import Container, Iterator

COMMA = re.compile(r",\s*(?![^(]*\))")  # but none in parentheses
OTHERS = "others"


def named(written: str, known: Container[str]) -> list[str]:
    """Each organization as written; `known` has spellings in lower case, which are not split where they hold a comma or an "and".

    >>> named("Reed College and National Institute of Science and Technology", {"national institute of science and technology"})
    ['Reed College', 'National Institute of Science and Technology']
    >>> named("LMSYS (UC Berkeley, CMU), Google and others", set())
    ['LMSYS (UC Berkeley, CMU)', 'Google']
    """
    return [name for part in _parts(written.strip(), known) if (name := part.strip()) and name.lower() != OTHERS]


def _parts(written: str, known: Container[str]) -> Iterator[str]:
    if written.lower() in known:
        yield written
        return
    pieces = COMMA.split(written)
    if len(pieces) > 1:
        for piece in pieces:
            yield from _parts(piece.strip().removeprefix("and "), known)
        return
    # The shortest beginning that leaves a known organization; else it is one with "and" in its name.
    for first, rest in ((written[: match.start()], written[match.end() :]) for match in re.finditer(" and ", written)):
        if first.lower() in known or rest.lower() in known or rest == OTHERS:
            yield from (first, *_parts(rest, known))
            return
    yield written
