"""Downloads from a loopback server, with every fault: the old snapshot stays until the new one is whole."""

import gzip
import hashlib
import json
import re
import time

import pytest

from pipeline.catalogues.cells import CatalogueError
from pipeline.catalogues.epoch.fetch import Limits, fetch
from tests import loopback
from tests.builders import TEXT_ROW, epoch_csv
from tests.faults import OPERATIONS, everywhere
from tests.loopback import hang_up, sleep

TABLE = epoch_csv([TEXT_ROW, TEXT_ROW | {"Model": "Next"}]).encode()
QUICK = Limits(bytes=1_000_000, retries=2, back_off_seconds=0.01)


def answer(status=200, body=TABLE, length=None, **headers):
    """An answer that is Epoch's table, where nothing else is said."""
    return loopback.answer(status, body, length, **headers)


def drip(handler):
    """A byte now and then, without end."""
    handler.send_response(200)
    handler.end_headers()
    for _ in range(200):
        handler.wfile.write(b"Model,Domain\n" * 6000)
        handler.wfile.flush()
        time.sleep(0.2)


def drip_bytes(handler):
    """Single bytes of a body, each long before the timeout of a read, without end."""
    handler.send_response(200)
    handler.end_headers()
    for _ in range(2000):
        handler.wfile.write(b"M")
        handler.wfile.flush()
        time.sleep(0.1)


def drip_header(handler):
    """Single bytes of a header, without end."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Long: ")
    for _ in range(2000):
        handler.wfile.write(b"x")
        handler.wfile.flush()
        time.sleep(0.1)


def raw(answered):
    """These bytes as the whole answer."""

    def send(handler):
        handler.wfile.write(answered)

    return send


def endless(handler):
    """More bytes than allowed, without saying so."""
    handler.send_response(200)
    handler.end_headers()
    for _ in range(100):
        handler.wfile.write(b"x" * 100_000)


def test_a_table_arrives_with_its_origin(server, tmp_path):
    server.answers = [answer(ETag='"1"', Last_Modified="Sat, 21 Nov 2026 10:00:00 GMT")]
    found = fetch(server.url, tmp_path / "snapshots/epoch.csv", QUICK)
    assert (found.path.read_bytes(), found.is_new, found.rows) == (TABLE, True, 2)
    origin = json.loads((tmp_path / "snapshots/epoch.csv.origin.json").read_text())
    assert origin["sha256"] == hashlib.sha256(TABLE).hexdigest()
    assert (origin["url"], origin["etag"], origin["rows"], origin["licence"]) == (server.url, '"1"', 2, "CC-BY-4.0")
    assert sorted(path.name for path in found.path.parent.iterdir()) == ["epoch.csv", "epoch.csv.origin.json"]


@pytest.mark.parametrize("is_kill", [False, True])
@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_snapshot_is_the_old_one_or_the_new_one_and_then_fetched_again(server, tmp_path, operation, is_kill):
    """At the n-th of each operation, for every n: never does the sidecar vouch for a snapshot that is not the server's."""
    old, path = epoch_csv([TEXT_ROW]).encode(), tmp_path / "epoch.csv"
    origin = tmp_path / "epoch.csv.origin.json"

    def before():
        server.answers = [answer(body=old, ETag='"old"')]
        for file in (path, origin):
            file.unlink(missing_ok=True)
        fetch(server.url, path, QUICK)
        server.answers = [answer(ETag='"new"')]

    before()
    tried = 0
    for _ in everywhere(operation, is_kill, lambda: fetch(server.url, path, QUICK)):
        tried += 1
        assert path.read_bytes() in (old, TABLE)
        said = json.loads(origin.read_text())
        assert (said["etag"], path.read_bytes()) != ('"new"', old)
        server.asked.clear()
        found = fetch(server.url, path, QUICK)
        assert path.read_bytes() == TABLE
        assert (found.rows, json.loads(origin.read_text())["etag"]) == (2, '"new"')
        before()
    assert tried == 2


