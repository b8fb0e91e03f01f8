"""Find the id that a user means, by id, name or alias in any spelling; otherwise suggest up to three candidates."""

import heapq
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from difflib import SequenceMatcher
from functools import cache
from itertools import pairwise
from os.path import commonprefix
from typing import Any

LONGEST_WORD = 200  # characters; longer words are not compared, because the time grows with the product of lengths
CUTOFF = 0.7  # difflib ratio above which two spellings are similar
MOST_CANDIDATES = 3
MOST_PAIRS = 8  # letter pairs compared: the rarest in a word, because common pairs are in most spellings
MOST_COMPARED = 10  # spellings compared: those that share the most letter pairs with a word
LONGEST_LIST = 25  # ids listed in a message if no id is similar
LEAST_LETTERS = 3  # in a prefix or a misspelt word
DIGITS = re.compile(r"[a-z]?\d[a-z]?")  # with the letters next to it: o1 is not 1, 4v is not 4
PARTS = re.compile(r"[^\w.]+|_|(?<!\d)\.|\.(?!\d)|(?<=[^\W\d_]{2})(?=\d)")  # word breaks: "Llama3.1-8B" has two
# So that v3 equals 3, 4-5 equals 4.5, 2.0 equals 2, and a short form equals "instruct".
VERSIONS = {
    r"(?<![\w.])v(?=\d)": "",
    r"(?<![\w.])(\d{1,2})[-_ :](\d{1,2})(?![\w.])": r"\1.\2",
    r"(?<=\d)\.0(?![\d.])": "",
    r"(?<= )(?:it|inst?)(?= |$)": "instruct",
}


Form = Callable[[str], Collection[str]]  # a function that returns the parts of a spelling to compare


class Spellings(dict[str, str]):
    """Ids by spelling, with indexes for thousands of look-ups."""

    _indexes: dict[Form, dict[str, list[str]]] | None = None
    _counted = 0

    def ids_like(self, word: str, form: Form) -> set[str]:
        """Return the ids of the spellings that have a part in common with `word` in this form."""
        return {self[spelling] for part in form(word) for spelling in self._index(form).get(part, ())}

    def near(self, word: str) -> list[str]:
        """Return the spellings that share the most pairs of letters with `word`."""
        index = self._index(_pairs)
        rarest = sorted((index.get(pair, []) for pair in _pairs(word)), key=len)[:MOST_PAIRS]
        shared = Counter(spelling for spellings in rarest for spelling in spellings)
        return heapq.nlargest(MOST_COMPARED, shared, key=lambda name: shared[name] / (len(name) + len(word)))

    def _index(self, form: Form) -> dict[str, list[str]]:
        """Return the spellings by the parts that `form` gives; made again if spellings were added or removed."""
        if self._indexes is None or self._counted != len(self):
            self._indexes, self._counted = {}, len(self)
        if form not in self._indexes:
            index = self._indexes[form] = {}
            for spelling in self:
                for part in form(spelling):
                    index.setdefault(part, []).append(spelling)
        return self._indexes[form]


class UnknownNameError(LookupError):
    """Raised for an unknown name; the message suggests candidates."""


def spellings(rows: Iterable[Mapping[str, str | None]]) -> Spellings:
    """Return the id for each `id`, `name` and alias (joined by |) in these rows; the first row with a spelling wins.

    >>> spellings([{"id": "gpt-3", "name": "GPT-3 175B", "aliases": "GPT-3 | davinci"}])
    {'gpt-3': 'gpt-3', 'GPT-3 175B': 'gpt-3', 'GPT-3': 'gpt-3', 'davinci': 'gpt-3'}
    """
    names = Spellings()
    for row in rows:
        for spelling in (row["id"], row["name"], *(row["aliases"] or "").split(" | ")):
            if spelling:
                names.setdefault(spelling, str(row["id"]))
    return names


