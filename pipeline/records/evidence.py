"""Check whether the quotes of a fact support its figure.

They do if they contain the figure and its unit, or if `derived` computes the figure from numbers in the quotes and in
other facts.
"""

import itertools
import math
import re
from collections.abc import Iterable, Mapping

from pipeline.base.text import numerals
from schemas.arithmetic import arithmetic, names, numbers, scales, value_range
from schemas.facts import Fact, PrecisionWord, Quote, Seen, Word
from schemas.records import Assumption, Setting
from schemas.spelling import nearest
from schemas.units import DAY_SECONDS, HOUR_SECONDS, amount
from schemas.vocabulary import Bound

TOLERANCE, ASSUMED_TOLERANCE = 5e-3, 1e-2  # between a value and its arithmetic, from exact numbers and from assumptions
NOTHING_ASSUMED: Mapping[str, Assumption] = {}
# Factors between seconds, minutes, hours, days and weeks; bits per byte; operations per multiply-add, and half; bytes
# per KiB; GB per GiB.
OF_CLOCKS = frozenset({7.0, 24.0, 60.0, float(HOUR_SECONDS), float(DAY_SECONDS)})
CONVERSIONS = OF_CLOCKS | {0.5, 1.0, 2.0, 8.0, 1024.0, 1.073741824}
DAYS_OF_MONTHS = frozenset({28.0, 29.0, 30.0, 31.0})
ALWAYS_NAMED = frozenset({1e2, 1e3})  # factors that quotes need not name: percent, and thousands
MODEL = re.compile(r"[A-Za-z]*\d\w*")  # a chip's model number, such as V100 or 580
OF_TIME = ("second", "chip_second", "core_second")
NO_ARITHMETIC = "is neither arithmetic (digits + - * / ** ( )) nor"
NAME_IT = "state {} in the quote's `where:`, for example as the column header"


def doubt(
    fact: Seen,
    quotes: Mapping[str, Quote],
    others: Iterable[float] = (),
    assumptions: Mapping[str, Assumption] = NOTHING_ASSUMED,
) -> str | None:
    """Return why the quotes of a fact, taken together, do not support its figure; None if they do.

    `others` are the figures of the record's other facts, and `assumptions` are the record's assumptions by name.
    """
    if not isinstance(fact, Fact):
        return _doubt_of_word(fact, quotes)
    # If the record has no assumptions, a single word in `derived` counts as a number word, not as a name.
    is_assumed = bool(fact.assumptions and (assumptions or fact.assumptions != [str(fact.derived).strip()]))
    if mistake := _wrong_derivation(fact, assumptions if is_assumed else None):
        return mistake
    if not quotes:
        return None
    unquoted = next((place for place in range(len(fact.stated)) if not _is_quoted(fact, place, quotes)), None)
    if fact.derived is None and (unquoted is not None or is_assumed):
        is_number_quoted = fact.numbers[-1] in _worths(quotes)  # possibly with another unit
        return (_doubt_of_time(fact, quotes) if is_number_quoted else None) or _absence(fact, unquoted or 0, quotes)
    # If the quotes contain the number itself, `derived` may be in words, which need no explanation.
    derived = numerals.in_digits(fact.derived or "")
    needs_explanation = unquoted is not None or is_assumed or arithmetic(derived) is not None
    mistake = (
        _stray_number(derived, quotes, others, fact.amount_unit in OF_TIME) if derived and needs_explanation else None
    )
    return mistake or _doubt_of_time(fact, quotes)


def _doubt_of_word(fact: Seen, quotes: Mapping[str, Quote]) -> str | None:
    """Return why the quotes do not support a number in an architecture or a word such as bf16; None if they do."""
    if isinstance(fact, Setting) and not fact.value.isdigit():
        return None
    if isinstance(fact, Setting):
        result = arithmetic(fact.derived or "")
        if result not in (None, int(fact.value)):
            return f"derived gives {result:.6g}, but the value is {fact.value}"
        if quotes and fact.derived is None and float(fact.value) not in _worths(quotes):
            return f"{fact.value} is not in {_names(quotes)}; add derived"
    elif isinstance(fact, Word) and quotes and (digits := re.search(r"\d+", fact.value)) and _has_digits(fact):
        text = "\n".join([fact.derived or "", *(quote.text for quote in quotes.values())])
        if digits[0] not in re.findall(r"\d+", text.replace(",", "")):
            return f"{digits[0]} of {str(fact.value)!r} is not in {_names(quotes)}; add derived"
    if type(fact) in (Word, PrecisionWord) and quotes and _letters(str(fact.derived or "")) not in _words_of(quotes):
        return f"derived ({fact.derived!r}) is not in {_names(quotes)}; write the quoted words that mean {fact.value}"
    return None


def _has_digits(fact: Word) -> bool:
    """Return whether quotes must have a word's digits: without `derived`, or with a precision's digits."""
    return fact.derived is None or (isinstance(fact, PrecisionWord) and re.search(r"\d", fact.derived) is not None)