def test_an_unchanged_table_is_not_sent_again(server, tmp_path):
    server.answers = [answer(ETag='"1"', Last_Modified="Sat, 21 Nov 2026 10:00:00 GMT"), answer(304, b"")]
    fetch(server.url, tmp_path / "epoch.csv", QUICK)
    found = fetch(server.url, tmp_path / "epoch.csv", QUICK)
    assert (found.is_new, found.rows) == (False, 2)
    assert server.asked[1]["If-None-Match"] == '"1"'
    assert server.asked[1]["If-Modified-Since"] == "Sat, 21 Nov 2026 10:00:00 GMT"


def test_rows_that_appeared_vanished_and_moved_are_named(server, tmp_path):
    rows = [TEXT_ROW | {"Model": name} for name in ("Stays", "Goes", "Moves")]
    later = [rows[0] | {"Confidence": "not read"}, rows[2] | {"Parameters": "2e9"}, TEXT_ROW]
    server.answers = [answer(body=epoch_csv(rows).encode()), answer(body=epoch_csv(later).encode())]
    assert fetch(server.url, tmp_path / "epoch.csv", QUICK).changes is None
    assert fetch(server.url, tmp_path / "epoch.csv", QUICK).changes == (["Text"], ["Goes"], ["Moves"])


@pytest.mark.parametrize("harm", ["snapshot", "origin", "address"])
def test_a_snapshot_that_is_not_what_its_origin_says_is_fetched_again(server, tmp_path, harm):
    server.answers = [answer(ETag='"1"')]
    found = fetch(server.url, tmp_path / "epoch.csv", QUICK)
    if harm == "snapshot":
        found.path.write_bytes(TABLE[:-5])
    elif harm == "origin":
        (tmp_path / "epoch.csv.origin.json").write_text("{")
    url = f"{server.url}?other" if harm == "address" else server.url
    fetch(url, tmp_path / "epoch.csv", QUICK)
    assert "If-None-Match" not in server.asked[1]
    assert found.path.read_bytes() == TABLE


def test_an_answer_304_to_no_condition_is_a_fault(server, tmp_path):
    server.answers = [answer(304, b"")]
    with pytest.raises(CatalogueError, match="answered 304"):
        fetch(server.url, tmp_path / "epoch.csv", QUICK)


@pytest.mark.parametrize("fault", [answer(503, b""), answer(429, b"", Retry_After="0"), hang_up])
def test_a_fault_that_passes_is_tried_again(server, tmp_path, fault):
    server.answers = [fault, fault, answer()]
    assert fetch(server.url, tmp_path / "epoch.csv", QUICK).rows == 2
    assert len(server.asked) == 3


def test_a_redirect_is_followed(server, tmp_path):
    server.answers = [answer(302, b"", Location="/there.csv"), answer()]
    assert fetch(server.url, tmp_path / "epoch.csv", QUICK).rows == 2


