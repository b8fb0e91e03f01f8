"""Files that cannot be read as a publication: one line each, within limits of time and memory."""

import pytest

from pipeline.drafting import child, draft, reading
from pipeline.drafting.candidates import Extractor
from pipeline.drafting.documents import Document, Passage, UnreadableError
from pipeline.drafting.names import Target
from pipeline.drafting.quotes import quote_of
from tests.builders import within
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
    "many.html": (b"<b>" + b"<i>x</i>" * 4_000_000, "elements|needs too much memory"),
    "broken.json": (b"{", "is no JSON"),
    "list.json": (b"[1]", "is no JSON object"),
    "page.docx": (b"x", "a publication is a"),
    "blank.txt": (b" \n ", "holds no text"),
    "book.txt": (b"We used 3 of them. " * 60_000, "holds 1,139,999 characters of text; at most 1,000,000 are read"),
}


def asked(path):
    """What the child process says of the candidates in a file."""
    return child.ask(
        "draft", {"files": [str(path)], "names": ["TwinNet-7B"], "others": [], "chips": {}, "found_at": None}
    )


@pytest.mark.parametrize("name", CASES)
def test_a_bad_file_is_refused_in_one_line(tmp_path, name):
    content, said = CASES[name]
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(UnreadableError, match=said) as problem:
        asked(path)
    assert str(problem.value).startswith(str(path))
    assert "\n" not in str(problem.value)


def test_a_file_of_200_megabytes_is_refused_unread(tmp_path):
    path = tmp_path / "large.pdf"
    with path.open("wb") as file:
        file.truncate(200_000_000)
    with pytest.raises(UnreadableError, match="200,000,000 bytes"):
        reading.read(path)


def test_what_takes_too_long_is_stopped_and_named(tmp_path, monkeypatch):
    """A name may break lines; the process is slow, not the file."""
    path = tmp_path / "a\npaper.html"
    path.write_text(PAPER)
    monkeypatch.setattr(child, "WAIT_SECONDS", 0.01)
    with pytest.raises(UnreadableError, match="html: takes more than"):
        asked(path)


def test_candidates_are_looked_for_within_the_limit_of_time(tmp_path, monkeypatch):
    """Of figures beside figures every pattern looks on to the end of the sentence."""
    path = tmp_path / "digits.txt"
    path.write_text(3 * "TwinNet-7B. " + 50_000 * "1 2 3 4 5 6 7 8 9 ")
    monkeypatch.setattr(child, "MOST_SECONDS", 3)
    with within(), pytest.raises(UnreadableError, match=r"digits\.txt: takes more than 3 s"):
        asked(path)


def test_a_draft_made_in_a_child_process_is_the_one_made_here(tmp_path):
    path = tmp_path / "paper.html"
    path.write_text(PAPER)
    assert asked(path) == draft.make([reading.read(path)], Target("TwinNet-7B"), {}).model_dump()


GROWN = "TwinNet-7B, 7 billion parameters, 2 trillion tokens, 512 A100 GPUs for 30 days. "


def test_the_work_of_a_draft_is_bounded_however_long_its_paper_is():
    """Of 12,000 sentences no more are looked through than have the most figures that are weighed."""
    extractor = Extractor(Target("TwinNet-7B"), {"a100": "nvidia-a100-sxm4"})
    sentences = []
    of_sentence = extractor.of_sentence
    extractor.of_sentence = lambda *given: sentences.append(given) or of_sentence(*given)
    with pytest.raises(UnreadableError, match="grown.txt: has more than 10,000 figures"):
        extractor.occurrences(Document("grown.txt", "text", "", (Passage(GROWN * 12_000),)))
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
