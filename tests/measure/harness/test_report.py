"""Tables of the results: ratios, utilizations and counters, from made-up results with known answers."""

import pytest

from pipeline.measure.harness import report
from tests.measure.harness.builders import RESULTS, timing


def ways(peaks):
    rows = report.utilizations(RESULTS, peaks)
    return {row["way"]: row for row in rows if (row["batch"], row["precision"]) == (64, "fp32")}


def test_utilization_in_four_ways():
    found = ways({"fp32": 1e13})
    done = {
        "one": 2.5e9 / 0.01,
        "batch": 64 * 2.5e9 / 0.04,
        "epoch": 640 * 2.5e9 / 0.8,
        "theory": 640 * 3e9 / 0.8,  # 3 x forward, whatever the layers say
    }
    assert {way: row["flop_per_second"] for way, row in found.items()} == pytest.approx(done)
    assert found["batch"]["utilization_of_peak"] == pytest.approx(0.4)
    assert found["batch"]["utilization_of_ceiling"] == pytest.approx(0.5)


def test_an_unknown_chip_has_no_utilization_of_a_peak():
    assert {row["utilization_of_peak"] for row in ways({}).values()} == {None}
    assert None not in {row["utilization_of_ceiling"] for row in ways({}).values()}


def test_a_precision_without_ceiling_has_no_share_of_it():
    rows = [row for row in report.utilizations(RESULTS, {}) if row["precision"] == "bf16"]
    assert {row["utilization_of_ceiling"] for row in rows} == {None}


def test_backward_ratios_in_flop_and_in_time():
    rows = report.backward_ratios(RESULTS)
    assert {row["flop_ratio"] for row in rows} == {1.5}
    by_level = {row["level"]: row["time_ratio"] for row in rows}
    assert by_level == pytest.approx({"one": 2.0, "batch": 2.0, "epoch": 3.0})


def test_ratios_by_kind_weigh_layers_by_how_often_they_occur():
    def layer(times, forward, backward):
        seconds = {"forward": timing(forward), "backward": timing(backward) if backward else None}
        return {"kind": "conv2d", "times": times, "forward_flop": 10, "backward_flop": 20, **seconds}

    results = {
        "layers/a/batch-1": {"batch": 1, "layers": [layer(1, 1.0, 1.0), layer(3, 1.0, 3.0), layer(9, 1.0, None)]}
    }
    (one, everything) = report.ratios_by_kind(results)
    assert (one["network"], everything["network"]) == ("a", "all")
    assert one["time_ratio"] == everything["time_ratio"] == 10 / 4  # 1 x 1 + 3 x 3 over 1 x 1 + 3 x 1
    assert one["flop_ratio"] == 2


def test_batches_are_compared_by_the_example():
    rows = {(row["precision"], row["batch"]): row for row in report.batch_sizes(RESULTS)}
    assert rows["fp32", 64]["seconds_per_example"] == pytest.approx(0.04 / 64)
    assert rows["fp32", 64]["speed_up_over_one"] == pytest.approx(16)
    assert rows["bf16", 64]["speed_up_over_one"] is None


def test_over_counting_and_its_correction():
    rows = {(row["state"], row["pass"]): row for row in report.counting(RESULTS)}
    assert (rows["raw", "backward"]["factor"], rows["raw", "backward"]["verdict"]) == (10, "over")
    assert rows["cleaned", "backward"]["verdict"] == rows["raw", "forward"]["verdict"] == "right"


def test_hardware_counters_are_set_against_the_batch():
    counted = {"batch": 4, "forward": {"raw": 8e9, "cleaned": 4e9}, "backward": {"raw": 6e9, "cleaned": 3e9}}
    rows = report.counting({**RESULTS, "hardware/resnet18/tf32/batch-4": counted})
    found = {(row["state"], row["pass"]): row["factor"] for row in rows if row["counter"] == "ncu tf32"}
    assert found == {
        ("raw", "forward"): 2,
        ("cleaned", "forward"): 1,
        ("raw", "backward"): 1,
        ("cleaned", "backward"): 0.5,
    }


def test_clocks_side_by_side():
    row = report.clocks(RESULTS)[0]
    assert row["wall_over_events"] == pytest.approx(1.1)
    assert row["second_clock_over_first"] == pytest.approx(1)
    assert row["profiler_over_plain"] == pytest.approx(2)


def test_every_table_can_be_empty():
    assert not any(report.tables({}, {}).values())
    assert report.headline({}, {}) == []
