"""The server of the built site, with hostile clients."""

import contextlib
import functools
import http.client
import os
import socket
import threading
import time

import pytest

from pipeline.commands import serve


@pytest.fixture
def port(tmp_path):
    site = tmp_path / "site"
    (site / "models").mkdir(parents=True)
    (site / "index.html").write_text("first page")
    (tmp_path / "secret").write_text("secret")
    (site / "file").symlink_to(tmp_path / "secret")
    (site / "folder").symlink_to(tmp_path)
    (site / "chips").mkdir()
    (site / "chips/index.html").symlink_to(tmp_path / "secret")
    (site / "_redirects").write_text("/eu/* /statement.html?model=:splat 302\n/old /new 302\n")
    with serve.Server(("127.0.0.1", 0), functools.partial(serve.Handler, directory=str(site))) as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield server.server_port
        server.shutdown()


def answered(port, path, **headers):
    """Return the answer and its bytes."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
    answer = connection.getresponse()
    return answer, answer.read()


def asked(port, path, host="127.0.0.1"):
    """Return the status and the text of the answer."""
    answer, content = answered(port, path, Host=host)
    return answer.status, content.decode()


def test_the_site_is_served(port):
    assert [asked(port, "/", host) for host in (f"127.0.0.1:{port}", "localhost")] == [(200, "first page")] * 2


@pytest.mark.parametrize(
    "path", ["/file", "/chips/", "/folder/secret", "/../secret", "/%2e%2e/secret", "/models/", "/%00", "/a%00b"]
)
def test_nothing_outside_and_no_list_is_served(port, path):
    status, text = asked(port, path)
    assert status == 404
    assert "secret<" not in text
    assert text != "secret"


def test_what_is_not_there_is_answered_by_the_page_for_it(port, tmp_path):
    page = tmp_path / "site/404.html"
    page.write_text("90 % %(code)s no such page", encoding="utf-8")
    assert [asked(port, path) for path in ("/gone", "/models/", "/file")] == [(404, page.read_text())] * 3
    page.unlink()
    page.symlink_to(tmp_path / "secret")
    status, text = asked(port, "/gone")
    assert (status, "secret" in text) == (404, False)


def test_a_large_file_is_sent_whole(port, tmp_path):
    content = bytes(range(256)) * 4096
    (tmp_path / "site/ledger.bin").write_bytes(content)
    answer, sent = answered(port, "/ledger.bin")
    assert (answer.headers["Content-Length"], sent) == (str(len(content)), content)


def test_what_is_no_regular_file_is_not_there(port, tmp_path):
    os.mkfifo(tmp_path / "site/pipe")
    (tmp_path / "site/chips/index.htm").symlink_to(tmp_path / "secret")
    assert [asked(port, path)[0] for path in ("/pipe", "/chips/", "/chips/index.htm")] == [404] * 3
    assert answered(port, "/models")[0].headers["Location"] == "/models/"


def test_a_client_is_let_go_at_the_deadline(port, monkeypatch):
    monkeypatch.setattr(serve.Handler, "deadline", 0.2)
    with socket.create_connection(("127.0.0.1", port), timeout=60) as slow:
        with contextlib.suppress(OSError):
            for sign in b"GET / HTTP/1.1\r\nX: " + b"y" * 1000:  # never silent for as long as the limit of a read
                slow.sendall(bytes([sign]))
                time.sleep(0.01)
        assert slow.recv(10) == b""


@pytest.mark.parametrize(
    ("path", "now"), [("/old", "/new"), ("/eu/gpt-3.html", "/statement.html?model=gpt-3.html"), ("/eu/", "/statement.html?model=")]
)  # fmt: skip
def test_what_has_moved_is_followed(port, path, now):
    answer, _ = answered(port, path)
    assert (answer.status, answer.headers["Location"]) == (302, now)
    assert asked(port, "/older")[0] == 404


@pytest.mark.parametrize("host", ["evil.example", "", f"evil.example:{80}"])
def test_a_page_of_elsewhere_reads_nothing(port, host):
    assert asked(port, "/", host)[0] == 421


def test_a_client_that_does_not_ask_is_let_go_in_silence(port, monkeypatch, capfd):
    monkeypatch.setattr(serve.Handler, "timeout", 0.1)
    with socket.create_connection(("127.0.0.1", port), timeout=60) as slow:
        slow.sendall(b"GET / HTTP/1.1\r\nX: ")
        assert slow.recv(10) == b""
    with socket.create_connection(("127.0.0.1", port)) as gone:
        gone.sendall(b"GET /index.html HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert asked(port, "/index.html", "localhost")[0] == 200
    assert capfd.readouterr() == ("", "")
