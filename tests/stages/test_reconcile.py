"""Both methods side by side: disputes and their first causes, and which figure is the headline."""

import shutil

import pytest

from pipeline import flow
from pipeline.records import loading, params
from schemas.table import ContractError
from tests.builders import MINIATURE, allocation, fact, made_together, parameters, subject

FP16 = {"precision": "fp16"}
DAY = [allocation("tensor-chip")]


GIVEN = []  # records of all cases of this file, estimated in one run


def given(hardware=(), phase=None, **model):
    """One such model; gives its place among the rows that are made."""
    GIVEN.append(subject(hardware, phase, **model))
    return len(GIVEN) - 1


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The rows of each model, by table."""
    return made_together(tmp_path_factory.mktemp("subjects"), GIVEN, ["estimates", "reconciliations"])


def estimate(made, model):
    (row,) = made[model]["estimates"]
    return row


# One chip-day of 1000 chips at 100e12 FLOP/s is 8.64e21; x 0.3 = 2.592e21. 6 x parameters x 1e12 tokens are counted against it.
@pytest.mark.parametrize(
    ("model", "ratio", "cause"),
    [
        (given(DAY, FP16, **parameters(432e6)), 1.0, None),
        (given(DAY, FP16, **parameters(432e6 * 1.9)), 1.9, None),
        # variances 0.24 of the data and forward pass, 0.30 of the time, of which 0.22 utilization: exp(0.79² / 2 / 0.54) x (0.54 / 0.32)^½ = 2.3 < 3
        (given(DAY, FP16, **parameters(432e6 * 2.2)), 2.2, "unexplained"),
        (given(DAY, FP16, **parameters(432e6 * 4)), 4.0, "impossible_utilization"),
        # ten uses of each parameter would explain all of it; data that nobody read, or utilization, a part
        (given(DAY, FP16, **parameters(432e6 * 0.1, "encoder_only")), 0.1, "parameters_shared"),
        (given(DAY, {}, **parameters(432e6 * 0.1)), 0.1, "precision"),
    ],
)
def test_disputes_and_their_causes(made, model, ratio, cause):
    row = estimate(made, model)
    assert row["method_ratio"] == pytest.approx(ratio)
    assert row["is_disputed"] is (cause is not None)
    assert row["dispute_cause"] == cause


UNKNOWN_CHIP = given([{"chips": 1000, "duration": "1 day"}], FP16, **parameters(432e6 * 0.1, "encoder_only"))


def test_an_unknown_chip_is_a_suspect_beside_what_explains_all(made):
    assert estimate(made, UNKNOWN_CHIP)["dispute_causes"].startswith("parameters_shared + ")
    assert "imputed_hardware" in estimate(made, UNKNOWN_CHIP)["dispute_causes"]


def reported(flop, number):
    return given(
        DAY, FP16, **parameters(number), **({"reported_flop": fact(flop, method="operation_count")} if flop else {})
    )


@pytest.mark.parametrize(
    ("model", "headline"),  # whether our count is in it, and why the report is not
    [
        (reported(None, 432e6), (1, None)),
        (reported("2.5e21 FLOP", 432e6), (0, None)),  # beside the data, known within 1.12x, the count within 1.15x
        (reported("9e21 FLOP", 432e6), (1, "far_from_both")),  # two methods that agree overrule a report
        (reported("9e21 FLOP", 432e7), (0, None)),  # two methods that do not agree overrule nothing
    ],
)
def test_two_estimates_are_mixed_and_a_better_founded_report_stands_for_its_method(made, model, headline):
    row, (own,) = estimate(made, model), made[model]["reconciliations"]
    assert row["headline_method"] == "mixture"
    assert (int(own["operation_weight_fraction"] > 0), own["reported_unused_reason"]) == headline
    assert (own["reported_weight_fraction"] > 0) is (own["operation_weight_fraction"] == 0)
    assert row["training_flop_low"] < row["training_flop"] < row["training_flop_high"]


COUNTED, TIMED = given(**parameters(1e9)), given(DAY, FP16)


def test_one_method_alone_is_the_headline(made):
    counted, timed = estimate(made, COUNTED), estimate(made, TIMED)
    assert (counted["headline_method"], counted["training_flop"]) == ("operation_count", pytest.approx(6e21))
    assert (timed["headline_method"], timed["training_flop"]) == ("gpu_time", pytest.approx(2.592e21))


CIRCULAR = given([allocation("tensor-chip", is_from_operations=True)], FP16, **parameters(432e6))


def test_time_worked_out_from_operations_is_never_combined(made):
    assert estimate(made, CIRCULAR)["headline_method"] == "operation_count"


def shared(flop, method):
    """Time worked out from the same 100,000 steps as the operations, beside a report."""
    steps = {**FP16, "examples": None, "epochs": None, "steps": 100_000, "batch": 1e7}
    record = subject([allocation("tensor-chip")], steps, **parameters(432e6), reported_flop=fact(flop, method=method))
    (hours,) = record["training"][0]["hardware"]
    hours["duration"] = {"value": "86400 second", "quote": "time", "derived": "100000 * 0.864"}
    words = {"source": "paper", "text": "it took 86400 seconds", "found_at": "https://example.org"}
    GIVEN.append(record | {"quotes": {"time": words}})
    return len(GIVEN) - 1


@pytest.mark.parametrize("model", [shared("2.7e21 FLOP", method) for method in ("operation_count", "gpu_time")])
def test_an_input_in_common_is_no_wider_than_a_report_that_is_known_better(made, model):
    """A report within 1.12x of the truth, on steps and batches that nobody read: once their variance was taken off the report's."""
    (own,) = made[model]["reconciliations"]
    assert own["independence"] == "shared_input"
    used = min(own["operation_log_sd"], own["reported_log_sd"], own["gpu_time_used_log_sd"])
    assert 0 < own["shared_variance"] <= used**2 * (1 + 1e-9)
    weights = [own[f"{name}_weight_fraction"] for name in ("operation", "gpu_time", "reported")]
    assert sum(weights) == pytest.approx(1)
    assert min(weights) >= 0
    variances = [value for name, value in own.items() if name.startswith("variance_")]
    assert sum(variances) == pytest.approx(own["own_log_sd"] ** 2, rel=1e-9)
    assert own["own_training_flop_high"] >= own["own_training_flop"] * 1.2  # 1.12^1.645: nothing averaged away


