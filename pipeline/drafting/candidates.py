"""Candidates for the facts of a record: each occurrence of a figure beside words of its kind, with what speaks for it and against it."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice

from pipeline.drafting import kinds
from pipeline.drafting.documents import Document, Kind, Passage, UnreadableError
from pipeline.drafting.features import beside, of_context, of_kind
from pipeline.drafting.figures import figure, is_same
from pipeline.drafting.names import Target
from pipeline.drafting.quotes import sentences
from pipeline.drafting.units import Value, in_unit

MOST_OCCURRENCES = 10_000  # of one publication: the time to weigh them grows with their number
LOW_END = re.compile(r"(?<![\w.,])(\d+(?:\.\d+)?)\s?(?:[–—-]|to)\s?$")  # before the high end of a range
SQUARED = re.compile(r"\s*(\d+)\s?(?:×|\*|∗|x|·)\s?(\d+)\s*")
# Kinds of which 224 × 224 is none: the size of an image, a patch or a kernel.
NOT_SQUARED = frozenset(
    "parameters active_parameters examples epochs steps batch chips duration layers heads key_value_heads width vocabulary".split()
)
PART_OF_NAME = re.compile(r"(?<!\w)[A-Z][A-Za-z]+[-–]$")  # DGX-2, Caltech-101


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
    usable = [
        spelling
        for spelling in spellings
        if len(re.sub(r"\W", "", spelling)) >= 4 or re.fullmatch(r"[a-z]\d{2,3}", spelling)
    ]
    ways = sorted(
        (r"[\s\-]*".join(re.escape(part) for part in re.split(r"[\s\-]+", spelling)) for spelling in usable),
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
        occurrences = [*islice(self.one_by_one(document), MOST_OCCURRENCES + 1)]
        if len(occurrences) > MOST_OCCURRENCES:
            raise UnreadableError(
                f"{document.name}: has more than {MOST_OCCURRENCES:,} figures that may be facts; give the part that is about the model"
            )
        return occurrences

    def one_by_one(self, document: Document) -> Iterator[Occurrence]:
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
                    context = {**base, **of_context(self.target, passage, sentence, before)}
                features = {**context, **of_kind(self.target, kind.name, value, context)}
                for place in places:
                    features[f"{kind.name}: wording {place + 1}"] = 1.0
                features["words between"] = min((match.end() - match.start() - (span[1] - span[0])) / 60, 3.0)
                features |= beside(self.target, kind.name, sentence, match, span[0])
                yield Occurrence(kind.name, *value[:3], passage, start + span[0], start + span[1], features)
        yield from self.words(passage, start, sentence, before, base)

    def words(
        self, passage: Passage, start: int, sentence: str, before: str, base: Mapping[str, float]
    ) -> Iterator[Occurrence]:
        """Chips and number formats in one sentence."""
        matches: list[tuple[str, str, re.Match[str]]] = []
        for match in self.chip_pattern.finditer(sentence):
            identifier = self.loose.get(re.sub(r"[\s\-]+", "", match[0].lower()))
            if identifier:
                matches.append(("chip", identifier, match))
        for word, pattern in kinds.PRECISIONS.items():
            matches += [("precision", word, match) for match in re.finditer(pattern, sentence)]
        matches += [("precision", "fp16", match) for match in kinds.MIXED.finditer(sentence)]
        if not matches:
            return
        context = {**base, **of_context(self.target, passage, sentence, before)}
        for kind, word, match in matches:
            features = {**context, **of_kind(self.target, kind, None, context)}
            features[f"{kind}: {word if kind == 'precision' else 'named'}"] = 1.0
            if kind == "precision" and kinds.MIXED.fullmatch(match[0]):
                features["precision: mixed"] = 1.0
            near = sentence[max(0, match.start() - 60) : match.end() + 40]
            if re.search(r"\d+\s?(?:x |× )?(?:\w+ ){0,3}$", sentence[max(0, match.start() - 30) : match.start()]):
                features["a number before it"] = 1.0
            if self.target.is_named(near) or self.target.has_size(near):
                features["the model's name or size beside it"] = 1.0
            derived = word if kind == "precision" else None
            yield Occurrence(kind, word, word, derived, passage, start + match.start(), start + match.end(), features)

    def value(self, kind: kinds.Kind, match: re.Match[str], sentence: str) -> Value | None:
        """The value of a match in the ledger's unit; None where it cannot be one of this kind. A range of durations is its high end."""
        groups = match.groupdict()
        if groups.get("one"):
            word = re.search(r"\bone\b|single", match[0], re.IGNORECASE)
            return Value(1.0, "1", word and word[0].lower())
        written = groups.get("n")
        stated = figure(written.lower() if written and written.isalpha() else written) if written else None
        if stated is None:
            return None
        converted = in_unit(kind, stated, groups.get("unit"))
        low = LOW_END.search(sentence[: match.start("n")]) if kind.name == "duration" else None
        if converted and low and float(low[1]) < stated.value:
            converted = converted._replace(written=f"{low[1]} {converted.written.split()[-1]} to {converted.written}")
        return converted

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
                is_of_head = bool(head and pattern.fullmatch(head.strip()))
                is_of_row = not is_of_head and column > 0 and pattern.fullmatch(first) is not None
                if not (is_of_head or is_of_row):
                    continue
                value = self.of_cell(kind, cell, first if is_of_row else head, passage)
                if value is None or at < 0:
                    continue
                owner = (self.target.label(head) if is_of_row else row_label) or "no"
                where = "configuration" if is_config else f"{'row' if is_of_row else 'column'} of a table"
                features = {**base, **of_context(self.target, passage, passage.caption, passage.heading)}
                features |= of_kind(self.target, kind.name, value, features)
                features[f"{kind.name}: {where}"] = 1.0
                features[f"table: {owner} model in its {'head' if is_of_row else 'row'}"] = 1.0
                if is_of_row and sum(map(bool, passage.cells)) == 2:
                    features["table: one value"] = 1.0
                start = at + max(cell.find(value.found), 0)
                yield Occurrence(kind.name, *value[:3], passage, start, start + len(value.found or cell), features)
        yield from self.words_of_row(passage, base, row_label)

    def words_of_row(self, passage: Passage, base: Mapping[str, float], row_label: str) -> Iterator[Occurrence]:
        """Chips and number formats in the cells of a row."""
        for column, cell in enumerate(passage.cells):
            at = passage.text.find(cell)
            for word in self.words(passage, max(at, 0), cell, passage.caption, base):
                owner = row_label or (self.target.label(passage.heads[column]) if column < len(passage.heads) else "")
                named = {f"table: {owner or 'no'} model in its row": 1.0, f"{word.kind}: in a table": 1.0}
                yield replace(word, features={**word.features, **named})

    def row_label(self, cells: tuple[str, ...], above: str) -> str:
        """Whose row it is, as `Target.label` says, by its first two cells and the label above them."""
        if self.target.is_named(" ".join([above, *cells[:2]])):
            return "ours"
        labels = [label for cell in (above, *cells[:2]) if (label := self.target.label(cell))]
        # "BERT | large" is another's row, though the model drafted is large too.
        return next((label for label in ("other", "ours", "sibling") if label in labels), "")

    def of_cell(self, kind: kinds.Kind, cell: str, head: str, passage: Passage) -> Value | None:
        """The value of a cell under its head, which may state a scale or a unit."""
        match = re.match(
            rf"\s*[~≈<>≥]?\s*(?P<n>{kinds.PRODUCT}|{kinds.FIGURE})\s?(?P<unit>[A-Za-z/-]*)", cell.strip('" ')
        )
        stated = figure(match["n"]) if match else None
        if match is None or stated is None or (kind.name in NOT_SQUARED and _is_squared(match["n"])):
            return None
        context = f"{head} {passage.caption}" if kind.name in ("parameters", "examples") else head
        scale = re.search(
            r"\(?(?:in )?\b(billions?|millions?|trillions?|thousands?|[Mm]io)\b|[(/\[](?:×|x)?\s?(B|M|K|T|k|×?10\^?\d+|1e\d+)[)\]]?(?![a-z])|\bin (B|M|K|T)\b",
            context,
        )
        if (
            scale
            and stated.derived is None
            and kind.name in ("parameters", "active_parameters", "examples", "steps", "batch", "vocabulary")
        ):
            word = next(filter(None, scale.groups()))
            scaled = figure(
                f"{match['n']} {word.rstrip('s')}" if word[0].isalpha() and len(word) > 1 else f"{match['n']}{word}"
            )
            stated = scaled or stated
        if kind.name == "utilization" and "%" not in cell and "%" not in head and stated.value <= 1:
            return Value(stated.value, f"{stated.value:.15g}", None, match["n"])
        unit = match["unit"] or None
        if kind.name in ("chip_time", "duration", "reported_flop"):
            unit_words = (
                re.search(
                    r"(?i)(?:gpu|tpu|chip|core|a100|h100|v100|h800)?s?[- ]*v?\d?[- ]*(?:core)?[- ]*(hours|days|hrs|years|minutes|h\b|d\b)",
                    head,
                )
                if kind.name != "reported_flop"
                else re.search(r"(?i)(?:peta|exa|zetta|tera|[PEZTG])?-?flops?(?:/s)?(?:-?days?)?|pf-days", head)
            )
            unit = unit_words[0] if unit_words and not (unit and len(unit) > 1) else unit
        converted = in_unit(kind, stated, unit)
        return converted and Value(converted.value, converted.written, converted.derived, match["n"])


def _cells(row: Passage) -> Iterator[tuple[int, str, str]]:
    """Cells with their column and head; "4096 / 10240" under "d_model / d_ff" is two."""
    for column, cell in enumerate(row.cells):
        head = row.heads[column] if column < len(row.heads) else ""
        cells, heads = cell.split("/"), head.split("/")
        if len(cells) == len(heads) > 1 and all(re.search(r"\d", part) for part in cells):
            yield from (
                (column, part.strip(), part_of_head.strip()) for part, part_of_head in zip(cells, heads, strict=True)
            )
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
