"""Files of any form as documents, read in a child process with limits of time and memory: they are strangers' files."""

import json
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

from pipeline.drafting.documents import Document, Kind, Passage, UnreadableError
from pipeline.paths import ROOT

LARGEST_BYTES = 100_000_000
MOST_CHARACTERS = 1_000_000  # of text: time to look through it grows with its length
LONGEST_SECONDS = 9
MOST_MEMORY_BYTES = 500_000_000
FORMS = {".pdf": "pdf", ".html": "html", ".htm": "html", ".xhtml": "html", ".md": "markdown", ".markdown": "markdown", ".tex": "latex", ".txt": "text", ".json": "config"}  # fmt: skip


def read(path: Path) -> Document:
    """The document of a file. Raises UnreadableError, in one line that names the file, for whatever cannot be read within the limits."""
    _refuse_at_once(path)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pipeline.drafting.reading", str(path.absolute())],
            capture_output=True,
            timeout=LONGEST_SECONDS,
            cwd=ROOT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise UnreadableError(f"{path}: is not read after {LONGEST_SECONDS} seconds") from None
    if done.returncode:
        said = done.stdout.decode(errors="replace").strip() if done.returncode == 1 else ""
        raise UnreadableError(
            f"{path}: {said or f'needs more than {MOST_MEMORY_BYTES // 1_000_000} MB, or breaks its reader'}"
        )
    made = json.loads(done.stdout)
    passages = (
        Passage(**{**each, "kind": Kind(each["kind"]), "cells": tuple(each["cells"]), "heads": tuple(each["heads"])})
        for each in made["passages"]
    )
    document = Document(str(path), made["form"], made["title"], tuple(passages))
    if not document.passages:
        raise UnreadableError(f"{path}: holds no text")
    if (characters := sum(len(each.text) for each in document.passages)) > MOST_CHARACTERS:
        raise UnreadableError(f"{path}: holds {characters:,} characters of text; at most {MOST_CHARACTERS:,} are read")
    return document


def _refuse_at_once(path: Path) -> None:
    if path.suffix.lower() not in FORMS:
        raise UnreadableError(f"{path}: a publication is a {', '.join(sorted(FORMS))} file")
    try:
        size = path.stat().st_size
    except OSError as problem:
        raise UnreadableError(f"{path}: {problem.strerror}") from None
    if not path.is_file():
        raise UnreadableError(f"{path}: is no file")
    if not size:
        raise UnreadableError(f"{path}: is empty")
    if size > LARGEST_BYTES:
        raise UnreadableError(f"{path}: has {size:,} bytes; at most {LARGEST_BYTES:,} are read")


def parse(path: Path) -> Document:
    """The document of a file, without limits. Raises UnreadableError."""
    form = FORMS[path.suffix.lower()]
    content = path.read_bytes()
    if form == "pdf":
        from pipeline.drafting.forms import pdf

        return pdf.read(path.name, content)
    written = content.decode("utf-8", errors="replace").replace("\x00", "")
    if form == "latex":
        from pipeline.drafting.forms import latex

        return latex.read(path.name, written)
    if form == "config":
        from pipeline.drafting.forms import config

        return config.read(path.name, written)
    if form == "text":
        from pipeline.drafting.forms import lines

        return lines.read(path.name, written)
    from pipeline.drafting.forms import html

    return html.read(path.name, written) if form == "html" else html.read_markdown(path.name, written)


def main(path: str) -> int:
    """The child process: the document as JSON on standard output, or one line that says why there is none."""
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY_BYTES, MOST_MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (LONGEST_SECONDS, LONGEST_SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        document = parse(Path(path))
        sys.stdout.write(json.dumps(asdict(document)))
    except UnreadableError as problem:
        print(problem)
        return 1
    except (MemoryError, RecursionError):
        print(f"needs more than {MOST_MEMORY_BYTES // 1_000_000} MB")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1]))