CIRCULAR_REPORTED = given(
    [allocation("tensor-chip", is_from_operations=True)],
    {**FP16, "utilization": fact(0.3, kind="mfu")},
    **parameters(432e6),
    reported_flop=fact("2.6e21 FLOP", method="operation_count"),
)


def test_of_circular_estimates_the_one_used_names_the_headline(made):
    row, (own,) = estimate(made, CIRCULAR_REPORTED), made[CIRCULAR_REPORTED]["reconciliations"]
    weights = {name: own[f"{word}_weight_fraction"] for name, word in (("operation_count", "operation"), ("gpu_time", "gpu_time"), ("reported", "reported"))}  # fmt: skip
    assert weights == dict.fromkeys(weights, 0) | {row["headline_method"]: 1}


APART, TOGETHER = given(DAY, FP16, **parameters(432e6 * 10)), given(DAY, FP16, **parameters(432e6))


def test_methods_that_disagree_widen_the_interval(made):
    def width(model):
        row = estimate(made, model)
        return row["training_flop_high"] / row["training_flop_low"]

    assert width(APART) > width(TOGETHER)


def test_a_default_that_no_record_states_is_named(tmp_path):
    for name in ("hardware", "defaults"):
        shutil.copytree(MINIATURE / "data/records" / name, tmp_path / name)
    spreads = tmp_path / "defaults/uncertainty.yaml"
    spreads.write_text(
        "\n".join(line for line in spreads.read_text().splitlines() if "applies_to: examples_exact" not in line)
    )
    found = loading.load([tmp_path])
    with pytest.raises(
        ContractError,
        match="data/records/defaults: states no uncertainty_spread for 'examples_exact'; it states analysis, bound, chip_seconds_exact, ",
    ):
        flow.run_all(found, params.load(), until="reconcile")
