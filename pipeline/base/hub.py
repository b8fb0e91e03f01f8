"""Download the config.json of a model on the Hugging Face Hub, without its weights."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from pipeline.base.download import DownloadError, Limits, download

HUB_URL = "https://huggingface.co"
ENDPOINT = "HF_ENDPOINT"  # the environment variable in which the Hub's own client looks for a mirror
LIMITS = Limits(bytes=10_000_000, seconds=60.0, read_seconds=20.0, retries=2)
BY_HAND = "download its config.json and name the file"
HINTS = {
    401: f"there is no such model, or it needs an account; {BY_HAND}",
    403: f"the model needs an account; {BY_HAND}",
    404: "there is no such model, or it has no config.json",
}


class HubError(Exception):
    """Raised if a config cannot be downloaded. The message is one line with the remedy."""


@contextmanager
def config_of(identifier: str) -> Iterator[Path]:
    """Yield the path of this model's config.json, in a folder that exists until the block ends. Raise HubError."""
    base = os.environ.get(ENDPOINT, "").rstrip("/") or HUB_URL
    url = f"{base}/{quote(identifier)}/resolve/main/config.json"
    try:
        downloaded = download(url, LIMITS, {"Accept": "application/json"})
    except DownloadError as problem:
        hint = HINTS.get(problem.status or 0, BY_HAND)
        raise HubError(f"{identifier}: {problem}; {hint}") from None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "config.json"
        path.write_bytes(downloaded.content if downloaded else b"")
        yield path
