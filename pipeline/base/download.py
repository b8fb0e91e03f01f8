"""Download files completely or not at all, within limits of time and size. Each error message is one line."""

import time
from collections.abc import Callable, Mapping
from queue import Empty, Queue
from threading import Thread
from typing import Any, NamedTuple
from urllib.parse import urljoin, urlsplit

import requests
import urllib3.exceptions
from requests.adapters import HTTPAdapter
from urllib3.util.retry import Retry

from schemas.plain_text import cut

CONNECT_SECONDS = 10.0
LONGEST_PAUSE_SECONDS = 30.0  # before a retry, even if the server's Retry-After is longer
MOST_REDIRECTS = 5
CHUNK_BYTES = 65_536
RETRIED = (429, 500, 502, 503, 504)
REDIRECTED = (301, 302, 303, 307, 308)


class DownloadError(Exception):
    """Raised if a file cannot be downloaded. The message is one line; `status` is the server's error code, if any."""

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class Limits(NamedTuple):
    """Limits of a download. `seconds` covers the whole download, because a server could send single bytes forever."""

    bytes: int
    seconds: float = 300.0
    read_seconds: float = 30.0
    retries: int = 4
    back_off_seconds: float = 0.5


class Downloaded(NamedTuple):
    """A file, and the headers of the server's answer."""

    content: bytes
    headers: Any


def download(url: str, limits: Limits, headers: Mapping[str, str]) -> Downloaded | None:
    """Return the file at `url`; None if it has not changed since the version in `headers`, such as If-None-Match.

    Follow redirects within a host and its subdomains. Raise DownloadError if no file arrives or it is empty.
    """
    answer: Downloaded | None = _timed_result(limits.seconds, url, lambda: _download(url, limits, headers))
    return answer


def status(url: str, limits: Limits) -> str:
    """Return `reached`, or `moved: ADDRESS` if the file has moved for good, without reading it. Raise DownloadError."""

    def ask() -> str:
        """Ask the server for the file, and return the status from its headers."""
        with _session(limits) as session:
            wait = (CONNECT_SECONDS, limits.read_seconds)
            with session.get(url, timeout=wait, stream=True, allow_redirects=False) as response:
                if response.status_code in (301, 308):
                    return f"moved: {response.headers.get('Location', '')}"
                if response.status_code in (*REDIRECTED, 200, 206):
                    return "reached"
                message = f"{url} answered {response.status_code} {response.reason}"
                raise DownloadError(message, response.status_code)

    return cut(str(_timed_result(limits.seconds, url, ask)))


def _timed_result(seconds: float, url: str, work: Callable[[], Any]) -> Any:
    """Return the result of `work`. Raise DownloadError if it fails, or if it takes longer than `seconds`.

    Each step of a download has its own limit, but name look-ups, handshakes, headers and pauses together have none.
    If the time runs out, the thread is left running.
    """
    done: Queue[tuple[Any, Exception | None]] = Queue()

    def run() -> None:
        try:
            done.put((work(), None))
        except Exception as problem:
            done.put((None, problem))

    Thread(target=run, daemon=True).start()
    try:
        result, problem = done.get(timeout=seconds)
    except Empty:
        raise DownloadError(cut(f"{url} took longer than {seconds:g} s")) from None
    if isinstance(problem, DownloadError):
        raise DownloadError(cut(str(problem)), problem.status) from None  # the message may quote the server
    if isinstance(problem, requests.RequestException | urllib3.exceptions.HTTPError | OSError | ValueError):
        raise DownloadError(cut(f"{url}: {_in_words(problem)}")) from None
    if problem is not None:
        raise problem
    return result


