"""`flopledger serve`: serve the built site at a local address."""

import functools
import os
import socket
import stat
import sys
import threading
from contextlib import suppress
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Annotated, Any, BinaryIO

import typer

from pipeline.base.paths import ROOT
from pipeline.commands import output
from pipeline.commands.problems import stop

HOSTS = ("127.0.0.1", "localhost")


class Handler(SimpleHTTPRequestHandler):
    """A handler that serves only regular files in the folder, and only if the Host header names this machine. It lists no folders."""

    timeout = 10  # seconds in which a client must send its request or accept the next part of an answer
    deadline = 300  # seconds for a request and its answer together

    def handle(self) -> None:
        """Answer one client, and close its connection at the deadline."""
        timer = threading.Timer(self.deadline, self._let_go)
        timer.daemon = True
        timer.start()
        try:
            super().handle()
        finally:
            timer.cancel()

    def _let_go(self) -> None:
        with suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)

    def log_message(self, format: str, *args: object) -> None:
        """Do not log requests."""

    def send_head(self) -> Any:
        """Send the headers, and return the file to send, or None."""
        host, path = self.headers.get("Host", "").partition(":")[0], self.translate_path(self.path)
        if host not in HOSTS:  # otherwise, another site whose name resolves to this machine could read the answer
            return self.send_error(HTTPStatus.MISDIRECTED_REQUEST)
        for line in self._text("_redirects").splitlines():
            old, new, status = line.split()
            start = old.removesuffix("*")
            if self.path == old or (start != old and self.path.startswith(start)):
                return self._lead_to(new.replace(":splat", self.path.removeprefix(start)), int(status))
        if os.path.isdir(path) and not path.endswith("/"):
            return self._lead_to(f"/{os.path.relpath(path, self.directory)}/", HTTPStatus.MOVED_PERMANENTLY)
        path += "index.html" if path.endswith("/") else ""
        file = self._opened(Path(path))
        if file is None:
            return self.send_error(HTTPStatus.NOT_FOUND)
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Content-Length", str(os.fstat(file.fileno()).st_size))
        self.end_headers()
        return file

    def _lead_to(self, address: str, status: int) -> None:
        self.send_response(status)
        self.send_header("Location", address)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _opened(self, file: Path) -> BinaryIO | None:
        """Open a regular file in the folder, once, and return it; return None for links, pipes and missing files."""
        with suppress(OSError, ValueError):
            if not file.parent.resolve().is_relative_to(Path(self.directory).resolve()):
                return None
            opened = open(os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC), "rb")  # noqa: SIM115
            if stat.S_ISREG(os.fstat(opened.fileno()).st_mode):
                return opened
            opened.close()
        return None

    def _text(self, name: str) -> str:
        """Return the text of a file in the folder; nothing if there is no such file."""
        file = self._opened(Path(self.directory, name))
        if file is None:
            return ""
        with file:
            return file.read().decode("utf-8")

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Send an error, or for a missing page the site's own error page."""
        if code == HTTPStatus.NOT_FOUND and (page := self._text("404.html")):
            self.error_message_format = page.replace("%", "%%")
        super().send_error(code, message, explain)


class Server(ThreadingHTTPServer):
    """A server that prints nothing when a client disconnects."""

    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print a traceback only for a bug."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


def serve(
    folder: Annotated[Path, typer.Option(help="Folder of the built site.")] = ROOT / "site",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 takes any that is free.")] = 8000,
) -> None:
    """Serve the site that `make site` built, only on this machine.

    The server runs until Ctrl-C.
    """
    if not (folder / "index.html").is_file():
        stop(f"{folder} contains no site; `make site` builds it")
    with Server(("127.0.0.1", port), functools.partial(Handler, directory=str(folder))) as server:
        output.tell([f"http://127.0.0.1:{server.server_port}/"])
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            return
