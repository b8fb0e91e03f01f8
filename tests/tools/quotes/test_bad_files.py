"""Files that cannot be read as a publication: one line each, within limits of time and memory."""

import contextlib

import pytest

from pipeline.base.paths import RECORDS
from pipeline.tools.quotes import child, reading
from pipeline.tools.quotes.documents import UnreadableError
from tests.builders import within
from tests.tools.quotes.builders import PAPER, pdf

LINE = "This line is long enough to be the text of a page."


def encrypted():
    return pdf([LINE]).replace(
        b"/Root 1 0 R",
        b"/Root 1 0 R /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <"
        + b"00" * 32
        + b"> /U <"
        + b"11" * 32
        + b"> >> /ID [<00> <00>]",
    )


CASES = {
    "empty.pdf": (b"", "is empty"),
    "cut.pdf": (pdf([LINE], end=""), "is cut off"),
    "no.pdf": (b"<html>an error page</html>", "is not a PDF"),
    "scanned.pdf": (pdf([], [], []), "is it scanned?"),
    "encrypted.pdf": (encrypted(), "is encrypted"),
    "long.pdf": (pdf(*[[LINE]] * 1000), "has 1,000 pages"),
    "deep.html": (b"<div>" * 5_000 + b"x", "nested deeper"),
    "many.html": (b"<b>" + b"<i>x</i>" * 4_000_000, "elements|needs too much memory"),
    "broken.json": (b"{", "is not JSON"),
    "list.json": (b"[1]", "is not a JSON object"),
    "page.docx": (b"x", "a publication is a"),
    "blank.txt": (b" \n ", "contains no text"),
    "book.txt": (b"We used 3 of them. " * 60_000, "has 1,139,999 characters of text; at most 1,000,000 are read"),
}


def asked(path):
    return child.check(RECORDS / "models/opt-175b.yaml", [path], "paper")


@pytest.mark.parametrize("name", CASES)
def test_a_bad_file_is_refused_in_one_line(tmp_path, name):
    content, message = CASES[name]
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(UnreadableError, match=message) as problem:
        asked(path) if len(content) > 10_000 else reading.read(path)  # a process of its own for what is large
    assert str(problem.value).startswith(str(path))
    assert "\n" not in str(problem.value)


def test_a_file_of_200_megabytes_is_refused_unread(tmp_path):
    path = tmp_path / "large.pdf"
    with path.open("wb") as file:
        file.truncate(200_000_000)
    with pytest.raises(UnreadableError, match="200,000,000 bytes"):
        reading.read(path)


def test_what_takes_too_long_is_stopped_and_named(tmp_path, monkeypatch):
    path = tmp_path / "a\npaper.html"
    path.write_text(PAPER)
    monkeypatch.setattr(child, "WAIT_SECONDS", 0.01)
    with pytest.raises(UnreadableError, match="html: takes more than"):
        asked(path)


@pytest.mark.parametrize("text", ["1 2 3 4 5 6 7 8 9 ", "We used 992 80GB A100 GPUs. ", "\\newcommand{\\a}{\\a\\a}"])
def test_a_long_text_is_looked_through_within_the_limits(tmp_path, text):
    path = tmp_path / "long.tex"
    path.write_text(text * (900_000 // len(text)))
    with within(), contextlib.suppress(UnreadableError):
        assert asked(path)["lines"]
