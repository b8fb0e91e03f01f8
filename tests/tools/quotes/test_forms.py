"""Publications in every format: their words, places and tables."""

import json

import pytest

from pipeline.tools.quotes.documents import Kind
from pipeline.tools.quotes.forms import config, html, latex, lines
from tests.tools.quotes.builders import PAPER, pdf

LATEX = r"""\documentclass{article}\newcommand{\ours}{TwinNet-7B}\newcommand{\size}[1]{#1 billion}
\title{TwinNet: \emph{Learning}}
\begin{document}\begin{abstract}We present \ours.\end{abstract}
\section{Training}\label{sec:t} \ours{} has \size{7.1} parameters\cite{some} and $2.56\times 10^{22}$ FLOPs. % not this
\begin{table}\caption{Sizes of all models. In detail.}\begin{tabular}{lrr} Model & Layers & $d_{\text{model}}$ \\ \midrule
\ours & 32 & 4{,}096 \\ \end{tabular}\end{table}
\end{document}"""


def of_kind(document, kind):
    return [passage for passage in document.passages if passage.kind is kind]


def test_a_page_has_its_sections_formulas_and_tables():
    document = html.read("x.html", PAPER)
    text = {passage.place: passage.text for passage in of_kind(document, Kind.TEXT)}
    assert document.title == "TwinNet: Learning with Twins"
    assert list(text) == ["abstract", "section 1", "section 2", "section 2.1", "appendix A"]
    assert "The compute is 2.56 × 10^22 FLOPs." in text["section 2"]
    rows = of_kind(document, Kind.ROW)
    assert [row.text for row in rows[1:]] == ["TwinNet-1B | 24 | 16 | 2048", "TwinNet-7B | 32 | 32 | 4096"]
    assert {row.place for row in rows} == {"table 1"}


def test_a_paragraph_of_a_pdf_is_whole_though_pdfium_ends_lines_twice():
    from pipeline.tools.quotes.forms import pdf as pdfs

    lines = [
        "We therefore train all of our models for 1 million",
        "steps on a batch size of 2048 sequences of length 512.",
    ]
    (passage,) = pdfs.read("x.pdf", pdf(lines)).passages
    assert passage.text == " ".join(lines)


def test_a_cell_that_spans_rows_and_columns_keeps_the_columns():
    page = "<table><tr><td rowspan=2>A</td><td colspan=2>1</td></tr><tr><td>2</td><td>3</td></tr></table>"
    assert [row.text for row in html.read("x", page).passages] == ["A | 1 | ", "A | 2 | 3"]


def test_markdown_has_headings_and_tables():
    document = html.read_markdown(
        "card.md", "# Card\n## Training Data\nIt saw 15T tokens.\n\n| Model | Hours |\n|---|---|\n| 8B | 1.3M |\n"
    )
    assert [(passage.place, passage.text) for passage in document.passages if passage.kind is not Kind.HEADING] == [
        ("Training Data", "It saw 15T tokens."),
        ("Training Data", "Model | Hours"),
        ("Training Data", "8B | 1.3M"),
    ]


def test_latex_has_its_macros_expanded_and_places_by_words():
    document = latex.read("x.tex", LATEX)
    assert document.title == "TwinNet: Learning"
    text = {passage.place: passage.text for passage in of_kind(document, Kind.TEXT)}
    assert text == {
        "abstract": "We present TwinNet-7B.",
        "Training": "TwinNet-7B has 7.1 billion parameters and 2.56 × 10^22 FLOPs.",
    }
    row = of_kind(document, Kind.ROW)[-1]
    assert (row.text, row.place) == ("TwinNet-7B | 32 | 4,096", "table “Sizes of all models”")


def test_a_config_is_a_row_a_key():
    document = config.read(
        "config.json", json.dumps({"model_type": "llama", "hidden_size": 4096, "vision": {"layers": 2}})
    )
    assert [passage.text for passage in of_kind(document, Kind.ROW)] == [
        '"model_type" | "llama"',
        '"hidden_size" | 4096',
        '"layers" | 2',
    ]


def test_a_pdf_has_pages_and_numbered_sections():
    from pipeline.tools.quotes.forms import pdf as pdfs

    lines_ = [
        "1 Introduction",
        "TwinNet is a language model that is large enough for this page to be read.",
        "2 Training",
    ]
    document = pdfs.read("x.pdf", pdf(lines_, ["We train it on 300 billion tokens, which is long enough for a line."]))
    assert [(p.where, p.text[:12]) for p in of_kind(document, Kind.TEXT)] == [
        ("section 1, page 1", "TwinNet is a"),
        ("section 2, page 2", "We train it "),
    ]


@pytest.mark.parametrize(
    ("line", "is_one"),
    [
        ("2.1 Training Data", True),
        ("3 GPUs were used for two weeks.", False),
        ("2048 tokens", False),
        ("4.1 is less than 5", False),
    ],
)
def test_a_line_is_a_heading_only_where_its_number_follows(line, is_one):
    document = lines.read("x.txt", f"1 Introduction\nSome words.\n2 Method\nMore words.\n{line}\nOther words.")
    assert ("section 2.1" in {passage.place for passage in document.passages}) == is_one
