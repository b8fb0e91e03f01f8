"""Read facts from a catalogue's free-text notes: active parameters, tokens seen, steps, and chip time.

Notes are read only for inputs. Every number that may be a result (it is followed by FLOP or PF-days, or has an exponent
of 15 or more) is blanked before the search. Patterns match a bounded number of words and `searched` bounds the length
of words, so that a search takes time proportional to the length of the note.
"""

import math
import re
from functools import lru_cache
from itertools import combinations, islice
from typing import NamedTuple

HOUR_PER = {"hour": 1.0, "hr": 1.0, "h": 1.0, "day": 24.0, "week": 168.0, "month": 730.0, "year": 8760.0}
TIMES = {
    "k": 1e3, "thousand": 1e3, "m": 1e6, "mn": 1e6, "million": 1e6, "b": 1e9, "bn": 1e9, "billion": 1e9, "t": 1e12,
    "tn": 1e12, "trillion": 1e12,
}  # fmt: skip
LARGEST_EXPONENT = 14
LONGEST_SEARCHED = 20_000  # characters; the longest note of the public tables has 14,000
TOKENS_PER_WORD = 4 / 3  # for English text in byte-pair encodings; Epoch's documentation gives 0.75 words per token

DIGITS = r"\d[\d,]*(?:\.\d+)?"


def pattern(written: str) -> re.Pattern[str]:
    """Compile a case-insensitive pattern, in which NUMBER stands for a number with its magnitude."""
    return re.compile(written.replace("NUMBER", NUMBER), re.IGNORECASE)


# A number with a suffix or word for its magnitude (`1.4T`, `25 billion`) or a power of ten (`3e9`, `10*10^9`).
NUMBER = rf"(?P<number>{DIGITS})\s*(?:(?:[x×*·]\s*10\s*\^?\s*|e\s*\+?)(?P<power>\d{{1,2}})\b|(?P<times>thousand|million|billion|trillion|mn|bn|tn|[kmbt])\b)?"
_PLAIN = re.sub(r"\?P<\w+>", "?:", NUMBER)
_FIGURE = r"(?>[\d,]*(?:\.\d+)?)" + _PLAIN.removeprefix(rf"(?:{DIGITS})")  # the rest of a number after its first digit
_LARGE = r"\(?(?:1[5-9]|[2-9]\d|\d{3,})"  # an exponent
# All alternatives begin with the first digit of a number, so that the search jumps from number to number.
RESULT = re.compile(
    rf"\d(?:{_FIGURE}\s*(?:\w++\s+)?(?:[zeptgy]|exa|zetta|peta|tera|giga|yotta)?-?(?:flop|pf\b|pfs|petaflop|pflop)[\w/-]*"
    rf"|{_FIGURE}\s*(?:pf|petaflops?/?s?)[\s-]*(?:days?|s-days?)"
    rf"|[\d,.]*\s*(?:[x×*·]\s*10\s*\^?\s*|e\s*\+?){_LARGE}\)?"
    r"|[\d,]{18,}|\d{15,})",
    re.IGNORECASE,
)
LONGEST_WORD = 100
_LONG_WORD = re.compile(rf"\S{{{LONGEST_WORD + 1},}}")
_ALIKE = str.maketrans("ſıİ", "sii")  # case-insensitive patterns treat these as s and i, but word tables do not
_GAP = re.compile(r"\s{2,}|[^\S \n]")  # any white space except a single space or line break
_RAISED = re.compile(r"10([⁰¹²³⁴⁵⁶⁷⁸⁹]+)")
_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


def searched(cell: str) -> str:
    """Return a cell prepared for searching: shortened, with single spaces and line breaks, and with overlong words blanked.

    >>> searched("a  gap,  " + "x" * 200 + "\\n\\n end")
    'a gap, …\\nend'
    """
    short = _LONG_WORD.sub("…", cell[:LONGEST_SEARCHED].translate(_ALIKE))
    return _GAP.sub(lambda gap: "\n" if "\n" in gap[0] else " ", short)


