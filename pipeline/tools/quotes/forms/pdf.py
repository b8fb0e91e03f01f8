"""Read PDF files with pdfium, page by page."""

import pypdfium2

from pipeline.tools.quotes.documents import Document, UnreadableError
from pipeline.tools.quotes.forms.lines import Lines

MOST_PAGES = 600
LEAST_CHARACTERS = 40  # average per page; a PDF with fewer characters is a scan


def read(name: str, content: bytes) -> Document:
    """Parse a PDF. Raise UnreadableError if the file is not a PDF, or is cut off, encrypted, scanned or too long."""
    try:
        pdf = pypdfium2.PdfDocument(content)
    except pypdfium2.PdfiumError as problem:
        is_encrypted = "assword" in str(problem)
        words = "is encrypted: it opens only with a password" if is_encrypted else "is not a PDF, or is cut off"
        raise UnreadableError(words) from None
    if len(pdf) > MOST_PAGES:
        raise UnreadableError(f"has {len(pdf):,} pages; at most {MOST_PAGES} are read")
    lines, characters, title = Lines(), 0, ""
    for number in range(len(pdf)):
        try:
            text = pdf[number].get_textpage().get_text_range().replace("\r", "\n")
        except pypdfium2.PdfiumError:
            raise UnreadableError(f"page {number + 1} of {len(pdf)} cannot be read; is it cut off?") from None
        characters += len(text.strip())
        text = text.replace("\ufffe", "\u00ad")  # pdfium's character for a hyphen at the end of a line
        lines.outline.page = number + 1
        lines.add(line for line in text.split("\n") if line.strip(" \u00ad"))  # pdfium ends a line with two characters
        lines.flush()  # so that no passage spans pages
        title = title or next((line.strip() for line in text.splitlines() if len(line.strip()) > 5), "")
    if not len(pdf) or characters < LEAST_CHARACTERS * len(pdf):
        raise UnreadableError("has hardly any text: is it scanned? Read it through OCR first")
    return Document(name, "pdf", title, tuple(lines.outline.passages))
