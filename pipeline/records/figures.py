"""Parse the figures that a user states into numbers and ids. All mistakes are reported together."""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import combinations
from typing import Any

from pydantic import ValidationError

from pipeline.base.text.numerals import TIMES
from schemas import facts
from schemas.chips import FoundChip, chosen_chip, peak_of
from schemas.errors import InputError
from schemas.figures import Figures, declarations
from schemas.records import Records
from schemas.shorthand import ShorthandError, ends
from schemas.spelling import chosen, find
from schemas.vocabulary import Domain, PrecisionSpellings

Ends = tuple[float, float]  # the low and the high end; equal if a single number is stated
KNOWN: dict[str, Callable[[Records], Iterable[str]]] = {  # the words allowed for each figure
    "hardware": lambda records: records.chip_ids(),
    "precision": lambda _: PrecisionSpellings(),
    "domain": lambda _: [domain.value for domain in Domain],
    "trained_in": lambda records: records.grid_places(),
    "base_model": lambda records: records.model_ids(),
}
NETWORK = {"parameters", "active_parameters", "config", "base_model", "forward_flop"}
SPEED = {"tokens_per_second", "step_time"}
TEXT = {"tokens", "steps", *SPEED}  # figures that imply that the data is text
DATA = ("tokens", "images", "examples")  # figures for the size of a data set
TIME = {"days", "chip_hours", *SPEED}
SECONDS = {spelling: size for name, size in TIMES.items() for spelling in (name, f"{name}s")}  # of units of time
SPAN = re.compile(r"(\d[\d.,]*(?:e\d+)?) ?([a-z]+) *")  # a part of 2d 7h
TIME_UNITS = "units of time are ms, s, min, h, day and week"
NODES = re.compile(r"(?P<nodes>[\d,]+)\s*(?:nodes?)?\s*(?:[x×*]\s*(?P<chips>\d+)(?:\s*\w+)?)?", re.IGNORECASE)
SYSTEM = re.compile(r"(?:nvidia[ -])?[dh]gx[ -](?=[ahb]\d)", re.IGNORECASE)  # a node of eight chips
CHIPS_PER_SYSTEM = 8
SEVERAL = re.compile(r"([1-9]\d{0,5})(?:[x×*]\s*|\s+[x×*]\s+|\s+(?!GB))(.*[a-z].*)", re.IGNORECASE)  # 8xA100, 8 A100
SEQUENCES, TOKENS_A_STEP = " sequences", " tokens"  # units of a batch
PEAK_INSTEAD = "; for another chip, state its dense peak, such as 2.1e14"
TOGETHER = (  # pairs of figures that contradict each other
    ("days", "chip_hours", "both give the time"),
    *((*pair, "examples are of one kind") for pair in combinations(DATA, 2)),
    *(("total_flos", name, "both give the data") for name in DATA),
    ("utilization", "tflops_per_chip", "both give the share of the peak"),
    ("tokens_per_second", "step_time", "both give the speed"),
    *(("forward_flop", name, "both give the operations") for name in ("parameters", "config", "base_model")),
    *(("tokens_per_second", name, f"tokens and {name} are different kinds of examples") for name in DATA[1:]),
    *((name, "chip_hours", "the time follows from the speed") for name in sorted(SPEED)),
)
NEEDED = (  # a figure, other figures at least one of which it needs, and the reason
    ("batch", ("steps", "step_time"), "a batch is what one step sees"),
    ("step_time", ("batch",), "a step sees a batch"),
    ("steps", ("batch",), "a step sees a batch"),
    ("image_size", ("config",), "it describes a network"),
    ("prediction_depth", ("config",), "it describes a network"),
    ("target_length", ("config", "base_model"), "it describes a network with an encoder and a decoder"),
    ("epochs", DATA, "an epoch is one pass over a data set"),
    ("active_parameters", ("parameters",), "they are some of the model's parameters"),
    ("tflops_per_chip", ("hardware",), "it is a share of the peak of the chips"),
    (
        "recompute",
        ("utilization", "tflops_per_chip", *sorted(TIME)),
        "it determines which operations the chips perform in their time",
    ),
    ("generated_tokens", sorted(NETWORK), "the model generates them"),
    ("total_flos", sorted(NETWORK), "a trainer's total is 6 FLOP per parameter and token"),
    ("frozen", ("base_model", "config", "parameters"), "it applies to weights that were trained before"),
)