@lru_cache(maxsize=64)  # a dozen searches read the same note in a row
def without_results(note: str) -> str:
    """Return the note with every number that may be a result in FLOP blanked.

    >>> without_results("6ND = 3.1e23 FLOP on 300B tokens; 12 PF-days; 4*10^18")
    '6ND = … on 300B tokens; …; …'
    """
    return RESULT.sub("…", plain_powers(note))


def plain_powers(text: str) -> str:
    """Return the text with powers of ten written with ^ instead of raised digits.

    >>> plain_powers("6×10²³ FLOP")
    '6×10^23 FLOP'
    """
    return _RAISED.sub(lambda power: f"10^{power[1].translate(_SUPERSCRIPT)}", text)


def amount(match: "re.Match[str]", prefix: str = "") -> float:
    """Return the number matched by NUMBER, multiplied by its magnitude. `prefix` precedes the names of its groups.

    >>> [amount(pattern("NUMBER").search(text)) for text in ("1.4T", "3 billion", "3e9")]
    [1400000000000.0, 3000000000.0, 3000000000.0]
    """
    number, power, times = (match[f"{prefix}{part}"] for part in ("number", "power", "times"))
    value = float(number.replace(",", ""))
    if power:
        return value * 10.0 ** int(power) if int(power) <= LARGEST_EXPONENT else math.nan
    return value * TIMES[times.lower()] if times else value


_ACTIVE = [
    pattern(
        r"NUMBER(?:\s+of)?(?:\s+(?:parameters?|params?|weights?|are|is|of them|of which))*[\s-]*\(?(?:activated|active\b|activation)"
    ),
    pattern(
        r"(?:activated|active)[\s-]*(?:parameters?|params?)?(?:\s+per\s+\w+)?\s*(?:is|are|of|:|=|≈|~|about)*\s*NUMBER"
    ),
    pattern(
        r"(?:activates|activating|only uses?|only|uses) (?:about |around |up to )?NUMBER\s*(?:parameters?|params?)?(?:\s+are)?\s+(?:per|activated|used|for each|on average)"
    ),
    pattern(r"(?:equivalent|similar|comparable)\s+to\s+(?:that\s+of\s+)?(?:a\s+)?NUMBER\s*(?:parameters?\s+)?dense"),
]
_ACTIVE_SHARE = pattern(r"(\d+(?:\.\d+)?)\s*%\s+of\s+(?:the\s+)?(?:weights|parameters)\s+(?:are\s+)?active")
_ACTIVE_IN_NAME = re.compile(r"-A(\d+(?:\.\d+)?)B\b")
_SPARSE = pattern(r"mixture[\s-]+of[\s-]+(?:\w+[\s-]+){0,2}?experts?\b|\bsparse|\bexperts\b|\bMoE|-MoE")


def active_parameters(parameters: float, note: str, name: str) -> float | None:
    """Return the number of parameters that one token uses, if the note or the name states it; otherwise None.

    >>> active_parameters(671e9, "671B total, 37B activated", "DeepSeek")
    37000000000.0
    >>> active_parameters(30e9, "", "Qwen3-30B-A3B")
    3000000000.0
    """
    named = _ACTIVE_IN_NAME.search(name)
    if named:
        return float(named[1]) * 1e9
    text = without_results(note)
    share = next(_ACTIVE_SHARE.finditer(text), None)
    if share:
        return float(share[1]) / 100 * parameters
    amounts = [amount(match) for wording in _ACTIVE for match in wording.finditer(text)]
    # A number close to the total repeats the total. A number below a thousandth of the total counts experts or layers.
    sound = [value for value in amounts if parameters / 1000 < value < 0.9 * parameters]
    return sound[0] if sound else None


def is_sparse(note: str, name: str) -> bool:
    """Return whether the name or note mentions a mixture of experts, in which no token uses all parameters."""
    return _SPARSE.search(f"{name} {note}") is not None


