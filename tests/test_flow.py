"""Stages: dvc.yaml is what their signatures say, and what they make of the miniature on disk is the same each time, or the last release."""

import csv
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest
import yaml

from pipeline import code_sums, dvc_file, flow
from pipeline.paths import ROOT
from pipeline.records.loading import RecordError
from schemas.table import ContractError, Table


def test_dvc_yaml_is_what_the_signatures_say():
    assert (ROOT / "dvc.yaml").read_text() == dvc_file.text(), "run `make dvc.yaml`"


OURS = """
import sys
from importlib import import_module
import pipeline.flow
import_module(sys.argv[1])
print(*sorted({module.__file__ for name, module in sys.modules.items() if name.split(".")[0] in ("pipeline", "schemas")}), sep="\\n")
"""


UNREAD = {
    Path(name, "__init__.py") for name in ("pipeline", "pipeline/records", "pipeline/stages")
}  # the interface, and docstrings


@pytest.mark.parametrize("stage", flow.STAGES)
def test_a_stage_depends_on_all_code_that_it_imports(stage):
    """As Python imports it; that which every stage runs by its checksums, on which each depends."""
    stages = yaml.safe_load((ROOT / "dvc.yaml").read_text())["stages"]
    deps = stages[stage]["deps"]
    assert "data/tables/code.json" in deps or "data/tables" in deps
    argv = [sys.executable, "-c", OURS, f"pipeline.stages.{stage}"]
    done = subprocess.run(argv, cwd=ROOT, capture_output=True, text=True, check=True)
    imported = {Path(file).relative_to(ROOT) for file in done.stdout.split()} - UNREAD
    watched = [*deps, *stages["code"]["deps"]]
    assert not {file for file in imported if not any(file.is_relative_to(each) for each in watched)}


def test_the_checksums_of_the_code_change_with_it(tmp_path):
    (tmp_path / "pipeline").mkdir()
    shutil.copytree(ROOT / "pipeline/rules", tmp_path / "pipeline/rules")
    before = code_sums.text(tmp_path)
    assert {name.split("/")[1] for name in json.loads(before)} == {"rules"}
    with (tmp_path / "pipeline/rules/frames.py").open("a") as file:
        file.write("# changed\n")
    assert code_sums.text(tmp_path) != before


def test_a_table_of_a_former_name_goes_when_tables_are_published(miniature, tmp_path):
    """Of the folder DVC keeps one checksum as what was published."""
    root = tmp_path / "tree"
    shutil.copytree(miniature, root)
    before = contents(root / "data/tables")
    (root / "data/tables/former.parquet").write_text("of a former name")
    flow.run("publish", root)
    assert contents(root / "data/tables") == before


def test_stages_stand_after_what_they_read():
    made = set()
    for stage in flow.STAGES:
        wired = flow.wiring(stage)
        assert set(wired.tables) <= made, stage
        made |= set(wired.outputs)


def test_every_contract_is_made_by_one_stage():
    makers = [name for stage in flow.STAGES for name in flow.wiring(stage).outputs]
    contracts = [path.stem for path in (ROOT / "schemas" / "tables").glob("*.py") if path.stem != "__init__"]
    assert sorted(makers) == sorted(contracts)


def test_a_table_argument_bears_its_contracts_name(monkeypatch):
    from pipeline.stages import count_operations
    from schemas.tables.layers import Layers
    from schemas.tables.operation_counts import OperationCounts

    def build(rows: Table[Layers]) -> Table[OperationCounts]: ...

    monkeypatch.setattr(count_operations, "build", build)
    with pytest.raises(TypeError, match="the argument of Layers is called layers, not rows"):
        flow.wiring("count_operations")


SEEN_BY_NUMPY = """
import os, sys
class Watch:
    def find_spec(self, name, path=None, target=None):
        if name == "numpy":
            print(os.environ.get("OPENBLAS_NUM_THREADS"))
sys.meta_path.insert(0, Watch())
"""


@pytest.mark.parametrize("imports", ["import pipeline.flow", "import pipeline.cli, numpy"])
def test_linear_algebra_runs_on_one_thread(imports):
    """numpy's library reads the number when numpy is first imported: what starts a process has to set it before."""
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
    assert tables == {name for stage in flow.STAGES for name in flow.wiring(stage).outputs}
    ((from_parquet,),) = duckdb.sql(
        f"select training_flop from '{miniature}/data/published/estimates.parquet' where model_id = 'tiny-net'"
    ).fetchall()
    assert f"{from_parquet:.6g}" == rows["tiny-net"]["training_flop"]
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
        RecordError,
        match=r"tiny-net\.yaml:24 training\[0\]\.hardware\[0\]\.chip: 'SC-7' is not a chip or alias; known are matrix-chip, small-chip, tensor-chip",
    ):
        flow.run("ingest", root)
    assert contents(root / "data/published") == before


def test_a_failing_expectation_leaves_the_last_release(miniature, tmp_path, monkeypatch):
    root = tmp_path / "tree"
    shutil.copytree(miniature, root)
    before = contents(root / "data/published")
    for model in (root / "data/records/models").glob("tiny-net-*.yaml"):
        model.unlink()  # one of four models without an estimate is more than the suite allows
    for stage in flow.STAGES[:-1]:
        flow.run(stage, root)
    with pytest.raises(
        ContractError, match="expected that training_flop is known for at least 80 % of the models; found 0.75;"
    ):
        flow.run("publish", root)
    assert contents(root / "data/published") == before
    assert not (root / "data/unfinished").exists()