def doubt_of_chip(fact: Word, names: Iterable[str], quotes: Mapping[str, Quote]) -> str | None:
    """Return a message if `derived` has no words for the chip and quotes no model number of `names` (V100)."""
    model_numbers = {model_number for name in names for model_number in MODEL.findall(name)}
    is_in_words = fact.derived and not re.search(r"\d", fact.derived)  # another check compares these words
    quoted_letters = _words_of(quotes)
    if (
        not quotes
        or not model_numbers
        or is_in_words
        or any(_letters(number) in quoted_letters for number in model_numbers)
    ):
        return None
    derived = "correct it, or add derived: the quoted words that mean this chip"
    return f"{min(model_numbers)} is not in {_names(quotes)}; {derived}"


def _letters(text: str) -> str:
    return re.sub(r"[\W_]", "", text.casefold())


def _words_of(quotes: Mapping[str, Quote]) -> str:
    return _letters(" ".join(f"{quote.text} {quote.where or ''}" for quote in quotes.values()))


def _names(quotes: Iterable[str]) -> str:
    names_of_quotes = [repr(name) for name in quotes]
    return f"quote{'s' if len(names_of_quotes) > 1 else ''} {' and '.join(names_of_quotes)}"


def _amounts(quotes: Mapping[str, Quote]) -> list[numerals.Amount]:
    return [number for quote in quotes.values() for number in numerals.amounts(quote.text)]


def _worths(quotes: Mapping[str, Quote]) -> set[float]:
    return numerals.worths(quote.text for quote in quotes.values())


def _is_same(first: float, second: float) -> bool:
    return math.isclose(first, second, rel_tol=1e-6)


def _is_quoted(fact: Fact, place: int, quotes: Mapping[str, Quote]) -> bool:
    """Return whether the quotes contain a figure: as written, without its prefix, or converted to the fact's unit."""
    number, _, unit = str(fact.stated[place]).partition(" ")
    figures = (float(number), float(number) * numerals.prefix(unit), fact.bounds[place])
    # A fact without a unit does not match a measure (8 GB) or a number without its letter (7 of 7B); a time is
    # compared below, in the unit that follows it.
    quoted_values = (
        worth
        for quoted in _amounts(quotes)
        if not (fact.unit is None and quoted.is_measure) and not (fact.amount_unit in OF_TIME and quoted.seconds)
        for worth in quoted.worths
        if fact.unit or worth != quoted.bare
    )
    return _is_quoted_as_time(fact, place, quotes) or any(
        _is_same(*pair) for pair in itertools.product(quoted_values, figures)
    )


def _is_quoted_as_time(fact: Fact, place: int, quotes: Mapping[str, Quote]) -> bool:
    """Return whether the quotes contain a time, reading each number in the unit that follows it."""
    return fact.amount_unit in OF_TIME and any(
        _is_same(worth * quoted.seconds, fact.bounds[place])
        for quoted in _amounts(quotes)
        if quoted.seconds
        for worth in quoted.worths
    )


def _absence(fact: Fact, place: int, quotes: Mapping[str, Quote]) -> str:
    """Return the message for a number that is not in the quotes, with the nearest number that is."""
    number = fact.numbers[place]
    values = (
        value for quoted in _amounts(quotes) for value in quoted.worths if quoted.is_measure or value != quoted.bare
    )
    near = min(sorted(values), key=lambda value: abs(math.log(value / number)) if value > 0 else math.inf, default=None)
    nearest_value = "" if near is None else f", which has {near:.15g}"
    way_on = "correct it, or add derived: the arithmetic that leads to it"
    return f"{number:.15g} is not in {_names(quotes)}{nearest_value}; {way_on}"


def _doubt_of_time(fact: Fact, quotes: Mapping[str, Quote]) -> str | None:
    """Return a message if the quotes give the time in another unit or without a unit, otherwise None."""
    if fact.amount_unit not in OF_TIME:
        return None
    unit = str(fact.stated[-1]).split()[-1]
    seconds, unit_name = amount(f"1 {unit}", str(fact.amount_unit)), unit.rpartition("_")[2]
    # Units are sought right after the number, otherwise anywhere in the quotes, otherwise in the fact's note.
    after_number = {time.seconds for time in _amounts(quotes) if time.seconds and fact.numbers[-1] in time.worths}
    mentioned = after_number or {
        unit for quote in quotes.values() for unit in numerals.times(f"{quote.text}\n{quote.where or ''}")
    }
    mentioned |= numerals.times(fact.note or "") if not mentioned else set()
    time_factors = _time_factors(fact, quotes, mentioned)
    # `derived` converts the unit.
    if fact.assumptions or (time_factors and ("+" in str(fact.derived) or not mentioned)):
        return None
    if not mentioned:
        return f"there is no {unit_name} in {_names(quotes)}; {NAME_IT.format('the unit')}"
    converted = seconds * _product(numerals.in_digits(fact.derived or ""), time_factors)
    if any(_is_same(time, converted) for time in mentioned) or _is_quoted_as_time(fact, len(fact.stated) - 1, quotes):
        return None
    unit_names = [name for name, time in numerals.UNITS_OF_TIME.items() if time in mentioned]
    return f"is in {unit_name}s, but {_names(quotes)} mentions {' and '.join(unit_names)}s"


