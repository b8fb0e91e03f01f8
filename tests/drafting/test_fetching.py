"""Papers downloaded from a server on this machine; faults of servers are those of tests/catalogues/test_fetch.py."""

import pytest

from pipeline.drafting import fetching
from tests.loopback import answer, hang_up, sleep

PAGES = {
    "/html/2301.00001": ("text/html", b"<title>[2301.00001v3] TwinNet</title>"),
    "/pdf/2301.00002": ("application/pdf", b"%PDF-1.4"),
    "/html/2301.00002": ("text/plain", b"no"),
    "/html/2301.00004v1": ("text/html", b"<p>x</p>"),
}
QUICK = fetching.LIMITS._replace(retries=0, seconds=0.3)


@pytest.fixture
def address(server):
    """A server that has these pages."""

    def give(handler):
        kind, content = PAGES.get(handler.path, ("text/html", None))
        answer(200 if content else 404, content or b"no", Content_Type=kind)(handler)

    server.answers = [give]
    return server.url.rpartition("/")[0]


@pytest.mark.parametrize(
    ("paper", "name", "found_at"),
    [
        ("arXiv:2301.00001", "2301.00001v3.html", "https://arxiv.org/html/2301.00001v3"),
        ("2301.00002", "2301.00002.pdf", "https://arxiv.org/pdf/2301.00002"),
        ("2301.00004v1", "2301.00004v1.html", "https://arxiv.org/html/2301.00004v1"),
    ],
)
def test_the_web_copy_comes_before_the_pdf_and_keeps_its_version(address, tmp_path, paper, name, found_at):
    path, found = fetching.fetch(paper, tmp_path / "new", address)
    assert (path.name, found) == (name, found_at)
    assert path.read_bytes()


def test_a_redirect_names_the_version(server, tmp_path):
    server.answers = [answer(302, Location="/html/2301.00001v7"), answer(body=b"<p>x</p>", Content_Type="text/html")]
    path, _ = fetching.fetch("2301.00001", tmp_path, server.url.rpartition("/")[0])
    assert path.name == "2301.00001v7.html"


@pytest.mark.parametrize(
    ("paper", "said"),
    [
        ("2301.00003", "arXiv has no html or pdf of 2301.00003"),
        ("https://example.org", "is no paper of arXiv"),
        ("2301.00001; rm", "is no paper"),
    ],
)
def test_what_cannot_be_had_is_one_line(address, tmp_path, paper, said):
    with pytest.raises(fetching.FetchError, match=said):
        fetching.fetch(paper, tmp_path, address)


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (hang_up, "cannot be reached"),
        (sleep, "took longer than 0.3 s"),
        (answer(body=b"", Content_Type="text/html"), "is empty"),
        (answer(302, Location="http://[::1"), "no address"),
        (answer(302, Location="http://localhost/html/2301.00001"), "another host"),
        (answer(body=b"<p>more than five", Content_Type="text/html"), "larger than 5 bytes"),
    ],
)
def test_a_fault_is_one_line_and_leaves_no_file(server, tmp_path, fault, said):
    server.answers = [fault]
    with pytest.raises(fetching.FetchError, match=said):
        fetching.fetch("2301.00001", tmp_path, server.url.rpartition("/")[0], QUICK._replace(bytes=5))
    assert not [*tmp_path.iterdir()]
