"""`make repro` after a run that was killed while DVC wrote its own files, and in a checkout without git."""

import os
import subprocess
import sys

import pytest

from pipeline import repro
from pipeline.paths import ROOT

DVC = ROOT / ".venv/bin/dvc"
LOCK = """schema: '2.0'
stages:
  one:
    cmd: echo > out
    deps:
    - path: in
      hash: md5
      md5: 60b725f10c9c85c70d97880dfe8191b3
      size: 2
    outs:
    - path: out
      hash: md5
      md5: 68b329da9893e34099c7d8ad5cb9c940
      size: 1
"""


@pytest.fixture
def checkout(tmp_path):
    """A repository in which a run of one stage has ended, and dvc.lock is committed."""
    (tmp_path / "in").write_text("a\n")
    (tmp_path / "dvc.yaml").write_text("stages:\n  one: {cmd: echo > out, deps: [in], outs: [out]}\n")
    (tmp_path / "dvc.lock").write_text(LOCK)
    (tmp_path / ".dvc").mkdir()
    who = {f"GIT_{role}_{what}": "a@example.org" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "one"]):
        subprocess.run(["git", *words], cwd=tmp_path, check=True, env=os.environ | who)
    return tmp_path


def test_a_lock_that_is_whole_stays(checkout, capsys):
    (checkout / "dvc.lock").write_text(LOCK + "# of today\n")
    repro.put_back(checkout)
    assert (checkout / "dvc.lock").read_text() == LOCK + "# of today\n"
    assert capsys.readouterr().err == ""


def test_wherever_the_lock_was_cut_off_dvc_can_read_it_afterwards(checkout, capsys):
    """Cut after each byte: what DVC's own schema refuses is put back as in git; DVC reruns what the rest does not vouch for."""
    restored = 0
    for end in range(len(LOCK)):
        (checkout / "dvc.lock").write_text(LOCK[:end])
        repro.put_back(checkout)
        left = (checkout / "dvc.lock").read_text()
        assert left in (LOCK, LOCK[:end])
        assert repro._is_lock(left.encode())
        said = capsys.readouterr().err
        assert (said != "") == (left != LOCK[:end]), end
        restored += said == "dvc.lock was cut off (a run was killed while it was written): put back as it is in git\n"
    assert 0 < restored < len(LOCK)


def test_an_empty_lock_is_put_back(checkout):
    (checkout / "dvc.lock").write_text("")
    repro.put_back(checkout)
    assert (checkout / "dvc.lock").read_text() == LOCK


@pytest.mark.parametrize("of_git", ["", "<<<<<<< HEAD\n"])
def test_where_git_has_no_whole_lock_it_is_removed(checkout, capsys, of_git):
    (checkout / "dvc.lock").write_text(of_git)
    subprocess.run(["git", "rm", "-q", "--cached", "dvc.lock"], cwd=checkout, check=True)
    (checkout / ".git/HEAD").write_text("ref: refs/heads/none\n")
    repro.put_back(checkout)
    assert not (checkout / "dvc.lock").exists()
    assert "removed, so that every stage runs" in capsys.readouterr().err


@pytest.mark.parametrize("content", ["", '{"write": {"/x": {"pi'])
def test_a_list_of_locks_that_was_cut_off_is_removed(checkout, capsys, content):
    (checkout / ".dvc/tmp").mkdir()
    (checkout / ".dvc/tmp/rwlock").write_text(content)
    repro.put_back(checkout)
    assert not (checkout / ".dvc/tmp/rwlock").exists()
    assert capsys.readouterr().err.startswith(".dvc/tmp/rwlock was cut off")


def test_while_dvc_writes_its_files_are_left_alone(checkout):
    from dvc.lock import make_lock

    (checkout / "dvc.lock").write_text("")
    (checkout / ".dvc/tmp").mkdir()
    holding = "import sys, time; from dvc.lock import make_lock\nwith make_lock('.dvc/tmp/lock', tmp_dir='.dvc/tmp'): print('held', flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", holding], cwd=checkout, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout.readline() == "held\n"
        repro.put_back(checkout)
        assert (checkout / "dvc.lock").read_text() == ""
        other.stdin.close()
    with make_lock(str(checkout / ".dvc/tmp/lock"), tmp_dir=str(checkout / ".dvc/tmp")):
        pass
    repro.put_back(checkout)
    assert (checkout / "dvc.lock").read_text() == LOCK


RUN = "from pathlib import Path; from pipeline import repro; repro.database.reading = lambda root: open('in'); raise SystemExit(repro.run([], Path.cwd()))"


@pytest.mark.parametrize("has_git", [True, False])
def test_dvc_runs_with_and_without_git_after_its_lock_was_cut_off(checkout, has_git):
    (checkout / "dvc.lock").write_text(LOCK[:60] + "\n  - {")
    if not has_git:
        subprocess.run(["rm", "-rf", ".git"], cwd=checkout, check=True)
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", RUN], cwd=checkout, capture_output=True, text=True,
            env=os.environ | {"PYTHONPATH": str(ROOT), "DVC_NO_ANALYTICS": "1"},
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
    assert (checkout / "out").read_text() == "\n"
    assert (checkout / "dvc.lock").read_text() == LOCK


def test_a_reader_is_not_told_of_a_remote(capsys):
    from dvc.ui import ui

    with repro._told(3):
        ui.write("Use `dvc push` to send your updates to remote storage.", force=True)
        ui.write("Data and pipelines are up to date.", force=True)
    ui.write("Use `dvc push`, outside", force=True)
    assert capsys.readouterr().out.splitlines() == ["Data and pipelines are up to date.", "Use `dvc push`, outside"]
