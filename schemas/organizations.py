"""The organizations that a model's record names in one line, as publications do: "Google, Stanford University and others"."""

import re
from collections.abc import Container, Iterator

COMMA = re.compile(r", (?![^(]*\))")  # but none in parentheses
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
    first, conjunction, rest = written.partition(" and ")
    if not conjunction:
        yield written
        return
    # The shortest beginning that leaves a known organization, else the first word that could end one.
    for end in (match.start() for match in re.finditer(" and ", written)):
        if written[:end].lower() in known or written[end + 5 :].lower() in known:
            yield from (written[:end], *_parts(written[end + 5 :], known))
            return
    yield from (first, *_parts(rest, known))
