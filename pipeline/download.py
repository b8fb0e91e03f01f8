"""Downloads of files, all that there are: whole or not at all, with limits of time and size, and each fault in a line."""

import time
from collections.abc import Callable, Iterator, Mapping
from queue import Empty, Queue
from threading import Thread
from typing import Any, NamedTuple
from urllib.parse import urljoin, urlsplit

import requests
import urllib3.exceptions
from requests.adapters import HTTPAdapter
from urllib3.util.retry import Retry

from schemas.plain_text import cut

CONNECT_SECONDS, READ_SECONDS = 10.0, 30.0
LONGEST_SECONDS = 300.0  # of all of it: a server may send single bytes for ever, each within the timeout of a read
LONGEST_PAUSE_SECONDS = 30.0  # before a retry, whatever Retry-After says
RETRIES, BACK_OFF_SECONDS = 4, 0.5
MOST_REDIRECTS = 5
CHUNK_BYTES = 65_536
RETRIED = (429, 500, 502, 503, 504)
REDIRECTED = (301, 302, 303, 307, 308)
Advance = Callable[[int, int | None], None]


class DownloadError(Exception):
    """A file that did not arrive, in one line; `status` is what the server answered where it was no success."""

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class Limits(NamedTuple):
    """Limits of a download: bytes, seconds and retries."""

    bytes: int
    seconds: float = LONGEST_SECONDS
    read_seconds: float = READ_SECONDS
    retries: int = RETRIES
    back_off_seconds: float = BACK_OFF_SECONDS
    pause_seconds: float = LONGEST_PAUSE_SECONDS


class Downloaded(NamedTuple):
    """A file, the headers of the answer that it came in, and the address that redirects led to."""

    content: bytes
    headers: Any
    url: str


def download(url: str, limits: Limits, headers: Mapping[str, str], advance: Advance | None = None) -> Downloaded | None:
    """The file at `url`, asked for with these headers; None where the server says that it has not changed since what they name.

    Redirects within a host and its subdomains are followed; an empty file is none. Raises DownloadError. `advance` is told of each part: bytes so far, and those announced.
    """
    try:
        found: Downloaded | None = _within(limits.seconds, url, lambda: _download(url, limits, headers, advance))
    except DownloadError as problem:
        raise DownloadError(cut(str(problem)), problem.status) from None  # it may have words of the server
    except (requests.RequestException, urllib3.exceptions.HTTPError, OSError, ValueError) as problem:
        raise DownloadError(cut(f"{url}: {_in_words(problem)}")) from None
    return found


def _within(seconds: float, url: str, work: Callable[[], Any]) -> Any:
    """What `work` returns or raises. Raises DownloadError after this time.

    Each step of a download has a limit of its own, but names, handshakes, headers and pauses together have none: the
    thread is left behind.
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
        raise DownloadError(f"{url} took longer than {seconds:g} s") from None
    if problem is not None:
        raise problem
    return found


def _download(url: str, limits: Limits, headers: Mapping[str, str], advance: Advance | None) -> Downloaded | None:
    asked = {"Accept-Encoding": "identity", **headers}
    is_conditional = "If-None-Match" in asked or "If-Modified-Since" in asked
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
                if response.status_code == 304 and is_conditional:
                    return None
                if response.status_code != 200:
                    said = f"{url} answered {response.status_code} {response.reason}"
                    raise DownloadError(said, response.status_code)
                return Downloaded(_body(url, response, end, limits, advance), response.headers, url)
    raise DownloadError(f"{url} was redirected more than {MOST_REDIRECTS} times")


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
        before, after = urlsplit(url), urlsplit(there)
    except ValueError:
        raise DownloadError(f"{url} redirects to what is no address") from None
    if after.scheme != before.scheme and (before.scheme, after.scheme) != ("http", "https"):
        raise DownloadError(f"{url} redirects to another scheme ({after.scheme or 'none'})")
    one, other = (f".{each.hostname}" for each in (before, after))
    if not (one.endswith(other) or other.endswith(one)):
        raise DownloadError(f"{url} redirects to another host ({after.hostname})")
    return there


def _body(url: str, response: requests.Response, end: float, limits: Limits, advance: Advance | None) -> bytes:
    length = response.headers.get("Content-Length", "")
    announced = int(length) if length.isdigit() else None
    if announced is not None and announced > limits.bytes:
        raise DownloadError(f"{url} is larger than {limits.bytes:,} bytes")
    parts, size = [], 0
    for part in _chunks(url, response, end, limits):
        parts.append(part)
        size += len(part)
        if advance:
            advance(size, announced)
    content = b"".join(parts)
    if announced is not None and announced != len(content):
        raise DownloadError(f"{url} was cut off: {len(content):,} of {announced:,} bytes came")
    if not content:
        raise DownloadError(f"{url} is empty")
    return content


def _chunks(url: str, response: requests.Response, end: float, limits: Limits) -> Iterator[bytes]:
    size = 0
    for chunk in response.iter_content(CHUNK_BYTES):
        size += len(chunk)
        if size > limits.bytes:
            raise DownloadError(f"{url} is larger than {limits.bytes:,} bytes")
        if time.monotonic() > end:
            raise DownloadError(f"{url} took longer than {limits.seconds:g} s")
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
