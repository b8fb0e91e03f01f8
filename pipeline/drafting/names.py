"""Whether words name the model that is drafted, another size of its family, or another model."""

import re
from collections.abc import Iterable
from functools import cached_property

from pipeline.drafting.figures import Figure, figure, is_same
from pipeline.drafting.locating import letters
from schemas.records import Records

SIZE = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)\s?([BMKTbmk])(?:illion)?(?![A-Za-z0-9])")
QUALIFIERS = frozenset("tiny mini nano small base medium large huge giant xl xxl big lite pro ultra max plus".split())
SIZE_TOLERANCE = 0.08  # "65B" is 65.2 billion
LEAST_MENTIONS = 3  # of the name in a text that is about the model
LEAST_OF_FAMILY = 20  # of its family, where the text has the full name more rarely: DenseNet-264 stands in two tables


def _parts(name: str) -> list[str]:
    return [part for part in re.split(r"[\s\-_/()\[\],:]+", name) if part]


def _any_of(ways: Iterable[str], not_before: str) -> re.Pattern[str]:
    longest_first = sorted(ways, key=len, reverse=True)
    return re.compile(rf"(?<![\w.])(?:{'|'.join(longest_first)})(?!{not_before})", re.IGNORECASE)


class Target:
    """The model that is drafted, by its names; `others` are families of other models."""

    def __init__(self, name: str, aliases: tuple[str, ...] = (), others: frozenset[str] = frozenset()) -> None:
        self.names = tuple(dict.fromkeys(spelling.strip() for spelling in (name, *aliases) if spelling.strip()))
        self.sizes = {size.value for spelling in self.names for size in sizes(spelling)}
        self.qualifiers = {
            part.lower()
            for spelling in self.names
            for part in _parts(spelling)[1:]
            if part.lower() in QUALIFIERS or re.fullmatch(r"\d+|[A-Z]", part)
        }
        self.families = {letters(_parts(spelling)[0]) for spelling in self.names if _parts(spelling)} - {""}
        self.others = others - self.families

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Any of its names, with any signs between their parts."""
        return _any_of((r"[\s\-_/()]*".join(map(re.escape, _parts(name))) for name in self.names), r"[\w]")

    @cached_property
    def family_pattern(self) -> re.Pattern[str]:
        """The first word of any of its names."""
        return _any_of({re.escape(_parts(name)[0]) for name in self.names}, "[a-z]")

    @cached_property
    def other_pattern(self) -> re.Pattern[str]:
        """Other models' names."""
        return _any_of(map(re.escape, self.others), "[a-z]") if self.others else re.compile("(?!)")

    def is_named(self, text: str) -> bool:
        """Whether one of its full names stands here."""
        return self.pattern.search(text) is not None

    def has_size(self, text: str) -> bool:
        """Whether its size stands here, as 175B or 175 billion."""
        return any(map(self._is_its_size, sizes(text)))

    def _is_its_size(self, size: Figure) -> bool:
        return any(is_same(size.value, of_name, SIZE_TOLERANCE) for of_name in self.sizes)

    def has_other_size(self, text: str) -> bool:
        """Whether a size of another model of the family stands here."""
        return bool(self.sizes) and not all(map(self._is_its_size, sizes(text)))

    def names_other(self, text: str) -> bool:
        """Whether another model is named here."""
        return self.other_pattern.search(text) is not None

    def label(self, cell: str) -> str:
        """Whose row or column this label heads: ours, sibling (another size of the family), other, or nobody's.

        >>> target = Target("LLaMA-65B")
        >>> target.label("65.2B"), target.label("LLaMA 13B"), target.label("GPT-3 175B"), target.label("Layers")
        ('ours', 'sibling', 'other', '')
        """
        if not cell or len(cell) > 60:
            return ""
        if self.is_named(cell):
            return "ours"
        is_of_family = self.family_pattern.search(cell) is not None
        is_of_other = not is_of_family and (
            self.names_other(cell) or bool(re.match(r"[A-Z][A-Za-z]+[-\s]?\d", cell) and sizes(cell))
        )
        if is_of_other:
            return "other"
        if sizes(cell) and self.sizes:
            return "ours" if self.has_size(cell) else "sibling"
        marks = {part.lower() for part in _parts(cell)}
        if self.qualifiers and marks & (QUALIFIERS | self.qualifiers):
            is_ours = self.qualifiers & marks and not (marks & QUALIFIERS) - self.qualifiers
            return "ours" if is_ours and (is_of_family or len(marks) <= 2) else "sibling"
        if is_of_family:
            return "ours" if not self.qualifiers and not self.sizes else ""
        return ""


def sizes(text: str) -> list[Figure]:
    """The sizes that a text has, such as 175B."""
    return [size for match in SIZE.finditer(text) if (size := figure(f"{match[1]}{match[2].upper()}"))]


def others_of(records: Records, name: str) -> frozenset[str]:
    """First words of the ledger's other models, which may be named in a publication."""
    words = {_first_word(model.name) for model in records.models.values()}
    first = letters(_first_word(name))
    return frozenset(word for word in words if len(word) >= 3 and letters(word) != first and not word.islower())


def _first_word(name: str) -> str:
    return re.split(r"[\s\-_/(]", name)[0]
