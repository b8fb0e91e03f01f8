"""PDFs by pdfium: text by page, powers of ten by the height of their digits."""

import re

import pypdfium2

from pipeline.drafting.documents import Document, UnreadableError
from pipeline.drafting.forms import tables
from pipeline.drafting.forms.lines import Lines

MOST_PAGES = 600
LEAST_CHARACTERS = 40  # a page on average; fewer is a scan
POWER = re.compile(r"[×·x∗*]\s*10(\d{1,2})(?!\d)")
POWER_ALONE = re.compile(r"(?<![\d.,^])(?:10|2)(\d{1,2})(?![\d.,]?\d)")
POWER_BELOW = re.compile(r"(?<![\d.,^])(?:10|2)(\n{1,2})(\d{1,2})(?![\d.,]?\d)")
WIDEST_SPACE = 0.8  # of the height of a sign: a wider gap lies between columns
RAISED = 0.2  # of the height of the digits before: how much higher the exponent's lower edge is


def read(name: str, content: bytes) -> Document:
    """The document of a PDF. Raises UnreadableError: no PDF, cut, encrypted, scanned, or too long."""
    try:
        pdf = pypdfium2.PdfDocument(content)
    except pypdfium2.PdfiumError as problem:
        is_encrypted = "assword" in str(problem)
        words = "is encrypted: it opens with a password alone" if is_encrypted else "is no PDF, or is cut off"
        raise UnreadableError(words) from None
    if len(pdf) > MOST_PAGES:
        raise UnreadableError(f"has {len(pdf):,} pages; at most {MOST_PAGES} are read")
    lines = Lines()
    characters = 0
    title = ""
    for number in range(len(pdf)):
        try:
            text, rows = _page(pdf[number])
        except pypdfium2.PdfiumError:
            raise UnreadableError(f"page {number + 1} of {len(pdf)} cannot be read; is it cut off?") from None
        characters += len(text.strip())
        lines.outline.page = number + 1
        lines.add(_lines(text), rows)
        lines.flush()  # so that a passage stands on one page
        title = title or next((line.strip() for line in text.splitlines() if len(line.strip()) > 5), "")
    if not len(pdf) or characters < LEAST_CHARACTERS * len(pdf):
        raise UnreadableError("has hardly any text: is it scanned? Read it through OCR first")
    return Document(name, "pdf", title, tuple(lines.outline.passages))


def _page(page: pypdfium2.PdfPage) -> tuple[str, dict[int, tables.Row]]:
    """The page's text, and the rows of tables among its lines by their numbers, lines without signs not counted."""
    sheet = page.get_textpage()
    text = sheet.get_text_range().replace("\r", "\n")  # as many signs as pdfium counts: their places are looked up
    lines, start = [], 0
    for line in text.split("\n"):
        if _lines(line):  # pdfium ends a line by two signs, so that every other line is empty
            lines.append((start, line))
        start += len(line) + 1
    rows = tables.rows([line for _, line in lines], lambda number: _cells(sheet, *lines[number]))
    powers = [power.start(1) for power in POWER.finditer(text) if _is_raised(sheet, power.start(1))]
    powers += [power.start(1) for power in POWER_ALONE.finditer(text) if _is_raised(sheet, power.start(1))]
    edits = [(place, place) for place in powers]
    # An exponent may stand on a line of its own, as its foot is higher.
    for power in POWER_BELOW.finditer(text):
        if _is_raised(sheet, power.start(2), power.start(1) - 1):
            edits.append(power.span(1))
            above = len(_lines(text[: power.start(1)])) - 1
            rows = {number - (number > above): row for number, row in rows.items() if number not in (above, above + 1)}
    for start, end in sorted(edits, reverse=True):
        text = f"{text[:start]}^{text[end:]}"
    sheet.close()
    page.close()
    return text.replace("\ufffe", "\u00ad"), rows  # U+FFFE: the hyphen of a word broken at a line's end


def _lines(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.strip(" \ufffe\u00ad")]


def _cells(sheet: pypdfium2.PdfTextPage, start: int, line: str) -> list[tables.Cell]:
    """The cells of a line: words with a gap wider than that between words. Empty where places are not known."""
    cells: list[tables.Cell] = []
    for word in re.finditer(r"\S+", line):
        try:
            left, low, _, high = sheet.get_charbox(start + word.start())
            _, _, right, _ = sheet.get_charbox(start + word.end() - 1)
        except (pypdfium2.PdfiumError, ValueError, IndexError):
            return []
        if cells and left - cells[-1].right < WIDEST_SPACE * max(high - low, 4.0):
            cells[-1] = tables.Cell(f"{cells[-1].text} {word[0]}", cells[-1].left, right)
        else:
            cells.append(tables.Cell(word[0], left, right))
    return cells


def _is_raised(sheet: pypdfium2.PdfTextPage, place: int, before: int | None = None) -> bool:
    """Whether a sign stands higher than the one before it, and directly beside it."""
    try:
        _, base_low, base_right, base_high = sheet.get_charbox(place - 1 if before is None else before)
        left, low, _, _ = sheet.get_charbox(place)
    except (pypdfium2.PdfiumError, ValueError):
        return False
    height = base_high - base_low
    return RAISED * height < low - base_low < height and abs(left - base_right) < height
