"""Read files of all supported formats as documents."""

from dataclasses import replace
from pathlib import Path

from pipeline.tools.quotes.documents import Document, UnreadableError

LARGEST_BYTES = 100_000_000
MOST_CHARACTERS = 1_000_000  # of text; limited because search time grows with the length
FORMS = {".pdf": "pdf", ".html": "html", ".htm": "html", ".xhtml": "html", ".md": "markdown", ".markdown": "markdown", ".tex": "latex", ".txt": "text", ".json": "config"}  # fmt: skip


def read(path: Path) -> Document:
    """Read a file as a document. Raise UnreadableError, with one line that names the file, if it cannot be read."""
    _refuse_at_once(path)
    try:
        document = replace(parse(path), name=str(path))
    except UnreadableError as problem:
        raise UnreadableError(f"{path}: {problem}") from None
    except (MemoryError, RecursionError):
        raise UnreadableError(f"{path}: needs too much memory") from None
    if not document.passages:
        raise UnreadableError(f"{path}: contains no text")
    if (characters := sum(len(passage.text) for passage in document.passages)) > MOST_CHARACTERS:
        raise UnreadableError(f"{path}: has {characters:,} characters of text; at most {MOST_CHARACTERS:,} are read")
    return document


def _refuse_at_once(path: Path) -> None:
    """Raise UnreadableError if a file's name, type or size shows that it cannot be read, before a parser opens it."""
    if path.suffix.lower() not in FORMS:
        raise UnreadableError(f"{path}: a publication is a {', '.join(sorted(FORMS))} file")
    try:
        size = path.stat().st_size
    except OSError as problem:
        raise UnreadableError(f"{path}: {problem.strerror}") from None
    if not path.is_file():
        raise UnreadableError(f"{path}: is not a file")
    if not size:
        raise UnreadableError(f"{path}: is empty")
    if size > LARGEST_BYTES:
        raise UnreadableError(f"{path}: has {size:,} bytes; at most {LARGEST_BYTES:,} are read")


def parse(path: Path) -> Document:
    """Read a file of any size as a document. Raise UnreadableError if it cannot be read."""
    form = FORMS[path.suffix.lower()]
    content = path.read_bytes()
    if form == "pdf":
        from pipeline.tools.quotes.forms import pdf

        return pdf.read(path.name, content)
    from pipeline.tools.quotes.forms import config, html, latex, lines

    readers = {"latex": latex.read, "config": config.read, "text": lines.read, "html": html.read}
    written = content.decode("utf-8", errors="replace").replace("\x00", "")
    return readers.get(form, html.read_markdown)(path.name, written)
