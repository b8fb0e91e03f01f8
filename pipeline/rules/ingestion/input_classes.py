"""Classify how well an input is known. An input is a product of facts, and the evidence for them gives its class."""

import math
import re
from collections.abc import Iterator, Mapping

from pipeline.formulas.uncertainty import log_sd_of_interval
from pipeline.rules.ingestion import kind_of, source_of
from schemas.facts import Fact, Word
from schemas.records import Assumption, Model
from schemas.vocabulary import Basis, Bound, Evidence, InputClass, SourceKind

NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e[+-]?\d+)?")
OUTSIDERS = (SourceKind.ANALYSIS, SourceKind.PRESS)  # they took no part in the training


def input_class(model: Model, *facts: Fact | None) -> InputClass | None:
    """Return the class of the product of these facts about a model, or None if any of them is not stated.

    A user's figures are exact, except for the width of a range. Factors of 1, such as a single epoch, are ignored. A
    figure that the record derives from other figures counts as a product.
    """
    known_facts = [fact for fact in facts if fact is not None]
    if len(known_facts) < len(facts):
        return None
    if all(fact.evidence == Evidence.STATED_BY_USER and not fact.bound for fact in known_facts):
        has_range = any(fact.is_range for fact in known_facts)
        return InputClass.USER_RANGE if has_range else InputClass.STATED_BY_USER
    if any(outside_source(model, fact) for fact in known_facts):
        return InputClass.ANALYSIS
    if any(fact.bound for fact in known_facts):
        return InputClass.BOUND
    if any(fact.assumptions for fact in known_facts):
        return InputClass.ASSUMED
    if any(fact.is_range for fact in known_facts):
        return InputClass.RANGE
    for evidence, weak in ((Evidence.UNSEEN, InputClass.UNREAD), (Evidence.TABLE, InputClass.TABLE)):
        if any(fact.evidence == evidence for fact in known_facts):
            return weak
    factors = [fact for fact in known_facts if fact.amount != 1]
    if len(factors) > 1 or any(map(_is_product, factors)):
        return InputClass.PRODUCT
    return InputClass.EXACT


def outside_source(model: Model, fact: Fact | Word) -> str | None:
    """Return the key of the fact's source if it is an analyst or the press, otherwise None."""
    key = source_of(model, fact)
    return key if kind_of(model, key) in OUTSIDERS else None


def stated_basis(model: Model, fact: Fact | Word | None) -> Basis | None:
    """Return whether a fact was stated by analysts or the press (`analyst`) or not (`reported`); None if not stated."""
    if fact is None:
        return None
    return Basis.ANALYST if outside_source(model, fact) else Basis.REPORTED


def bound_of(*facts: Fact | None) -> Bound | None:
    """Return which bound the product of these facts is, or None if no factor is a bound or the bounds conflict."""
    bounds = {fact.bound for fact in facts if fact is not None and fact.bound}
    return bounds.pop() if len(bounds) == 1 else None


def range_log_sd(assumptions: Mapping[str, Assumption], *facts: Fact | None) -> float | None:
    """Return the log standard deviation of a product due to its ranges and assumptions, or None if it has neither.

    The ends of a range are its 5 % and 95 % points.
    """
    widths = [width for fact in facts if fact is not None for width in _widths(fact, assumptions)]
    return math.hypot(*widths) if widths else None


def _widths(fact: Fact, assumptions: Mapping[str, Assumption]) -> Iterator[float]:
    """Yield the log standard deviation of a fact that is a range, or else of each assumption that it depends on."""
    if fact.is_range:
        low, high = fact.bounds
        yield log_sd_of_interval(math.log(high / low))
        return
    for name in fact.assumptions:
        if name in assumptions and (log_sd := assumptions[name].log_sd) is not None:
            yield log_sd


def _is_product(fact: Fact) -> bool:
    """Return whether a fact was derived by arithmetic on at least two different figures."""
    derived = fact.derived or ""
    return len({float(figure) for figure in NUMBER.findall(derived)}) > 1 and any(sign in derived for sign in "*/+-")
