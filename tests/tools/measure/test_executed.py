"""Executed FLOP from counter files: the sum by hand, a kernel without a counter, and the published ratios."""

import csv

import pandas as pd
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
    assert (found["network"], found["case"], found["pass_kind"], found["kernels"]) == (
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


@pytest.fixture(scope="module")
def shown():
    texts = {}
    for name in ("counters", "timings"):
        with (PUBLISHED / f"report/{name}.csv").open(newline="") as file:
            texts[name] = list(csv.DictReader(file))
    passes = pd.read_csv(PUBLISHED / "executed_flop.csv")
    return page(executed_flop=passes.astype(object).where(passes.notna(), None).to_dict("records"), **texts)


def test_counters_see_a_matrix_product_whole_and_a_convolution_with_its_padding(shown):
    rows = {(row["network"], row["case"]): row["executed_flop"] / row["counted_flop"] for row in shown["beside_counts"]}
    assert [ratio for (network, _), ratio in rows.items() if network == "product"] == pytest.approx([1, 1], abs=1e-3)
    layers = [ratio for (network, case), ratio in rows.items() if network == "ResNet-50" and "x" in case]
    assert len(layers) == 15
    assert (min(layers), max(layers)) == pytest.approx((1.0, 1.31), abs=0.005)


def test_timings_are_set_by_network_and_precision(shown):
    (row,) = (row for row in shown["timed"] if (row["network"], row["precision"]) == ("vgg19", "bf16"))
    # 3 x 39.2 GFLOP (19.6 G multiply-adds at 224 pixels, fewer classes) x 128 / 0.068 s / 989.4e12
    assert row["utilizations"][128] == pytest.approx(3 * 39.2e9 * 128 / 0.068 / 989.4e12, rel=0.01)


def test_the_page_has_ratios_of_the_published_counters(shown):
    # Somebody else's sums of the same files: 2.09 to 2.10 (climate), 1.96 (DeepCAM in FP32) and 2.22 (on tensor cores).
    assert {round(ratio, 2) for ratio in shown["ratios"].values()} == {1.96, 2.09, 2.10, 2.22}
    assert (min(shown["optimizer"]), max(shown["optimizer"])) == pytest.approx((0.0003, 0.0006), abs=5e-5)
    assert [round(100 * (row["ratio"] - 1)) for row in shown["tensor"]] == [16, 31, 7, 7]
    assert [row["factor"] for row in shown["undercounts"]] == ["0.0975", "0.223", "0.0327", "0.428", "0.412"]
    not_run = {"autograd.profiler", "pthflops (jit)", "dlprof", "pyprof", "TensorFlow profiler"}
    assert {row["name"] for row in shown["tools"] if not row["is_run"]} == not_run
