"""Read inputs from notes on training compute: tokens, parameters, and compute as a multiple of a base model's.

Estimates read nothing else from such a note. As in other notes, results are blanked. A number of tokens without
parameters may be another model's, a guess or a bound, so it is not read.
"""

import re
from typing import NamedTuple

from pipeline.catalogues.epoch.notes import DIGITS, NUMBER, amount, pattern, without_results

_AMOUNT = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"  # commas only between thousands
_FACTOR = NUMBER.replace(DIGITS, _AMOUNT)
_NAMED = re.sub(r"\?P<(\w+)>", r"?P<tokens_\1>", _FACTOR)
_PARAMETERS = rf"(?<![\d.,]){_FACTOR}\s*(?:(?:active|activated|total)\s+)?(?:parameters?|params?)"
_TOKENS = rf"(?<![\d.,]){_NAMED}\s*(?:training\s+)?tokens"
_BETWEEN = r"\s*(?:[*×x·,;]|and|on)\s*(?:~|about\s+|around\s+)?\s*"
_NOT_PER_PASS = r"(?!\s*(?:[*×x·/]\s*\d[\d.,]*\s*(?:epochs|passes|times)))"  # passes continue the product
_PAIRS = [
    pattern(one + _BETWEEN + other + _NOT_PER_PASS) for one, other in ((_PARAMETERS, _TOKENS), (_TOKENS, _PARAMETERS))
]
LEAST_TOKENS = 1e6


class Product(NamedTuple):
    """The parameters that one token uses and the tokens seen, as multiplied in a note."""

    parameters: float
    tokens: float


def product(note: str) -> Product | None:
    """Return the parameters and tokens that a note multiplies or states together, or None. Prefer the pair with the most tokens.

    >>> product("6 * 49e9 active parameters * 33e12 tokens = 9.702E24")
    Product(parameters=49000000000.0, tokens=33000000000000.0)
    >>> product("55 billion active parameters, ~20T tokens").tokens
    20000000000000.0
    """
    matches = (match for written in _PAIRS for match in written.finditer(without_results(note)))
    products = (Product(amount(match), amount(match, "tokens_")) for match in matches)
    return max((pair for pair in products if pair.tokens > LEAST_TOKENS), key=lambda pair: pair.tokens, default=None)


class Multiple(NamedTuple):
    """Training compute as a multiple of a base model's, and the base model's name, or "" if no note gives the name."""

    times: float
    base: str


_TIMES = pattern(
    r"NUMBER\s*(?:x|×|times)\s+(?:the\s+)?(?:total\s+)?(?:training\s+)?compute\s+of\s+(?:the|its)\s+base(?:\s+model)?\b"
    r"(?:,\s*(?P<base>[^,;\n]{1,60}))?"
)
_OWN_SHARE = pattern(r"(?P<share>\d{1,2}(?:\.\d+)?)\s*%\s+of\s+(?:the|its)\s+total\s+(?:training\s+)?compute\s+was\s+(?:performed|done)\s+by")  # fmt: skip
_BASED_ON = pattern(r"\bbased\s+on\s+(?P<base>[^,;\n]{1,60})")
MOST_TIMES = 1000.0


def multiple(note: str, parameters_note: str) -> Multiple | None:
    """Return the compute of the whole training as a multiple of the base model's, if a note states it; otherwise None.

    >>> multiple("to be 4x the training compute of the base model, Kimi K2.5; 4 x 5.8e24", "")
    Multiple(times=4.0, base='Kimi K2.5')
    >>> multiple("75% of the total compute was performed by their team", "Based on Kimi K2.5; 1.04T total")
    Multiple(times=4.0, base='Kimi K2.5')
    """
    text = without_results(note)
    named = _BASED_ON.search(parameters_note)
    base = named["base"].strip() if named else ""
    if match := _TIMES.search(text):
        times, base = amount(match), (match["base"] or base).strip()
    elif (share := _OWN_SHARE.search(text)) and float(share["share"]) > 0:
        times = 100 / (100 - float(share["share"]))
    else:
        return None
    return Multiple(times, base) if 1 <= times <= MOST_TIMES else None
