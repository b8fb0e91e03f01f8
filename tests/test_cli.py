"""The command line itself: commands, exit codes, streams and terminals, whatever the command."""

import os
import pty
import re
import subprocess

import pytest

from pipeline import cli
from pipeline.stages import flow
from schemas.plain_text import LONGEST_LINE
from tests.builders import COMMAND, process, typed

pytestmark = pytest.mark.usefixtures("published_database")


def test_help_names_every_verb():
    done = process("--help")
    assert done.returncode == 0
    for verb in cli.COMMANDS:
        assert re.search(rf"^  {verb} ", done.stdout, re.MULTILINE), verb
    assert typed().returncode == 2


def test_what_takes_seconds_says_so_on_a_terminal_and_nowhere_else():
    words = ["estimate", "--parameters", "7B", "--tokens", "2T"]
    quiet = typed(*words)
    ours, theirs = pty.openpty()
    environment = os.environ | {"TERM": "xterm"}
    with subprocess.Popen(
        [COMMAND, *words], stdout=subprocess.PIPE, stderr=theirs, cwd=flow.ROOT, env=environment
    ) as running:
        os.close(theirs)
        said = running.stdout.read().decode()
    assert b"running the rules" in os.read(ours, 65536)
    os.close(ours)
    assert (said, quiet.stderr) == (quiet.stdout, "")


@pytest.mark.parametrize(("words", "code"), [(("estimat",), 2), (("show", "gpt-33"), 1), (("count", "resnet18"), 0)])
def test_a_process_ends_with_the_exit_code(words, code):
    done = process(*words)
    assert done.returncode == code
    assert bool(done.stdout) is (code == 0)
    assert bool(done.stderr) is (code != 0)


@pytest.mark.parametrize(
    "words",
    [
        ("estimate", ""),
        ("validate", ""),
        ("count", ""),
        ("query", ""),
        ("show", ""),
        ("estimate", "--from", "epoch", "models.csv", "--out="),
    ],
)
def test_an_unset_variable_is_one_line(words):
    done = typed(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "an argument is empty; is a shell variable unset?\n"


@pytest.mark.parametrize(
    ("verb", "run"),
    [("query", process), ("query", typed), *((verb, typed) for verb in ("show", "explain", "count", "validate"))],
)
def test_bytes_that_are_no_text_are_one_line(verb, run):
    done = run(verb, b"select \xff\xfe")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "'select \\xff\\xfe' is not text in UTF-8\n"


def test_a_reader_that_leaves_early_is_no_error():
    done = subprocess.run(
        f"{COMMAND} explain palm-540b | head -1", shell=True, capture_output=True, text=True, cwd=flow.ROOT, timeout=300
    )
    assert done.stdout == "PaLM 540B · Google · 4 April 2022 · language\n"
    assert "Traceback" not in done.stderr


def test_completion_knows_the_verbs():
    asking = {"_FLOPLEDGER_COMPLETE": "complete_bash", "COMP_WORDS": "flopledger comp", "COMP_CWORD": "1"}
    assert process(env=os.environ | asking).stdout.split() == ["compare"]


LONG = 100_000 * "a"
LONG_WORDS = [
    *([verb, LONG] for verb in ("show", "explain", "hardware", "cite", "compare", "thresholds", "count", "estimate", "validate", "diff", LONG)),
    ["export", LONG, "--eu"], ["utilization", "--family", LONG], ["list", "--domain", LONG], ["list", "--sort", LONG], ["plot", "--highlight", LONG],
    ["estimate", "gpt-3", "--chip", LONG], ["estimate", "--from", "epoch", LONG], ["new", "model", LONG], ["query", LONG], ["query", f"select '{LONG}' +"],
    ["show", f"--{LONG}"], ["estimate", "--parameters", 400 * "9"], ["validate", 2_000 * "nosuch/"],
]  # fmt: skip


@pytest.mark.parametrize(
    "words", LONG_WORDS, ids=[f"{words[0][:9]} {words[1][:9]} {place}" for place, words in enumerate(LONG_WORDS)]
)
def test_a_word_without_end_is_answered_in_lines_of_bounded_length(words):
    done = typed(*words)
    assert (done.returncode > 0, done.stdout) == (True, "")
    assert 0 < max(map(len, done.stderr.splitlines())) <= LONGEST_LINE
    assert "Traceback" not in done.stderr
