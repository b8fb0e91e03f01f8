"""Damage to DVC's own files by a killed run, or by an archive without git, is repaired, and nothing else is touched."""

import json
import os
import shutil
import subprocess
import sys

import psutil
import pytest

from pipeline.base.paths import ROOT
from pipeline.stages import recover

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
RESTORED = "dvc.lock was cut off: restored from git\n"


@pytest.fixture
def checkout(tmp_path):
    """Make a repository in which a run of one stage has ended and dvc.lock is committed."""
    (tmp_path / "in").write_text("a\n")
    (tmp_path / "dvc.yaml").write_text("stages:\n  one: {cmd: echo > out, deps: [in], outs: [out]}\n")
    (tmp_path / "dvc.lock").write_text(LOCK)
    (tmp_path / ".dvc/tmp").mkdir(parents=True)
    (tmp_path / ".dvc/config").write_text("[core]\n    analytics = false\n")
    who = {f"GIT_{role}_{what}": "a@example.org" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "one"]):
        subprocess.run(["git", *words], cwd=tmp_path, check=True, env=os.environ | who)
    return tmp_path


def test_healthy_files_stay_byte_for_byte(checkout, capsys):
    process = {"pid": os.getpid(), "cmd": "dvc repro"}
    files = {
        "dvc.lock": LOCK + "# of today\n",
        ".dvc/tmp/rwlock": json.dumps({"read": {"/in": [process]}, "write": {"/out": process}}, indent=3),
        ".dvc/config": "[core]\n  analytics=false\n",
    }
    for name, text in files.items():
        (checkout / name).write_text(text)
    recover.recover(checkout)
    assert {name: (checkout / name).read_text() for name in files} == files
    assert not (checkout / ".dvc/config.local").exists()
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    "content", [b"", LOCK[:60].encode() + b"\n  - {", b"\xff\x00\x9c", b"<<<<<<< HEAD\n", b"[1, 2]"]
)
def test_a_lock_that_is_cut_off_is_restored_from_git(checkout, capsys, content):
    (checkout / "dvc.lock").write_bytes(content)
    recover.recover(checkout)
    assert (checkout / "dvc.lock").read_text() == LOCK
    assert capsys.readouterr().err == RESTORED


@pytest.mark.parametrize("content", [b"", b"\xff\x00\x9c"])
def test_where_git_has_no_whole_lock_it_is_removed(checkout, capsys, content):
    (checkout / "dvc.lock").write_bytes(content)
    (checkout / ".git/HEAD").write_text("ref: refs/heads/none\n")
    recover.recover(checkout)
    assert not (checkout / "dvc.lock").exists()
    assert capsys.readouterr().err == "dvc.lock was cut off: removed\n"


@pytest.mark.parametrize("content", [b"", b'{"write": {"/x": {"pi', b"\xff\x00", b'{"read": {"/x": 1}}'])
def test_a_list_of_processes_that_is_cut_off_is_emptied(checkout, capsys, content):
    (checkout / ".dvc/tmp/rwlock").write_bytes(content)
    recover.recover(checkout)
    assert json.loads((checkout / ".dvc/tmp/rwlock").read_text()) == {"write": {}, "read": {}}
    assert capsys.readouterr().err == ".dvc/tmp/rwlock was cut off: mended\n"


def test_entries_of_dead_processes_are_dropped(checkout, capsys):
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        ended.wait()
    dead, living = {"pid": ended.pid, "cmd": "dvc repro"}, {"pid": os.getpid(), "cmd": "dvc repro"}
    listed = {"write": {"/a": dead, "/b": living}, "read": {"/c": [dead, living], "/d": [dead]}}
    (checkout / ".dvc/tmp/rwlock").write_text(json.dumps(listed))
    recover.recover(checkout)
    left = json.loads((checkout / ".dvc/tmp/rwlock").read_text())
    assert left == {"write": {"/b": living}, "read": {"/c": [living]}}
    assert capsys.readouterr().err == ".dvc/tmp/rwlock named dead processes: mended\n"


def test_entries_of_zombies_and_of_later_processes_with_the_same_number_are_dropped(checkout, capsys):
    process = {"pid": os.getpid(), "cmd": "dvc repro"}
    listed, list_file = {"write": {"/a": process}, "read": {}}, checkout / ".dvc/tmp/rwlock"
    list_file.write_text(json.dumps(listed))
    os.utime(list_file, (0, psutil.Process().create_time() - 1))  # written before this process began
    recover.recover(checkout)
    assert json.loads(list_file.read_text()) == {"write": {}, "read": {}}
    with subprocess.Popen([sys.executable, "-c", ""]) as zombie:
        os.waitid(os.P_PID, zombie.pid, os.WEXITED | os.WNOWAIT)  # ended, but its exit code was never read
        list_file.write_text(json.dumps({"write": {"/a": process | {"pid": zombie.pid}}, "read": {}}))
        recover.recover(checkout)
        assert json.loads(list_file.read_text()) == {"write": {}, "read": {}}
    assert capsys.readouterr().err == 2 * ".dvc/tmp/rwlock named dead processes: mended\n"


def test_what_a_dead_process_did_not_finish_is_removed(checkout, capsys):
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        ended.wait()
    (checkout / "data/updates").mkdir(parents=True)
    dead, living = (checkout / f"data/updates/2026-11-28.csv.{pid}.new" for pid in (ended.pid, os.getpid()))
    for file in (dead, living):
        file.write_text("rank,")
    recover.recover(checkout)
    assert (dead.exists(), living.exists()) == (False, True)
    assert capsys.readouterr().err == f"{dead.relative_to(checkout)} was never finished: removed\n"


def test_while_dvc_writes_its_files_are_left_alone(checkout):
    (checkout / "dvc.lock").write_text("")
    holding = (
        "import sys; from dvc.lock import make_lock\n"
        "with make_lock('.dvc/tmp/lock', tmp_dir='.dvc/tmp'): print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", holding], cwd=checkout, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout.readline() == "held\n"
        recover.recover(checkout)
        assert (checkout / "dvc.lock").read_text() == ""
        other.stdin.close()
    recover.recover(checkout)
    assert (checkout / "dvc.lock").read_text() == LOCK


@pytest.mark.parametrize("has_git", [True, False])
def test_plain_dvc_runs_afterwards_with_and_without_git(checkout, capsys, has_git):
    (checkout / "dvc.lock").write_text(LOCK[:60] + "\n  - {")
    if not has_git:
        shutil.rmtree(checkout / ".git")
    recover.recover(checkout)
    recover.recover(checkout)
    assert len(capsys.readouterr().err.splitlines()) == (1 if has_git else 2)  # repaired only once
    environment = os.environ | {"DVC_NO_ANALYTICS": "1"}
    done = subprocess.run(
        [ROOT / ".venv/bin/dvc", "repro"], cwd=checkout, capture_output=True, text=True, env=environment
    )
    assert done.returncode == 0, done.stderr
    assert (checkout / "out").read_text() == "\n"
    assert (checkout / "dvc.lock").read_text() == LOCK


def test_a_second_run_is_told_of_the_first(checkout):
    assert recover.recover(checkout)
    other = {"write": {"/a": {"pid": os.getpid(), "cmd": "dvc repro"}}, "read": {}}
    (checkout / ".dvc/tmp/rwlock").write_text(json.dumps(other))
    assert not recover.recover(checkout)