def _download(url: str, limits: Limits, headers: Mapping[str, str]) -> Downloaded | None:
    """Return the response to a GET after allowed redirects; None if a conditional request finds nothing new."""
    request_headers = {"Accept-Encoding": "identity", **headers}
    is_conditional = "If-None-Match" in request_headers or "If-Modified-Since" in request_headers
    end = time.monotonic() + limits.seconds
    with _session(limits) as session:
        for _ in range(MOST_REDIRECTS + 1):
            response = session.get(
                url,
                headers=request_headers,
                timeout=(CONNECT_SECONDS, limits.read_seconds),
                stream=True,
                allow_redirects=False,
            )
            with response:
                if response.status_code in REDIRECTED:
                    url = _redirect_address(url, response)
                    continue
                if response.status_code == 304 and is_conditional:
                    return None
                if response.status_code != 200:
                    message = f"{url} answered {response.status_code} {response.reason}"
                    raise DownloadError(message, response.status_code)
                return Downloaded(_body(url, response, end, limits), response.headers)
    raise DownloadError(f"{url} was redirected more than {MOST_REDIRECTS} times")


def _session(limits: Limits) -> requests.Session:
    retry = Retry(
        total=limits.retries,
        redirect=0,
        status_forcelist=RETRIED,
        backoff_factor=limits.back_off_seconds,
        backoff_max=LONGEST_PAUSE_SECONDS,
        retry_after_max=LONGEST_PAUSE_SECONDS,
        raise_on_status=False,
        allowed_methods=["GET"],
    )
    session = requests.Session()
    for scheme in ("http://", "https://"):
        session.mount(scheme, HTTPAdapter(max_retries=retry))
    return session


def _redirect_address(url: str, response: requests.Response) -> str:
    """Return the address of a redirect. Raise DownloadError for another scheme, except https, or an unrelated host."""
    try:
        target = urljoin(url, response.headers.get("Location", ""))
        source_parts, target_parts = urlsplit(url), urlsplit(target)
    except ValueError:
        raise DownloadError(f"{url} redirects to something that is not an address") from None
    if target_parts.scheme != source_parts.scheme and (source_parts.scheme, target_parts.scheme) != ("http", "https"):
        raise DownloadError(f"{url} redirects to another scheme ({target_parts.scheme or 'none'})")
    source_host, target_host = (f".{address.hostname}" for address in (source_parts, target_parts))
    if not (source_host.endswith(target_host) or target_host.endswith(source_host)):
        raise DownloadError(f"{url} redirects to another host ({target_parts.hostname})")
    return target


def _body(url: str, response: requests.Response, end: float, limits: Limits) -> bytes:
    """Return the body of a response. Raise DownloadError if it is empty, cut off, too large or too slow."""
    length = response.headers.get("Content-Length", "")
    announced = int(length) if length.isdigit() else None
    content, too_large = bytearray(), DownloadError(f"{url} is larger than {limits.bytes:,} bytes")
    if announced and announced > limits.bytes:
        raise too_large
    for chunk in response.iter_content(CHUNK_BYTES):
        content += chunk
        if len(content) > limits.bytes:
            raise too_large
        if time.monotonic() > end:  # otherwise the abandoned thread would continue
            raise DownloadError(f"{url} took longer than {limits.seconds:g} s")
    if announced not in (None, len(content)):
        raise DownloadError(f"{url} was cut off: {len(content):,} of {announced:,} bytes arrived")
    if not content:
        raise DownloadError(f"{url} is empty")
    return bytes(content)


def _in_words(problem: Exception) -> str:
    """Return a network error as the end of a sentence about the address."""
    if isinstance(problem, requests.exceptions.RetryError):
        return "answered with errors, again and again"
    if isinstance(problem, requests.Timeout) or "timed out" in str(problem):
        return "did not answer in time"
    if isinstance(problem, requests.exceptions.ChunkedEncodingError) or "IncompleteRead" in str(problem):
        return "was cut off"
    if isinstance(problem, requests.exceptions.ContentDecodingError):
        return "was sent in a form that cannot be read"
    if isinstance(problem, requests.ConnectionError):
        return "cannot be reached, or broke off"
    if isinstance(problem, ValueError) and not isinstance(problem, requests.RequestException):
        return "answered with something that is not an address, or not text"
    return str(problem).splitlines()[0] if str(problem) else type(problem).__name__
