"""A whole run on a CPU, where torch and torchvision are installed (`make torch-test`)."""

import csv

import pytest

from pipeline.records import loading
from pipeline.tools.measure import NETWORKS, QUICK, main, module


def test_a_quick_run_writes_a_valid_record_and_continues(tmp_path):
    words = f"--quick --only lstm_large --precision fp32 --device cpu --out {tmp_path}".split()
    assert main(words) == 0
    (file,) = (tmp_path / "measurements").iterdir()
    assert loading.load([file]).measurements[file.stem].rejected[0].reason.value == "unknown_chip"
    timings = (tmp_path / "timings.csv").read_text()
    assert main(words) == 0
    assert (tmp_path / "timings.csv").read_text() == timings


@pytest.mark.parametrize("known", [QUICK, NETWORKS])
def test_torchs_networks_have_our_parameters(known):
    for name, network in known.items():
        parameters = sum(weights.numel() for weights in module(name, network.settings).parameters())
        assert parameters == network.totals().parameters, name


def test_products_of_equal_flop_are_timed(tmp_path):
    """2 x 100^2 - 100 = 19,900 operations in each of three ways; the first is the unit of time."""
    assert main(f"--equal-flop 100 --quick --device cpu --out {tmp_path}".split()) == 0
    rows = list(csv.DictReader((tmp_path / "equal_flop.csv").open()))
    assert [row["way"] for row in rows] == ["matrix_vector", "outer_column_sum", "outer_row_sum"]
    assert {row["flop"] for row in rows} == {"19900"}
    assert rows[0]["time_ratio"] == "1.0"
    assert all(float(row["time_ratio_low_quartile"]) <= float(row["time_ratio"]) for row in rows)
