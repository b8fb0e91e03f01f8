"""Tables of watched sources from a local server and files, with every fault: nothing incomplete is written."""

import gzip
import hashlib
import re
import time
from contextlib import nullcontext
from datetime import date

import pytest
import yaml

from pipeline.base.paths import ROOT
from pipeline.catalogues.sheets import CatalogueError
from pipeline.publishing import verification
from pipeline.tools.updating import raw_files
from pipeline.tools.updating.raw_files import Limits
from schemas.records import Fetched, WatchedSource
from tests import loopback
from tests.builders import TEXT_ROW, epoch_csv
from tests.faults import OPERATIONS, everywhere
from tests.loopback import hang_up, sleep

TABLE = epoch_csv([TEXT_ROW, TEXT_ROW | {"Model": "Next"}]).encode()
QUICK = Limits(bytes=1_000_000, retries=2, back_off_seconds=0.01)


def answer(status=200, body=TABLE, length=None, **headers):
    """Return an answer with Epoch's table, unless specified otherwise."""
    return loopback.answer(status, body, length, **headers)


def drip(piece, pause_seconds, is_header=False):
    """Return an answer that repeats a piece of the body or of a header, without announcing its length."""

    def send(handler):
        if is_header:
            handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Long: ")
        else:
            handler.send_response(200)
            handler.end_headers()
        for _ in range(2000):
            handler.wfile.write(piece)
            handler.wfile.flush()
            time.sleep(pause_seconds)

    return send


def sent_as_it_is(answered):
    """Send these bytes as the whole answer."""

    def send(handler):
        handler.wfile.write(answered)

    return send


def source(url, **fetched):
    """Return a watched table at this address, which no record could have because it is not encrypted."""
    known = Fetched(on="2026-01-01", bytes=1, **{"sha256": "0" * 64, **fetched}) if fetched else None
    return WatchedSource.model_construct(
        name="A table", address=url, file="data/snapshots/a.csv", columns=["Model"], fetched=known, watched="table"
    )


def read(url, before=None, limits=QUICK, **fetched):
    return raw_files.read(source(url, **fetched), before, None, date(2026, 11, 23), limits)


def test_a_table_is_noted_with_its_digest_size_rows_and_tag(server):
    server.answers = [answer(ETag='"1"')]
    table = read(server.url)
    digest = hashlib.sha256(TABLE).hexdigest()
    assert table.fetched == {"on": "2026-11-23", "sha256": digest, "bytes": len(TABLE), "rows": 2, "entity_tag": '"1"'}
    assert [row["Model"] for row in table.rows] == ["Text", "Next"]
    assert table.is_new
    assert not read(server.url, TABLE).is_new


def test_an_unchanged_table_is_not_sent_again_where_the_snapshot_is_what_was_noted(server):
    server.answers = [answer(304, b"")]
    fetched = {"sha256": hashlib.sha256(TABLE).hexdigest(), "entity_tag": '"1"'}
    assert read(server.url, TABLE, **fetched) is None
    assert server.asked[0]["If-None-Match"] == '"1"'
    with pytest.raises(CatalogueError, match="answered 304"):
        read(server.url, TABLE[:-1], **fetched)
    assert "If-None-Match" not in server.asked[1]


@pytest.mark.parametrize("fault", [answer(503, b""), answer(429, b"", Retry_After="0"), hang_up])
def test_a_fault_that_passes_is_tried_again(server, fault):
    server.answers = [fault, fault, answer()]
    assert len(read(server.url).rows) == 2
    assert len(server.asked) == 3


def test_a_redirect_is_followed(server):
    server.answers = [answer(302, b"", Location="/there.csv"), answer()]
    assert len(read(server.url).rows) == 2