def checked(stated: Figures, records: Records, *, is_run: bool = False) -> tuple[dict[str, Ends], dict[str, str]]:
    """Return the ends of each amount and the id of each word, by figure.

    Raise InputError, which lists everything that is wrong with the figures. For a run (`is_run`), this includes
    contradictions between figures.
    """
    problems: list[tuple[str, str]] = []
    unknown: list[tuple[str, str]] = []
    words = dict(_words(stated, records, unknown))
    found = chip_named(str(stated["hardware"]), records) if "hardware" in words else None
    stated = _with_chips(stated, found, records, unknown) if found else stated
    amounts = dict(_amounts(stated, problems))
    if found and found.is_half:
        for name in {"chips", "chip_hours", "tflops_per_chip"} & amounts.keys():
            factor = 2 if name == "tflops_per_chip" else 0.5
            amounts[name] = factor * amounts[name][0], factor * amounts[name][1]
    if "hardware" in amounts and not is_run:
        unknown.append(("hardware", f"{stated['hardware']} is a peak, which only a run of your own may state"))
    elif is_run and "hardware" not in words:
        unknown = [(name, f"{problem}{PEAK_INSTEAD * (name == 'hardware')}") for name, problem in unknown]
    problems += unknown
    problems += _contradictions(stated) if is_run else ()
    if problems:
        raise InputError(problems)
    return amounts, words


def _amounts(stated: Figures, problems: list[tuple[str, str]]) -> Iterator[tuple[str, Ends]]:
    """Yield both ends of each stated amount that its fact's type accepts; add a problem for each other amount."""
    for name, value in stated.items():
        figure = declarations()[name][1]
        if not figure.fact or (name == "hardware" and peak_of(str(value)) is None):
            continue
        low = high = math.nan
        try:
            if name == "batch" and isinstance(value, str):
                value = value.removesuffix(SEQUENCES).removesuffix(TOKENS_A_STEP)
            elif name == "chips":
                value = _chips(value, str(stated.get("hardware", "")))
            elif name == "hardware":
                value = peak_of(str(value))
            low, high = _ends(value, figure.unit)
            if name == "utilization" and high > 1:
                raise ValueError(f"{value} is above 1, the peak; write 40 percent as 0.4 or 40%")
            getattr(facts, figure.fact).model_validate(_fact((low, high), figure.unit))
        except ValidationError as problem:
            message = problem.errors()[0]["msg"]
            written = repr(_in_unit(low, figure.unit)) if figure.unit else f"{low:.15g}"
            problems.append((name, message.replace(written, str(value), 1) if low == high else message))
        except (ShorthandError, TypeError, ValueError) as problem:
            problems.append((name, str(problem)))
        else:
            yield name, (low, high)


def _chips(value: Any, hardware: str) -> Any:
    """Return the number of chips in nodes, such as "32 nodes" of a DGX H100 or "32x8"; other values unchanged."""
    parts = NODES.fullmatch(value.strip()) if isinstance(value, str) else None
    if parts is None or value.strip() == parts["nodes"]:
        return value
    is_system = SYSTEM.match(hardware) is not None
    if parts["chips"] is None and not is_system:
        raise ValueError(f"{value} has no number of chips per node; write {parts['nodes']}x8 for nodes of 8 chips")
    return int(parts["nodes"].replace(",", "")) * int(parts["chips"] or CHIPS_PER_SYSTEM)


def _ends(value: Any, unit: str = "") -> Ends:
    """Return both ends of a figure: a number, a string such as '7B', '5..6k' or '3 weeks', or a pair of these.

    Raise TypeError for other values.
    """
    if isinstance(value, str) and unit in SECONDS:
        written = value.lower().strip()
        parts = SPAN.findall(written)
        if parts and not SPAN.sub("", written) and {name for _, name in parts} <= SECONDS.keys():
            spans = [[end * SECONDS[name] / SECONDS[unit] for end in ends(number)] for number, name in parts]
            return sum(low for low, _ in spans), sum(high for _, high in spans)
        try:
            return ends(value)
        except ShorthandError as problem:
            is_unit = re.search(r"[a-z]{2}", value, re.IGNORECASE)
            raise ShorthandError(f"{problem}; {TIME_UNITS}" if is_unit else str(problem)) from None
    if isinstance(value, str):
        return ends(value)
    if isinstance(value, bool) or not isinstance(value, int | float | tuple | list):
        raise TypeError(f"{value!r} is not a number, text such as '7B' or a pair of ends")
    if not isinstance(value, tuple | list):
        return float(value), float(value)
    if len(value) != 2:
        raise TypeError(f"{value!r} has {len(value)} numbers; a range has two")
    return _ends(value[0], unit)[0], _ends(value[1], unit)[1]


