"""Every command on a terminal of 80 characters: no word or number is split, and no line is wider."""

import contextlib
import functools
import os
import re

import pytest

from pipeline import cli
from pipeline.answers import own_run, terminal
from pipeline.answers.terminal import Column, Strong
from pipeline.base.paths import ROOT
from pipeline.base.text.wrapping import wrap
from pipeline.records import loading
from tests.builders import on_a_terminal, typed

WIDTH = 80
WIDE = 100_000  # wide enough for every line
FIGURES = (
    *"--parameters 7B --tokens 2T --chips 256 --hardware H100 --days 20 --precision bf16".split(),
    *("--save", "my-model.yaml"),
)
OPT = ROOT / "data/records/models/opt-175b.yaml"
ASKED = {  # for each command: questions that it answers and questions that it refuses
    "query": [("from disputes limit 30",), ("from disputes limit 2",), ("select title, url from sources limit 20",), ("describe estimates",)],
    "list": [("--year", "2019"), ("--disputed",), ("--tier", "all", "--above", "1e25", "--probability", "0.5"), ("--domain", "visoin"), ("--sort", "nosuch")],
    "show": [("gpt-3",), ("gpt-4o",), ("llama-3-1-405b",), ("gpt-33",), ()],
    "compare": [("gpt-3", "palm-540b", "bloom-176b", "llama-3-1-405b", "bert-large"), ("gpt-3", "palm-540b")],
    "hardware": [(), ("a100",)],
    "count": [("resnet50",), ("nosuchnet",), ("--list",)],
    "explain": [("lenet-5",)],
    "estimate": [("lenet-5",), ("nosuch.csv",), FIGURES, ("--parameters", "-7B", "--tokens", "7BB"), ("lenet-5", "--tokens", "2T", "--days", "20")],
    "utilization": [("--family", "vit", "--precision", "BF16", "--hardware", "A100"), ("--family", "nosuch", "--precision", "bf16", "--hardware", "a100")],
    "validate": [(OPT, "--against", "opt.md", "--source", "paper"), (OPT, "--against", "opt.md")],
    "new": [("model", "my-own-model"), ("model", "Not An Id")],
    "trend": [(), ("--domain", "language"), ("--organization", "Mistral AI"), ("--domain", "visoin")],
    "diff": [("HEAD", "HEAD"), ("nosuch",)],
    "update": [("--source", "epoch-notabel"), ("--snapshot", "opt.md")],
    "plot": [("--out", "compute.svg"), ("--out", "compute.svg", "--highlight", "hermes-3-405b"), ("--out", "nosuch.xyz"), ("--from-year", "1800")],
    "thresholds": [("gpt-3",), ("hermes-3-405b",), ("gpt-4o",)],
    "cite": [("gpt-3",), (), ("gpt-3", "--bibtex", "--json")],
    "export": [("gpt-3", "--eu", "--out", "gpt-3.json"), ("gpt-3", "--out", "nosuch.xyz")],
}  # fmt: skip
ELSEWHERE = {"measure"}  # its lines come from a separate program, which needs torch
PAPER = "# OPT-175B\n\nOPT-175B has 175 billion parameters and was trained on 992 80GB A100 GPUs.\n"


def test_every_command_is_asked():
    names = {command.name or command.callback.__name__ for command in cli.application().registered_commands}
    assert names == set(ASKED) | ELSEWHERE


@pytest.fixture(scope="module")
def rendered(tmp_path_factory):
    """Return the output for each question (in its own folder), by width; the wider one is the reference."""
    questions = [(command, *map(str, words)) for command, every in ASKED.items() for words in every]
    shown = {}
    with pytest.MonkeyPatch.context() as patch:
        # No record and no estimate depends on the terminal.
        run, loaded = own_run.run, functools.cache(loading.load)
        patch.setattr(loading, "load", lambda paths, among=(), _=None: loaded(tuple(paths), tuple(among)))
        runs = {}

        def run_once(connection, figures, *_):
            key = tuple(figures.items())
            runs[key] = runs.get(key) or run(connection, figures)
            return runs[key]

        patch.setattr(own_run, "run", run_once)
        for question in questions:
            shown[question] = {}
            for columns in (WIDTH, WIDE):
                folder = tmp_path_factory.mktemp("here")
                (folder / "opt.md").write_text(PAPER)
                with contextlib.chdir(folder):
                    shown[question][columns] = on_a_terminal(*question, columns=columns)
    return shown


