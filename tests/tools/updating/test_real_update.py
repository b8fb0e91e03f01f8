"""The real update of the miniature: no part of it is replaced, and it may be killed at any moment.

A kill leaves the files as they are at that moment. So one run is enough: an audit hook in each of its processes copies
the tree before every k-th operation on files, and each copy is repaired as `make repro` does.
"""

import csv
import os
import re
import shutil
import subprocess

import pytest

from pipeline.base import untrusted_files
from pipeline.base.paths import ROOT
from pipeline.stages import flow, recover
from tests.builders import MINIATURE

SOURCE = "data/records/sources/epoch-notable.yaml"
REPORTS = re.findall(r"data/published/report/([\w.]+)[,\]]", (ROOT / "dvc.yaml").read_text())  # those that it reads
MOMENTS = (*range(2, 17, 2), *range(40, 481, 40))  # 20
REPRODUCED = (120, 440)  # of these, all that DVC repairs; EVERY_KILL=1 takes all
HEADER = "Model,Organization,Publication date,Domain,Parameters,Parameters notes,Training dataset size (total),"
HEADER += "Training hardware,Epochs\n"
OLD = f"""{HEADER}Base Text,Company,2021-03-01,Language,,,,,
Row Text,=Company,2021-05,Language,1000000000.0,0.5B active,20000000000.0,,1.0
Silent Row,,2021,Language,,,,,
"""
NEW = OLD.replace("0.5B active,20000000000.0,,1.0", "250M are active,20000000000.0,,2.0")
NEW += "New Row,Company,2022-01,Language,3000000000.0,,30000000000.0,,1.0\n"
READINGS = "name,organization,figure,value,words\nRow Text,=Company,active_parameters,500000000.0,0.5B active\n"
COPIES = """
import os, shutil, sys
root, states = os.environ["TREE"], os.environ["STATES"]
changes = {"os.mkdir", "os.remove", "os.rename", "os.rmdir", "open"}
is_copying = False

def before(event, values):
    global is_copying
    if event not in changes or is_copying or not isinstance(values[0], (str, bytes)):
        return
    path = os.path.abspath(os.fsdecode(values[0]))
    if not path.startswith((root + "/data", root + "/dvc.lock", root + "/.dvc")):
        return
    if event == "open" and not values[2] & (os.O_WRONLY | os.O_RDWR):
        return
    is_copying = True
    with open(states + "/count", "ab") as file:
        file.write(b".")
        count = file.tell()
    if count <= 16 and count % 2 == 0 or count % 40 == 0:  # the update writes its files first, then runs the pipeline
        shutil.copytree(root, f"{states}/{count}", symlinks=True, ignore=shutil.ignore_patterns("pipeline", "schemas"))
    is_copying = False

sys.addaudithook(before)
"""


def run(tree, *words, **environment):
    """Run a command of this tree's code in a separate process."""
    command = [tree / ".venv/bin/python", *words]
    given = os.environ | {"PYTHONPATH": str(tree), "DVC_NO_ANALYTICS": "1"} | environment
    return subprocess.run(command, cwd=tree, capture_output=True, text=True, env=given)


def update(tree, **environment):
    """Run `flopledger update` on the new table."""
    (tree / "new.csv").write_text(NEW)
    words = ("update", "--source", "epoch-notable", "--snapshot", "new.csv")
    return run(tree, "-m", "pipeline.cli", *words, **environment)


def reproduced(tree):
    """Do what `make repro` does, and return the line that DVC ends with if nothing is left to do."""
    assert [*untrusted_files.unlisted_files(tree / "data")] == []
    recover.recover(tree)
    for _ in range(2):
        done = run(tree, "-m", "dvc", "repro")
        assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()[-1]