_UNIT = r"(?P<unit>tokens?|words|amino[\s-]acids|residues|nucleotides)\b"
_ABOUT = r"(?:a\s+)?(?:total\s+of\s+|over\s+|about\s+|around\s+|approximately\s+|roughly\s+|up\s+to\s+|~\s*)?"
_TRAINED = r"(?:pre-?)?train(?:ed|ing|s)?"
TOKENS_SEEN = [
    pattern(rf"{_TRAINED}(?:\s+\w+){{0,4}}?\s+(?:on|for|with|using|over)\s+{_ABOUT}NUMBER(?:\s+\w+){{0,2}}?\s+{_UNIT}"),
    pattern(rf"(?:for\s+)?a\s+total\s+of\s+(?:about\s+)?NUMBER\s+{_UNIT}"),
    pattern(rf"(?:sees|saw|seen|processe[sd]|consume[sd])\s+(?:about\s+|around\s+|~\s*)?NUMBER\s+{_UNIT}"),
    pattern(rf"NUMBER\s+(?:training\s+)?{_UNIT}\s+(?:seen|processed|in\s+total|from\s+multiple|over\s+multiple)"),
]
# "for" introduces the length of the run, whatever the size of the data. In all rows of public tables that also state
# epochs, except Hybrid H3, this length agrees with data x epochs within 20 %.
TOKENS_OF_RUN = [pattern(rf"{_TRAINED}\b(?:[^.;\n]|\.\d){{0,120}}?\bfor\s+{_ABOUT}NUMBER\s+{_UNIT}")]
# At the end of a clause, a number with a magnitude but no unit counts tokens: `trained on only 250B.`
_END = rf"(?:\s+{_UNIT}|(?=\s*(?:[.,;:)\]\n]|$)))"
SEEN_IN_PART = [
    pattern(written)
    for written in (
        rf"{_TRAINED}(?:\s+\w+){{0,4}}?\s+(?:on|for|with|using|over)\s+only\s+{_ABOUT}NUMBER{_END}",
        rf"\bonly\s+{_TRAINED}(?:\s+\w+){{0,4}}?\s+(?:on|for|with|using|over)\s+{_ABOUT}NUMBER{_END}",
    )
]


TOKENS = [pattern(rf"NUMBER\s+(?:\w+\s+){{0,2}}?{_UNIT}")]


def tokens(wordings: list[re.Pattern[str]], *notes: str) -> float | None:
    """Return the largest number of tokens above a million that notes state in one of these wordings, or None.

    TOKENS_SEEN finds the tokens of all passes together, SEEN_IN_PART the tokens of a run that stopped before the end of
    the data, TOKENS_OF_RUN the tokens of all passes in a run, and TOKENS any number of tokens.

    >>> tokens(TOKENS_SEEN, "trained on 1.4T tokens from multiple passes"), tokens(TOKENS, "at least 2T tokens")
    (1400000000000.0, 2000000000000.0)
    >>> tokens(SEEN_IN_PART, "The set has 1T tokens; the model was trained on only 250B")
    250000000000.0
    >>> tokens(TOKENS_OF_RUN, "We train models of 1.3B and 2.7B on the Pile [21] for 400B tokens")
    400000000000.0
    >>> tokens(TOKENS_OF_RUN, "trained on 400B tokens")
    """
    amounts = (
        amount(match) * (TOKENS_PER_WORD if (match["unit"] or "").lower() == "words" else 1)
        for note in notes
        for wording in wordings
        for match in wording.finditer(without_results(note))
    )
    return max((value for value in amounts if value > 1e6), default=None)


_EPOCHS = pattern(
    r"\bepochs?(?:\s*(?:≈|~|=|:|is|are|of|about|around|approximately))+\s*(?P<after>\d+(?:\.\d+)?)(?![\d.,]*\d)"
    r"|(?<![\d.,–-])(?P<before>\d+(?:\.\d+)?)\s+(?:training\s+|full\s+)?epochs?\b"
)
_OF_A_PART = re.compile(r"fine-?\s?tun|warm-?\s?up|per\s+epoch|each\s+epoch", re.IGNORECASE)
SAME_PASSES = 1.5  # statements that differ by more than this factor describe different runs, so we use none


