"""Executed FLOP from counter files: the sum by hand, a kernel without a counter, and the published ratios."""

import csv

import pytest

from pipeline.base.paths import PUBLISHED
from pipeline.site.report.executed import page
from pipeline.tools.measure.executed import INSTRUCTIONS, TENSOR, CounterFileError, executed, main

PATH = "mlperf-deepcam/CSVs/fp32-O1-Adam-fw.csv"
HEAD = ",".join(("Kernel Name", *INSTRUCTIONS, TENSOR, "Time"))


def test_instructions_are_weighed_and_tensor_instructions_are_512():
    text = f"{HEAD}\ngemm,1,2,3,4,5,6,10,0.25\nrelu,0,0,0,100,0,0,0,0.5"
    flop = (1 + 2 + 2 * 3) + (4 + 5 + 2 * 6) + 512 * 10 + 100
    found = executed(PATH, text)
    assert (found["network"], found["case"], found["pass"], found["kernels"]) == (
        "DeepCAM",
        "fp32-O1-Adam",
        "forward",
        2,
    )
    assert float(found["executed_flop"]) == flop
    assert float(found["tensor_core_fraction"]) == pytest.approx(5120 / flop, abs=1e-4)
    assert float(found["seconds"]) == 0.75


@pytest.mark.parametrize(
    ("path", "text", "reason"),
    [
        (PATH, f"{HEAD}\ngemm,1,2,3,4,5,6,,0.25", f"{PATH}: kernel 'gemm' has no {TENSOR}"),
        (PATH, HEAD, f"{PATH} is no file of counters by kernel"),
        ("mlperf-deepcam/CSVs/notes.csv", f"{HEAD}\ngemm,1,2,3,4,5,6,7,0.25", "notes.csv is no file of counters by kernel"),
    ],
)  # fmt: skip
def test_a_file_that_lacks_a_kernel_s_counter_is_refused(path, text, reason):
    with pytest.raises(CounterFileError, match=reason):
        executed(path, text)


def test_a_folder_that_is_no_clone_is_one_line(tmp_path, capsys):
    assert main([str(tmp_path / "gone")]) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_the_page_has_ratios_of_the_published_counters():
    tables = {}
    for name in ("counters", "executed_flop"):
        with (PUBLISHED / f"report/{name}.csv").open(newline="") as file:
            tables[name] = list(csv.DictReader(file))
    shown = page(**tables)
    # A stranger's sums of the same files: 2.09 to 2.10 (climate), 1.96 (DeepCAM in FP32) and 2.22 (on tensor cores).
    assert {round(ratio, 2) for ratio in shown["ratios"].values()} == {1.96, 2.09, 2.10, 2.22}
    assert (min(shown["optimizer"]), max(shown["optimizer"])) == pytest.approx((0.0003, 0.0006), abs=5e-5)
    assert [round(100 * (row["ratio"] - 1)) for row in shown["tensor"]] == [7, 7, 16, 31]
    assert [row["factor"] for row in shown["undercounts"]] == ["0.0975", "0.223", "0.0327", "0.428", "0.412"]
    assert {row["name"] for row in shown["tools"] if not row["is_run"]} == {"dlprof", "pyprof", "TensorFlow profiler"}