def find(word: str, names: Iterable[str]) -> str | None:
    """Return the id with this spelling, otherwise the only one that matches without case or by `plain`; or None.

    >>> find("gpt 3", Spellings({"gpt-3": "gpt-3", "GPT-3 175B": "gpt-3"})), find("vgg", ["vgg-16", "vgg-19"])
    ('gpt-3', None)
    """
    ids = _mapping(names)
    if word in ids:
        return ids[word]
    if len(word) > LONGEST_WORD:
        return None
    for form in (_lower, _plain):
        matches = ids.ids_like(word, form)
        (compared,) = form(word)
        if compared and len(matches) == 1:  # empty if the word has no letters or digits
            return matches.pop()
    return None


def chosen(word: str, names: Iterable[str], what: str) -> str:
    """Return the id that `find` returns. If there is none, raise UnknownNameError with candidates for `what`."""
    ids = _mapping(names)
    identifier = find(word, ids)
    if identifier is None:
        raise UnknownNameError(f"{word!r} is not {what}{nearest(word, ids)}")
    return identifier


def candidates(word: Any, names: Iterable[str], *, only_slips: bool = False) -> list[str]:
    """Return up to three ids, likeliest first: an exact match, otherwise ids one typo away, otherwise similar ids.

    A single candidate that is only similar is not returned, because it would be a guess. With `only_slips`, similar ids
    and ids with other digits are not returned either, because they are other members of a family.

    >>> candidates("gaudi4", Spellings({"Gaudi2": "intel-gaudi2", "Gaudi3": "intel-gaudi3", "A100": "nvidia-a100"}))
    ['intel-gaudi2', 'intel-gaudi3']
    >>> candidates("claude", ["clue", "gpt-3"])
    []
    """
    ids = _mapping(names)
    if len(str(word)) > LONGEST_WORD:
        return []
    exact = find(str(word), ids)
    if exact is not None:
        return [exact]
    scores: dict[str, float] = {}
    parts, slips = set(), set()
    written = plain(str(word))
    for spelling in ids.near(str(word)):
        identifier, other = ids[spelling], plain(spelling)
        is_slip = _is_one_slip(written, other) and not (only_slips and _is_relative(written, other))
        if only_slips and not is_slip:
            continue
        scores[identifier] = max(scores.get(identifier, 0.0), SequenceMatcher(None, written, other).ratio())
        if _is_part(written, other):
            parts.add(identifier)
        if is_slip:
            slips.add(identifier)
    # Prefer slips of one letter. Words that are only similar count if there are several, as for the sizes of a family.
    alike = parts | {identifier for identifier, score in scores.items() if score >= CUTOFF}
    if len(alike) == 1 and not parts:
        alike = set()
    return sorted(slips if only_slips else slips or alike, key=lambda identifier: (-scores[identifier], identifier))[
        :MOST_CANDIDATES
    ]


def closest(word: Any, names: Iterable[str]) -> str | None:
    """Return the likeliest candidate, or None.

    >>> closest("resnett", ["resnet", "vgg"])
    'resnet'
    """
    return next(iter(candidates(word, names)), None)


def nearest(word: Any, names: Iterable[str], longest_list: int = LONGEST_LIST, *, only_slips: bool = False) -> str:
    """Return the end of a message: the candidates, or all ids if no id is similar and there are only a few.

    >>> nearest("resnett", ["resnet", "vgg"]), nearest("vgg", ["vgg11", "vgg13"]), nearest("alexnet", ["resnet", "vgg"])
    ("; did you mean 'resnet'?", "; did you mean 'vgg11' or 'vgg13'?", '; known are resnet, vgg')
    """
    if letter := other_letter(str(word)):
        return letter
    ids = _mapping(names)
    near = [repr(name) for name in candidates(word, ids, only_slips=only_slips)]
    if near:
        return f"; did you mean {' or '.join(filter(None, (', '.join(near[:-1]), near[-1])))}?"
    all_ids = sorted({*ids.values()} if longest_list else ())
    return f"; known are {', '.join(all_ids)}" if 0 < len(all_ids) <= longest_list else ""