def epochs(note: str) -> float | None:
    """Return the number of passes over the data that a note states.

    Return None if its statements disagree, or concern only fine-tuning or warm-up.

    >>> epochs("4e6 * 58800 / 22e9: epochs ≈ 10.47"), epochs("20 or 100 epochs, in another place 12 epochs")
    (10.47, None)
    """
    text = without_results(note)
    numbers = [
        float(match["after"] or match["before"])
        for sentence in sentences(text)
        if not _OF_A_PART.search(sentence)
        for match in _EPOCHS.finditer(sentence)
    ]
    sound = [value for value in numbers if 0.1 <= value <= 1e4]
    return max(sound) if sound and max(sound) <= SAME_PASSES * min(sound) else None


def sentences(note: str) -> list[str]:
    """Split a note into sentences and lines.

    >>> sentences("It took 3.5 days. All plots took 10 days\\nOn 8 GPUs; fast")
    ['It took 3.5 days.', 'All plots took 10 days', 'On 8 GPUs;', 'fast']
    """
    return [part for part in _BETWEEN.split(note) if part]


_BETWEEN = re.compile(r"(?<=[.;!?])\s|\n")


_PICTURES = pattern(r"NUMBER\s+(?:[\w-]+\s+){0,4}?(?:images?|pictures|image-text|image-caption|training examples)")


def pictures(note: str) -> float | None:
    """Return the largest number of images in a data set that a note states, or None.

    >>> pictures("the proprietary JFT-3B dataset of 3 billion images")
    3000000000.0
    """
    counts = [amount(match) for match in _PICTURES.finditer(without_results(note))]
    return max((value for value in counts if value >= 1000), default=None)


_STEPS = pattern(
    r"NUMBER\s+(?:(?:training|gradient|update|optimi[sz]ation|total|pre-?training)\s+)?(?:steps|iterations|updates|iters)\b"
)


def steps(*notes: str) -> float | None:
    """Return the largest number of weight updates that the notes state, or None.

    >>> steps("trained for 250k iterations, with a batch size of 4M tokens")
    250000.0
    """
    numbers = [amount(match) for note in notes for match in _STEPS.finditer(without_results(note))]
    return max((value for value in numbers if value >= 100), default=None)


_NUMBERS = pattern("NUMBER")
MOST_NUMBERS = 40  # numbers read per note, because each pair is multiplied


def is_of_updates(note: str, cell: float) -> bool:
    """Return whether the cell is the number of updates in the note times one or two of the note's numbers, and so counts tokens seen.

    >>> is_of_updates("73728 tokens per update * 286000 updates", 2.1e10), is_of_updates("50k steps of 65536; 103M tokens", 1.03e8)
    (True, False)
    """
    updates = steps(note) or math.nan
    numbers = [amount(match) for match in islice(_NUMBERS.finditer(without_results(note)), MOST_NUMBERS)]
    return any(abs(updates * one * two / cell - 1) < 0.005 for one, two in combinations([1.0, *numbers], 2))


class Time(NamedTuple):
    """The training time in a note: chip-hours, the number of chips, and hours. None means not stated."""

    chip_hours: float | None
    chips: float | None
    hours: float | None


# Words that may come between a number and the chips it counts. Any other word ends the search, as in `10 days on a
# single GPU`.
_MAKE = r"(?:nvidia|tesla|geforce|gtx|rtx|titan|quadro|google|cloud|huawei|ascend|amd|instinct|core|gb|xp?|ti|black|of|[a-z]{0,3}\d[\w./-]*)"
_NAMED = r"[VP]100|A100|[HB][128]00|B300|GH200|GB[23]00"
_CHIP = rf"(?:{_MAKE}[\s-]+){{0,4}}?(?:(?:GPU|TPU|chip|accelerator|core|{_NAMED})s?)"
_CHIP_TIME = pattern(
    rf"NUMBER\s*(?:[\w./-]+\s+){{0,3}}?(?:gpu|tpu|chip|v100|a100|h100|h800|p100|k80|k40)s?[\s-]*(?:{_MAKE}\s+){{0,3}}(?P<unit>hour|hr|day|week|month|year)s?\b"
)
_TENS = {"single": 1, "twenty": 20, "twenty-four": 24, "thirty-two": 32, "forty-eight": 48, "sixty-four": 64}
_ONES = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen".split()
_WORDS = _TENS | {word: number for number, word in enumerate(_ONES, 1)}
_COUNT = rf"(?:{'|'.join(sorted(_WORDS, key=len, reverse=True))}|\d[\d,]*(?![\d,]))"
# A number after a brand belongs to the name (`RTX 3090`), and a number before GB is memory. `4 nodes of 8` is a
# product.
_CHIPS = pattern(
    rf"\b(?P<make>(?:rtx|gtx|titan|quadro|tesla|radeon|xeon|core)[\s-]+|[avhbplkt]-)?"
    rf"(?:(?P<nodes>{_COUNT})\s+(?:nodes?|servers?|machines?|hosts?|instances?),?(?:\s+each)?\s+(?:of|with|having)\s+)?"
    rf"(?P<count>{_COUNT})(?!\s*Gi?Bs?\b)\s*(?:x|×)?\s*{_CHIP}\b(?!\s+(?:RAM|memory))"
)
_HOURS = pattern(r"NUMBER\s*(?P<unit>hour|hr|day|week|month)s?\b(?!\s*(?:of|per))")


