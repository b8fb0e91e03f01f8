"""A whole quick run on a CPU, its record, and continuing it."""

import json
import os
import subprocess
import sys

from pipeline.paths import ROOT


def test_a_quick_run_its_record_and_continuing(tmp_path):
    command = [sys.executable, "-m", "pipeline.measure.harness", "--quick", "--device", "cpu", "--out", str(tmp_path)]
    some = ["--only", "quick_gpt", "time", "ceilings", "flop", "--precision", "fp32"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    first = subprocess.run([*command, *some], capture_output=True, text=True, env=environment, timeout=300, check=False)
    assert (first.returncode, first.stderr) == (0, "")
    results = json.loads((tmp_path / "results.json").read_text())
    assert set(results["results"]) == {
        "ceilings/fp32", "ceilings/copy", "flop/quick_gpt",
        "time/quick_gpt/fp32/channels_first/eager/batch-1", "time/quick_gpt/fp32/channels_first/eager/batch-4",
    }  # fmt: skip
    (record,) = (tmp_path / "measurements").glob("*.yaml")
    assert "reason: unknown_chip" in record.read_text()
    report = json.loads((tmp_path / "report.json").read_text())
    assert {row["utilization_of_peak"] for row in report["utilization"]} == {None}
    again = subprocess.run([*command, *some], capture_output=True, text=True, env=environment, timeout=300, check=False)
    assert "0 to measure" in again.stdout
    assert json.loads((tmp_path / "results.json").read_text())["results"] == results["results"]


def test_another_machines_results_are_not_continued(tmp_path):
    (tmp_path / "results.json").write_text(json.dumps({"format": 1, "environment": {"device_name": "another"}}))
    command = [sys.executable, "-m", "pipeline.measure.harness", "--quick", "--device", "cpu", "--out", str(tmp_path)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=300, check=False)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert "choose another --out" in done.stderr
