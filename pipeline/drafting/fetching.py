"""A paper of arXiv, downloaded when asked for: its web copy, else its PDF, in the version that arXiv gives."""

import re
from pathlib import Path

from pipeline.download import DownloadError, Limits, download
from pipeline.drafting.reading import LARGEST_BYTES
from pipeline.paths import replace_file

ADDRESS = "https://arxiv.org"
NUMBER = re.compile(r"(?:arxiv:)?(\d{4}\.\d{4,5})(v\d+)?", re.IGNORECASE)
LIMITS = Limits(LARGEST_BYTES)
FORMS = (("html", "html", "text/html"), ("pdf", "pdf", "application/pdf"))  # part of the address, ending, type
VERSION = re.compile(r"\d{4}\.\d{4,5}(v\d{1,3})(?!\d)")


class FetchError(ValueError):
    """A paper that cannot be had; the message is one line."""


def fetch(paper: str, folder: Path, address: str = ADDRESS, limits: Limits = LIMITS) -> tuple[Path, str]:
    """Downloads a paper such as arXiv:2205.01068 or 2205.01068v4 into a folder; returns its file, named with its version, and its address.

    Raises FetchError.
    """
    asked = NUMBER.fullmatch(paper.strip())
    if not asked:
        raise FetchError(f"{paper!r} is no paper of arXiv; write arXiv:2205.01068, with or without a version")
    name = f"{asked[1]}{asked[2] or ''}"
    absent = []
    for part, ending, kind in FORMS:
        try:
            answer = download(f"{address}/{part}/{name}", limits, {"Accept": kind})
        except DownloadError as problem:
            if problem.status != 404:
                raise FetchError(str(problem)) from None
            answer = None
        if answer is None or not answer.headers.get("Content-Type", "").startswith(kind):
            absent.append(part)
            continue
        version = asked[2] or _version(answer.url, answer.content)
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{asked[1]}{version}.{ending}"
        replace_file(path, lambda beside, content=answer.content: beside.write_bytes(content))
        return path, f"{ADDRESS}/{part}/{asked[1]}{version}"
    raise FetchError(f"arXiv has no {' or '.join(absent)} of {name}")


def _version(url: str, content: bytes) -> str:
    """The version that was sent: in the address that arXiv led to, else on the first pages; empty where neither has it."""
    found = VERSION.search(url) or VERSION.search(content[:20_000].decode("utf-8", errors="replace"))
    return found[1] if found else ""
