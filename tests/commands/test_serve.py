"""The server of the built site, asked by hostile clients."""

import functools
import http.client
import socket
import threading

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
    with serve.Server(("127.0.0.1", 0), functools.partial(serve.Handler, directory=str(site))) as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield server.server_port
        server.shutdown()


def asked(port, path, host="127.0.0.1"):
    """The status of the answer, and its text."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", path, headers={"Host": host})
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


def test_the_site_is_served(port):
    assert [asked(port, "/", host) for host in (f"127.0.0.1:{port}", "localhost")] == [(200, "first page")] * 2


@pytest.mark.parametrize(
    "path", ["/file", "/folder/secret", "/../secret", "/%2e%2e/secret", "/models/", "/%00", "/a%00b"]
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
