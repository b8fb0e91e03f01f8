"""Candidates for the facts of a record: each occurrence of a figure beside words of its kind, with what speaks for it and against it."""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice

from pipeline.drafting import kinds
from pipeline.drafting.documents import Document, Kind, Passage, UnreadableError
from pipeline.drafting.figures import Figure, figure, is_same, shown
from pipeline.drafting.names import Target
from schemas.units import DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS

MOST_OCCURRENCES = 10_000  # of one publication: the time to weigh them grows with their number
LONGEST_SENTENCE = 900  # characters that are looked through at once
MOST_WORDS = 25  # of a quote
SENTENCE_END = re.compile(
    r"(?<=[.!?])(?<!et al\.)(?<!i\.e\.)(?<!e\.g\.)(?<!Fig\.)(?<!Eq\.)(?<!vs\.)(?<!Sec\.)(?<!approx\.)(?<!resp\.)(?<!cf\.)\s+(?=[A-Z(“\"\[•])"
)
TIME_SECONDS = {"minute": MINUTE_SECONDS, "min": MINUTE_SECONDS, "hour": HOUR_SECONDS, "hr": HOUR_SECONDS, "h": HOUR_SECONDS, "day": DAY_SECONDS, "d": DAY_SECONDS, "week": 7 * DAY_SECONDS, "year": 365 * DAY_SECONDS}  # fmt: skip
TIME_UNITS = {
    "minute": "minute",
    "min": "minute",
    "hour": "hour",
    "hr": "hour",
    "h": "hour",
    "day": "day",
    "d": "day",
    "week": "week",
    "year": "day",
}
PREFIXES = {"": 1.0, "mega": 1e6, "giga": 1e9, "g": 1e9, "tera": 1e12, "t": 1e12, "peta": 1e15, "p": 1e15, "exa": 1e18, "e": 1e18, "zetta": 1e21, "z": 1e21, "yotta": 1e24, "y": 1e24, "m": 1e6}  # fmt: skip
FINE_TUNING = re.compile(
    r"fine-?tun|finetun|downstream|instruction[- ]tun|\bSFT\b|RLHF|reward model|transfer learning|adapt(?:ed|ing|ation)|distill",
    re.IGNORECASE,
)
PRETRAINING = re.compile(r"pre-?train", re.IGNORECASE)
TRAINING = re.compile(r"\btrain(?:ed|ing|s)?\b|optimi[sz]", re.IGNORECASE)
EVALUATION = re.compile(
    r"evaluat|benchmark|zero-shot|few-shot|accuracy|test set|validation|held[- ]out|inference|decoding|beam|latency|speed ?up|score",
    re.IGNORECASE,
)
ABLATION = re.compile(r"ablat|baseline|compar|smaller|variant|instead|experiment with|vary|varying|toy", re.IGNORECASE)
RATE = re.compile(
    r"warm-?up|learning rate|decay|dropout|weight decay|every N|anneal|ramp|momentum|checkpoint|clip", re.IGNORECASE
)
CITED = re.compile(r"\(?[A-Z][\w-]+ et al|\[\d+(?:, ?\d+)*\]|\b(?:prior|previous|earlier|existing) (?:work|models?)\b")
OURS = re.compile(r"\b(?:we|our|ours|us|this (?:model|work|paper))\b", re.IGNORECASE)
HELD_OUT = re.compile(r"\b(?:test(?:ing)?|validation|held[- ]out|evaluation|dev(?:elopment)?)\b", re.IGNORECASE)
TRAINED_ON = re.compile(r"\btrain", re.IGNORECASE)
LOW_END = re.compile(r"(?<![\w.,])(\d+(?:\.\d+)?)\s?(?:[–—-]|to)\s?$")  # before the high end of a range
SQUARED = re.compile(r"\s*(\d+)\s?(?:×|\*|∗|x|·)\s?(\d+)\s*")
# Kinds of which 224 × 224 is none: the size of an image, a patch or a kernel.
NOT_SQUARED = frozenset(
    "parameters active_parameters examples epochs steps batch chips duration layers heads key_value_heads width vocabulary".split()
)
PART_OF_NAME = re.compile(r"(?<!\w)[A-Z][A-Za-z]+[-–]$")  # DGX-2, Caltech-101
TOTAL = re.compile(r"\b(?:total|overall|altogether|in all|entire|final|all models|each model)\b", re.IGNORECASE)
PARTIAL = re.compile(r"\b(?:per|each|every|subset|first|initial|last|additional|another|stage|phase)\b", re.IGNORECASE)
HEADINGS = {  # words of headings, by feature
    "heading: training": re.compile(r"train|optimi[sz]|setup|set-up|implementation|details|hyper-?param|recipe|schedule|settings", re.IGNORECASE),
    "heading: model": re.compile(r"model|architect|network|overview|configuration|design|method", re.IGNORECASE),
    "heading: compute": re.compile(r"hardware|comput|infrastructure|efficien|carbon|energy|environment|cost|cluster|scal|parallel|schedule", re.IGNORECASE),
    "heading: data": re.compile(r"data|corpus|corpora|tokeni[sz]|vocab|preprocess", re.IGNORECASE),
    "heading: fine-tuning": re.compile(r"fine-?tun|post-train|instruct|alignment|SFT|RLHF|downstream|transfer|reward|distill", re.IGNORECASE),
    "heading: evaluation": re.compile(r"evaluat|result|benchmark|experiment|analysis|discussion|task|ablation|compar|perform|inference|limitation|bias", re.IGNORECASE),
    "heading: others' work": re.compile(r"related|background|prior|previous|reference|conclusion|introduction", re.IGNORECASE),
}  # fmt: skip
SUBJECTS = {
    **dict.fromkeys(
        ("layers", "width", "heads", "key_value_heads", "feed_forward_width", "parameters", "active_parameters"),
        "model",
    ),
    **dict.fromkeys(("chip", "chips", "duration", "chip_time", "utilization", "reported_flop"), "compute"),
    **dict.fromkeys(("steps", "batch", "epochs", "sequence_length", "precision"), "training"),
    **dict.fromkeys(("examples", "vocabulary"), "data"),
}


