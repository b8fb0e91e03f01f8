"""`flopledger serve`: the built site at an address of this machine."""

import functools
from pathlib import Path
from typing import Annotated

import typer

from pipeline.commands import output
from pipeline.commands.problems import IN_THE_DATA
from pipeline.paths import ROOT


def serve(
    folder: Annotated[Path, typer.Option(help="Folder of the built site.")] = ROOT / "site",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 takes any that is free.")] = 8000,
) -> None:
    """Serve the site that `make site` built, on this machine alone, until Ctrl-C."""
    from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            """Prints no line a request."""

    if not (folder / "index.html").is_file():
        output.remark(f"{folder} holds no site; `make site` builds it")
        raise typer.Exit(IN_THE_DATA)
    handler = functools.partial(Quiet, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", port), handler) as server:
        output.tell([f"http://127.0.0.1:{server.server_port}/"])
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            return
