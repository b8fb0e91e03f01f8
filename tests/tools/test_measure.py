"""The record of a run, from invented results with known answers."""

import pytest
import yaml

from pipeline.base.paths import RECORDS
from pipeline.records import loading
from pipeline.tools import measure

MACHINE = {"device": "Tesla P100-SXM2-16GB", "torch": "2.13.0", "date": "2026-11-21"}
TIMED = {"network": "resnet18", "step_seconds": "0.04", "step_iqr_seconds": "0.001", "problem": ""}
ROWS = [
    {**TIMED, "precision": "fp32", "batch": "1", "utilization": "0.1"},
    {**TIMED, "precision": "fp32", "batch": "64", "utilization": "0.4"},
    {**TIMED, "precision": "bf16", "batch": "64", "utilization": ""},
    {**TIMED, "precision": "fp32", "batch": "4096", "utilization": "", "problem": "OutOfMemoryError: no"},
]


def test_the_record_is_valid_and_has_the_largest_batch(tmp_path):
    chip, peaks = measure.chip_of("nvidia-p100-sxm2")
    assert (chip, peaks["fp32"]) == ("nvidia-p100-sxm2", 10.6e12)
    assert measure.chip_of("NVIDIA H100 80GB HBM3")[0] == "nvidia-h100-sxm5"
    assert measure.chip_of("AMD EPYC") == (None, {})
    name, content = measure.record(ROWS, measure.NETWORKS, MACHINE, chip)
    path = tmp_path / "measurements" / f"{name}.yaml"
    path.parent.mkdir()
    path.write_text(yaml.safe_dump(content))
    (found,) = loading.load([path], among=[RECORDS / "hardware"]).measurements.values()
    assert [(row.row, row.throughput.amount) for row in found.rows] == [("resnet18-fp32-batch-64", 1600)]
    assert [(row.row, row.reason.value) for row in found.rejected] == [("resnet18-bf16-batch-64", "unknown_precision")]


@pytest.mark.parametrize(
    ("chip", "share", "reason"), [(None, "0.4", "unknown_chip"), ("nvidia-p100-sxm2", "100", "above_peak")]
)
def test_a_timing_that_cannot_be_used_is_rejected(chip, share, reason):
    _, content = measure.record([ROWS[1] | {"utilization": share}], measure.NETWORKS, MACHINE, chip)
    assert (content["rows"], [row["reason"] for row in content["rejected"]]) == ([], [reason])
