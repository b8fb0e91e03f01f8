"""Files that cannot be read as a publication: one line each, within limits of time and memory."""

import pytest

from pipeline.drafting import reading
from pipeline.drafting.candidates import Extractor
from pipeline.drafting.documents import Document, Passage, UnreadableError
from pipeline.drafting.names import Target
from pipeline.drafting.quotes import quote_of
from tests.drafting.builders import PAPER, pdf

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
    "no.pdf": (b"<html>an error page</html>", "is no PDF"),
    "scanned.pdf": (pdf([], [], []), "is it scanned?"),
    "encrypted.pdf": (encrypted(), "is encrypted"),
    "long.pdf": (pdf(*[[LINE]] * 1000), "has 1,000 pages"),
    "deep.html": (b"<div>" * 5_000 + b"x", "nested deeper"),
    "many.html": (b"<b>" + b"<i>x</i>" * 4_000_000, "elements|MB|seconds"),
    "broken.json": (b"{", "is no JSON"),
    "list.json": (b"[1]", "is no JSON object"),
    "page.docx": (b"x", "a publication is a"),
    "blank.txt": (b" \n ", "holds no text"),
    "book.txt": (b"We used 3 of them. " * 60_000, "holds 1,139,999 characters of text; at most 1,000,000 are read"),
}


@pytest.mark.parametrize("name", CASES)
def test_a_bad_file_is_refused_in_one_line(tmp_path, name):
    content, said = CASES[name]
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(UnreadableError, match=said) as problem:
        reading.read(path)
    assert str(problem.value).startswith(str(path))
    assert "\n" not in str(problem.value)


def test_a_file_of_200_megabytes_is_refused_unread(tmp_path):
    path = tmp_path / "large.pdf"
    with path.open("wb") as file:
        file.truncate(200_000_000)
    with pytest.raises(UnreadableError, match="200,000,000 bytes"):
        reading.read(path)


def test_a_reader_that_does_not_end_is_stopped(tmp_path, monkeypatch):
    path = tmp_path / "paper.html"
    path.write_text(PAPER)
    monkeypatch.setattr(reading, "LONGEST_SECONDS", 0.01)
    with pytest.raises(UnreadableError, match="is not read after"):
        reading.read(path)


def test_what_is_read_in_a_child_process_is_what_is_read_here(tmp_path):
    path = tmp_path / "paper.html"
    path.write_text(PAPER)
    assert reading.read(path).passages == reading.parse(path).passages


GROWN = "TwinNet-7B, 7 billion parameters, 2 trillion tokens, 512 A100 GPUs for 30 days. "


@pytest.mark.parametrize("is_one_passage", [True, False])
def test_the_work_of_a_draft_is_bounded_however_long_its_paper_is(is_one_passage):
    """Of 12,000 sentences no more are looked through than have the most figures that are weighed."""
    passages = [Passage(GROWN * 12_000)] if is_one_passage else [Passage(GROWN)] * 12_000
    extractor = Extractor(Target("TwinNet-7B"), {"a100": "nvidia-a100-sxm4"})
    sentences = []
    of_sentence = extractor.of_sentence
    extractor.of_sentence = lambda *given: sentences.append(given) or of_sentence(*given)
    with pytest.raises(UnreadableError, match="grown.txt: has more than 10,000 figures"):
        extractor.occurrences(Document("grown.txt", "text", "", tuple(passages)))
    assert len(sentences) < 10_000


def test_a_heading_and_a_caption_are_looked_through_to_a_limit():
    heading = 100_000 * "training "
    [found, *_] = Extractor(Target("TwinNet-7B"), {}).occurrences(
        Document("grown.txt", "text", "", (Passage(GROWN, heading=heading),))
    )
    assert found.features["heading: training"]


def test_a_quote_of_a_passage_without_end_has_its_words():
    text = GROWN * 10_000
    assert quote_of(text, 5 * len(GROWN) + 12, 5 * len(GROWN) + 21) == GROWN.strip()
