"""Impossible measured rows: faster than the chip, against the utilization that their source states, not timed.

The network is one matrix of 1000 x 1000 on raw input: per image 2e6 FLOP forward and, without a gradient of its input,
2e6 backward. A GTX 580 performs 1.581e12 FLOP per second, so at most 395,250 images.
"""

import pytest

from tests.builders import typed
from tests.records.conftest import World

RATES, ROW = "measurements/rates.yaml", "rows[0]"
MATRIX = "{source: table, family: layers, input: {shape: [1000]}, layers: [{kind: linear, out_features: 1000, has_bias: false}]}"
THROUGHPUT = "throughput: {value: 50 image_per_second, source: table}"
SEVEN_TENTHS = 276_675  # images per second
CHECK = "check throughput, chips, precision and architecture"


@pytest.fixture
def rated(world: World) -> World:
    world.change(RATES, "{source: table, family: vgg, depth: 11, image_size: 32, classes: 10}", MATRIX)
    world.change(RATES, "network: dense_convolution", "network: recurrent")
    return world


def at(world: World, rate: float, more: str = "") -> list[tuple[str, int, str, str]]:
    world.change(
        RATES, THROUGHPUT, f"throughput: {{value: {rate} image_per_second, source: table}}\n    batch: 64{more}"
    )
    return world.mistakes()


def test_a_row_above_the_peak_is_refused_with_the_chips_faster_format(rated: World) -> None:
    rated.change(
        "hardware/nvidia-gtx-580.yaml", "peaks:", "peaks:\n  fp16: {value: 3.162 teraflop_per_second, source: page}"
    )
    complaint = (
        "400000 image_per_second on 1 x GTX 580 is 1.01 of the fp32 peak, but at most 1 is possible; check it, chips, precision (such as"
        " fp16, 0.51) and architecture, or move the row to rejected: above_peak"
    )
    assert at(rated, 400_000) == [(RATES, 15, f"{ROW}.throughput", complaint)]


def test_a_step_time_is_rated_too(rated: World) -> None:
    rated.change(RATES, THROUGHPUT, "batch: 4000\n    step_time: {value: 0.01 second, source: table}")
    ((_, line, field, complaint),) = rated.mistakes()
    assert (line, field) == (16, f"{ROW}.step_time")
    assert complaint.startswith(
        "0.01 second on 1 x GTX 580 is 1.01 of the fp32 peak, but at most 1 is possible; check it, chips, precision and"
    )


@pytest.mark.parametrize(("rate", "is_refused"), [(690_000, False), (700_000, True)])  # 1.746 and 1.771 of the peak
def test_fast_convolutions_on_ordinary_cores_may_be_above_it(rated: World, rate: float, is_refused: bool) -> None:
    rated.change(RATES, "network: recurrent", "network: dense_convolution")
    assert [mistake[2] for mistake in at(rated, rate)] == ([f"{ROW}.throughput"] if is_refused else [])


@pytest.mark.parametrize(
    ("old", "new"), [("network: recurrent", "network: depthwise_convolution"), ("precision: fp32", "precision: fp16")]
)
def test_no_others_may(rated: World, old: str, new: str) -> None:
    rated.change(
        "hardware/nvidia-gtx-580.yaml", "peaks:", "peaks:\n  fp16: {value: 1.581 teraflop_per_second, source: page}"
    )
    rated.change(RATES, old, new)
    assert [mistake[2] for mistake in at(rated, 690_000)] == [f"{ROW}.throughput"]


SHARES = [
    ("reported_mfu: {value: 0.7, source: table}", []),
    ("reported_mfu: {value: 0.7, source: table}\n    reported_hfu: {value: 0.93, source: table}\n    is_recomputed: true", []),
    ("is_recomputed: true\n    reported_mfu: {value: 0.93, source: table}", [("reported_mfu", f"0.93 is not the 0.7 that the row's speed gives; if it counts recomputed activations, write reported_hfu; otherwise {CHECK}")]),
    ("reported_mfu: {value: 0.2, source: table}", [("reported_mfu", f"0.2 is not the 0.7 that the row's speed gives; {CHECK}")]),
    ("reported_mfu: {value: 0.7, source: table}\n    reported_hfu: {value: 0.93, source: table}", [("reported_hfu", "0.93 counts recomputed activations; add is_recomputed: true")]),
    ("reported_mfu: {value: 0.93, source: table}\n    reported_hfu: {value: 0.7, source: table}", [("reported_hfu", "is below reported_mfu; swap them")]),
    ("reported_mfu: {value: 0.7, quote: share}\nquotes: {share: {source: table, text: a hardware FLOPs utilization of 0.7, found_at: page 1}}", [("reported_mfu", "is MFU, but quote 'share' mentions HFU")]),
]  # fmt: skip


@pytest.mark.parametrize(("stated", "complaints"), SHARES)
def test_a_stated_share_of_the_peak_is_what_it_says(
    rated: World, stated: str, complaints: list[tuple[str, str]]
) -> None:
    mistakes = at(rated, SEVEN_TENTHS, f"\n    {stated}")
    assert [(field, message) for _, _, field, message in mistakes] == [
        (f"{ROW}.{field}", message) for field, message in complaints
    ]


def test_a_stated_utilization_that_counts_recomputation_is_no_mfu(world: World) -> None:
    quote = 'quotes: {share: {source: table, text: "HFU of 0.5", found_at: page 1}}\n'
    stated = "reported_utilization:\n  - {row: one, about: a run, kind: mfu, value: 0.5, quote: share}\n"
    world.change(RATES, "rows:\n", f"{quote}{stated}rows:\n")
    assert world.mistakes() == [(RATES, 9, "reported_utilization[0]", "is MFU, but quote 'share' mentions HFU")]


def test_a_step_without_batch_is_refused_and_a_throughput_without_is_remarked(world: World) -> None:
    path = world.folder / RATES
    done = typed("validate", path)
    complaint = f"remark: {path}:8 rows[0]: has a throughput without a batch (1 of 1 rows lack it), so the work of one step is unknown\n"
    assert (done.returncode, done.stderr) == (0, complaint)
    world.change(RATES, THROUGHPUT, "step_time: {value: 0.2 second, source: table}")
    assert world.mistakes() == [(RATES, 8, ROW, "a step_time is meaningless without the batch")]


@pytest.mark.parametrize(("mfu", "is_right"), [(0.7 * 1.2 * 0.99, True), (0.7 * 1.2 * 1.01, False)])
def test_a_stated_mfu_is_within_a_fifth_of_the_speeds(rated: World, mfu: float, is_right: bool) -> None:
    mistakes = at(rated, SEVEN_TENTHS, f"\n    reported_mfu: {{value: {mfu:.6g}, source: table}}")
    assert (mistakes == []) == is_right


@pytest.mark.parametrize(("rate", "is_refused"), [(0.99, False), (1.01, True)])
def test_a_row_is_refused_above_the_peak(rated: World, rate: float, is_refused: bool) -> None:
    assert (at(rated, rate * 395_250) != []) == is_refused
