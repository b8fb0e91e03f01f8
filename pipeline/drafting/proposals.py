"""What follows from candidates: values that contradict one another, and arithmetic between facts, each with the words that it rests on."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pipeline.drafting.figures import WORDS, figure, is_same, shown
from pipeline.drafting.ranking import Candidate

RIVAL = 0.15  # probability from which a second value is worth a word
MOST_PASSES = 50  # over a corpus of text
LEAST_PROBABILITY = 0.01  # of a factor
SEQUENCES = 100_000  # a batch below this may count sequences
NODES = re.compile(
    rf"(?P<nodes>\d[\d,]*|{WORDS})[- ](?:\w+[- ]){{0,4}}?(?:nodes|machines|servers|hosts|instances|boxes)\b[^.;]{{0,60}}?(?P<each>\d+|{WORDS})[- ×x]*(?:[\w-]+ ){{0,4}}?(?:GPUs?|TPUs?|chips|[AVHP]\d00|accelerators)",
    re.IGNORECASE,
)
SEEN = re.compile(
    r"\btrain(?:ed|ing|s)?\b[^.;]{0,60}\b(?:on|for|over|with)\b|\bsee[ns]?\b|\bprocess|\bconsum", re.IGNORECASE
)
FOUR_TIMES = re.compile(r"(?:\b4|four)\s?(?:×|x|\*|times)|\b4\s?(?:d|H|h)(?:_?\{?model\}?)?\b", re.IGNORECASE)


@dataclass(frozen=True)
class Proposal:
    """A value worked out from candidates. `rests_on` are those candidates, whose quotes the fact then names."""

    kind: str
    value: float
    written: str
    derived: str
    rests_on: tuple[Candidate, ...]
    note: str


def conflict(candidates: list[Candidate]) -> str | None:
    """What the text has beside the first candidate, in words; None where no other value is probable."""
    rivals = [each for each in candidates[1:3] if each.probability >= RIVAL]
    said = ", ".join(f"{each.written} ({each.best.passage.where or 'no heading'})" for each in rivals)
    return f"the text also has {said}" if said else None


def proposals(ranked: Mapping[str, list[Candidate]]) -> list[Proposal]:
    """Arithmetic that the first candidates allow: tokens of a batch, chips of cores and nodes, passes, widths, data seen."""
    return [
        *_lengths(ranked),
        *_batches(ranked),
        *_chips(ranked),
        *_passes(ranked),
        *_feed_forward(ranked),
        *_seen(ranked),
    ]


def _first(ranked: Mapping[str, list[Candidate]], kind: str, most: int = 1) -> list[Candidate]:
    return [each for each in ranked.get(kind, [])[:most] if each.probability >= LEAST_PROBABILITY]


def _number(candidate: Candidate) -> str:
    derived = candidate.derived
    return derived if derived and not re.search("[a-z]{2}", derived) else shown(candidate.value)


def _product(one: Candidate, other: Candidate) -> str:
    return f"{_number(one)} * {_number(other)}"


def _batches(ranked: Mapping[str, list[Candidate]]) -> Iterator[Proposal]:
    for batch in _first(ranked, "batch", 3):
        for length in _first(ranked, "sequence_length", 2):
            if isinstance(batch.value, float) and isinstance(length.value, float) and 2 <= batch.value < SEQUENCES:
                value = batch.value * length.value
                yield Proposal(
                    "batch",
                    value,
                    shown(value),
                    _product(batch, length),
                    (batch, length),
                    "Sequences times their length, in tokens.",
                )


def _lengths(ranked: Mapping[str, list[Candidate]]) -> Iterator[Proposal]:
    for length in _first(ranked, "sequence_length", 3):
        said = re.fullmatch(r"(\d{1,4})\s?[kK]", length.best.passage.text[length.best.start : length.best.end])
        if said:
            value = int(said[1]) * 1024.0
            yield Proposal(
                "sequence_length",
                value,
                shown(value),
                f"{said[1]} * 1024",
                (length,),
                "Lengths are powers of two, k being 1,024.",
            )


def _chips(ranked: Mapping[str, list[Candidate]]) -> Iterator[Proposal]:
    for chips in _first(ranked, "chips", 5):
        assert isinstance(chips.value, float)
        after = chips.best.passage.text[chips.best.start : chips.best.end + 60]
        before = chips.best.passage.text[max(0, chips.best.start - 40) : chips.best.end]
        if re.search(r"TPU", f"{before}{after}") and re.search(r"\bcores?\b|(?:TPU ?|-?)v[23]-$", f"{after} {before}"):
            value = chips.value / 2
            yield Proposal(
                "chips",
                value,
                shown(value),
                f"{_number(chips)} / 2",
                (chips,),
                "TPU v2 and v3 have two cores a chip.",
            )
        for match in NODES.finditer(chips.quote):
            nodes, each = figure(match["nodes"].lower()), figure(match["each"].lower())
            if nodes and each:
                value = nodes.value * each.value
                yield Proposal(
                    "chips",
                    value,
                    shown(value),
                    f"{nodes.value:.15g} * {each.value:.15g}",
                    (chips,),
                    "Nodes times their chips.",
                )
    for duration in _first(ranked, "duration", 2):
        for match in NODES.finditer(duration.quote):
            nodes, each = figure(match["nodes"].lower()), figure(match["each"].lower())
            if nodes and each:
                value = nodes.value * each.value
                yield Proposal(
                    "chips",
                    value,
                    shown(value),
                    f"{nodes.value:.15g} * {each.value:.15g}",
                    (duration,),
                    "Nodes times their chips.",
                )


def _passes(ranked: Mapping[str, list[Candidate]]) -> Iterator[Proposal]:
    for examples in _first(ranked, "examples", 3):
        sentence = examples.quote
        if SEEN.search(sentence) or SEEN.search(examples.best.passage.caption):
            number = shown(examples.value)
            yield Proposal(
                "epochs",
                1.0,
                "1",
                f"{number} / {number}",
                (examples,),
                "Tokens seen in training, so one pass over them by definition.",
            )
            break


def _feed_forward(ranked: Mapping[str, list[Candidate]]) -> Iterator[Proposal]:
    for width in _first(ranked, "width"):
        for inner in [*_first(ranked, "feed_forward_width", 3), *_first(ranked, "width")]:
            if isinstance(width.value, float) and FOUR_TIMES.search(inner.best.passage.text):
                value = 4 * width.value
                yield Proposal(
                    "feed_forward_width",
                    value,
                    shown(value),
                    f"4 * {width.value:.15g}",
                    (width, inner),
                    "The text says four times the width.",
                )
                break


def _seen(ranked: Mapping[str, list[Candidate]]) -> Iterator[Proposal]:
    for steps in _first(ranked, "steps"):
        for batch in _first(ranked, "batch"):
            value = float(steps.value) * float(batch.value)
            yield Proposal(
                "examples",
                value,
                shown(value),
                _product(steps, batch),
                (steps, batch),
                "Steps times the batch: examples seen, whose epochs are then 1.",
            )
            for length in _first(ranked, "sequence_length"):
                tokens = value * float(length.value)
                yield Proposal(
                    "examples",
                    tokens,
                    shown(tokens),
                    f"{_product(steps, batch)} * {_number(length)}",
                    (steps, batch, length),
                    "Tokens seen, where the batch counts sequences.",
                )
    several = [float(each.value) for each in _first(ranked, "examples", 3)]
    pairs = [
        (one, other)
        for one in several
        for other in several
        if 1 < one / other <= MOST_PASSES and not is_same(one, other)
    ]
    for one, other in pairs[:2]:
        rests = tuple(each for each in _first(ranked, "examples", 3) if each.value in (one, other))
        yield Proposal(
            "epochs",
            one / other,
            shown(one / other),
            f"{one:.15g} / {other:.15g}",
            rests,
            "Tokens seen over the tokens of the corpus.",
        )