FAULTS = {
    "not found": (answer(404, b"no"), "answered 404"),
    "errors without end": (answer(500, b""), "answered"),
    "hung up": (hang_up, "cannot be reached, or broke off"),
    "cut off": (answer(body=TABLE[: len(TABLE) // 2], length=len(TABLE)), "cut off"),
    "cut off in a cell, unannounced": (answer(body=TABLE.replace(b"Next", b'"Ne')), "cut off"),
    "said to be too large": (answer(length=10**9), "larger than 1,000,000 bytes"),
    "too large unsaid": (endless, "larger than 1,000,000 bytes"),
    "an error page": (answer(body=b"<!DOCTYPE html><html>sorry</html>"), "is a web page"),
    "an empty file": (answer(body=b""), "is empty"),
    "another table": (answer(body=b"a,b\n1,2\n"), "is it Epoch's table"),
    "a header alone": (answer(body=TABLE.splitlines()[0] + b"\r\n"), "has no sound row"),
    "compressed unasked": (answer(body=gzip.compress(TABLE)), "is not UTF-8"),
    "to a file": (answer(302, b"", Location="file:///etc/passwd"), "redirects to another scheme"),
    "to another scheme": (answer(301, b"", Location="ftp://127.0.0.1/table.csv"), "redirects to another scheme"),
    "to another host": (answer(302, b"", Location="http://localhost/table.csv"), "redirects to another host"),
    "to no address": (answer(302, b"", Location="http://[::1"), "no address"),
    "to bytes": (
        raw(b"HTTP/1.1 302 Found\r\nLocation: /\xff\xfe\x9b\r\nContent-Length: 0\r\n\r\n"),
        "no address|circle|redirected",
    ),
    "escapes in the reason": (raw(b"HTTP/1.1 404 \x1b[2J\r\nContent-Length: 0\r\n\r\n"), "answered 404  \\[2J;"),
    "in a circle": (answer(302, b"", Location="/table.csv"), "redirected more than 5 times"),
}


# Answers that have no end: the limit of time ends them.
ENDLESS = {
    "silence": sleep,
    "drip": drip,
    "single bytes": drip_bytes,
    "a header without end": drip_header,
    "tomorrow": answer(503, b"", Retry_After="100000"),
    "a date far off": answer(429, b"", Retry_After="Fri, 31 Dec 2199 23:59:59 GMT"),
}


@pytest.mark.parametrize("fault", [*FAULTS, *ENDLESS])
def test_no_fault_touches_the_old_snapshot(server, tmp_path, fault):
    bad, said = FAULTS.get(fault) or (ENDLESS[fault], "took longer than 0.2 s")
    server.answers = [answer(ETag='"1"')]
    found = fetch(server.url, tmp_path / "epoch.csv", QUICK)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    server.answers = [bad]
    limits = QUICK._replace(retries=1, **({"seconds": 0.2} if fault in ENDLESS else {}))
    with pytest.raises(CatalogueError, match=said) as problem:
        fetch(server.url, tmp_path / "epoch.csv", limits)
    assert re.fullmatch("[^\x00-\x1f\x7f-\x9f]{1,300}", str(problem.value))
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    assert found.path.read_bytes() == TABLE


def test_a_server_that_is_not_there_is_said(tmp_path):
    with pytest.raises(CatalogueError, match="cannot be reached"):
        fetch("http://127.0.0.1:9/table.csv", tmp_path / "epoch.csv", QUICK._replace(retries=0))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("url", ["file:///etc/passwd", "nonsense", "ftp://127.0.0.1/x"])
def test_an_address_of_another_kind_is_said(tmp_path, url):
    with pytest.raises(CatalogueError):
        fetch(url, tmp_path / "epoch.csv", QUICK)


@pytest.mark.parametrize("rows", [1, 8])
def test_a_table_that_has_shrunk_is_refused_unless_it_is_asked_for(server, tmp_path, rows):
    many = [TEXT_ROW | {"Model": f"Model {number}"} for number in range(10)]
    server.answers = [answer(body=epoch_csv(many).encode()), answer(body=epoch_csv(many[:rows]).encode())]
    fetch(server.url, tmp_path / "epoch.csv", QUICK)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(
        CatalogueError, match=f"has {rows} sound rows where the snapshot has 10; the snapshot stays as it was"
    ):
        fetch(server.url, tmp_path / "epoch.csv", QUICK)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    assert fetch(server.url, tmp_path / "epoch.csv", QUICK, may_shrink=True).rows == rows


def test_a_table_that_lost_a_row_is_taken(server, tmp_path):
    many = [TEXT_ROW | {"Model": f"Model {number}"} for number in range(10)]
    server.answers = [answer(body=epoch_csv(many).encode()), answer(body=epoch_csv(many[:9]).encode())]
    fetch(server.url, tmp_path / "epoch.csv", QUICK)
    assert fetch(server.url, tmp_path / "epoch.csv", QUICK).rows == 9


def test_a_pause_that_the_server_asks_for_is_capped(server, tmp_path, monkeypatch):
    monkeypatch.setattr("pipeline.download.LONGEST_PAUSE_SECONDS", 0.1)
    server.answers = [answer(503, b"", Retry_After="100000"), answer()]
    found = fetch(server.url, tmp_path / "epoch.csv", QUICK)
    assert (found.rows, len(server.asked)) == (2, 2)