def test_nothing_is_wider_than_the_terminal_but_a_single_word(rendered):
    for question, shown in rendered.items():
        for line in shown[WIDTH].splitlines():
            assert len(line) <= WIDTH or len(line.split()) == 1, (question, line)


def test_no_word_or_number_is_split(rendered):
    for question, shown in rendered.items():
        whole = set(shown[WIDE].split())
        # A heading may be broken after an underscore.
        whole |= {f"{word}:" for word in whole}  # a name before its cell, if rows are shown one below the other
        whole |= {part for word in whole if re.fullmatch(r"\w+", word) for part in parts_of(word)}
        # Columns left out are named in words that the wider output does not have.
        answer = re.split(r"^left out at ", shown[WIDTH], flags=re.MULTILINE)[0]
        split = {word for word in answer.split() if set(word) - set("─-")} - whole
        assert split == set(), question


def parts_of(word):
    """Return the runs of neighbouring parts of a heading."""
    parts = re.findall(r"[^_]*_|[^_]+", word)
    return {"".join(parts[start:end]) for start in range(len(parts)) for end in range(start + 1, len(parts) + 1)}


def test_columns_that_do_not_fit_are_named(rendered):
    shown = rendered["list", "--disputed"]
    (note,) = re.findall(r"^left out at 80 characters: (.*)", shown[WIDTH].replace("\n  ", " "), re.MULTILINE)
    assert note.endswith("; --csv and --json have all")
    left_out = note.partition(";")[0].split(", ")
    assert "headline_method" in left_out
    heading = shown[WIDTH].split("─")[0]
    assert "dispute_" in heading
    assert not set(left_out) & {"model_id", "training_flop", "dispute_cause"}
    assert "left out" not in shown[WIDE]


def test_colour_is_where_a_terminal_is_and_a_pipe_stays_plain():
    assert "\x1b[1m" in on_a_terminal("show", "gpt-3", columns=100, term="xterm")
    assert "\x1b" not in on_a_terminal("show", "gpt-3", columns=100, term="dumb")
    assert "\x1b" not in typed("show", "gpt-3").stdout


def test_a_long_answer_goes_through_the_pager(monkeypatch, tmp_path):
    paged = []
    monkeypatch.setattr("pydoc.pager", paged.append)
    with monkeypatch.context() as patch:
        patch.setattr(terminal, "get_terminal_size", lambda: os.terminal_size((80, 10)))
        on_a_terminal("show", "gpt-3", columns=80)
        on_a_terminal("list", "--year", "2019", columns=80)
        assert ["GPT-3 175B" in paged[0], "bit-l" in paged[1], len(paged)] == [True, True, 2]
        on_a_terminal("query", "select 1 as x", columns=80)
        on_a_terminal("show", "gpt-33", columns=80)  # an error is not an answer
    assert len(paged) == 2


@pytest.mark.parametrize(
    ("line", "width", "expected"),
    [
        ("a b", 80, ["a b"]),
        ("", 80, [""]),
        ("  chips: twelve of them", 12, ["  chips:", "    twelve", "    of them"]),
        ("see https://example.org/a-very-long-address now", 20, ["see", "  https://example.org/a-very-long-address", "  now"]),
    ],
)  # fmt: skip
def test_lines_are_broken_between_words_alone(line, width, expected):
    assert wrap(line, width) == expected


def test_the_first_column_stays_and_a_few_rows_are_shown_whole(capsys, monkeypatch):
    monkeypatch.setattr(terminal, "get_terminal_size", lambda: os.terminal_size((20, 50)))
    columns = [
        Column("name", ["alpha"] * 4, False),
        Column("words", ["x" * 30] * 4, False),
        Column("n", ["1"] * 4, True),
    ]
    terminal.write_table(columns)
    shown = capsys.readouterr().out
    assert shown.count("alpha") == 4
    assert "left out at 20" in shown
    assert "xxx" not in shown
    terminal.write_table([Column(column.name, column.cells[:1], column.is_number) for column in columns])
    assert "words: \n" in capsys.readouterr().out.replace("words:\n", "words: \n")
    terminal.write_lines([Strong("strong")])
    assert capsys.readouterr().out == "strong\n"
