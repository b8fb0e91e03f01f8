"""Parse numbers as sources write them, with their magnitudes: 175 billion, 3.2T, 21.3 %, two weeks, 3.14e23, 13 亿."""

import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import yaml

from schemas import units
from schemas.arithmetic import COUNT_WORDS
from schemas.units import PREFIX_FACTORS

WORDS_OF = yaml.safe_load(Path(__file__).with_suffix(".yml").read_text(encoding="utf-8"))
SPELT: dict[str, float] = COUNT_WORDS | WORDS_OF["numbers"]
MULTIPLES = ("hundred", "thousand", "million")
MAGNITUDES: dict[str, float] = WORDS_OF["magnitudes"]
LETTERS: dict[str, float] = WORDS_OF["letters"]
PREFIXES = {"milli": 1e-3, "zetta": 1e21} | {prefix: PREFIX_FACTORS[prefix] for prefix in units.PREFIXES}
TIMES: dict[str, float] = {name: seconds for names, seconds in WORDS_OF["seconds"].items() for name in names.split()}
MONTH = re.compile(
    r"\bmonths?\b|\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b"
)
UNITS_OF_TIME = {name: TIMES[name] for name in ("second", "minute", "hour", "day", "week")}

EXAMPLES = {
    kind: re.compile(rf"(?<![a-z])(?:{words})(?![a-z])", re.IGNORECASE) for kind, words in WORDS_OF["examples"].items()
}

LONGEST_UNIT = 60  # characters after a number that are searched for its unit
MOST_REMEMBERED = 10_000  # texts in the cache, because several facts use the same quote


def _choice(words: "dict[str, float]") -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


NUMBER = (
    r"(?<![\d.,])\d{1,3}(?:(?:,|\{,\}|\\,|['’\u2009\u202f])\d{3})+(?:\.\d+)?(?!\d|[,.]\d)"  # with thousands separators
    r"|(?<!\w)\d{1,3}(?:_\d{3})+(?!\w)"
    r"|(?<![\d.,])\d{1,3}(?:\.\d{3}){2,}(?![\d,])|\d+(?:\.\d+|,\d{1,2}(?![\d,.]))?|\.\d+"
)
WORDS = rf"\b(?:{_choice(SPELT)})(?:[- ](?:{_choice(SPELT)}))*\b"
POWER = (
    r"(?:e\+?(?P<exponent>-?\d{1,3})(?!\w)"
    r"|\s*(?:[×·x*∗⋅]|\\times|\\cdot)\s*10\s*(?:(?:\^|\*\*)\s*\{?(?P<power>[-−–]?\d{1,2})(?!\d)\}?))"
)
FIGURE = re.compile(
    r"(?P<base>10|2)\s*(?:\^|\*\*)\s*\{?(?P<of_base>\d{1,2})\}?"
    r"|(?P<name>\b[ABHKLPTV]\d+|v\d+[ep](?![a-z])|(?-i:\b[A-Z]{2,})-\d+(?![\w.,-]))"
    rf"|(?P<number>{NUMBER})(?:{POWER})?|(?P<words>{WORDS})",
    re.IGNORECASE,
)
SPELT_OUT = re.compile(WORDS, re.IGNORECASE)
WORD = r"(?P<word>hundred|thousand|million|billion|trillion|mn|mio|bn|per ?cent)(?:s|en)?(?![a-z])"
MAGNITUDE_AFTER = re.compile(
    rf"[\s\-~\\$}}{{,]{{0,4}}(?:{WORD}|(?P<sign>%|百万|[千万萬만亿億억兆조])|(?P<letter>[kmbgt])(?![a-z0-9])"
    r"|(?P<prefix>milli|kilo|mega|giga|tera|peta|exa|zetta|[kmgtpezyb])"
    r"(?=-?(?:flop|ops|bit|byte|b\b|w\b|wh|hz|g\b|t\b|tok|param|sample|image|fs?-|word|step)))",
    re.IGNORECASE,
)
MEASURE = re.compile(
    r"[\s-]?(?:[KMGTP]i?B|[KMGTP]?(?:bytes?|bit|W|Wh|Hz|nm|flops?|ops))(?:/s)?(?![a-z])", re.IGNORECASE
)
FLAT_POWER = re.compile(r"\s*[×·⋅⇥]\s*10(\d\d?)(?!\d)")  # a power that a conversion to text flattened: 3.14 × 1023
HEADER = re.compile(  # a magnitude in the header of a column: (M), in billions, × 10^6
    r"(?:[(\[/]|\bin |(?<!\d)(?<!\d )(?:\\times|×|\bx))\s*"
    rf"(?:{WORD}|(?P<sign>%)|(?P<letter>[kmbt])\b|10\s*\^?\s*\{{?(?P<power>\d{{1,2}})\}}?)",
    re.IGNORECASE,
)
SPACED = re.compile(r"(?: \d{3})+(?!\d)")  # the rest of 600 000, or further cells of a table
JOINED = re.compile(r"\s*(?:[-–—/,;|→&~∼+]|to|and|or|then|\\sim)\s*", re.IGNORECASE)  # as in 8 to 14 million
TIME_WORDS = _choice({name: 0.0 for name in TIMES if not re.fullmatch("[a-z]", name)})
TIME = rf"(?<![a-z])(?P<unit>{TIME_WORDS})(?:s|n|e)?(?![a-z])"
LETTER = r"\s?(?P<letter>[shd])(?![a-z0-9])"  # a unit of one letter must directly follow its number
TIME_AFTER = re.compile(rf"{LETTER}|(?:[\s\-–~*$\\]*[^\W\d][\w.()/-]*?){{0,4}}?[\s\-–~()$\\]*{TIME}", re.IGNORECASE)
ANY_TIME = re.compile(rf"(?<=\d){LETTER}|\((?P<head>[shd])\)|{TIME}", re.IGNORECASE)  # (s) is in a column's header
DOUBLED = re.compile(r"(\d{1,3}(?:,\d{3})+)(\d{1,3}(?:\{,\}\d{3})+)")  # a number doubled by a conversion: 6,1906{,}190
DIGITS = re.compile(r"(?<![\d,])\d{1,3}(?:,\d{3})+(?!,?\d)|\d+(?:\.\d+)?")
RAISED = re.compile("(?<=10)[⁻⁰¹²³⁴-⁹]+")
SIGNS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻−–", "0123456789---")


