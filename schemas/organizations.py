"""Split the organizations that a record names in one line, such as "Google, Stanford University and others"."""

import re
from collections.abc import Container, Iterator

COMMA = re.compile(r",\s*(?![^(]*\))")  # outside parentheses
OTHERS = "others"


def maker_names(written: str, known: Container[str]) -> list[str]:
    """Return the organizations as written. A name in `known` (in lower case) is not split at its commas and "and"s.

    >>> maker_names("Reed College and Institute of Arts and Technology", {"institute of arts and technology"})
    ['Reed College', 'Institute of Arts and Technology']
    >>> maker_names("LMSYS (UC Berkeley, CMU), Google and others", set())
    ['LMSYS (UC Berkeley, CMU)', 'Google']
    """
    return [name for part in _parts(written.strip(), known) if (name := part.strip()) and name.lower() != OTHERS]


def _parts(written: str, known: Container[str]) -> Iterator[str]:
    """Yield the names in a list, split at commas and then at "and". A known name with an "and" is kept whole."""
    if written.lower() in known:
        yield written
        return
    pieces = COMMA.split(written)
    if len(pieces) > 1:
        for piece in pieces:
            yield from _parts(piece.strip().removeprefix("and "), known)
        return
    # Split at the first "and" next to a known organization; without one, the "and" is part of a name.
    for first, rest in ((written[: match.start()], written[match.end() :]) for match in re.finditer(" and ", written)):
        if first.lower() in known or rest.lower() in known or rest == OTHERS:
            yield from (first, *_parts(rest, known))
            return
    yield written
