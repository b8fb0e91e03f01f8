"""Stages: dvc.yaml lists them, and a run on the miniature gives identical files each time, or the last release."""

import csv
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest
import yaml

from pipeline.base.paths import ROOT
from pipeline.models import sql
from pipeline.records.loading import RecordError
from pipeline.stages import STAGES, TABLES, flow
from schemas import tables
from schemas.errors import ContractError
from schemas.params import Params

STAGES_OF_DVC = yaml.safe_load((ROOT / "dvc.yaml").read_text())["stages"]


def test_dvc_yaml_has_the_stages_in_their_order():
    """Each stage's command and its folder of tables; it reads only folders of earlier stages."""
    assert [*STAGES_OF_DVC] == [*STAGES]
    before = set()
    for stage, described in STAGES_OF_DVC.items():
        assert described["cmd"] == f".venv/bin/python -m pipeline {stage}"
        assert described["outs"][0] == f"data/tables/{stage}"
        assert {name for name in described["deps"] if name.startswith("data/tables/")} <= before, stage
        before.add(f"data/tables/{stage}")


def test_every_block_of_params_that_the_rules_read_is_watched():
    """A rule names what it reads from params.yaml as `block.choice`; `publish` depends on the whole file."""
    blocks = Params.model_fields
    read = {
        stage: {block for name in files for block in blocks if re.search(rf"\b\"?{block}\"?\.\w", sql.sql_of(name))}
        for stage, files in (
            ("estimate", [name for name in sql.in_order(TABLES["estimate"]) if name not in sql.PYTHON]),
            ("check", ["checks"]),
        )
    }
    assert read == {"estimate": {"calibrate", "impute", "reconcile"}, "check": {"check"}}
    for stage, named in read.items():
        assert named <= {*STAGES_OF_DVC[stage]["params"]}, stage


OURS = """
import sys
import pipeline.stages.flow
from pipeline.stages import STAGES
print(*sorted({module.__file__ for name, module in sys.modules.items() if name.split(".")[0] in ("pipeline", "schemas")}), sep="\\n")
"""
# The interface, which no stage calls, and sentences.
UNREAD = {Path("pipeline", name) for name in ("__init__.py", "api.py", "commands/__init__.py", "answers/__init__.py", "answers/results.py", "engines/__init__.py")}  # fmt: skip
# The reader of params.yaml, whose values DVC watches.
FEW = {Path("pipeline/records", name) for name in ("__init__.py", "params.py", "yaml_text.py")}


def test_a_stage_depends_on_all_code_that_every_stage_imports():
    done = subprocess.run([sys.executable, "-c", OURS], cwd=ROOT, capture_output=True, text=True, check=True)
    imported = {Path(file).relative_to(ROOT) for file in done.stdout.split()} - UNREAD - FEW
    for stage in STAGES:
        deps = STAGES_OF_DVC[stage]["deps"]
        assert not {file for file in imported if not any(file.is_relative_to(each) for each in deps)}, stage


def test_a_table_of_a_former_name_goes_when_its_stage_runs(miniature, tmp_path):
    """DVC keeps one checksum of the folder."""
    root = tmp_path / "tree"
    shutil.copytree(miniature, root)
    before = contents(root / "data/tables")
    (root / "data/tables/check/former.parquet").write_text("of a former name")
    flow.run("check", root)
    assert contents(root / "data/tables") == before


def test_every_contract_is_made_by_one_stage():
    makers = [name for names in TABLES.values() for name in names]
    assert sorted(makers) == sorted(tables.TABLES)


SEEN_BY_NUMPY = """
import os, sys
class Watch:
    def find_spec(self, name, path=None, target=None):
        if name == "numpy":
            print(os.environ.get("OPENBLAS_NUM_THREADS"))
sys.meta_path.insert(0, Watch())
"""


@pytest.mark.parametrize("imports", ["import pipeline.stages.flow", "import pipeline.cli, numpy"])
def test_linear_algebra_runs_on_one_thread(imports):
    """numpy's library reads the number at the first import of numpy, so whatever starts a process sets it before."""
    env = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    argv = [sys.executable, "-c", SEEN_BY_NUMPY + imports]
    done = subprocess.run(argv, cwd=ROOT, env=env, capture_output=True, text=True, check=True)
    assert done.stdout == "1\n"


def contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def rows(miniature):
    with (miniature / "data/published/estimates.csv").open(newline="") as file:
        return {row["model_id"]: row for row in csv.DictReader(file)}


def test_parquet_and_database_hold_the_same(miniature, rows):
    connection = duckdb.connect(str(miniature / "data/published/ledger.duckdb"), read_only=True)
    tables = {name for (name,) in connection.execute("select table_name from duckdb_tables()").fetchall()}
    assert tables == {name for names in TABLES.values() for name in names} | {"made_from"}
    ((from_parquet,),) = duckdb.sql(
        f"select training_flop from '{miniature}/data/published/estimates.parquet' where model_id = 'tiny-net'"
    ).fetchall()
    assert from_parquet == float(rows["tiny-net"]["training_flop"])
    (comment,) = connection.execute(
        "select comment from duckdb_columns() where table_name = 'estimates' and column_name = 'method_ratio'"
    ).fetchone()
    assert comment == "operation_count_flop / gpu_time_flop."


def test_a_broken_record_leaves_the_last_release(miniature, tmp_path):
    root = tmp_path / "tree"
    shutil.copytree(miniature, root)
    before = contents(root / "data/published")
    record = root / "data/records/models/tiny-net.yaml"
    record.write_text(record.read_text().replace("SC-1", "SC-7"))
    with pytest.raises(
        RecordError, match=r"tiny-net\.yaml:24 training\[0\]\.hardware\[0\]\.chip: 'SC-7' is not a chip in the ledger"
    ):
        flow.run("ingest", root)
    assert contents(root / "data/published") == before


def test_a_failing_expectation_leaves_the_last_release(miniature, tmp_path, monkeypatch):
    root = tmp_path / "tree"
    shutil.copytree(miniature, root)
    before = contents(root / "data/published")
    record = root / "data/records/models/silent-net.yaml"
    record.write_text(
        record.read_text().partition("missing:")[0]
    )  # one of 13 models lacks an estimate without stating why
    for stage in [*flow.STAGES][:-1]:
        flow.run(stage, root)
    with pytest.raises(
        ContractError,
        match="is known for at least 98 % of the models whose inputs were not looked for in vain; found 1 fail it: silent-net;",
    ):
        flow.run("publish", root)
    assert contents(root / "data/published") == before
    assert not (root / "data/unfinished").exists()
