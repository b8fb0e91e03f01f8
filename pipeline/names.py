"""Finds what a person named: by id, name or alias, however it is spelt; else says what is nearest."""

import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path


def found(name: str, named: Iterable[Mapping[str, str | None]], what: str, records: Path) -> str:
    """The `id` of the row whose id, name or alias (joined by |) this is; case, spaces and hyphens do not matter.

    >>> found("gpt 3", [{"id": "gpt-3", "name": "GPT-3 175B", "aliases": None}], "a model", Path("data/records/models"))
    'gpt-3'

    Raises LookupError that names the nearest, or the record in the folder `records` that no run has seen yet.
    """
    spellings: dict[str, str] = {}
    plain: dict[str, set[str]] = {}
    for row in named:
        for spelling in (row["id"], row["name"], *(row["aliases"] or "").split(" | ")):
            if spelling:
                spellings.setdefault(spelling.lower(), str(row["id"]))
                plain.setdefault(_plain(spelling), set()).add(str(row["id"]))
    if name.lower() in spellings:
        return spellings[name.lower()]
    same = plain.get(_plain(name), set())
    if len(same) == 1 and _plain(name):
        return same.pop()
    record = next((file for file in records.glob("*.yaml") if _plain(file.stem) == _plain(name)), None)
    if record is not None:
        raise LookupError(f"{record.stem} has a record and is not in the ledger yet: run `make repro`")
    raise LookupError(f"{name!r} is not {what}{_nearest(name, list(spellings))}")


def chosen(word: str, words: Sequence[str], what: str) -> str:
    """The word itself where it is one of these. Raises LookupError that names the nearest, or all where they are few."""
    if word in words:
        return word
    few = f"; there are {', '.join(words)}" if len(words) <= 12 else ""
    raise LookupError(f"{word!r} is not {what}{_nearest(word, words) or few}")


def _plain(spelling: str) -> str:
    return re.sub(r"[\W_]+", "", spelling.lower())


def _nearest(word: str, words: Sequence[str]) -> str:
    lower = {each.lower(): each for each in words}
    close = get_close_matches(word.lower(), lower, n=1, cutoff=0.5)
    return f"; did you mean {lower[close[0]]!r}?" if close else ""
