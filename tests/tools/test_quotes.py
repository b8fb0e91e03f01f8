"""Quotes are looked up in publications of every format."""

import subprocess
import sys

import pytest

from pipeline.base.paths import ROOT
from pipeline.tools.quotes import Publication, UnreadableError, look_up, with_places

TEXTS = {
    "a.html": '<h2>Training</h2><p>We train on 300 billion tokens, or <math alttext="2.56\\times 10^{22}">x</math> FLOP.</p>',
    "a.md": "## Training\n\nWe **train** on [300 billion](https://x.org) tokens, or 2.56 × 10^22 FLOP.",
    "a.tex": "\\newcommand{\\data}{300 billion tokens}\nWe train on \\data, or $2.56 \\times 10^{22}$ FLOP. % 7 billion",
    "a.txt": "We train on 300 billion\ntokens, or 2.56 × 10^22 FLOP.",
}


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize(
    ("quote", "match"),
    [
        ("We train on 300 billion tokens", "verbatim"),
        ("or 2.56 × 10^22 FLOP", "verbatim"),
        ("We train on 400 billion tokens", "other numbers"),
        ("some corpus with 300 billion entries in all of its languages", "only its numbers"),
        ("7 billion parameters", "absent"),
    ],
)
def test_a_quote_is_found_whatever_the_markup(tmp_path, name, quote, match):
    path = tmp_path / name
    path.write_text(TEXTS[name])
    assert Publication(path).find(quote).match == match


@pytest.mark.parametrize(("name", "content"), [("a.pdf", b"<html>"), ("b.pdf", b"")])
def test_a_bad_file_is_refused_in_one_line(tmp_path, name, content):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(UnreadableError, match=name):
        look_up({"size": "7 billion parameters"}, [tmp_path / name])


HOSTILE = {"deep.html": b"<div>" * 4_000_000, "macros.tex": b"\\def\\a{x}" * 500 + b"\\a" * 20_000_000}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_given_up(tmp_path, name):
    (tmp_path / name).write_bytes(HOSTILE[name])
    code = (
        "import sys; from pathlib import Path; from pipeline.base import deadline; from pipeline.tools import quotes\n"
        "deadline.start(60, 'late'); quotes.MOST_SECONDS = 1; quotes.MOST_MEMORY_BYTES = 100_000_000\n"
        "quotes.look_up({'size': '7 billion parameters'}, [Path(sys.argv[1])])"
    )
    command = [sys.executable, "-c", code, str(tmp_path / name)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].endswith(f"{name}: takes more than 1 s, or too much memory")


@pytest.mark.parametrize(("length", "match"), [(9, "absent"), (10, "verbatim")])
def test_a_quote_of_ten_letters_may_begin_within_a_word(tmp_path, length, match):
    (tmp_path / "a.txt").write_text("abcdefghijklmnopqrstuvwxyz")
    assert Publication(tmp_path / "a.txt").find("bcdefghijklmnop"[:length]).match == match


@pytest.mark.parametrize(("wrong", "match"), [(14, "nearly"), (16, "absent")])  # letters of 100; 15 are the limit
def test_a_quote_is_nearly_there_with_85_percent_of_its_letters(tmp_path, wrong, match):
    letters = [chr(97 + number * number % 23) for number in range(100)]
    (tmp_path / "a.txt").write_text("".join(letters))
    quote = "".join("z" if number % 6 == 0 and number < 6 * wrong else sign for number, sign in enumerate(letters))
    assert Publication(tmp_path / "a.txt").find(quote).match == match


NESTED = {
    "a.md": "Intro\n## Training\nWe train on 300 billion tokens.\n",
    "a.tex": "Intro\n\\section*{Training}\nWe train on 300 billion tokens.\n",
    "a.html": "<p>Intro</p><h2><span>Training</span></h2><p>We train on 300 billion tokens.</p>",
}


@pytest.mark.parametrize("name", NESTED)
def test_a_place_is_the_heading_above_it(tmp_path, name):
    (tmp_path / name).write_text(NESTED[name])
    publication = Publication(tmp_path / name)
    assert publication.find("train on 300 billion tokens") == ("verbatim", "Training")
    assert publication.find("Intro") == ("verbatim", None)


RECORD = """quotes:
  data: {source: paper, text: "a", found_at: "b"}
  size:
    source: paper  # the arXiv one
    text: "c"
sources: {}
"""


def test_places_are_written_after_the_source_and_nothing_else_changes():
    written = with_places(RECORD, {"data": 'The "set"', "size": "page 3"})
    places = [', where: "The \\"set\\""', '\n    where: "page 3"']
    assert written == RECORD.replace("{source: paper", "{source: paper" + places[0]).replace(
        "source: paper  #", f"source: paper{places[1]}  #"
    )


@pytest.mark.parametrize(
    ("quote", "match"),
    [
        ("We train on 64 V100 GPUs and reach 83.9% of it [24] in all", "nearly"),
        ("We train on 64 V104 GPUs and reach 83.9% of it [24] in all", "other numbers"),
        ("We train on 64 V100 GPUs and reach 83.7% of it [24] in all", "other numbers"),
    ],
)
def test_names_with_digits_are_compared_and_numbers_of_citations_are_not(tmp_path, quote, match):
    (tmp_path / "a.tex").write_text("We train on 64 V100 GPUs and reach 83.9\\% of them \\cite{smith2019} in all.")
    assert Publication(tmp_path / "a.tex").find(quote).match == match
