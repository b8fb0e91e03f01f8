"""Whether the quotes of a fact support its figure.

Its digits are in their words, or `derived` states how it follows from them.
"""

import math
import re
from collections.abc import Mapping

from schemas.arithmetic import NUMBER_WORDS, arithmetic, reach
from schemas.facts import Fact, Seen, Word
from schemas.records import Assumption, Setting
from schemas.spelling import nearest
from schemas.vocabulary import Bound

NUMBER = re.compile(r"\d[\d,]*\d(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+")
TOLERANCE, ASSUMED_TOLERANCE = 5e-3, 1e-2  # between a value and its arithmetic; of a guess nobody needs three digits
NOTHING_ASSUMED: Mapping[str, Assumption] = {}


def doubt(fact: Seen, words: Mapping[str, str], assumptions: Mapping[str, Assumption] = NOTHING_ASSUMED) -> str | None:
    """Why the fact's evidence does not support its figure; None where it does or where there is none to check.

    `words` are the texts of the fact's quotes by their ids; together they must support the figure. `assumptions` are
    its record's.
    """
    if fact.derived is not None and isinstance(fact, Fact):
        if fact.assumptions and (assumptions or fact.assumptions != [fact.derived.strip()]):
            return _doubt_of_assumed(fact, fact.derived, assumptions)
        return _doubt_of_derived(fact, fact.derived, words)
    if isinstance(fact, Setting) and fact.value.isdigit() and fact.derived is not None:
        result = arithmetic(fact.derived)
        is_right = result is None or result == int(fact.value)
        return None if is_right else f"derived gives {result:.6g}, the value is {fact.value}"
    if not words or fact.derived is not None or (isinstance(fact, Setting) and not fact.value.isdigit()):
        return None
    text = "\n".join(words.values())
    if isinstance(fact, Fact):
        return _doubt_of_digits(fact, text, words)
    if isinstance(fact, Word):
        digits = re.findall(r"\d+", fact.value)
        if digits and digits[0] not in re.findall(r"\d+", text.replace(",", "")):
            return f"{digits[0]} of {fact.value!r} does not stand in {_named(words)}; add derived"
    return None


def _named(words: Mapping[str, str]) -> str:
    return f"quote{'s' if len(words) > 1 else ''} {' and '.join(map(repr, words))}"


def _doubt_of_digits(fact: Fact, text: str, words: Mapping[str, str]) -> str | None:
    shown = digits_in(text)
    for written in fact.stated:
        number = written.split()[0] if isinstance(written, str) else f"{written:.15g}"
        if digits(number) not in shown:
            return f"the digits of {number} do not stand in {_named(words)}; add derived: the number words, or the arithmetic"
    return None


def digits_in(text: str) -> set[str]:
    """The digits of every number in a text."""
    return {digits(number) for number in [*NUMBER.findall(text), *re.findall(r"\d+(?:\.\d+)?", text)]}


def digits(number: str) -> str:
    """The digits of a number, whatever its power of ten.

    >>> digits("1.28e6"), digits("1.28"), digits("1,280,000")
    ('128', '128', '128')
    """
    mantissa = re.split("[eE]", number.replace(",", "").replace(" ", ""))[0]
    plain = f"{float(mantissa):f}" if re.fullmatch(r"\d+\.?\d*|\.\d+", mantissa) else mantissa
    return plain.replace(".", "").strip("0")


def _doubt_of_assumed(fact: Fact, derived: str, assumptions: Mapping[str, Assumption]) -> str | None:
    unknown = [name for name in fact.assumptions if name not in assumptions]
    if unknown:
        return f"{unknown[0]!r} of derived is not one of this record's assumptions{nearest(unknown[0], assumptions)}"
    ends = reach(derived, {name: assumption.ends for name, assumption in assumptions.items()})
    if ends is None:
        return f"derived ({derived!r}) has no value at the ends of its assumptions"
    is_range = ends[0] < ends[1]
    given = f"{ends[0]:.6g} to {ends[1]:.6g}" if is_range else f"{ends[0]:.6g}"
    if is_range and fact.value is not None:
        return f"derived gives {given}; write low and high in place of value"
    wanted = [ends[0]] if fact.bound == Bound.AT_LEAST else list(ends) if fact.is_range else [ends[1]]
    stated = [float(str(amount).split()[0]) for amount in fact.stated]
    if all(math.isclose(*pair, rel_tol=ASSUMED_TOLERANCE) for pair in zip(wanted, stated, strict=True)):
        return None
    shown = " and ".join(f"{amount:.6g}" for amount in stated)
    return f"derived gives {given}, {'low and high are' if fact.is_range else 'the value is'} {shown}"


def _doubt_of_derived(fact: Fact, derived: str, words: Mapping[str, str]) -> str | None:
    result = arithmetic(derived)
    if result is not None:
        number = float(str(fact.stated[-1]).split()[0])
        if not math.isclose(result, number, rel_tol=TOLERANCE):
            return f"derived gives {result:.6g}, the value is {number:.6g}"
        return None
    spelt = [word for word in re.findall(r"[a-z]+", derived.lower()) if word in NUMBER_WORDS]
    if not spelt:
        return f"derived ({derived!r}) is neither arithmetic (digits + - * / ** ( )) nor number words"
    text = re.findall(r"[a-z]+", " ".join(words.values()).lower())
    absent = [word for word in spelt if words and word not in text]
    return f"{absent[0]!r} of derived does not stand in {_named(words)}" if absent else None
