"""Sentences of a text, and the words around a place of it that a record quotes."""

import re
from collections.abc import Iterator

LONGEST_SENTENCE = 900  # characters that are looked through at once
MOST_WORDS = 25  # of a quote
SENTENCE_END = re.compile(
    r"(?<=[.!?])(?<!et al\.)(?<!i\.e\.)(?<!e\.g\.)(?<!Fig\.)(?<!Eq\.)(?<!vs\.)(?<!Sec\.)(?<!approx\.)(?<!resp\.)(?<!cf\.)\s+(?=[A-Z(“\"\[•])"
)


def sentences(text: str) -> Iterator[tuple[int, str]]:
    """The sentences of a text, each with its place."""
    start = 0
    for end in [*(found.end() for found in SENTENCE_END.finditer(text)), len(text)]:
        sentence = text[start:end]
        for part in range(0, len(sentence), LONGEST_SENTENCE):
            yield start + part, sentence[part : part + LONGEST_SENTENCE]
        start = end


def quote_of(text: str, start: int, end: int) -> str:
    """The words around a place of a text, at most 25 of its sentence, verbatim.

    >>> quote_of("It is large. We train on 300 billion tokens.", 25, 36)
    'We train on 300 billion tokens.'
    """
    begun = max(0, start - LONGEST_SENTENCE)
    text, start, end = text[begun : end + LONGEST_SENTENCE], start - begun, end - begun
    first, last = 0, len(text)
    for at, sentence in sentences(text):
        if at <= start < at + len(sentence):
            first = at
        if at < end <= at + len(sentence):
            last = at + len(sentence)
    words = [found.span() for found in re.finditer(r"\S+", text) if first <= found.start() < last]
    inside = [place for place, (begin, stop) in enumerate(words) if begin < end and stop > start]
    if not inside:
        return text[start:end]
    low, high = inside[0], inside[-1]
    while high - low + 1 < min(MOST_WORDS, len(words)):
        is_before = low > 0 and (inside[0] - low <= high - inside[-1] or high == len(words) - 1)
        low, high = (low - 1, high) if is_before else (low, high + 1)
    return text[words[low][0] : words[min(high, low + MOST_WORDS - 1)][1]].strip()
