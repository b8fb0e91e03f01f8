"""Papers downloaded from a server on this machine."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from pipeline.drafting import fetching

PAGES = {
    "/html/2301.00001": ("text/html", b"<title>[2301.00001v3] TwinNet</title>"),
    "/pdf/2301.00002": ("application/pdf", b"%PDF-1.4"),
    "/html/2301.00002": ("text/plain", b"no"),
    "/html/2301.00004v1": ("text/html", b"<p>x</p>"),
}


@pytest.fixture(scope="module")
def server():
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            kind, content = PAGES.get(self.path, ("text/html", None))
            self.send_response(200 if content is not None else 404)
            self.send_header("Content-Type", kind)
            self.end_headers()
            self.wfile.write(content or b"")

        def log_message(self, *_):
            pass

    running = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=running.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{running.server_port}"
    running.shutdown()
    running.server_close()


@pytest.mark.parametrize(
    ("paper", "name", "address"),
    [
        ("arXiv:2301.00001", "2301.00001v3.html", "https://arxiv.org/html/2301.00001v3"),
        ("2301.00002", "2301.00002.pdf", "https://arxiv.org/pdf/2301.00002"),
        ("2301.00004v1", "2301.00004v1.html", "https://arxiv.org/html/2301.00004v1"),
    ],
)
def test_the_web_copy_comes_before_the_pdf_and_keeps_its_version(server, tmp_path, paper, name, address):
    path, found = fetching.fetch(paper, tmp_path / "new", server)
    assert (path.name, found) == (name, address)
    assert path.read_bytes()


@pytest.mark.parametrize(
    ("paper", "said"),
    [
        ("2301.00003", "arXiv has no"),
        ("https://example.org", "is no paper of arXiv"),
        ("2301.00001; rm", "is no paper"),
    ],
)
def test_what_cannot_be_had_is_one_line(server, tmp_path, paper, said):
    with pytest.raises(fetching.FetchError, match=said):
        fetching.fetch(paper, tmp_path, server)


def test_a_server_that_is_away_is_one_line(tmp_path):
    with pytest.raises(fetching.FetchError, match="is there a network"):
        fetching.fetch("2301.00001", tmp_path, "http://127.0.0.1:9")


def test_an_endless_answer_is_cut(server, tmp_path, monkeypatch):
    monkeypatch.setattr(fetching, "LARGEST_BYTES", 5)
    with pytest.raises(fetching.FetchError, match="longer than 5 bytes"):
        fetching.fetch("2301.00001", tmp_path, server)