def _fact(pair: Ends, unit: str) -> dict[str, Any]:
    low, high = (_in_unit(end, unit) for end in pair)
    return {"value": low} if pair[0] == pair[1] else {"low": low, "high": high}


def _in_unit(number: float, unit: str) -> Any:
    whole = int(number) if abs(number) < 1e18 and number == int(number) else number
    return f"{number:.15g} {unit}" if unit else whole


def facts_of(amounts: Mapping[str, Ends], **keys: str) -> dict[str, dict[str, Any]]:
    """Return facts for a record: for each record key in `keys`, the figure with the given name, if it is stated."""
    return {key: _fact(amounts[name], declarations()[name][1].unit) for key, name in keys.items() if name in amounts}


def _words(stated: Mapping[str, Any], records: Records, problems: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield the id that each stated word means, such as a chip's; add a problem for an unknown word or a wrong date."""
    for name, known_words in KNOWN.items():
        if name in stated:
            try:
                word = str(stated[name])
                if name == "hardware":
                    if peak_of(word) is None:
                        yield name, chip_named(word, records).hardware_id
                else:
                    yield name, chosen(word, known_words(records), declarations()[name][1].names)
            except LookupError as problem:
                problems.append((name, str(problem)))
    if "published" in stated:
        try:
            facts.DateWord.model_validate({"value": stated["published"]})
        except ValidationError as problem:
            problems.append(("published", problem.errors()[0]["msg"]))


def chip_named(word: str, records: Records) -> FoundChip:
    """Return the chip of this name, also in the plural, with a number or as a system. Raise UnknownNameError."""
    ids, one = records.chip_ids(), SYSTEM.sub("", word).removesuffix("s")
    if find(word, ids) is None and (several := SEVERAL.fullmatch(word)):
        each = CHIPS_PER_SYSTEM if SYSTEM.match(several[2]) else 1
        return chip_named(several[2], records)._replace(number=each * int(several[1]))
    is_of_one = find(word, ids) is None and find(one, ids) is not None
    return chosen_chip(one if is_of_one else word, ids)


def _with_chips(stated: Figures, found: FoundChip, records: Records, problems: list[tuple[str, str]]) -> Figures:
    """Return the figures with the chips that a name counts, such as v4-8; add a problem if `chips` is stated too."""
    cores = records.hardware[found.hardware_id].cores_per_chip if found.cores else None
    chips = found.chips(cores and cores.value)
    if chips and "chips" in stated:
        problems.append(("chips", f"is stated, but {stated['hardware']} has {chips} chips; state one of them"))
    return {**stated, "chips": chips} if chips and "chips" not in stated else stated


def _contradictions(stated: Figures) -> Iterator[tuple[str, str]]:
    """Yield a figure and a message for each pair that contradicts itself, and for each figure that lacks another."""
    names = {*stated}
    for first, second, reason in TOGETHER:
        if {first, second} <= names:
            yield first, f"is stated together with {figure_words(second)}, but {reason}; state only one of them"
    for name, needed, reason in NEEDED:
        if name in names and not names & {*needed}:
            yield name, f"needs {' or '.join(map(figure_words, needed))}: {reason}"
    if len(half := names & {"chips", "days"}) == 1 and not names & {"hardware", "chip_hours", *SPEED}:
        yield half.pop(), "needs hardware: what a plan leaves out is forecast only for known chips"
    if SPEED & names and {"steps", *DATA} & names and "days" in names:
        yield "days", "follow from the speed and the data: state two of the three"
    has_operations = NETWORK & names and (
        {*TEXT, "total_flos"} & names or ({*DATA} & names and {"config", "forward_flop"} & names)
    )
    has_time = "chip_hours" in names or ("chips" in names and TIME & names)
    shares = names & {"utilization", "tflops_per_chip"}
    if shares and "hardware" in names and has_operations and has_time:
        yield shares.pop(), "follows from parameters, data, chips and time (MFU): leave out one of the five"


def figure_words(name: str) -> str:
    """Return a figure's name as words."""
    return name.replace("_", " ")
