"""What follows from candidates: values that contradict one another, and arithmetic between facts, each with the words that it rests on."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pipeline.drafting.candidates import Occurrence
from pipeline.drafting.figures import WORDS, figure, shown
from pipeline.drafting.ranking import Candidate

RIVAL = 0.15  # probability from which a second value is worth a word
MOST_PASSES = 50  # over a corpus of text
LEAST_RATIO = 1.1  # of tokens seen to those of the corpus; below it both may be one number, rounded
LEAST_PROBABILITY = 0.01  # of a factor
SEQUENCES_TIMES_LENGTH = "Sequences times their length, in tokens."
SEQUENCES = 100_000  # a batch below this may count sequences
MOST_PER_NODE = 16  # accelerators of a machine, unless the text says "each"
EACH = re.compile(r"\b(?:each|per|every)\b|-(?:GPU|TPU|card|chip)\b", re.IGNORECASE)
WHOLE = re.compile(r"\b(?:total|altogether|in all|overall)\b", re.IGNORECASE)
PER_NODE = re.compile(
    rf"(?P<each>\d+|{WORDS})[- ×x]*(?:[\w-]+ ){{0,4}}?(?:GPUs?|TPUs?|chips|[AVHP]\d00s?|accelerators)\s?(?:per|/|in each|in every|on each|a) ?(?:node|machine|server|host|instance|box)\b|(?:node|machine|server|host|instance|box)\s(?:is |was )?(?:has|had|with|contain\w*|equipped with|hous\w+|hav\w+|consist\w* of|compris\w*)\s(?P<each_2>\d+|{WORDS})\s(?:[\w-]+ ){{0,4}}?(?:GPUs?|TPUs?|chips|[AVHP]\d00s?|accelerators)",
    re.IGNORECASE,
)
NODE_COUNT = re.compile(
    rf"(?P<nodes>\d[\d,]*|{WORDS})[- ](?:[\w-]+[- ]){{0,4}}?(?:nodes|machines|servers|hosts|instances|boxes)\b",
    re.IGNORECASE,
)
PER_DEVICE = re.compile(
    r"^[- ]?(?:[\w-]+ ){0,3}?(?:per|/|on each|for each|a) ?(?:GPU|TPU|device|core|chip|worker|replica|accelerator)\b",
    re.IGNORECASE,
)
SEQUENCES_OF = re.compile(
    r"(?P<sequences>\d[\d,]*(?:\.\d+)?[kK]?) (?:[\w-]+ )?(?:sequences|contexts|samples|examples|segments|chunks|windows|documents)(?:,? each)? (?:of|with|containing|having|at)(?: a)?(?: maximum)?(?: sequence)?(?: length)?(?: of)?(?: up to| at most)? (?P<length>\d[\d,]*(?:\.\d+)?[kK]?)\b(?! ?%)"
)
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
    derived: str
    rests_on: tuple[Candidate, ...]
    note: str

    @property
    def written(self) -> str:
        """The value as a record writes it."""
        return shown(self.value)


def conflict(candidates: list[Candidate]) -> str | None:
    """What the text has beside the first candidate, in words; None where no other value is probable."""
    rivals = [candidate for candidate in candidates[1:3] if candidate.probability >= RIVAL]
    others = ", ".join(f"{rival.written} ({rival.best.passage.where or 'no heading'})" for rival in rivals)
    return f"the text also has {others}" if others else None


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
    return [candidate for candidate in ranked.get(kind, [])[:most] if candidate.probability >= LEAST_PROBABILITY]


def _number(candidate: Candidate) -> str:
    derived = candidate.derived
    return derived if derived and not re.search("[a-z]{2}", derived) else shown(candidate.value)


def _product(one: Candidate, other: Candidate) -> str:
    return f"{_number(one)} * {_number(other)}"


def _times(kind: str, one: Candidate, other: Candidate, why: str) -> Proposal:
    """The product of two candidates as a fact of this kind."""
    return Proposal(kind, float(one.value) * float(other.value), _product(one, other), (one, other), why)


def _batches(ranked: Mapping[str, list[Candidate]]) -> Iterator[Proposal]:
    yield from _sequences_of(ranked)
    yield from _batches_per_device(ranked)
    for batch in _first(ranked, "batch", 3):
        for length in _first(ranked, "sequence_length", 2):
            if isinstance(batch.value, float) and isinstance(length.value, float) and 2 <= batch.value < SEQUENCES:
                yield _times("batch", batch, length, SEQUENCES_TIMES_LENGTH)


def _lengths(ranked: Mapping[str, list[Candidate]]) -> Iterator[Proposal]:
    for length in _first(ranked, "sequence_length", 3):
        thousands = re.fullmatch(r"(\d{1,4})\s?[kK]", length.best.passage.text[length.best.start : length.best.end])
        if thousands:
            derived, why = f"{thousands[1]} * 1024", "Lengths are powers of two, k being 1,024."
            yield Proposal("sequence_length", int(thousands[1]) * 1024.0, derived, (length,), why)


def _chips(ranked: Mapping[str, list[Candidate]]) -> Iterator[Proposal]:
    for chips in _first(ranked, "chips", 5):
        assert isinstance(chips.value, float)
        if chips.value >= 2 and any(_counts_cores(occurrence) for occurrence in chips.occurrences):
            derived, why = f"{_number(chips)} / 2", "TPU v2 and v3 have two cores a chip."
            yield Proposal("chips", chips.value / 2, derived, (chips,), why)
    for candidate in [*_first(ranked, "chips", 5), *_first(ranked, "duration", 2)]:
        for match in NODES.finditer(candidate.quote):
            yield from _nodes(match["nodes"], match["each"], match[0], (candidate,))
    yield from _nodes_apart(ranked)


def _counts_cores(occurrence: Occurrence) -> bool:
    """Whether a number of chips counts a TPU's cores: "8 cores", or "TPU v3-8"."""
    text = occurrence.passage.text
    before, after = text[max(0, occurrence.start - 40) : occurrence.start], text[occurrence.end : occurrence.end + 60]
    return "TPU" in f"{before}{after}" and bool(re.search(r"\bcores?\b", after) or re.search(r"v[23]-$", before))