def other_letter(word: str) -> str:
    """Return the end of a message on a letter that is not Latin, but may look like one; empty if there is none.

    >>> other_letter("GPT-е"), other_letter("Côté")
    ("; 'е' is CYRILLIC SMALL LETTER IE: type Latin letters", '')
    """
    for letter in filter(str.isalpha, unicodedata.normalize("NFKD", word)):
        if "LATIN" not in (name := unicodedata.name(letter, "")):
            return f"; {letter!r} is {name}: type Latin letters"
    return ""


def _mapping(names: Iterable[str]) -> Spellings:
    return names if isinstance(names, Spellings) else Spellings((name, name) for name in names)


@cache
def plain(spelling: str) -> str:
    """Return a spelling's letters and digits without case or accents, the form in which `find` compares spellings.

    A point between digits (1.3B) and a plus (R+) are kept, because they distinguish models.

    >>> plain("Llama 3.1-405B"), plain("Côté_2."), plain("Command R+")
    ('llama3.1405b', 'cote2', 'commandrplus')
    """
    letters = unicodedata.normalize("NFKD", spelling).lower().replace("+", "plus")
    return re.sub(r"(?<!\d)\.|\.(?!\d)|[^\w.]|_", "", letters)


@cache
def words(name: str) -> tuple[str, ...]:
    """Return the words of a name without case or accents. A version is one word, spelt in a single way.

    >>> words("Llama3.1-405B"), words("GPT-4o"), words("claude-opus-4-5"), words("DeepSeek-V3")
    (('llama', '3.1', '405b'), ('gpt', '4o'), ('claude', 'opus', '4.5'), ('deepseek', '3'))
    """
    letters = (letter for letter in unicodedata.normalize("NFKD", name).lower() if not unicodedata.combining(letter))
    plain = " ".join(filter(None, PARTS.split("".join(letters).replace("+", " plus "))))
    for written, version in VERSIONS.items():
        plain = re.sub(written, version, plain)
    return tuple(plain.split())


def _lower(spelling: str) -> list[str]:
    return [spelling.lower()]


def _plain(spelling: str) -> list[str]:
    return [plain(spelling)]


def _pairs(spelling: str) -> set[str]:
    """Return the pairs of adjacent letters in a spelling, including marks for its beginning and end."""
    return {*map("".join, pairwise(f"^{plain(spelling)}$"))}


def _is_one_slip(word: str, other: str) -> bool:
    """Return whether one letter is wrong, missing or added, or two are swapped; in three letters, only the last."""
    # Compare what is left between the common beginning and the common end.
    start = len(commonprefix([word, other]))
    end = len(commonprefix([word[start:][::-1], other[start:][::-1]]))
    left, right = word[start : len(word) - end], other[start : len(other) - end]
    if min(len(word), len(other)) < LEAST_LETTERS:
        return False
    is_exchange = len(left) == 2 and left == right[::-1]
    return is_exchange or (max(len(left), len(right)) <= 1 and max(len(word), len(other)) > LEAST_LETTERS)


def _is_relative(word: str, other: str) -> bool:
    """Return whether a slip of one letter is another name: another digit, first letter or last letter.

    A letter typed twice or once too few is not, nor are swapped letters, nor O in place of 0.

    >>> _is_relative("grok5", "grok4"), _is_relative("glm4.6v", "glm4.6"), _is_relative("gpt33", "gpt3")
    (True, True, False)
    """
    is_exchange = sorted(word) == sorted(other) and re.findall(r"\d", word) == re.findall(r"\d", other)
    is_repeated = word == other + other[-1:] or other == word + word[-1:]
    if is_exchange or is_repeated or word.replace("o", "0") == other.replace("o", "0"):
        return False
    has_other_end = word.startswith(other) or other.startswith(word) or word[:-1] == other[:-1]
    return has_other_end or word[:1] != other[:1] or DIGITS.findall(word) != DIGITS.findall(other)


def _is_part(word: str, other: str) -> bool:
    """Return whether one word begins with the other (of at least three letters), or contains it (at least four)."""
    shorter, longer = sorted((word, other), key=len)
    return len(shorter) >= LEAST_LETTERS and (
        longer.startswith(shorter) or (len(shorter) > LEAST_LETTERS and shorter in longer)
    )
