"""A whole run on a CPU, if torch is installed (`make measure-test`)."""

import json

from pipeline.records import loading
from pipeline.tools.measure.__main__ import main


def test_a_quick_run_writes_a_valid_record_and_continues(tmp_path):
    words = f"--quick --only quick_convolutions --precision fp32 --device cpu --out {tmp_path}".split()
    assert main(words) == 0
    (file,) = (tmp_path / "measurements").iterdir()
    assert loading.load([file]).measurements[file.stem].rejected[0].reason.value == "unknown_chip"
    lines = (tmp_path / "results.jsonl").read_text()
    rows = [json.loads(line) for line in lines.splitlines()]
    assert {row["part"] for row in rows} == {"ceiling", "count", "time", "product"}
    assert all(row["step_seconds"] > 0 for row in rows if row["part"] != "count")
    assert main(words) == 0
    assert (tmp_path / "results.jsonl").read_text() == lines
