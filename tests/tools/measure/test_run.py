"""Tables and record of a run, from invented results with known answers."""

import pandas as pd
import pytest
import yaml

from pipeline.base.paths import PUBLISHED, RECORDS
from pipeline.records import loading
from pipeline.tools.measure import counters, record, report
from pipeline.tools.measure.networks import networks

KNOWN = {network.name: network for network in networks()}
MACHINE = {"device": "Tesla P100-SXM2-16GB", "torch": "2.13.0", "date": "2026-11-21"}
CASE = {"part": "time", "network": "resnet18", "layout": "channels_first", "mode": "eager", "step_iqr_seconds": 0.001}
PASSES = {"forward_seconds": 0.01, "backward_seconds": 0.02, "epoch_examples": 640, "epoch_seconds": 0.8}
RESULTS = [
    {"part": "ceiling", "precision": "fp32", "flop_per_second": 8e12},
    {"part": "count", "network": "resnet18", "counter": "ours", "pass": "forward", "flop": 1e9},
    {"part": "count", "network": "resnet18", "counter": "ours", "pass": "backward", "flop": 1.5e9},
    {"part": "count", "network": "resnet18", "counter": "full", "pass": "forward", "flop": 1e9},
    {"part": "count", "network": "resnet18", "counter": "full", "pass": "backward", "flop": 1.5e9},
    {"part": "count", "network": "resnet18", "counter": "torch_profiler", "pass": "backward", "flop": 3e9},
    {"part": "count", "counter": "nsight", "precision": "fp32", "problem": "NoCounterError: no ncu"},
    {**CASE, **PASSES, "precision": "fp32", "batch": 1, "step_seconds": 0.01},
    {**CASE, **PASSES, "precision": "fp32", "batch": 64, "step_seconds": 0.04},
    {**CASE, **PASSES, "precision": "bf16", "batch": 64, "step_seconds": 0.02},
    {**CASE, "precision": "fp32", "batch": 4096, "problem": "OutOfMemoryError: no"},
]  # fmt: skip


@pytest.fixture
def table():
    return report.timings(pd.DataFrame(RESULTS), {"fp32": 10e12})


def test_utilization_four_ways(table):
    row = table[(table.batch == 64) & (table.precision == "fp32")].iloc[0]
    assert row.flop_per_second_theory == pytest.approx(3 * 1e9 * 640 / 0.8)
    assert row.flop_per_second_one == pytest.approx(2.5e9 / 0.01)
    assert row.flop_per_second_batch == pytest.approx(2.5e9 * 64 / 0.04)
    assert row.flop_per_second_epoch == pytest.approx(2.5e9 * 640 / 0.8)
    assert (row.utilization_batch, row.ceiling_fraction_batch) == (pytest.approx(0.4), pytest.approx(0.5))
    assert (row.backward_to_forward_flop, row.backward_to_forward_seconds) == (pytest.approx(1.5), pytest.approx(2.0))
    assert row.speed_up_over_one == pytest.approx(16.0)
    assert len(table) == 3  # a failed measurement is not a timing


def test_a_precision_without_a_peak_has_no_utilization(table):
    assert table[table.precision == "bf16"].utilization_batch.isna().all()


def test_counters_are_set_against_ours():
    assert report.counters(pd.DataFrame(RESULTS)).factor.tolist() == [2.0]


def test_equal_flop_has_the_bytes_and_ratios_of_the_published_run():
    with (PUBLISHED / "report/equal_flop.csv").open(newline="") as file:
        published = pd.read_csv(file).rename(columns={"seconds": "step_seconds"})
    made = report.equal_flop(published.drop(columns=["bytes_per_second", "time_ratio"]).assign(part="product"))
    assert made.bytes_per_second.tolist() == pytest.approx(published.bytes_per_second.tolist(), rel=1e-3)
    # The published ratios are medians of ratios per repetition; these are ratios of medians.
    assert (made.time_ratio / published.time_ratio).median() == pytest.approx(1, abs=0.02)
    first = made[made.way.isin(["matrix_vector", "vectors_together"]) & (made.library == "torch")]
    assert first.time_ratio.tolist() == [1.0] * len(first)


def test_the_record_is_valid(table, tmp_path):
    chip, peaks = record.chip_of("nvidia-p100-sxm2")
    assert (chip, peaks["fp32"]) == ("nvidia-p100-sxm2", 10.6e12)
    # Device names as in torch.
    assert record.chip_of("NVIDIA H100 80GB HBM3")[0] == "nvidia-h100-sxm5"
    assert record.chip_of("AMD EPYC") == (None, {})
    name, text = record.record(table, KNOWN, MACHINE, chip, peaks)
    path = tmp_path / "measurements" / f"{name}.yaml"
    path.parent.mkdir()
    path.write_text(text)
    (found,) = loading.load([path], among=[RECORDS / "hardware"]).measurements.values()
    rows = {row.row: row for row in found.rows}
    assert rows["resnet18-fp32-channels-first-eager-batch-64"].throughput.amount == pytest.approx(1600)
    assert [(row.row, row.reason.value) for row in found.rejected] == [
        ("resnet18-bf16-channels-first-eager-batch-64", "unknown_precision")
    ]


@pytest.mark.parametrize(
    ("chip", "step_seconds", "reason"), [(None, 0.04, "unknown_chip"), ("nvidia-p100-sxm2", 1e-5, "above_peak")]
)
def test_a_timing_that_cannot_be_used_is_rejected(table, chip, step_seconds, reason):
    table = table[(table.batch == 64) & (table.precision == "fp32")].assign(step_seconds=step_seconds)
    content = yaml.safe_load(record.record(table, KNOWN, MACHINE, chip, {"fp32": 10.6e12})[1])
    assert (content["rows"], [row["reason"] for row in content["rejected"]]) == ([], [reason])


# Cut from Nsight Compute's page of an H100 (2025.3.1): the ranges are those that `run_passes` sets.
PAGE = """==PROF== Connected
"ID","thread Domain:Push/Pop_Range:PL_Type:PL_Value","Kernel Name","sm__ops_path_tensor_src_bf16_dst_fp32.sum",\
"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum","smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"
"","","","","inst","inst"
"0","2551  ""<default domain>:product forward:none"" ","nvjet_sm90_tst","137,438,953,472","0","0"
"1","2551  ""<default domain>:resnet50 forward:none"" ","cutlass","4,096","0","8"
"2","2551  ""<default domain>:resnet50 forward:none"" ","batch_norm","0","1,000","1,500"
"3","2551  ""<default domain>:resnet50 backward:none"" ","cutlass","8,192","0","0"
"""


def test_nsight_page_is_summed_by_network_and_pass():
    assert counters.executed(PAGE) == {
        ("product", "forward"): {"kernels": 1, "flop": 2 * counters.PRODUCT_SIZE**3, "tensor_core_fraction": 1.0},
        ("resnet50", "forward"): {
            "kernels": 2, "flop": 4096 + 1000 + 2 * 1508, "tensor_core_fraction": pytest.approx(4096 / 8112)
        },
        ("resnet50", "backward"): {"kernels": 1, "flop": 8192.0, "tensor_core_fraction": 1.0},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("page", "reason"),
    [
        ("==ERROR== ERR_NVGPUCTRPERM", "ERR_NVGPUCTRPERM"),
        (PAGE[:16], "no kernel"),
        (PAGE.replace(":none", "ed"), "no range"),
    ],
)
def test_a_page_without_the_passes_is_refused(page, reason):
    with pytest.raises(counters.NoCounterError, match=reason):
        counters.executed(page)
