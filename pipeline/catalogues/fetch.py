"""Downloads Epoch's table of notable models into data/snapshots: whole or not at all, with an origin sidecar beside it."""

import hashlib
import json
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import Any, NamedTuple
from urllib.parse import urljoin, urlsplit

import requests
import urllib3.exceptions
from requests.adapters import HTTPAdapter
from urllib3.util.retry import Retry

from pipeline.catalogues.cells import LARGEST_BYTES, CatalogueError, sheet_of
from pipeline.catalogues.columns import Row, rows_of
from pipeline.paths import replace_file
from schemas.plain_text import cut

EPOCH_URL = "https://epoch.ai/data/notable_ai_models.csv"
PRODUCER = "Epoch AI"
CITATION = "Epoch AI, 'Data on AI Models'. Published online at epoch.ai"
LICENCE = "CC-BY-4.0"
CONNECT_SECONDS, READ_SECONDS = 10.0, 30.0
LONGEST_SECONDS = 300.0  # of all of it: a server may send single bytes for ever, each within the timeout of a read
LONGEST_PAUSE_SECONDS = 30.0  # before a retry, whatever Retry-After says
LEAST_SHARE = 0.9  # of the rows before: a table with fewer was cut off, or is another
RETRIES, BACK_OFF_SECONDS = 4, 0.5
MOST_REDIRECTS = 5
CHUNK_BYTES = 65_536
RETRIED = (429, 500, 502, 503, 504)
REDIRECTED = (301, 302, 303, 307, 308)


class Limits(NamedTuple):
    """Limits of a download: bytes, seconds and retries."""

    bytes: int = LARGEST_BYTES
    seconds: float = LONGEST_SECONDS
    read_seconds: float = READ_SECONDS
    retries: int = RETRIES
    back_off_seconds: float = BACK_OFF_SECONDS
    pause_seconds: float = LONGEST_PAUSE_SECONDS


class Changes(NamedTuple):
    """Names of rows that a new snapshot has and the old had not, that it has no more, and of which a cell that is read says something else."""

    appeared: list[str]
    vanished: list[str]
    moved: list[str]


class Fetched(NamedTuple):
    """The path of the snapshot, whether its content is new, its number of rows, and what changed; None without an old snapshot."""

    path: Path
    is_new: bool
    rows: int
    changes: Changes | None = None


