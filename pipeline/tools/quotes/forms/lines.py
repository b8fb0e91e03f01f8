"""Read the lines of a text file or PDF page. Headings are recognized by their numbers, and ends of paragraphs by a short line."""

import re
from collections.abc import Iterable

from pipeline.tools.quotes.documents import Document, Kind, Outline

HEADING = re.compile(
    r"(?:(?:Appendix )?([A-Z]|\d{1,2})((?:\.\d{1,2}){0,3})\.?|(Abstract|ABSTRACT|References|REFERENCES|Acknowledge?ments?|Conclusions?))(?:\s+(\S.{0,78}))?"
)
CAPTION = re.compile(r"(Table|Figure|Fig\.)\s+([A-Z]?\.?\d+(?:\.\d+)?)\s*[:.|]\s")
FIGURE = re.compile(r"[~≈<>±$]?\d[\d.,]*(?:[kKMBT%]|e[-−–]?\d+)?|[-–—]|✓|✗")
NEAR_CAPTION = 25  # lines between a table's row and its caption
LEAST_SECTIONS = 3  # numbered sections before an appendix; after fewer, a letter is part of a section
SHORT_LINE = 0.75  # a line shorter than this share of the usual length ends a paragraph


class Lines:
    """A collector that joins lines into paragraphs under headings."""

    def __init__(self) -> None:
        self.outline = Outline()
        self.buffer: list[str] = []
        self.caption = ""
        self.last: tuple[int, ...] = (0,)  # number of the last numbered heading

    def add(self, lines: Iterable[str]) -> None:
        """Read lines in order. Treat a line that is mostly figures as a row of a table."""
        lines = list(lines)
        lengths = sorted(len(line) for line in lines if len(line) > 20)
        # The upper quartile, because last lines of paragraphs are shorter than full lines.
        usual = lengths[len(lengths) * 3 // 4] if lengths else 80
        for number, line in enumerate(lines):
            words_of_line = line.strip()
            if _is_row(words_of_line):
                self.flush()
                self.outline.add_table([words_of_line.split()], _table_near(lines, number))
            elif not words_of_line:
                self.flush()
            elif not self.heading(words_of_line):
                caption = CAPTION.match(words_of_line)
                is_sentence_over = not self.buffer or self.buffer[-1].endswith((".", ":", "?", ")"))
                if caption and (is_sentence_over or ":" in caption[0]):
                    self.flush()
                    self.caption = f"{caption[1].lower().replace('fig.', 'figure')} {caption[2]}"
                self.buffer.append(words_of_line)
                if words_of_line.endswith((".", ":", "?")) and len(words_of_line) < SHORT_LINE * usual:
                    self.flush()

    def heading(self, line: str) -> bool:
        """Return whether this line is a heading that can follow the last one. If it is, open its section."""
        parts = HEADING.fullmatch(line)
        if not parts or line.endswith((",", ";")):
            return False
        # A heading without a number, such as Abstract, must be the whole line.
        if parts[3]:
            if parts[4]:
                return False
            self.flush()
            self.outline.open(parts[3].capitalize())
            return True
        title = parts[4] or ""
        if (
            not re.match(r"[A-Z][A-Za-z]{2}|[A-Z] [a-z]", title)
            or title.endswith(".")
            or len(re.findall(r"\d", title)) > 4
        ):
            return False
        number = tuple(int(part) if part.isdigit() else ord(part) for part in (parts[1] + parts[2]).split("."))
        if not _follows(number, self.last):
            return False
        self.flush()
        self.last = number
        self.outline.open(title, parts[1] + parts[2], len(number) + 1)
        return True

    def flush(self) -> None:
        """End the paragraph."""
        text = ""
        for line in self.buffer:
            is_broken = re.search(r"[a-z][-\u00ad\ufffe\u2010]$", text) and re.match("[a-z]", line)
            text = text[:-1] + line if is_broken else f"{text} {line}"
        place, self.outline.place = self.outline.place, "" if _is_of_table(text) else self.outline.place
        self.outline.add(text, Kind.CAPTION if self.caption else Kind.TEXT, self.caption)
        self.outline.place = place
        self.buffer.clear()
        self.caption = ""


def _is_row(line: str) -> bool:
    words = line.split()
    figures = sum(bool(FIGURE.fullmatch(word)) for word in words)
    return figures >= 2 and figures >= 0.4 * len(words) and not CAPTION.match(line)


def _table_near(lines: list[str], number: int) -> str:
    """Return the place of the nearest table caption, or "" if there is none within NEAR_CAPTION lines."""
    for away in range(1, NEAR_CAPTION):
        for place in (number - away, number + away):
            caption = CAPTION.match(lines[place].strip()) if 0 <= place < len(lines) else None
            if caption and caption[1] == "Table":
                return f"table {caption[2]}"
    return ""


def _is_of_table(text: str) -> bool:
    # Tables float to where there is room, so a table's rows may be placed in a section that they do not belong to.
    figures = re.findall(r"(?<![\w.])[\d.,]*\d[\w.%-]*", text)
    return len(figures) >= 6 and len(figures) > 0.35 * len(text.split())


def _follows(number: tuple[int, ...], last: tuple[int, ...]) -> bool:
    """Return whether a heading with this number can follow the last one, as 2.1 follows 2, and 3 or A follows 2.4.

    >>> _follows((2, 1), (2,)), _follows((3,), (2, 4)), _follows((65,), (7, 2)), _follows((64,), (3,)), _follows((2, 3), (2, 1))
    (True, True, True, False, True)
    """
    if number[0] >= ord("A") and last[0] < ord("A"):
        return number == (ord("A"),) and last[0] >= LEAST_SECTIONS
    common_length = next(
        (place for place, (one, other) in enumerate(zip(number, last, strict=False)) if one != other),
        min(len(number), len(last)),
    )
    if common_length == len(number):
        return False
    last_part = last[common_length] if common_length < len(last) else 0
    # At the first part that differs, one number may be missing from the text; deeper parts begin at 1.
    return last_part < number[common_length] <= last_part + 2 and all(part == 1 for part in number[common_length + 1 :])


def read(name: str, written: str) -> Document:
    """Parse plain text, in which form feeds separate pages."""
    lines = Lines()
    pages = written.split("\f")
    for number, page in enumerate(pages, 1):
        lines.outline.page = number if len(pages) > 1 else None
        lines.add(page.splitlines())
    lines.flush()
    first = next((line.strip() for line in written.splitlines() if line.strip()), "")
    return Document(name, "text", first, tuple(lines.outline.passages))