@dataclass(frozen=True)
class Occurrence:
    """A figure that may be a fact: its value in the unit that the ledger counts in, its place, and its features."""

    kind: str
    value: float | str
    written: str  # as a record writes it, with its unit
    derived: str | None
    passage: Passage
    start: int
    end: int
    features: Mapping[str, float] = field(hash=False)

    def is_value(self, other: float | str) -> bool:
        """Whether it has this value, up to rounding."""
        if isinstance(self.value, str) or isinstance(other, str):
            return self.value == other
        return is_same(self.value, other)


def sentences(text: str) -> Iterator[tuple[int, str]]:
    """The sentences of a text, each with its place."""
    start = 0
    for end in [*(found.end() for found in SENTENCE_END.finditer(text)), len(text)]:
        sentence = text[start:end]
        for part in range(0, len(sentence), LONGEST_SENTENCE):
            yield start + part, sentence[part : part + LONGEST_SENTENCE]
        start = end


def quote_of(text: str, start: int, end: int) -> str:
    """The words around a place of a text, at most 25 of its sentence, verbatim.

    >>> quote_of("It is large. We train on 300 billion tokens.", 25, 36)
    'We train on 300 billion tokens.'
    """
    begun = max(0, start - LONGEST_SENTENCE)
    text, start, end = text[begun : end + LONGEST_SENTENCE], start - begun, end - begun
    first, last = 0, len(text)
    for at, sentence in sentences(text):
        if at <= start < at + len(sentence):
            first = at
        if at < end <= at + len(sentence):
            last = at + len(sentence)
    words = [found.span() for found in re.finditer(r"\S+", text) if first <= found.start() < last]
    inside = [place for place, (begin, stop) in enumerate(words) if begin < end and stop > start]
    if not inside:
        return text[start:end]
    low, high = inside[0], inside[-1]
    while high - low + 1 < min(MOST_WORDS, len(words)):
        is_before = low > 0 and (inside[0] - low <= high - inside[-1] or high == len(words) - 1)
        low, high = (low - 1, high) if is_before else (low, high + 1)
    return text[words[low][0] : words[min(high, low + MOST_WORDS - 1)][1]].strip()