class Amount(NamedTuple):
    """A number in a text: its possible values (`worths`), and the text after it."""

    worths: set[float]
    bare: float | None  # the number without its letter: 7 of 7B
    after: str
    is_measure: bool  # whether bytes, watts or a similar unit follow
    start: int
    end: int
    magnitude: float

    @property
    def seconds(self) -> float | None:
        """Return the length in seconds of the time unit that follows the number, or None if there is none."""
        time = TIME_AFTER.match(self.after)
        return _seconds(time) if time else None


@lru_cache(maxsize=MOST_REMEMBERED)
def amounts(text: str) -> tuple[Amount, ...]:
    """Return the numbers in a text.

    >>> text = "8 to 14 million on 10,000 GPUs, 48 % MFU, twenty-four days, 3.2T"
    >>> [sorted(amount.worths) for amount in amounts(text)]
    [[8.0, 8000000.0], [14000000.0], [10000.0], [0.48], [24.0], [3.2, 3200000000000.0]]
    """
    text = plain_text(text)
    header_magnitudes = {_magnitude(match) for match in HEADER.finditer(text)}  # may apply to any number
    numbers: list[Amount] = []
    place = 0
    while figure := FIGURE.search(text, place):
        if figure["name"]:  # of a device or a model, such as V100 or GPT-3
            place = figure.end()
            continue
        # A magnitude is certain if it is a word, but not if it is a letter, such as B, that may have another meaning.
        value, end, magnitude, is_certain = _value(figure), figure.end(), 1.0, True
        if last_word := re.search(r"[- ](thousand|million)$", figure["words"] or "", re.IGNORECASE):
            magnitude = SPELT[last_word[1].lower()]
            value /= magnitude
        is_measure = bool(MEASURE.match(text, end))
        while suffix := MAGNITUDE_AFTER.match(text, end):
            is_certain &= not (suffix["letter"] or suffix["prefix"])
            magnitude, end = magnitude * _magnitude(suffix), suffix.end()
        place = end
        if flat_power := FLAT_POWER.match(text, end):
            magnitude, is_certain = 10.0 ** int(flat_power[1]), False
        worths = {
            value * magnitude,
            *(value * header_magnitude for header_magnitude in header_magnitudes),
            *([] if is_certain else [value]),
        }
        if (
            further_digits := SPACED.match(text, figure.end())
            if re.fullmatch(r"\d{1,3}", figure["number"] or "")
            else None
        ):
            worths.add(float(figure["number"] + further_digits[0].replace(" ", "")))
        # In "8 to 14 million", the magnitude may also apply to the first number.
        start = figure.start()
        for earlier in reversed(numbers) if magnitude != 1.0 else ():
            if earlier.magnitude != 1.0 or start - earlier.end > 12 or not JOINED.fullmatch(text, earlier.end, start):
                break
            earlier.worths.update([worth * magnitude for worth in earlier.worths])
            start = earlier.start
        has_power = figure["exponent"] or figure["power"]
        numbers.append(
            Amount(
                worths,
                None if is_certain or magnitude == 1.0 else value,
                text[end : end + LONGEST_UNIT],
                is_measure,
                figure.start(),
                end,
                0.0 if has_power else magnitude,  # with its own power, it takes no magnitude from later numbers
            )
        )
    return tuple(numbers)


def worths(texts: Iterable[str]) -> set[float]:
    """Return all possible values of the numbers in texts."""
    return {worth for text in texts for number in amounts(text) for worth in number.worths}


