"""A counter's number compared with the count by hand, and the known mistake that would explain it."""

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from pipeline.formulas.layers import LayerCount
from pipeline.formulas.layers.count import MULTIPLY_ADD_FLOP
from pipeline.site.report.counters import FACTOR, PLUS_ELEMENTWISE, RIGHT, ZERO
from tests.tools.measure.audit.case import Case
from tests.tools.measure.audit.counters import Counted, Counter
from tests.tools.measure.audit.loops import FIXED

# Counters count elementwise operations differently (a sigmoid as 1 or 4), so up to this multiple of ours is no mistake.
MOST_ELEMENTWISE = {"forward": 2, "backward": 4, "first_backward": 4}
# A mistake together with elementwise operations is an explanation only if these are at most this part of the products.
MOST_ELEMENTWISE_FRACTION = 0.25
RECURRENT = ("rnn", "gru", "lstm")


class Verdict(NamedTuple):
    """The verdict in FLOP, the verdict in the unit of the counter's own documentation, the ratio to FLOP, and an explanation."""

    verdict: str
    in_own_unit: str
    factor: float | None
    note: str


def evaluate(case: Case, which: str, counter: Counter, counted: Counted) -> Verdict:
    """Return the verdict on one counter's number for one case and pass."""
    truth = case.by_hand(which)
    own = truth * counter.multiply_add / MULTIPLY_ADD_FLOP / (case.batch if counter.is_per_example else 1)
    fixed = case.by_hand(which, FIXED)
    verdict = _against(case, which, truth, counted)
    in_own_unit = _against(case, which, own, counted)
    if verdict == PLUS_ELEMENTWISE and truth and own != truth:
        verdict = FACTOR  # multiply-adds with many elementwise operations may come near the FLOP
    if fixed != truth and _products(counted) == fixed:
        # torch skips the gradient of the first state, which is zeros; this is as correct as counting every step alike.
        kind = PLUS_ELEMENTWISE if counted.elementwise else RIGHT
        return Verdict(kind, kind, counted.total / truth, "without the gradient of the first state, which is zeros")
    factor = counted.total / truth if truth else None
    return Verdict(verdict, in_own_unit, factor, _note(case, which, counter, counted, verdict, in_own_unit))


def _products(counted: Counted) -> float:
    return counted.total - (counted.elementwise or 0)


def _allowance(case: Case, which: str, counted: Counted) -> float:
    if counted.elementwise is not None:
        return 0
    return MOST_ELEMENTWISE[which] * (case.elementwise() + case.tally().additions)


def _against(case: Case, which: str, truth: float, counted: Counted) -> str:
    products = _products(counted)
    if truth == 0:
        return RIGHT if counted.total == 0 else PLUS_ELEMENTWISE
    if products == truth:
        return PLUS_ELEMENTWISE if counted.elementwise else RIGHT
    if products == 0:
        return ZERO
    if truth < products <= truth + _allowance(case, which, counted):
        unit = case.by_hand(which) / truth
        is_known_mistake = any(words and products == flop / unit for words, flop in _mistakes(case, which))
        return FACTOR if is_known_mistake else PLUS_ELEMENTWISE
    return FACTOR


def _mistakes(case: Case, which: str) -> Iterator[tuple[str, float]]:
    """Yield known mistakes and the FLOP that each would give; first the right FLOP, without a mistake."""
    truth = case.by_hand(which)

    def masked(count: LayerCount) -> LayerCount:
        return count._replace(score_flop=count.full_score_flop)

    def scoreless(count: LayerCount) -> LayerCount:
        return count._replace(score_flop=0)

    yield "", truth
    is_attention = "attention" in case.kind or case.kind == "encoder_layer"
    scores = "attention scores missed" if is_attention else "products of activations missed"
    yield "the mask ignored", case.ours(which, masked)
    yield scores, case.ours(which, scoreless)
    first = case.placed(False)[0]
    groups = int(first.arguments.get("groups", first.input_shape[0] if first.kind == "depthwise_conv2d" else 1))
    if len(case.nodes) == 1 and groups > 1:
        yield "groups ignored", truth * groups
        if which != "forward":
            weights = case.ours("forward")
            yield "groups ignored in the gradient of the weights", weights * groups + (truth - weights)
    if first.kind == "conv_transpose2d":
        _, *inside = first.input_shape
        _, *outside = first.count.shape
        yield "output sizes for input sizes", truth * outside[0] * outside[1] / (inside[0] * inside[1])
    if case.batch > 1:
        yield "one example of the batch", truth / case.batch
    if len(case.shape) == 2 and len(case.nodes) == 1:
        only = "one step" if case.kind in RECURRENT else "one position"
        yield only, truth / case.shape[0]
        linear = case.ours(which, scoreless) / case.shape[0]
        yield f"{scores}, {only}", linear
        yield "each step as all of them", truth * case.shape[0]
    if which == "first_backward":
        yield "a gradient of the raw input, which nobody needs", case.by_hand("backward")
        yield f"{scores}, a gradient of the raw input", case.ours("backward", scoreless)
        yield "the mask ignored, a gradient of the raw input", case.ours("backward", masked)
    if which != "forward":
        yield "attention scores forward missed", 2 * case.ours("forward", scoreless)
    yield "counted twice", 2 * truth


def _note(case: Case, which: str, counter: Counter, counted: Counted, verdict: str, in_own_unit: str) -> str:
    elementwise = f"{counted.elementwise:g} elementwise operations" if counted.elementwise else ""
    if verdict in (RIGHT, PLUS_ELEMENTWISE):
        return elementwise
    if verdict == ZERO:
        return f"only {elementwise}" if elementwise else ""
    halved = (MULTIPLY_ADD_FLOP, "multiply-adds" if counter.multiply_add == 1 else "multiply-adds under the name FLOPs")
    units = sorted([(1, ""), halved], reverse=counter.multiply_add == 1)
    products, allowance = _products(counted), _allowance(case, which, counted)
    mistakes = [(words, flop) for words, flop in _mistakes(case, which) if flop]
    for most in (0, allowance):
        # A wrong unit is the first explanation.
        for (unit, name), (words, flop) in (*product(units, mistakes[:1]), *product(units, mistakes[1:])):
            excess = products - flop / unit
            if (words or name) and 0 <= excess <= min(most, MOST_ELEMENTWISE_FRACTION * flop / unit):
                extra = elementwise or ("elementwise operations" if excess else "")
                return ", ".join(part for part in (words, name, extra and f"with {extra}") if part)
    return f"with {elementwise}" if elementwise else ""