def _nodes(nodes_words: str, per_node_words: str, sentence: str, rests_on: tuple[Candidate, ...]) -> Iterator[Proposal]:
    nodes, per_node = figure(nodes_words.lower()), figure(per_node_words.lower())
    if (
        not nodes
        or not per_node
        or WHOLE.search(sentence)
        or (per_node.value > MOST_PER_NODE and not EACH.search(sentence))
    ):
        return  # "16 nodes (a total of 128 GPUs)" is multiplied already
    derived = f"{nodes.value:.15g} * {per_node.value:.15g}"
    yield Proposal("chips", nodes.value * per_node.value, derived, rests_on, "Nodes times their chips.")


def _nodes_apart(ranked: Mapping[str, list[Candidate]]) -> Iterator[Proposal]:
    """Nodes of one sentence times the chips of a node of another."""
    several = _first(ranked, "chips", 12)
    counts = [(candidate, match) for candidate in several for match in NODE_COUNT.finditer(candidate.quote)]
    of_node = [(candidate, match) for candidate in several for match in PER_NODE.finditer(candidate.quote)]
    for one, count in counts[:3]:
        for other, per_node in of_node[:2]:
            if one.quote != other.quote:
                chips = per_node["each"] or per_node["each_2"]
                yield from _nodes(count["nodes"], chips, f"each {count[0]}", (one, other))


def _sequences_of(ranked: Mapping[str, list[Candidate]]) -> Iterator[Proposal]:
    """Tokens of a batch that one sentence states as so many sequences of so many tokens."""
    for candidate in [*_first(ranked, "batch", 6), *_first(ranked, "sequence_length", 4)]:
        for match in SEQUENCES_OF.finditer(candidate.best.passage.text):
            sequences, length = figure(match["sequences"]), figure(match["length"])
            if sequences and length and candidate.best.start - 200 < match.start() < candidate.best.end + 200:
                derived = f"{sequences.value:.15g} * {length.value:.15g}"
                yield Proposal("batch", sequences.value * length.value, derived, (candidate,), SEQUENCES_TIMES_LENGTH)


def _batches_per_device(ranked: Mapping[str, list[Candidate]]) -> Iterator[Proposal]:
    """A batch that the text states for one device, times the devices."""
    for batch in _first(ranked, "batch", 5):
        best = batch.best
        if not PER_DEVICE.match(best.passage.text[best.end : best.end + 60]):
            continue
        for chips in _first(ranked, "chips", 2):
            yield _times("batch", batch, chips, "Of one device, times the devices.")


def _passes(ranked: Mapping[str, list[Candidate]]) -> Iterator[Proposal]:
    for examples in _first(ranked, "examples", 3):
        if SEEN.search(examples.quote) or SEEN.search(examples.best.passage.caption):
            number, why = shown(examples.value), "Tokens seen in training, so one pass over them by definition."
            yield Proposal("epochs", 1.0, f"{number} / {number}", (examples,), why)
            break


def _feed_forward(ranked: Mapping[str, list[Candidate]]) -> Iterator[Proposal]:
    for width in _first(ranked, "width"):
        for inner in [*_first(ranked, "feed_forward_width", 3), *_first(ranked, "width")]:
            if isinstance(width.value, float) and FOUR_TIMES.search(inner.best.passage.text):
                derived, why = f"4 * {width.value:.15g}", "The text says four times the width."
                yield Proposal("feed_forward_width", 4 * width.value, derived, (width, inner), why)
                break


def _seen(ranked: Mapping[str, list[Candidate]]) -> Iterator[Proposal]:
    for steps in _first(ranked, "steps"):
        for batch in _first(ranked, "batch"):
            why = "Steps times the batch: examples seen, whose epochs are then 1."
            examples = _times("examples", steps, batch, why)
            yield examples
            for length in _first(ranked, "sequence_length"):
                tokens, derived = examples.value * float(length.value), f"{examples.derived} * {_number(length)}"
                why = "Tokens seen, where the batch counts sequences."
                yield Proposal("examples", tokens, derived, (steps, batch, length), why)
    several = _first(ranked, "examples", 3)
    counts = [
        float(candidate.value)
        for candidate in several
        if not any("beside a word for held-out data" in occurrence.features for occurrence in candidate.occurrences)
    ]
    pairs = [(one, other) for one in counts for other in counts if LEAST_RATIO < one / other <= MOST_PASSES]
    for one, other in pairs[:2]:
        rests = tuple(candidate for candidate in several if candidate.value in (one, other))
        derived = f"{one:.15g} / {other:.15g}"
        yield Proposal("epochs", one / other, derived, rests, "Tokens seen over the tokens of the corpus.")
