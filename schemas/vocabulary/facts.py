"""Words for facts: precisions, evidence, sources and places."""

import re
from enum import StrEnum

from schemas.spelling import Form, Spellings, find
from schemas.vocabulary.wording import Worded


class Precision(StrEnum):
    """Format of the numbers that a chip's matrix or vector units multiply."""

    FP64 = "fp64"
    FP32 = "fp32"
    TF32 = "tf32"
    FP16 = "fp16"
    BF16 = "bf16"
    FP8 = "fp8"
    FP4 = "fp4"
    INT8 = "int8"

    @classmethod
    def _missing_(cls, value: object) -> "Precision | None":
        identifier = find(str(value), PrecisionSpellings())
        return cls(identifier) if identifier else None


PRECISION_NAMES = {  # other names of precisions
    "bfloat16": "bf16",
    "float16": "fp16",
    "half": "fp16",
    "float32": "fp32",
    "single": "fp32",
    "float64": "fp64",
    "double": "fp64",
}
AROUND_A_FORMAT = re.compile(
    r"^(torch|jnp|tf|mx|nv)[._]?(?=\D)|[-_ ](mixed|hybrid|true|precision)|(?<=\d)(fn|uz|_?x\d)+$"
)
EXPONENT_AND_MANTISSA = re.compile(r"(?:float\d+_|[mb]?fp\d+_)?e(?P<exponent>\d)m(?P<mantissa>\d)")
FLOAT_OF_BITS = re.compile(r"(?:float|fp)?(?P<bits>4|8|16|32|64)")


def precision_as_printed(written: str) -> str:
    """Return the precision named in text that a framework prints, or the text itself if it names none.

    The format e4m3 has a sign bit, 4 bits of exponent and 3 of mantissa.

    >>> printed = "torch.bfloat16 float8_e4m3fn NVFP4 bf16-mixed fp8_hybrid e5m2 mxfp8"
    >>> [precision_as_printed(text) for text in printed.split()]
    ['bfloat16', 'fp8', 'fp4', 'bf16', 'fp8', 'fp8', 'fp8']
    """
    bare = AROUND_A_FORMAT.sub("", AROUND_A_FORMAT.sub("", written.strip().lower()))
    parts = EXPONENT_AND_MANTISSA.fullmatch(bare)
    if parts:
        return f"fp{1 + int(parts['exponent']) + int(parts['mantissa'])}"
    bits = FLOAT_OF_BITS.fullmatch(bare)
    return f"fp{bits['bits']}" if bits else bare


class PrecisionSpellings(Spellings):
    """Every spelling of a precision, including spellings printed by frameworks, which a rule recognizes."""

    def __init__(self) -> None:
        super().__init__({precision.value: precision.value for precision in Precision} | PRECISION_NAMES)

    def ids_like(self, word: str, form: Form) -> set[str]:
        """Return the ids of the spellings that equal `word` in this form, as it is or as a framework prints it."""
        return super().ids_like(word, form) or super().ids_like(precision_as_printed(word), form)


SIXTEEN_BIT = (Precision.FP16, Precision.BF16)


class Basis(Worded):
    """The origin of a number in an estimate."""

    REPORTED = "reported", "stated"
    ANALYST = "analyst", "stated by analysts or the press"
    COUNTED = "counted", "counted layer by layer"
    DERIVED = "derived", "worked out"
    MEASURED = "measured", "measured"
    CALIBRATED = "calibrated", "predicted from measurements of similar runs"
    DEFAULT_MAKER = "default_maker", "usual for its maker's own chips in that year"
    DEFAULT_YEAR = "default_year", "usual in that year"
    DEFAULT_NEAREST_YEAR = "default_nearest_year", "usual in the nearest year that is known"
    ASSUMED = "assumed", "assumed"


class Evidence(Worded):
    """How we know a fact: by quoted words, a table that cites the source, an unopened source, assumptions, the user."""

    QUOTED = "quoted", ""
    TABLE = "table", "from a table"
    UNSEEN = "unseen", "not read"
    ASSUMED = "assumed", "assumed"  # rests only on the record's assumptions
    STATED_BY_USER = "stated_by_user", "stated by you"  # only in users' records, never in the ledger


FACT_NAMES = {  # for facts whose keys would be unclear to readers
    "examples": "size of the data set",
    "examples_seen": "examples seen",
    "epochs": "epochs",
    "batch": "batch size",
    "chip_time": "chip time",
    "chips": "number of chips",
    "duration": "duration of the run",
    "precision": "precision",
    "hardware": "chip",
    "reported_flop": "total training FLOP",
    "reported_energy": "stated energy",
    "reported_co2": "stated CO2",
    "reported_cost": "stated cost",
    "contributions": "teacher models or synthetic data (also searches)",
    "forward_flop": "operations of a forward pass",
    "gated": "gated MLP",
    "tied": "tied embeddings",
}


def fact_name(path: str) -> str:
    """Return a fact's name for readers, given its path in the record.

    >>> paths = ("training[0].hardware[0].chip_time", "architecture.key_value_heads", "architecture.is_tied")
    >>> [fact_name(path) for path in paths]
    ['chip time', 'key value heads', 'tied embeddings']
    """
    key = re.sub(r"\[\d+\]|^(is|has)_", "", path.rpartition(".")[2])
    return FACT_NAMES.get(key, key.replace("_", " "))


class Bound(StrEnum):
    """The end of a range that a fact states, if its source states only one end."""

    AT_LEAST = "at_least"
    AT_MOST = "at_most"


class SourceKind(Worded):
    """The people whose words a source contains."""

    AUTHORS = "authors", "its makers", "authors"  # a paper, code or configuration by those who made the model
    OFFICIAL = "official", "its makers", "makers"  # a company's announcement, model card or documentation
    THIRD_PARTY = "third_party", "other people's tables and notes", "others"  # also their papers and code
    ANALYSIS = "analysis", "analysts", "analysts"  # an estimate by someone who did not take part
    PRESS = "press", "the press", "the press"


OF_MAKERS = (SourceKind.AUTHORS, SourceKind.OFFICIAL)  # best first


class FactStatus(Worded):
    """Where a fact of a model comes from, with the words before a list of such facts; `others` have their kind."""

    MAKERS = "makers", "by makers"
    OTHERS = "others", ""
    ASSUMED = "assumed", "assumed"
    NOT_READ = "not_read", "used, but not read"


class ReadIn(StrEnum):
    """The kind of text in which a quote was read."""

    PUBLICATION = "publication"  # source or PDF of a paper; the makers' repository, model card or page
    CONVERSION = "conversion"  # a publication's text, as converted by someone else
    EXCERPT = "excerpt"  # a reader's notes, summary or article
    TRANSLATION = "translation"
    MACHINE_WRITTEN = "machine_written"


WORDS_OF_SOURCE = (ReadIn.PUBLICATION, ReadIn.CONVERSION)  # texts that contain the makers' own words


class PlaceResult(StrEnum):
    """The result of a search for the words of a quote at its place in a public repository."""

    FOUND = "found"
    NOT_FOUND = "not_found"  # the file exists, but does not contain the words
    NOT_OPENED = "not_opened"  # neither the repository nor a copy of the file could be opened
