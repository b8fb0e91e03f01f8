"""`flopledger serve`: the built site at an address of this machine."""

import functools
import gzip
import io
import os
import re
import sys
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Annotated, Any

import typer

from pipeline.base.paths import ROOT
from pipeline.commands import output
from pipeline.commands.problems import stop

HOSTS = ("127.0.0.1", "localhost")
WORDS = ("text/", "application/json", "image/svg")  # content that is worth packing
RANGE = re.compile(r"bytes=(?:(?P<first>\d{1,15})-(?P<last>\d{0,15})|-(?P<number>\d{1,15}))")


class Handler(SimpleHTTPRequestHandler):
    """Files of the folder: no list of a folder, nothing that a link leads to outside, and for those alone who asked this machine by name."""

    timeout = 10  # seconds for a client to ask, or to take the next part of an answer

    def log_message(self, format: str, *args: object) -> None:
        """Prints no line a request."""

    def send_head(self) -> Any:
        """The file to answer with, its headers sent; None where there is none."""
        host, path = self.headers.get("Host", "").partition(":")[0], self.translate_path(self.path)
        if host not in HOSTS:  # a page of elsewhere whose name leads here could read the answer
            return self.send_error(HTTPStatus.MISDIRECTED_REQUEST)
        file = Path(path, "index.html") if path.endswith("/") else Path(path)
        if "\0" in path or not file.resolve().is_relative_to(Path(self.directory).resolve()):
            return self.send_error(HTTPStatus.NOT_FOUND)
        for line in self._moved():
            old, new, status = line.split()
            start = old.removesuffix("*")
            if self.path == old or (start != old and self.path.startswith(start)):
                self.send_response(int(status))
                self.send_header("Location", new.replace(":splat", self.path.removeprefix(start)))
                self.send_header("Content-Length", "0")
                return self.end_headers()
        return self._part_or_whole(file) if file.is_file() else super().send_head()

    def _moved(self) -> list[str]:
        """Lines of the site's _redirects: an address, where it leads, and the status that says so."""
        file = Path(self.directory, "_redirects")
        return file.read_text(encoding="utf-8").splitlines() if file.is_file() and not file.is_symlink() else []

    def _part_or_whole(self, file: Path) -> io.BytesIO | None:
        """The bytes that were asked for, words packed where the client takes that; None where a range has none."""
        kind, wanted = self.guess_type(file), RANGE.fullmatch(self.headers.get("Range", ""))
        content, headers = (
            file.read_bytes(),
            {"Content-Type": kind, "Accept-Ranges": "bytes", "Vary": "Accept-Encoding"},
        )
        status, size = HTTPStatus.OK, len(content)
        if wanted:
            first = int(wanted["first"]) if wanted["first"] else max(0, size - int(wanted["number"]))
            last = min(int(wanted["last"] or size), size - 1)
            status, content = HTTPStatus.PARTIAL_CONTENT, content[first : last + 1]
            headers["Content-Range"] = f"bytes {first}-{last}/{size}"
            if not content:
                status, headers["Content-Range"] = HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE, f"bytes */{size}"
        elif "gzip" in self.headers.get("Accept-Encoding", "") and kind.startswith(WORDS):
            content, headers["Content-Encoding"] = gzip.compress(content, 4, mtime=0), "gzip"
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        return io.BytesIO(content)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """An error; what is not there is answered by the site's own page."""
        page = Path(self.directory, "404.html")
        if code == HTTPStatus.NOT_FOUND and page.is_file() and not page.is_symlink():
            self.error_message_format = page.read_text(encoding="utf-8").replace("%", "%%")
        super().send_error(code, message, explain)

    def list_directory(self, path: str | os.PathLike[str]) -> None:
        """No list: the site has an index where it wants one."""
        self.send_error(HTTPStatus.NOT_FOUND)


class Server(ThreadingHTTPServer):
    """A server that says nothing of clients that go away."""

    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Prints a traceback of a bug alone."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


def serve(
    folder: Annotated[Path, typer.Option(help="Folder of the built site.")] = ROOT / "site",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 takes any that is free.")] = 8000,
) -> None:
    """Serve the site that `make site` built, on this machine alone, until Ctrl-C."""
    if not (folder / "index.html").is_file():
        stop(f"{folder} holds no site; `make site` builds it")
    with Server(("127.0.0.1", port), functools.partial(Handler, directory=str(folder))) as server:
        output.tell([f"http://127.0.0.1:{server.server_port}/"])
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            return