def time_stated(note: str) -> Time:
    """Return the chip-hours, chips and hours that a note on training time states.

    >>> time_stated("The pretraining phase consumes 1.3 million GPU hours in total")
    Time(chip_hours=1300000.0, chips=None, hours=None)
    >>> time_stated("trained on 8 V100 GPUs for 3 days")
    Time(chip_hours=None, chips=8.0, hours=72.0)
    """
    text = without_results(note)
    chip_hours = [amount(match) * HOUR_PER[match["unit"].lower()] for match in _CHIP_TIME.finditer(text)]
    # So that the words of chip-hours, as in "2,000 GPU hours", are not read again as chips or hours.
    text_without_chip_hours = _CHIP_TIME.sub(" ", text)
    chips = [
        _count(match["count"]) * _count(match["nodes"] or "one")
        for match in _CHIPS.finditer(text_without_chip_hours)
        if "core" not in match[0].lower() and not match["make"]
    ]
    hours = [amount(match) * HOUR_PER[match["unit"].lower()] for match in _HOURS.finditer(text_without_chip_hours)]
    return Time(max(chip_hours, default=None), max(chips, default=None), max(hours, default=None))


def _count(written: str) -> float:
    return float(_WORDS.get(written.lower()) or written.replace(",", ""))


_ALL = pattern(
    r"\b(?:all|whole|entire|full)\s+(?:of\s+)?(?:(?:the|our|these|this|its|code)\s+){0,2}(?:experiments?|plots?|figures?|results|runs|project|study)\b"
    r"|\b(?:produce|make|generate|reproduce|create|get)\s+(?:all\s+)?(?:the\s+|our\s+)?(?:plots?|figures?|results)\b"
    r"|\ball\b[^.;]{0,40}\breported\s+in\s+(?:the|this|our)\s+(?:paper|work|report)\b"
)
_OF_ONE = re.compile(r"\b(?:each|every|typical(?:ly)?|average|per\s+(?:run|model|experiment))\b", re.IGNORECASE)
SAME_HOURS = 1.02


class Shares(NamedTuple):
    """A note on training time, split: `single` is the text about one run, and `together` lists the hours or chip-hours of several runs."""

    single: str
    together: list[float]


def of_one_model(note: str) -> Shares:
    """Split a note on training time into the text about one model and the total times of all experiments in a publication.

    >>> of_one_model("Running all code needed to produce plots took 10 days on 8 V100s. The largest took 20 hours")
    Shares(single='The largest took 20 hours', together=[240.0, 1920.0])
    """
    single, together = [], []
    for sentence in sentences(note):
        if _ALL.search(sentence) and not _OF_ONE.search(sentence):
            chip_hours, chips, hours = time_stated(sentence)
            together += [value for value in (chip_hours, hours, hours and chips and hours * chips) if value]
        else:
            single.append(sentence)
    return Shares(" ".join(single), together)


def speaks_of(note: str, *words: str) -> bool:
    """Return whether any word of the note begins with one of these words."""
    return re.search(rf"\b(?:{'|'.join(words)})", note, re.IGNORECASE) is not None