def _overlapping(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    # A match may begin within another: "OPT-175B on 992 80GB A100 GPUs" has two numbers before its GPUs.
    match = pattern.search(text)
    while match:
        yield match
        after = (
            match.end("n")
            if "n" in match.re.groupindex and match["n"] and match.start("n") == match.start()
            else match.start() + 1
        )
        match = pattern.search(text, after)


@lru_cache(maxsize=4)
def _chip_pattern(spellings: tuple[str, ...]) -> re.Pattern[str]:
    usable = [each for each in spellings if len(re.sub(r"\W", "", each)) >= 4 or re.fullmatch(r"[a-z]\d{2,3}", each)]
    ways = sorted(
        (r"[\s\-]*".join(re.escape(part) for part in re.split(r"[\s\-]+", each)) for each in usable),
        key=len,
        reverse=True,
    )
    return re.compile(rf"(?:(?<![\w.])|(?<=\dx))(?:{'|'.join(ways)})(?!\w*\d)", re.IGNORECASE)  # 8xA100


class Extractor:
    """Looks for occurrences of every kind. `chips` are ids of chips by their spellings in small letters."""

    def __init__(self, target: Target, chips: Mapping[str, str]) -> None:
        self.target = target
        self.chips = chips
        self.loose = {re.sub(r"[\s\-]+", "", spelling): identifier for spelling, identifier in chips.items()}
        self.chip_pattern = _chip_pattern(tuple(chips)) if chips else re.compile(r"(?!)")

    def occurrences(self, document: Document) -> list[Occurrence]:
        """All occurrences in a document. Raises UnreadableError where they are too many."""
        found = [*islice(self.each(document), MOST_OCCURRENCES + 1)]
        if len(found) > MOST_OCCURRENCES:
            raise UnreadableError(
                f"{document.name}: has more than {MOST_OCCURRENCES:,} figures that may be facts; give the part that is about the model"
            )
        return found

    def each(self, document: Document) -> Iterator[Occurrence]:
        """The occurrences one by one."""
        before = ""
        is_about = self.target.is_named(document.title) or bool(self.target.family_pattern.search(document.title))
        total = max(len(document.passages), 1)
        after_references = False
        above = _Above()
        for number, passage in enumerate(document.passages):
            if passage.kind is Kind.HEADING:
                after_references = bool(re.fullmatch(r"references|bibliography", passage.text.strip().lower()))
                before = passage.text
                continue
            if after_references:
                continue
            base = {"place in the document": number / total}
            if is_about:
                base["the title names the model"] = 1.0
            if passage.kind is Kind.ROW:
                above.pass_by(passage)
                yield from self.of_row(passage, base, above.label(passage))
            else:
                for start, sentence in sentences(passage.text):
                    yield from self.of_sentence(passage, start, sentence, before, base)
                    before = sentence

    # sentences

    def of_sentence(
        self, passage: Passage, start: int, sentence: str, before: str, base: Mapping[str, float]
    ) -> Iterator[Occurrence]:
        """Occurrences in one sentence; `before` is the one before it."""
        if not any(sign.isdigit() for sign in sentence) and not re.search(
            r"precision|epoch|\bone\b|\btwo\b|pass|[a-z] (?:layers|heads|days|weeks|GPUs)", sentence
        ):
            return
        context: dict[str, float] | None = None
        for kind in kinds.KINDS:
            if kind.is_word:
                continue
            seen: dict[tuple[int, int], tuple[list[int], re.Match[str]]] = {}
            for place, pattern in enumerate(kinds.patterns(kind.name)):
                for match in _overlapping(pattern, sentence):
                    span = match.span("n") if "n" in match.re.groupindex and match["n"] else match.span()
                    if span in seen:
                        seen[span][0].append(place)
                    else:
                        seen[span] = ([place], match)
            for span, (places, match) in seen.items():
                value = self.value(kind, match, sentence)
                if value is None or _is_no_count(kind.name, sentence, span):
                    continue
                if context is None:
                    context = {**base, **self.context(passage, sentence, before)}
                features = {**context, **self.of_kind(kind.name, value, context, passage)}
                for place in places:
                    features[f"{kind.name}: wording {place + 1}"] = 1.0
                features["words between"] = min((match.end() - match.start() - (span[1] - span[0])) / 60, 3.0)
                near = sentence[max(0, match.start() - 45) : match.end() + 25]
                if RATE.search(near):
                    features["beside a rate or a warm-up"] = 1.0
                if PARTIAL.search(near):
                    features["beside a word for a part"] = 1.0
                if kind.name == "examples":
                    close = sentence[max(0, span[0] - 20) : match.end() + 30]
                    if HELD_OUT.search(close) and not TRAINED_ON.search(close):
                        features["beside a word for held-out data"] = 1.0
                if TOTAL.search(near):
                    features["beside a word for the whole"] = 1.0
                close = sentence[max(0, match.start() - 60) : match.end() + 60]
                if self.target.is_named(close) or self.target.has_size(close):
                    features["the model's name or size beside it"] = 1.0
                if self.target.names_other(sentence[max(0, match.start() - 60) : match.end() + 40]):
                    features["another model's name beside it"] = 1.0
                yield Occurrence(
                    kind.name,
                    value.value,
                    value.written,
                    value.derived,
                    passage,
                    start + span[0],
                    start + span[1],
                    features,
                )
        yield from self.words(passage, start, sentence, before, base)

    def words(
        self, passage: Passage, start: int, sentence: str, before: str, base: Mapping[str, float]
    ) -> Iterator[Occurrence]:
        """Chips and number formats in one sentence."""
        found: list[tuple[str, str, re.Match[str]]] = []
        for match in self.chip_pattern.finditer(sentence):
            identifier = self.loose.get(re.sub(r"[\s\-]+", "", match[0].lower()))
            if identifier:
                found.append(("chip", identifier, match))
        for word, pattern in kinds.PRECISIONS.items():
            found += [("precision", word, match) for match in re.finditer(pattern, sentence)]
        found += [("precision", "fp16", match) for match in kinds.MIXED.finditer(sentence)]
        if not found:
            return
        context = {**base, **self.context(passage, sentence, before)}
        for kind, word, match in found:
            features = {**context, **self.of_kind(kind, None, context, passage)}
            features[f"{kind}: {word if kind == 'precision' else 'named'}"] = 1.0
            if kind == "precision" and kinds.MIXED.fullmatch(match[0]):
                features["precision: mixed"] = 1.0
            near = sentence[max(0, match.start() - 60) : match.end() + 40]
            if re.search(r"\d+\s?(?:x |× )?(?:\w+ ){0,3}$", sentence[max(0, match.start() - 30) : match.start()]):
                features["a number before it"] = 1.0
            if self.target.is_named(near) or self.target.has_size(near):
                features["the model's name or size beside it"] = 1.0
            yield Occurrence(
                kind,
                word,
                word,
                word if kind == "precision" else None,
                passage,
                start + match.start(),
                start + match.end(),
                features,
            )

    def value(self, kind: kinds.Kind, match: re.Match[str], sentence: str) -> "_Value | None":
        """The value of a match in the ledger's unit; None where it cannot be one of this kind. A range of durations is its high end."""
        groups = match.groupdict()
        if groups.get("one"):
            return _Value(
                1.0,
                "1",
                "one" if re.search(r"\bone\b", match[0]) else "single" if "single" in match[0].lower() else None,
            )
        written = groups.get("n")
        found = figure(written.lower() if written and written.isalpha() else written) if written else None
        if found is None:
            return None
        made = in_unit(kind, found, groups.get("unit"))
        low = LOW_END.search(sentence[: match.start("n")]) if kind.name == "duration" else None
        if made and low and float(low[1]) < found.value:
            made = replace(made, written=f"{low[1]} {made.written.split()[-1]} to {made.written}")
        return made

    # tables

    def of_row(self, passage: Passage, base: Mapping[str, float], above: str = "") -> Iterator[Occurrence]:
        """Occurrences in the cells of a row: their kind from the head of their column, or from the first cell of the row.

        `above` is the label that this row shares with rows above it.
        """
        first = passage.cells[0].strip('" ') if passage.cells else ""
        row_label = self.row_label(passage.cells, above)
        is_config = passage.text.startswith('"')
        place = 0
        for column, cell, head in _cells(passage):
            at = passage.text.find(cell, place)
            place = at + len(cell) if at >= 0 else place
            if not any(sign.isdigit() for sign in cell) or len(cell) > 40:
                continue
            for kind in kinds.KINDS:
                if kind.is_word:
                    continue
                pattern = kinds.head(kind.name)
                by_head = pattern.fullmatch(head.strip()) if head and column else None
                by_row = pattern.fullmatch(first) if column else None
                if not by_head and not by_row and not (head and pattern.fullmatch(head.strip())):
                    continue
                said = first if by_row and not by_head else head
                value = self.of_cell(kind, cell, said, passage)
                if value is None or at < 0:
                    continue
                column_label = self.target.label(head) if by_row and not by_head else ""
                owner = column_label if by_row and not by_head else row_label
                features = {**base, **self.context(passage, passage.caption, passage.heading)}
                features |= self.of_kind(kind.name, value, features, passage)
                features[
                    f"{kind.name}: {'configuration' if is_config else 'row of a table' if by_row and not by_head else 'column of a table'}"
                ] = 1.0
                features[f"table: {owner or 'no'} model in its {'head' if by_row and not by_head else 'row'}"] = 1.0
                if by_row and not by_head and sum(bool(each) for each in passage.cells) == 2:
                    features["table: one value"] = 1.0
                start = at + cell.find(value.found) if value.found and value.found in cell else at
                yield Occurrence(
                    kind.name,
                    value.value,
                    value.written,
                    value.derived,
                    passage,
                    start,
                    start + len(value.found or cell),
                    features,
                )
        for column, cell in enumerate(passage.cells):
            at = passage.text.find(cell)
            for each in self.words(passage, max(at, 0), cell, passage.caption, base):
                owner = row_label or (self.target.label(passage.heads[column]) if column < len(passage.heads) else "")
                yield Occurrence(
                    each.kind,
                    each.value,
                    each.written,
                    each.derived,
                    passage,
                    each.start,
                    each.end,
                    {**each.features, f"table: {owner or 'no'} model in its row": 1.0, f"{each.kind}: in a table": 1.0},
                )

    def row_label(self, cells: tuple[str, ...], above: str) -> str:
        """Whose row it is, as `Target.label` says, by its first two cells and the label above them."""
        if self.target.is_named(" ".join([above, *cells[:2]])):
            return "ours"
        labels = [label for cell in (above, *cells[:2]) if (label := self.target.label(cell))]
        # "BERT | large" is another's row, though the model drafted is large too.
        return next((label for label in ("other", "ours", "sibling") if label in labels), "")

    def of_cell(self, kind: kinds.Kind, cell: str, head: str, passage: Passage) -> "_Value | None":
        """The value of a cell under its head, which may state a scale or a unit."""
        match = re.match(
            rf"\s*[~≈<>≥]?\s*(?P<n>{kinds.PRODUCT}|{kinds.FIGURE})\s?(?P<unit>[A-Za-z/-]*)", cell.strip('" ')
        )
        found = figure(match["n"]) if match else None
        if match is None or found is None or (kind.name in NOT_SQUARED and _is_squared(match["n"])):
            return None
        said = f"{head} {passage.caption}" if kind.name in ("parameters", "examples") else head
        scale = re.search(
            r"\(?(?:in )?\b(billions?|millions?|trillions?|thousands?|[Mm]io)\b|[(/\[](?:×|x)?\s?(B|M|K|T|k|×?10\^?\d+|1e\d+)[)\]]?(?![a-z])|\bin (B|M|K|T)\b",
            said,
        )
        if (
            scale
            and found.derived is None
            and kind.name in ("parameters", "active_parameters", "examples", "steps", "batch", "vocabulary")
        ):
            word = next(filter(None, scale.groups()))
            scaled = figure(
                f"{match['n']} {word.rstrip('s')}" if word[0].isalpha() and len(word) > 1 else f"{match['n']}{word}"
            )
            found = scaled or found
        if kind.name == "utilization" and "%" not in cell and "%" not in head and found.value <= 1:
            return _Value(found.value, f"{found.value:.15g}", None, match["n"])
        unit = match["unit"] or None
        if kind.name in ("chip_time", "duration", "reported_flop"):
            stated = (
                re.search(
                    r"(?i)(?:gpu|tpu|chip|core|a100|h100|v100|h800)?s?[- ]*v?\d?[- ]*(?:core)?[- ]*(hours|days|hrs|years|minutes|h\b|d\b)",
                    head,
                )
                if kind.name != "reported_flop"
                else re.search(r"(?i)(?:peta|exa|zetta|tera|[PEZTG])?-?flops?(?:/s)?(?:-?days?)?|pf-days", head)
            )
            unit = stated[0] if stated and not (unit and len(unit) > 1) else unit
        made = in_unit(kind, found, unit)
        return made and _Value(made.value, made.written, made.derived, match["n"])

    # features

    def context(self, passage: Passage, sentence: str, before: str) -> dict[str, float]:
        """Features of the sentence and its place, the same for every kind."""
        target = self.target
        sentence, before, heading = (text[:LONGEST_SENTENCE] for text in (sentence, before, passage.heading))
        found: dict[str, float] = {}
        if target.is_named(sentence):
            found["the sentence names the model"] = 1.0
        elif target.family_pattern.search(sentence):
            found["the sentence names its family"] = 1.0
        if target.sizes and target.has_size(sentence):
            found["the sentence has its size"] = 1.0
        if target.has_other_size(sentence):
            found["the sentence has another size"] = 1.0
        if target.names_other(sentence):
            found["the sentence names another model"] = 1.0
        if target.is_named(before) or target.has_size(before):
            found["the sentence before names the model"] = 1.0
        if target.label(heading) == "ours" or target.is_named(heading):
            found["the heading names the model"] = 1.0
        for name, pattern in (
            ("fine-tuning in the sentence", FINE_TUNING),
            ("pre-training in the sentence", PRETRAINING),
            ("training in the sentence", TRAINING),
            ("evaluation in the sentence", EVALUATION),
            ("comparison in the sentence", ABLATION),
            ("others' work in the sentence", CITED),
            ("we or our in the sentence", OURS),
        ):
            if pattern.search(sentence):
                found[name] = 1.0
        for name, pattern in HEADINGS.items():
            if pattern.search(heading):
                found[name] = 1.0
        found[f"a {passage.kind.value}"] = 1.0
        if passage.place == "abstract":
            found["in the abstract"] = 1.0
        if passage.place.startswith("appendix"):
            found["in an appendix"] = 1.0
        return found

    def of_kind(
        self, kind: str, value: "_Value | None", context: Mapping[str, float], passage: Passage
    ) -> dict[str, float]:
        """Features that depend on the kind, or on the value."""
        found: dict[str, float] = {}
        subject = SUBJECTS[kind]
        if f"heading: {subject}" in context:
            found["the heading fits"] = 1.0
        for shared in (
            "fine-tuning in the sentence",
            "pre-training in the sentence",
            "heading: fine-tuning",
            "heading: evaluation",
            "we or our in the sentence",
            "training in the sentence",
        ):
            if shared in context:
                found[f"{subject}: {shared}"] = 1.0
        if value is None or isinstance(value.value, str):
            return found
        if kind in ("parameters",) and self.target.sizes:
            is_own = any(is_same(value.value, size, 0.15) for size in self.target.sizes)
            found["its size is in the name" if is_own else "another size than in the name"] = 1.0
        if 1980 <= value.value <= 2030 and value.derived is None and "," not in value.written:
            found["reads like a year"] = 1.0
        found[f"{kind}: size"] = math.log10(max(value.value, 1e-9)) / 10
        found[f"{kind}: size squared"] = found[f"{kind}: size"] ** 2
        if (
            kind in ("chips", "batch", "width", "heads", "sequence_length", "key_value_heads", "feed_forward_width")
            and value.value >= 2
            and float(value.value).is_integer()
            and int(value.value) & (int(value.value) - 1) == 0
        ):
            found["a power of two"] = 1.0
        return found


def _cells(row: Passage) -> Iterator[tuple[int, str, str]]:
    """Cells with their column and head; "4096 / 10240" under "d_model / d_ff" is two."""
    for column, cell in enumerate(row.cells):
        head = row.heads[column] if column < len(row.heads) else ""
        cells, heads = cell.split("/"), head.split("/")
        if len(cells) == len(heads) > 1 and all(re.search(r"\d", part) for part in cells):
            yield from ((column, part.strip(), said.strip()) for part, said in zip(cells, heads, strict=True))
        else:
            yield column, cell, head


class _Above:
    """Labels that rows of a table share: a row of one cell names the rows below it, a first cell those whose own is empty."""

    def __init__(self) -> None:
        self.place, self.title, self.spanning = "", "", ""

    def pass_by(self, row: Passage) -> None:
        """Takes in the next row."""
        if row.place != self.place:
            self.place, self.title, self.spanning = row.place, "", ""
        filled = [cell for cell in row.cells if cell]
        if len(filled) == 1 and len(row.cells) > 1:
            self.title, self.spanning = filled[0], ""
        elif row.cells and row.cells[0]:
            self.spanning = row.cells[0]

    def label(self, row: Passage) -> str:
        """The label above this row."""
        return self.spanning if row.cells and not row.cells[0] else self.title


def _is_squared(written: str) -> bool:
    factors = SQUARED.fullmatch(written)
    return factors is not None and factors[1] == factors[2]


def _is_no_count(kind: str, sentence: str, span: tuple[int, int]) -> bool:
    """Whether a figure is the size of an image or a kernel, or a part of another thing's name."""
    if kind in NOT_SQUARED and _is_squared(sentence[span[0] : span[1]]):
        return True
    return kind not in ("parameters", "active_parameters") and PART_OF_NAME.search(sentence[: span[0]]) is not None


@dataclass(frozen=True)
class _Value:
    value: float
    written: str
    derived: str | None
    found: str = ""


def in_unit(kind: kinds.Kind, found: Figure, unit: str | None) -> _Value | None:
    """The figure as a value of this kind, in the unit that the ledger counts in; None where it cannot be one."""
    said = (unit or "").strip().lower()
    if kind.name == "duration":
        word = re.sub(r"s$", "", said.split()[-1]) if said else ""
        if word not in TIME_SECONDS:
            return None
        seconds = found.value * TIME_SECONDS[word]
        return _in_bounds(kind, _Value(seconds, f"{found.value:.15g} {TIME_UNITS[word]}", found.derived))
    if kind.name == "chip_time":
        time = re.search(r"(minute|hour|hr|day|year)s?$|(?<![a-z])([hd])$", said)
        if not time:
            return None
        word = time[1] or time[2]
        whose = "core" if re.search(r"core", said) else "chip"
        number = found.times(365, "365") if word == "year" else found
        return _in_bounds(
            kind,
            _Value(found.value * TIME_SECONDS[word], f"{number.value:.15g} {whose}_{TIME_UNITS[word]}", number.derived),
        )
    if kind.name == "reported_flop":
        return _in_bounds(kind, _flop(found, unit or ""))
    if kind.name == "utilization":
        made = found.value / 100
        return _in_bounds(kind, _Value(made, f"{made:.15g}", f"{found.value:.15g} / 100"))
    if kind.name == "examples" and said.startswith("hour"):
        made_of = found.times(HOUR_SECONDS, str(HOUR_SECONDS))
        return _in_bounds(kind, _Value(made_of.value, shown(made_of.value), made_of.derived))
    return _in_bounds(kind, _Value(found.value, shown(found.value), found.derived))


def _flop(found: Figure, unit: str) -> _Value | None:
    said = (
        unit.lower()
        .replace(" ", "")
        .replace("·", "")
        .replace("⋅", "")
        .replace("floatingpointoperations", "flops")
        .replace("floating-pointoperations", "flops")
    )
    match = re.fullmatch(
        r"(yotta|zetta|exa|peta|tera|giga|mega|[yzeptgm])?-?(?:flops?|f)?(/s|/sec|ps|-?s)?-?(days?)?", said
    )
    if not match:
        return None
    factor = PREFIXES[match[1] or ""]
    if match[3]:
        scaled = found.value * factor * DAY_SECONDS
        prefix = {1e15: "petaflop", 1e18: "exaflop", 1e12: "teraflop"}.get(factor)
        return _Value(scaled, f"{found.value:.15g} {prefix}_s_day", found.derived) if prefix else None
    if match[2] and match[2] not in ("s",) and "day" not in said and factor >= 1e9:
        return None  # a rate
    value = float(f"{found.value * factor:.15g}")
    derived = (
        f"{found.derived or f'{found.value:.15g}'} * 1e{round(math.log10(factor))}" if factor > 1 else found.derived
    )
    return _Value(value, f"{shown(value)} FLOP", derived)


def _in_bounds(kind: kinds.Kind, value: _Value | None) -> _Value | None:
    if value is None or not kind.low <= value.value <= kind.high:
        return None
    return value if kind.name not in kinds.WHOLE_NUMBERS or value.value.is_integer() else None
