"""The ways in which a command ends early: timeout, a pipe instead of a file, another kind of database, no output."""

import os
import subprocess
import sys

import duckdb
import pytest

from pipeline.answers import ledger
from pipeline.base.paths import ROOT
from tests.builders import process, typed


def test_a_command_ends_at_its_deadline():
    done = process("--timeout", "0.05", "validate", "data/records/models/gpt-3.yaml")
    message = "took longer than 0.05 s; --timeout before the command gives it more time\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", message)


WAITING = "import signal, time, os; from pipeline.base import deadline; deadline.start(60, ''); print(os.getpid(), flush=True); "


def test_a_child_ends_with_its_parent():
    command = [sys.executable, "-c", WAITING + "time.sleep(60)"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as parent:
        child = int(parent.stdout.readline())
        assert child != parent.pid
        parent.kill()
        assert parent.stdout.read() == b""  # the child, which has the same output, has ended


@pytest.mark.parametrize(("end", "code"), [("raise SystemExit(3)", 3), ("os.kill(os.getpid(), signal.SIGSEGV)", 139)])
def test_the_code_of_a_child_is_that_of_the_command(end, code):
    done = subprocess.run([sys.executable, "-c", WAITING + end], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (code, "ended by the signal SIGSEGV\n" if code == 139 else "")


@pytest.mark.parametrize(
    "words",
    [
        ["count", "{}.json"],
        ["estimate", "--config", "{}.json", "--tokens", "1T"],
        ["estimate", "--from", "epoch", "{}.json", "--out", "{}.csv"],
    ],
)
def test_a_pipe_is_not_waited_for(tmp_path, words):
    os.mkfifo(tmp_path / "net.json")
    done = typed("--timeout", "30", *(word.replace("{}", str(tmp_path / "net")) for word in words))
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].endswith("net.json is not a regular file")


def test_a_database_that_cannot_answer_is_one_line(monkeypatch, capfd):
    from pipeline import cli

    def fails(*_):
        raise duckdb.CatalogException("Table with name estimates does not exist!")

    monkeypatch.setattr(ledger, "open_ledger", fails)
    monkeypatch.setattr(sys, "argv", ["flopledger", "list"])
    with pytest.raises(SystemExit) as end:
        cli.main()
    message = "the database cannot answer; `make repro` rebuilds it (Table with name estimates does not exist!)"
    assert (end.value.code, capfd.readouterr().err.splitlines()[-1]) == (1, message)


def test_a_closed_output_is_no_traceback():
    done = subprocess.run(
        [sys.executable, "-m", "pipeline.cli", "show", "gpt-3"],
        preexec_fn=lambda: os.close(1), stderr=subprocess.PIPE, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("text", "is_name"), [("gpt-3", True), ("./gpt-3", False), ("gpt-3.yaml", False), ("meta-llama/Llama-3.1-8B", True)]
)
def test_a_word_without_a_slash_is_a_name_first(tmp_path, monkeypatch, text, is_name):
    (tmp_path / "gpt-3").mkdir()
    monkeypatch.chdir(tmp_path)
    assert ledger.is_name(text) is is_name
