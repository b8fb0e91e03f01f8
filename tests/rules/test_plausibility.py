"""Whether a model's chips could have performed its operations, from its row of reconciliations."""

import math

import pytest

from pipeline.records import params
from pipeline.rules.plausibility import are_far_apart, likeliest_slip, runs_above_peak

ROW = {
    "model_id": "a-model",
    "operation_count_flop": 3.57e20,
    "chip_peak_flop": 1e20,
    "implied_utilization_fraction": 3.57,
    "utilization_ceiling_fraction": 1.0,
    "format_ratio": None,
    "is_hardware_imputed": False,
    "examples_log_sd": math.log(1.2),
    "chip_peak_log_sd": math.log(1.15),
}


def test_operations_beyond_the_peak_are_named_with_their_numbers():
    assert runs_above_peak([ROW]) == {
        "a-model": "the counted 3.57e+20 FLOP are 3.57 times what the chips can do in their time (1e+20 FLOP), but at most 1 is possible;"
        " check parameters, examples, epochs, steps, batch, chips, duration and chip_time"
    }


@pytest.mark.parametrize(
    "more",
    [
        {"implied_utilization_fraction": 1.69},  # 1.2^1.645 = 1.35 and 1.15^1.645 = 1.26: together 1.70
        {"implied_utilization_fraction": 1.05},  # within the uncertainty of the inputs: a dispute, not a mistake
        {"utilization_ceiling_fraction": 1.75, "implied_utilization_fraction": 2.0},  # fast convolutions reach 1.75
        {
            "format_ratio": 8.0,
            "implied_utilization_fraction": 10.0,
        },  # the precision is inferred, and the chip's alternative precision is eight times as fast
        {"is_hardware_imputed": True},
        {"implied_utilization_fraction": None},
    ],
)
def test_what_may_be_is_not_refused(more):
    assert runs_above_peak([{**ROW, **more}]) == {}


# The product of both uncertainties, and of the ceiling; a row at 0.99 of it may be, one at 1.01 may not.
LIMITS = {
    "uncertain inputs": ({}, math.exp(1.6448536 * (math.log(1.2) + math.log(1.15)))),
    "an inferred precision": ({"format_ratio": 8.0}, 8 * math.exp(1.6448536 * math.log(1.2))),
    "fast convolutions": (
        {"utilization_ceiling_fraction": 1.75},
        1.75 * math.exp(1.6448536 * (math.log(1.2) + math.log(1.15))),
    ),
    "exact inputs": ({"examples_log_sd": 0.0, "chip_peak_log_sd": 0.0}, 1.0),
}


@pytest.mark.parametrize("case", LIMITS)
@pytest.mark.parametrize(("share", "is_refused"), [(0.99, False), (1.01, True)])
def test_the_limit_is_where_it_is_said_to_be(case, share, is_refused):
    more, limit = LIMITS[case]
    row = {**ROW, **more, "implied_utilization_fraction": share * limit}
    assert (runs_above_peak([row]) != {}) == is_refused


@pytest.mark.parametrize(("ratio", "is_far"), [(1.98, False), (2.02, True), (1 / 1.98, False), (1 / 2.02, True)])
def test_two_methods_are_far_apart_above_their_ratio(ratio, is_far):
    assert are_far_apart({"operation_count_flop": ratio * 1e20, "gpu_time_flop": 1e20}, 2.0) == is_far


@pytest.mark.parametrize(
    ("implied", "epochs", "message"),
    [
        (
            123.0,
            1,
            "most likely wrong: parameters; with a thousand times fewer parameters (M for B), the run would reach 0.12 of the peak",
        ),
        (
            1.6,
            1,
            "most likely wrong: chips; with 8 times as many chips (nodes were counted), the run would reach 0.2 of the peak",
        ),
        (
            1.9,
            10,
            "most likely wrong: epochs; with one epoch (the stated data are all that was seen), the run would reach 0.19 of the peak",
        ),
        (
            1.36,
            1,
            "most likely wrong: duration; with 7 times the duration (weeks, not days), the run would reach 0.19 of the peak",
        ),
        (1e7, 1, "no single common slip explains it: check parameters, data, epochs, chips and time"),
    ],
)
def test_the_likeliest_slip_brings_the_run_to_what_others_reach(implied, epochs, message):
    reconcile = params.load().reconcile
    assert likeliest_slip({**ROW, "implied_utilization_fraction": implied}, epochs, reconcile) == message


@pytest.mark.parametrize(
    ("implied", "figure"),  # nodes at 0.99 and 1.01 of 0.75, parameters at 1.01 and 0.99 of 0.05
    [(8 * 0.7425, "chips"), (8 * 0.7575, None), (50.5, "parameters"), (49.5, None)],
)
def test_a_slip_is_named_if_its_correction_is_within_what_networks_reach(implied, figure):
    message = likeliest_slip({**ROW, "implied_utilization_fraction": implied}, 1, params.load().reconcile)
    assert message.startswith(f"most likely wrong: {figure};" if figure else "no single common slip")
