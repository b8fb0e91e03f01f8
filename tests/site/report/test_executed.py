"""The page of executed FLOP: ratios of the published counters, beside counts and timings."""

import csv

import pandas as pd
import pytest

from pipeline.base.paths import PUBLISHED
from pipeline.site.report.executed import page


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
    (row,) = (
        row for row in shown["timed"] if (row["network"], row["precision"], row["mode"]) == ("vgg19", "bf16", "eager")
    )
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