@pytest.fixture(scope="module")
def tree(tmp_path_factory, miniature):
    """Make a checkout of the miniature with a watched table, and the table with a new row and two changed ones."""
    root = tmp_path_factory.mktemp("update") / "tree"
    for name in ("pipeline", "schemas"):
        shutil.copytree(ROOT / name, root / name)
    for name in ("records", "snapshots", "tables", "published"):
        shutil.copytree(miniature / "data" / name, root / "data" / name)
    (root / "data/releases").mkdir()
    for name in ("dvc.yaml", ".dvcignore", "CITATION.cff", "uv.lock", ".dvc/config"):
        (root / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, root / name)
    shutil.copy(MINIATURE / "params.yaml", root)
    for name in REPORTS:
        shutil.copy(ROOT / "data/published/report" / name, root / "data/published/report")
    (root / ".venv").symlink_to(ROOT / ".venv")
    (root / SOURCE).parent.mkdir()
    watched = (ROOT / SOURCE).read_text()
    (root / SOURCE).write_text(re.sub(r"columns:\n(  - .*\n)+", "columns: [Model, Epochs]\n", watched))
    (root / "data/records/catalogue_readings.csv").write_text(READINGS)
    (root / "data/snapshots/epoch_notable.csv").write_text(OLD)
    recover.recover(root)
    assert run(root, "-m", "dvc", "commit", "--force", "--quiet").returncode == 0
    return root


@pytest.fixture(scope="module")
def states(tree, tmp_path_factory):
    """Update a copy of the tree, and return the folder of its states, by the number of operations before each."""
    folder = tmp_path_factory.mktemp("states")
    (folder / "hook").mkdir()
    (folder / "hook/sitecustomize.py").write_text(COPIES)
    updated = shutil.copytree(tree, folder / "updated", symlinks=True)
    hook = {"PYTHONPATH": f"{folder}/hook:{updated}", "TREE": str(updated), "STATES": str(folder)}
    done = update(updated, **hook)
    assert done.returncode == 0, done.stderr
    return folder


def test_the_update_takes_the_new_table_and_leaves_nothing_to_do(tree, states):
    updated = states / "updated"
    assert (updated / "data/snapshots/epoch_notable.csv").read_text() == NEW
    (file,) = (updated / "data/updates").iterdir()
    work = {(row["kind"], row["name"], row["reason"].partition(";")[0]) for row in csv.DictReader(file.open())}
    lost = 'its notes no longer have "0.5B active", in which we read active_parameters'
    assert work >= {("reading", "Row Text", lost), ("new", "New Row", "new row")}
    with (updated / "data/published/catalogue_estimates.csv").open() as file:
        flop = {row["name"]: row["training_flop"] for row in csv.DictReader(file)}
    assert flop.keys() >= {"New Row", "Row Text"}
    assert float(flop["Row Text"]) == pytest.approx(6 * 1e9 * 2 * 20e9)  # no longer with 0.5e9 active parameters
    assert reproduced(updated) == "Data and pipelines are up to date."


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_killed_update_needs_no_hand(states, tmp_path, moment):
    killed = tmp_path / "killed"
    shutil.copytree(states / str(moment), killed, symlinks=True)
    recover.recover(killed)
    assert not [*killed.glob("data/**/*.new")]
    flow.run("ingest", killed)
    if moment in REPRODUCED or os.environ.get("EVERY_KILL"):
        for name in ("pipeline", "schemas"):
            shutil.copytree(states / "updated" / name, killed / name)
        assert reproduced(killed) == "Data and pipelines are up to date."


def test_a_table_that_the_pipeline_refuses_leaves_the_former_files_and_tables(tree):
    before = {path: path.read_bytes() for path in tree.glob("data/*/**/*") if path.is_file()}
    (tree / "data/code.py").write_text("x")
    done = update(tree)
    reason = "data/code.py: is not one of the files that belong in data/ (records, tables, releases); remove it"
    message = f"the pipeline refuses the new table ({reason}); the former files and tables are back"
    assert (done.returncode, done.stderr.splitlines()[-1]) == (1, message)
    assert {path: path.read_bytes() for path in tree.glob("data/*/**/*") if path.is_file()} == before