def digits(texts: Iterable[str]) -> set[float]:
    """Return the numbers that texts write in digits, with those in names, and without magnitudes.

    >>> sorted(digits(["1,024 V100 for 2.5 billion"]))
    [2.5, 100.0, 1024.0]
    """
    return {float(number.replace(",", "")) for text in texts for number in DIGITS.findall(text)}


def plain_text(text: str) -> str:
    """Return a text with ^ for raised powers, without fonts, doubled numbers and spaces between a formula's digits."""
    text = RAISED.sub(lambda power: f"^{power[0].translate(SIGNS)}", text)
    text = DOUBLED.sub(lambda number: number[1] if number[1] == number[2].replace("{,}", ",") else number[0], text)
    text = re.sub(r"\\(?:mathrm|text)\s*\{\s*(\w)\s*\}\s*", r"\1", text)
    formulas = r"\$[^$]*\$" if "$" in text or "\\" not in text else r"(?s).+"  # a quote may begin inside a formula
    return re.sub(formulas, lambda formula: re.sub(r"(?<=[\d^{.e]) (?=[\d.^{e}])", "", formula[0]), text)


@lru_cache(maxsize=MOST_REMEMBERED)
def magnitudes(text: str) -> set[float]:
    """Return all magnitudes in a text, whether next to numbers or in column headers."""
    text = plain_text(text)
    values = {_magnitude(match) for pattern in (HEADER, MAGNITUDE_AFTER) for match in pattern.finditer(text)}
    for figure in FIGURE.finditer(text):
        if figure["name"]:
            continue
        exponent = figure["exponent"] or (figure["power"] or "").translate(SIGNS)
        values |= {_value(figure)} if figure["base"] == "10" else {10.0 ** int(exponent)} if exponent else set()
    return values | {10.0 ** int(match[1]) for match in FLAT_POWER.finditer(text)}


def prefix(unit: str) -> float:
    """Return the factor for a unit's prefix, or 1 if it has none.

    >>> prefix("teraflop_per_second"), prefix("GMAC"), prefix("day")
    (1000000000000.0, 1000000000.0, 1.0)
    """
    match = re.match(r"(kilo|mega|giga|tera|peta|exa)|([kMGTPE])(?=FLOP|MAC|Hz|W|B)", unit)
    return 1.0 if not match else PREFIXES[match[1]] if match[1] else LETTERS[match[2].lower()]


@lru_cache(maxsize=MOST_REMEMBERED)
def times(text: str) -> set[float]:
    """Return the length in seconds of each time unit in a text."""
    return {_seconds(match) for match in ANY_TIME.finditer(text)}


def in_digits(expression: str) -> str:
    """Return an expression with number words replaced by digits.

    >>> in_digits("twenty-four * hours_a_day + two"), in_digits("five to six")
    ('24 * hours_a_day + 2', '5 to 6')
    """
    return SPELT_OUT.sub(lambda spelt: f"{_number_of_words(spelt[0].lower()):.15g}", expression)


def _seconds(time: re.Match[str]) -> float:
    return TIMES[time[str(time.lastgroup)].lower()]


def _value(figure: re.Match[str]) -> float:
    """Return a figure's value without its magnitude: a power such as 10^9, number words, or digits with an exponent."""
    if figure["base"]:
        return float(figure["base"]) ** int(figure["of_base"])
    if figure["words"]:
        return _number_of_words(figure["words"].lower())
    number = re.sub(r",(?=\d{1,2}$)", ".", figure["number"])
    digits = re.sub(r"[^\d.]", "", number.replace(".", "") if number.count(".") > 1 else number)
    exponent = figure["exponent"] or (figure["power"] or "").translate(SIGNS)
    return float(f"{digits}e{int(exponent or 0)}")


def _number_of_words(words: str) -> float:
    """Return the value of number words: "two hundred" multiplies, "twenty-four" adds, other words replace it."""
    value = last = 0.0
    for word in re.split("[- ]", words):
        number = SPELT[word]
        if word in MULTIPLES and last:
            value *= number
        elif not (word in ("a", "an") and last):
            value = value + number if 20 <= last < 100 and number < 10 else number
        last = number
    return value


def _magnitude(match: re.Match[str]) -> float:
    """Return the factor that a match of HEADER or MAGNITUDE_AFTER stands for."""
    groups = match.groupdict()
    if power := groups.get("power"):
        return 10.0 ** int(power)
    if prefix := groups.get("prefix"):
        return PREFIXES.get(prefix.lower()) or (1e-3 if prefix == "m" else LETTERS[prefix.lower()])
    if letter := groups.get("letter"):
        return LETTERS[letter.lower()]
    return MAGNITUDES[str(groups.get("word") or groups.get("sign")).lower()]


def examples(text: str) -> set[str]:
    """Return the kinds of examples that a text mentions.

    >>> examples("for a total of 300 billion tokens"), examples("32B samples seen")
    ({'text'}, set())
    """
    return {kind for kind, words in EXAMPLES.items() if words.search(text)} - (
        {"video", "molecule"} if re.search("tokens?", text, re.I) else set()
    )