FAULTS = {
    "not found": (answer(404, b"no"), "answered 404"),
    "errors without end": (answer(500, b""), "answered"),
    "hung up": (hang_up, "cannot be reached, or broke off"),
    "cut off": (answer(body=TABLE[: len(TABLE) // 2], length=len(TABLE)), "cut off"),
    "cut off in a cell, unannounced": (answer(body=TABLE.replace(b"Next", b'"Ne')), "cut off"),
    "said to be too large": (answer(length=10**9), "larger than 1,000,000 bytes"),
    "too large unsaid": (drip(b"x" * 100_000, 0), "larger than 1,000,000 bytes"),
    "an error page": (answer(body=b"<!DOCTYPE html><html>sorry</html>"), "is a web page"),
    "an empty file": (answer(body=b""), "is empty"),
    "another table": (answer(body=b"a,b\n1,2\n"), "lacks the column 'Model'"),
    "a header alone": (answer(body=TABLE.splitlines()[0] + b"\r\n"), "has no row below its header"),
    "a renamed column": (
        answer(body=TABLE.replace(b"Model,", b"System,", 1)),
        "lacks the column 'Model', which we use",
    ),
    "a doubled column": (answer(body=TABLE.replace(b"Model,", b"Model,Model,", 1)), "names a column twice: 'Model'"),
    "compressed unasked": (answer(body=gzip.compress(TABLE)), "is not UTF-8"),
    "to a file": (answer(302, b"", Location="file:///etc/passwd"), "redirects to another scheme"),
    "to another scheme": (answer(301, b"", Location="ftp://127.0.0.1/table.csv"), "redirects to another scheme"),
    "to another host": (answer(302, b"", Location="http://localhost/table.csv"), "redirects to another host"),
    "to no address": (answer(302, b"", Location="http://[::1"), "is not an address"),
    "to bytes": (
        sent_as_it_is(b"HTTP/1.1 302 Found\r\nLocation: /\xff\xfe\x9b\r\nContent-Length: 0\r\n\r\n"),
        "not an address|circle|redirected",
    ),
    "escapes in the reason": (
        sent_as_it_is(b"HTTP/1.1 404 \x1b[2J\r\nContent-Length: 0\r\n\r\n"),
        "answered 404  \\[2J",
    ),
    "in a circle": (answer(302, b"", Location="/table.csv"), "redirected more than 5 times"),
}


# Endless answers, which the time limit ends.
ENDLESS = {
    "silence": sleep,
    "drip": drip(b"Model,Domain\n" * 6000, 0.2),
    "single bytes": drip(b"M", 0.1),
    "a header without end": drip(b"x", 0.1, is_header=True),
    "tomorrow": answer(503, b"", Retry_After="100000"),
    "a date far off": answer(429, b"", Retry_After="Fri, 31 Dec 2199 23:59:59 GMT"),
}


@pytest.mark.parametrize("fault", [*FAULTS, *ENDLESS])
def test_each_fault_is_a_line(server, fault):
    bad, message = FAULTS.get(fault) or (ENDLESS[fault], "took longer than 0.2 s")
    server.answers = [bad]
    limits = QUICK._replace(retries=1, **({"seconds": 0.2} if fault in ENDLESS else {}))
    with pytest.raises(CatalogueError, match=message) as problem:
        read(server.url, limits=limits)
    assert re.fullmatch("[^\x00-\x1f\x7f-\x9f]{1,300}", str(problem.value))


def test_a_server_that_is_not_there_is_said():
    with pytest.raises(CatalogueError, match="cannot be reached"):
        read("http://127.0.0.1:9/table.csv", limits=QUICK._replace(retries=0))


@pytest.mark.parametrize("url", ["file:///etc/passwd", "nonsense", "ftp://127.0.0.1/x"])
def test_an_address_of_another_kind_is_said(url):
    with pytest.raises(CatalogueError):
        read(url)


@pytest.mark.parametrize(("rows", "is_refused"), [(89, True), (91, False)])
def test_a_table_with_over_a_tenth_fewer_rows_is_refused(rows, is_refused):
    with pytest.raises(CatalogueError, match="89 rows, but the snapshot has 100") if is_refused else nullcontext():
        raw_files.refuse_shrunk(rows, 100, "a.csv")


def test_a_pause_that_the_server_asks_for_is_capped(server, monkeypatch):
    monkeypatch.setattr("pipeline.base.download.LONGEST_PAUSE_SECONDS", 0.1)
    server.answers = [answer(503, b"", Retry_After="100000"), answer()]
    assert len(read(server.url).rows) == 2


@pytest.mark.parametrize("operation", OPERATIONS)
def test_files_are_all_written_or_all_as_they_were(tmp_path, operation):
    """At each failing write and rename; after a kill, each file is complete, old or new; the snapshot comes last."""
    record, snapshot = tmp_path / "records/a.yaml", tmp_path / "snapshots/a.csv"

    def write(word):
        with raw_files.replace({record: word + b" record", snapshot: word + b" snapshot"}):
            pass

    def write_both():
        write(b"new")

    for is_kill in (False, True):
        raw_files.restore(dict.fromkeys((record, snapshot)))
        write(b"old")
        for error in everywhere(operation, is_kill, write_both):
            contents = (record.read_bytes(), snapshot.read_bytes())
            if is_kill:
                assert contents in [
                    (b"old record", b"old snapshot"),
                    (b"new record", b"old snapshot"),
                    (b"new record", b"new snapshot"),
                ]
            else:
                assert isinstance(error, OSError)
                assert contents == (b"old record", b"old snapshot")
            write(b"old")


@pytest.mark.parametrize("origin", verification.origins())
def test_the_sidecar_of_a_snapshot_says_what_its_record_says(records, origin):
    """Both exist, because CC BY asks for the credit next to the file."""
    (known,) = (source for source in records.sources.values() if source.file == verification.origins()[origin])
    notes = yaml.safe_load((ROOT / origin).read_text())
    assert notes["address"] == known.address
    fetched = known.fetched
    assert (str(notes["fetched"]), notes["found_at"]) == (fetched.on, fetched.found_at)
    assert (notes["sha256"], notes["bytes"], notes["rows"]) == (fetched.sha256, fetched.bytes, fetched.rows)
    sidecar = raw_files.sidecar(known, notes["title"], fetched.model_dump())
    assert yaml.safe_load(sidecar) == notes