def _time_factors(fact: Fact, quotes: Mapping[str, Quote], named: set[float]) -> set[str]:
    """Return the numbers in `derived` that convert units of time, such as 24, and are not in the quotes."""
    usual = OF_CLOCKS | ({1000.0} if not named or min(named) < 1 else set()) | _days_of_months(quotes)
    unread = usual - _worths(quotes)
    return {
        number for number in numbers(numerals.in_digits(fact.derived or ""), scales=True) if float(number) in unread
    }


def _days_of_months(quotes: Mapping[str, Quote]) -> frozenset[float]:
    return DAYS_OF_MONTHS if any(numerals.MONTH.search(quote.text) for quote in quotes.values()) else frozenset()


def _product(derived: str, factors: Iterable[str]) -> float:
    """Return the product of the factors in `derived`, computed as the ratio of its values with and without them."""
    pattern = "|".join(rf"(?<![\w.]){re.escape(factor)}(?![\w.])" for factor in factors) or "$^"
    whole, without_factors = arithmetic(derived), arithmetic(re.sub(pattern, "1", derived))
    return whole / without_factors if whole and without_factors else 1.0


def _stray_number(derived: str, quotes: Mapping[str, Quote], others: Iterable[float], is_time: bool) -> str | None:
    """Return a message about the first number or power of ten in `derived` that nothing explains, or None.

    A number is explained if it is in a quote, is another fact or converts a unit. A power of ten is explained if a
    quote or its `where` names it.
    """
    if arithmetic(derived) is None and not names(derived):
        return f"derived ({derived!r}) {NO_ARITHMETIC} a number in {_names(quotes)}"
    known = _worths(quotes)
    times = [(time, time.seconds or 1) for time in _amounts(quotes)]
    known |= {worth * seconds for time, seconds in times if seconds < 1 for worth in time.worths}
    if not re.fullmatch(r"[\d.e+]+", derived):  # a single number may not be copied from another fact
        known |= {*CONVERSIONS, *others, *(_days_of_months(quotes) if is_time else ())}
    digits = numerals.digits(quote.text for quote in quotes.values())
    for number in numbers(derived) or ([] if names(derived) else numbers(derived, scales=True)[:1]):
        worth = arithmetic(number) or 0.0
        is_digits = "e" not in number.lower() and worth in digits  # a quote has the same digits
        if not (is_digits or any(_is_same(worth, value) for value in known)):
            return f"{number} of derived is neither in {_names(quotes)} nor in another fact"
    named = {*known, *ALWAYS_NAMED}
    for quote in quotes.values():
        text = f"{quote.text}\n({quote.where or ''})"
        named |= numerals.magnitudes(text) | {1 / seconds for seconds in numerals.times(text) if seconds < 1}
    for power in scales(derived):
        if not any(_is_same(power, value) for value in named):
            return f"there is no magnitude of {power:.0e} in {_names(quotes)}; {NAME_IT.format('it')}"
    return None


def _wrong_derivation(fact: Fact, assumptions: Mapping[str, Assumption] | None) -> str | None:
    """Return a message if `derived` has no value or a wrong one. `assumptions` is None if the fact uses none."""
    if fact.derived is None:
        return None
    if assumptions is not None:
        return _doubt_of_assumed(fact, fact.derived, assumptions)
    result, number = arithmetic(numerals.in_digits(fact.derived)), fact.numbers[-1]
    if result is not None:
        is_right = math.isclose(result, number, rel_tol=TOLERANCE)
        return None if is_right else f"derived gives {result:.6g}, but the value is {number:.6g}"
    if re.search(r"\d", fact.derived) or not numerals.amounts(fact.derived):
        return f"derived ({fact.derived!r}) {NO_ARITHMETIC} number words"
    return None


def _doubt_of_assumed(fact: Fact, derived: str, assumptions: Mapping[str, Assumption]) -> str | None:
    """Return a message if `derived`, computed over the ranges of its assumptions, does not give the stated numbers."""
    unknown = [name for name in fact.assumptions if name not in assumptions]
    if unknown:
        return f"{unknown[0]!r} of derived is not one of this record's assumptions{nearest(unknown[0], assumptions)}"
    ends = value_range(derived, {name: assumption.ends for name, assumption in assumptions.items()})
    if ends is None:
        return f"derived ({derived!r}) has no value at the ends of its assumptions"
    low, high = ends
    computed = f"{low:.6g} to {high:.6g}" if low < high else f"{low:.6g}"
    if low < high and fact.value is not None:
        return f"derived gives {computed}; write low and high in place of value"
    # A range must have both ends; compare a bound with the end on its side, and a value with the only end.
    if fact.is_range:
        expected, what = [low, high], "low and high are"
    else:
        expected, what = [low if fact.bound == Bound.AT_LEAST else high], "the value is"
    if all(math.isclose(*pair, rel_tol=ASSUMED_TOLERANCE) for pair in zip(expected, fact.numbers, strict=True)):
        return None
    return f"derived gives {computed}, but {what} {' and '.join(f'{number:.6g}' for number in fact.numbers)}"