def fetch(url: str, path: Path, limits: Limits = Limits(), *, may_shrink: bool = False) -> Fetched:  # noqa: B008 it is a tuple
    """Downloads the table at `url` to `path` where it has changed. Raises CatalogueError.

    The old snapshot stays until the new one is complete, can be read as Epoch's table and is on disk. One with many rows less than the
    old is refused, unless it `may_shrink`.
    """
    origin = path.with_name(f"{path.name}.origin.json")
    before = _origin(path, origin)
    known = before if before.get("url") == url else {}
    try:
        found = _within(limits.seconds, url, lambda: _download(url, known, limits))
    except CatalogueError as problem:
        raise CatalogueError(cut(str(problem))) from None  # it may have words of the server
    except (requests.RequestException, urllib3.exceptions.HTTPError, OSError, ValueError) as problem:
        raise CatalogueError(cut(f"{url}: {_in_words(problem)}; the snapshot stays as it was")) from None
    if found is None:
        return Fetched(path, False, int(before["rows"]))
    content, headers = found
    rows = rows_of(sheet_of(content, url), url)
    number = len(rows.rows) + len(rows.bad)
    if not rows.rows:
        raise CatalogueError(f"{url} has no sound row; the snapshot stays as it was")
    old = _rows(path)
    if old and len(rows.rows) < LEAST_SHARE * len(old) and not may_shrink:
        raise CatalogueError(
            f"{url} has {len(rows.rows):,} sound rows where the snapshot has {len(old):,}; the snapshot stays as it was (--force replaces it)"
        )
    checksum = hashlib.sha256(content).hexdigest()
    said = {
        "producer": PRODUCER,
        "citation": CITATION,
        "licence": LICENCE,
        "url": url,
        "fetched": datetime.now(UTC).isoformat(timespec="seconds"),
        "sha256": checksum,
        "bytes": len(content),
        "rows": number,
        "etag": headers.get("ETag"),
        "last_modified": headers.get("Last-Modified"),
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    # The sidecar is written last: after a crash its checksum does not match, and the snapshot is downloaded again.
    _replace(path, content)
    _replace(origin, (json.dumps(said, indent=2) + "\n").encode())
    return Fetched(path, checksum != before.get("sha256"), number, old and changes(old, _by_name(rows.rows)))


def changes(before: Mapping[str, Row], after: Mapping[str, Row]) -> Changes:
    """What changed between the rows of two snapshots, by name."""
    return Changes(
        sorted(after.keys() - before.keys()),
        sorted(before.keys() - after.keys()),
        sorted(name for name in before.keys() & after.keys() if before[name].cells != after[name].cells),
    )


def _by_name(rows: Iterable[Row]) -> dict[str, Row]:
    return {row.name: row for row in rows}


def _rows(path: Path) -> dict[str, Row] | None:
    try:
        return _by_name(rows_of(sheet_of(path.read_bytes(), str(path)), str(path)).rows)
    except (OSError, CatalogueError):
        return None


def _origin(path: Path, origin: Path) -> dict[str, Any]:
    """The sidecar of a snapshot whose checksum matches it; empty otherwise."""
    try:
        said = json.loads(origin.read_text())
        is_whole = hashlib.sha256(path.read_bytes()).hexdigest() == said["sha256"]
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    return dict(said) if is_whole and isinstance(said.get("rows"), int) else {}


def _within(seconds: float, url: str, work: Callable[[], Any]) -> Any:
    """What `work` returns or raises. Raises CatalogueError after this time.

    Each step of a download has a limit of its own, but names, handshakes, headers and pauses together have none: the thread is left behind.
    """
    done: Queue[tuple[Any, Exception | None]] = Queue()

    def run() -> None:
        try:
            done.put((work(), None))
        except Exception as problem:
            done.put((None, problem))

    Thread(target=run, daemon=True).start()
    try:
        found, problem = done.get(timeout=seconds)
    except Empty:
        raise CatalogueError(f"{url} took longer than {seconds:g} s; the snapshot stays as it was") from None
    if problem is not None:
        raise problem
    return found


def _download(url: str, known: dict[str, Any], limits: Limits) -> tuple[bytes, Any] | None:
    asked = {"Accept": "text/csv", "Accept-Encoding": "identity"}
    asked |= {"If-None-Match": known["etag"]} if known.get("etag") else {}
    asked |= {"If-Modified-Since": known["last_modified"]} if known.get("last_modified") else {}
    end = time.monotonic() + limits.seconds
    with _session(limits) as session:
        for _ in range(MOST_REDIRECTS + 1):
            response = session.get(
                url,
                headers=asked,
                timeout=(CONNECT_SECONDS, limits.read_seconds),
                stream=True,
                allow_redirects=False,
            )
            with response:
                if response.status_code in REDIRECTED:
                    url = _redirected(url, response)
                    continue
                if response.status_code == 304 and known:
                    return None
                if response.status_code != 200:
                    raise CatalogueError(
                        f"{url} answered {response.status_code} {response.reason}; the snapshot stays as it was"
                    )
                return _body(url, response, end, limits), response.headers
    raise CatalogueError(f"{url} was redirected more than {MOST_REDIRECTS} times; the snapshot stays as it was")


def _session(limits: Limits) -> requests.Session:
    retry = Retry(
        total=limits.retries,
        redirect=0,
        status_forcelist=RETRIED,
        backoff_factor=limits.back_off_seconds,
        backoff_max=limits.pause_seconds,
        respect_retry_after_header=True,
        retry_after_max=limits.pause_seconds,
        raise_on_status=False,
        allowed_methods=["GET"],
    )
    session = requests.Session()
    for scheme in ("http://", "https://"):
        session.mount(scheme, HTTPAdapter(max_retries=retry))
    return session


def _redirected(url: str, response: requests.Response) -> str:
    try:
        there = urljoin(url, response.headers.get("Location", ""))
        before, after = urlsplit(url).scheme, urlsplit(there).scheme
    except ValueError:
        raise CatalogueError(f"{url} redirects to what is no address; the snapshot stays as it was") from None
    if after != before and (before, after) != ("http", "https"):
        raise CatalogueError(f"{url} redirects to another scheme ({after or 'none'}); the snapshot stays as it was")
    return there


def _body(url: str, response: requests.Response, end: float, limits: Limits) -> bytes:
    length = response.headers.get("Content-Length", "")
    announced = int(length) if length.isdigit() else None
    if announced is not None and announced > limits.bytes:
        raise CatalogueError(f"{url} is larger than {limits.bytes:,} bytes; the snapshot stays as it was")
    content = b"".join(_chunks(url, response, end, limits))
    if announced is not None and announced != len(content):
        raise CatalogueError(
            f"{url} was cut off: {len(content):,} of {announced:,} bytes came; the snapshot stays as it was"
        )
    return content


def _chunks(url: str, response: requests.Response, end: float, limits: Limits) -> Iterator[bytes]:
    size = 0
    for chunk in response.iter_content(CHUNK_BYTES):
        size += len(chunk)
        if size > limits.bytes:
            raise CatalogueError(f"{url} is larger than {limits.bytes:,} bytes; the snapshot stays as it was")
        if time.monotonic() > end:
            raise CatalogueError(f"{url} took longer than {limits.seconds:g} s; the snapshot stays as it was")
        yield chunk


def _in_words(problem: Exception) -> str:
    if isinstance(problem, requests.exceptions.RetryError):
        return "answered with errors, again and again"
    if isinstance(problem, requests.Timeout) or "timed out" in str(problem):
        return "did not answer in time"
    if isinstance(problem, requests.exceptions.ChunkedEncodingError) or "IncompleteRead" in str(problem):
        return "was cut off"
    if isinstance(problem, requests.ConnectionError):
        return "cannot be reached, or broke off"
    if isinstance(problem, ValueError) and not isinstance(problem, requests.RequestException):
        return "answered with what is no address, or no text"
    return str(problem).splitlines()[0] if str(problem) else type(problem).__name__


def _replace(path: Path, content: bytes) -> None:
    def write(beside: Path) -> None:
        with beside.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())

    replace_file(path, write)
