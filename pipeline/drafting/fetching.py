"""A paper of arXiv, downloaded when asked for: its web copy, else its PDF, in the version that arXiv gives."""

import re
from pathlib import Path

import requests

from pipeline.drafting.reading import LARGEST_BYTES
from pipeline.paths import replace_file

ADDRESS = "https://arxiv.org"
NUMBER = re.compile(r"(?:arxiv:)?(\d{4}\.\d{4,5})(v\d+)?", re.IGNORECASE)
TIMEOUT_SECONDS = 30
FORMS = (("html", "html", "text/html"), ("pdf", "pdf", "application/pdf"))  # part of the address, ending, type
VERSION = re.compile(r"\d{4}\.\d{4,5}(v\d+)")


class FetchError(ValueError):
    """A paper that cannot be had; the message is one line."""


def fetch(paper: str, folder: Path, address: str = ADDRESS) -> tuple[Path, str]:
    """Downloads a paper such as arXiv:2205.01068 or 2205.01068v4 into a folder; returns its file, named with its version, and its address.

    Raises FetchError.
    """
    asked = NUMBER.fullmatch(paper.strip())
    if not asked:
        raise FetchError(f"{paper!r} is no paper of arXiv; write arXiv:2205.01068, with or without a version")
    name = f"{asked[1]}{asked[2] or ''}"
    said = []
    for part, ending, kind in FORMS:
        url = f"{address}/{part}/{name}"
        try:
            with requests.get(url, timeout=TIMEOUT_SECONDS, stream=True) as answer:
                if answer.status_code != 200 or not answer.headers.get("Content-Type", "").startswith(kind):
                    said.append(f"{part}: {answer.status_code}")
                    continue
                content = _content(answer)
                version = asked[2] or _version(answer.url, content)
        except requests.RequestException as problem:
            raise FetchError(f"{url}: {type(problem).__name__}; is there a network?") from None
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{asked[1]}{version}.{ending}"
        replace_file(path, lambda beside, content=content: beside.write_bytes(content))
        return path, f"{ADDRESS}/{part}/{asked[1]}{version}"
    raise FetchError(f"arXiv has no {name} ({', '.join(said)})")


def _content(answer: requests.Response) -> bytes:
    content = bytearray()
    for part in answer.iter_content(1 << 20):
        content += part
        if len(content) > LARGEST_BYTES:
            raise FetchError(f"{answer.url}: is longer than {LARGEST_BYTES:,} bytes")
    return bytes(content)


def _version(url: str, content: bytes) -> str:
    """The version that was sent: in the address that arXiv led to, else on the first pages; empty where neither has it."""
    found = VERSION.search(url) or VERSION.search(content[:20_000].decode("utf-8", errors="replace"))
    return found[1] if found else ""
