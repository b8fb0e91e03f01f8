"""The miniature's bytes are the same in another folder, language, clock, mask, order of sets, cores or Python."""

import os
import subprocess
import sys

import pytest

from pipeline.base.paths import ROOT
from tests.builders import copied, refusing_floats

OTHER_PYTHON = ROOT / ".venv-other/bin/python"
MADE = """
import os, sys
from pathlib import Path
from tests.builders import run_everything
os.umask(int(sys.argv[2], 8))
run_everything(Path(sys.argv[1]), threads=int(sys.argv[3]))
"""
ELSEWHERE = {
    "LC_ALL": "tr_TR.UTF-8",  # in which I is not the capital of i
    "PYTHONHASHSEED": "1",
    "TZ": "Pacific/Kiritimati",
}


def made(python, folder, umask, threads, **environment):
    """Return the files of data/tables and data/published that this Python makes, by name, without the database."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("LC_")} | environment
    argv = [python, "-c", MADE, copied(folder), umask, str(threads)]
    done = subprocess.run(
        argv, cwd=ROOT, env=environment | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, errors="replace"
    )
    assert (done.returncode, done.stderr) == (0, "")
    return contents(folder)


UNLIKE = ("ledger", "model_names")


def contents(folder):
    """Return the bytes of the files that stages made, by name, without the database, its digest and times of files."""
    made = [path for name in ("tables", "published") for path in (folder / "data" / name).rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in made if path.stem not in UNLIKE}


def assert_same(found, expected):
    assert found.keys() == expected.keys()
    assert [name for name, content in found.items() if content != expected[name]] == []


def test_elsewhere_the_bytes_are_the_same(miniature, tmp_path):
    """Two threads instead of one, in a folder with a space and non-ASCII letters."""
    assert_same(made(sys.executable, tmp_path / "ein Übungs ordner", "077", 2, **ELSEWHERE), contents(miniature))


@pytest.mark.skipif(not OTHER_PYTHON.exists(), reason="no other Python: `make other-python` installs one's packages")
def test_another_python_makes_the_same_bytes(miniature, tmp_path):
    version = "import sys; print(sys.version_info[:2])"
    versions = {
        subprocess.run([python, "-c", version], capture_output=True, text=True, check=True).stdout
        for python in (sys.executable, OTHER_PYTHON)
    }
    assert len(versions) == 2
    assert_same(made(OTHER_PYTHON, tmp_path / "tree", "022", 1), contents(miniature))


def test_sums_of_floats_in_our_code_would_be_refused():
    """The miniature ledger of these tests was made with this function in place of `sum`."""
    ours = compile("def of(values): return sum(values)", str(ROOT / "pipeline/x.py"), "exec")
    space = {"sum": refusing_floats(sum)}
    exec(ours, space)
    assert space["of"]([1, 2, True]) == 4
    with pytest.raises(TypeError, match="fsum is exact"):
        space["of"]([1, 2.0])
    assert refusing_floats(sum)([1.0, 2.0]) == 3.0
