"""Rows of phases and of the chips used in them, from records of models."""

import dataclasses
import math

import pytest

from pipeline.rules.ingestion import runs
from schemas.records import Model
from tests.builders import fact, miniature_defaults, parameters, subject


def records_of(*given):
    """Return the miniature's chips and defaults with these models, named `m0` and so on."""
    models = {f"m{place}": Model.model_validate(each) for place, each in enumerate(given)}
    return dataclasses.replace(miniature_defaults(), models=models)


def run(**stated):
    """Return the row of a model with one phase."""
    phase = stated.pop("phase", {})
    (row,) = runs.runs(records_of(subject([], phase, **stated)))
    return row


@pytest.mark.parametrize(
    ("phase", "passes"),
    [
        ({"example_unit": "token", "sequence_length": 512}, 1 / 512),  # the network runs over whole sequences
        ({"example_unit": "word", "sequence_length": 35}, 1 / 35),
        ({"example_unit": "token"}, None),
        ({"example_unit": "sentence_pair", "sequence_length": 25}, 1.0),
        ({"example_unit": "image"}, 1.0),
    ],
)
def test_a_token_is_a_part_of_a_pass(phase, passes):
    assert run(phase=phase)["architecture_passes_per_example"] == passes


@pytest.mark.parametrize(
    ("unit", "model", "allows"),
    [("token", parameters(1e9), True), ("image", parameters(1e9), False), ("token", {"parameters": fact(1e9)}, False)],
)
def test_two_flop_a_parameter_hold_for_a_token_of_a_network_that_uses_each_once(unit, model, allows):
    assert run(phase={"example_unit": unit}, **model)["allows_2n_rule"] is allows


@pytest.mark.parametrize(
    ("kind", "fraction", "basis"),
    [("mfu", 0.5, "reported"), ("judgement", 0.5, "assumed"), ("hfu", None, None)],  # hfu counts recomputed operations
)
def test_a_utilization_of_the_hardware_is_not_the_models(kind, fraction, basis):
    row = run(phase={"utilization": {**fact(0.5), "kind": kind}})
    assert (row["stated_utilization_fraction"], row["stated_utilization_basis"]) == (fraction, basis)


def test_ranges_add_their_variances():
    """Ends a factor of e and of e^2 apart, read as 5 % and 95 % points: 1 and 2 over 2 x 1.645."""
    phase = {"examples": None, "epochs": None}
    model = subject([], phase)
    spans = {
        name: {"low": 1e6, "high": 1e6 * math.exp(width), "source": "paper"}
        for name, width in (("steps", 1), ("batch", 2))
    }
    model["training"][0] |= spans
    (row,) = runs.runs(records_of(model))
    assert row["steps_range_log_sd"] == pytest.approx(math.hypot(1, 2) / (2 * 1.644854), rel=1e-6)
    assert row["steps"] == pytest.approx(1e6 * math.sqrt(math.e))  # the geometric mean of the ends
    assert run()["examples_range_log_sd"] is None


SENTENCES = {
    "source": "paper",
    "family": "transformer_encoder_decoder",
    "encoder_layers": 1,
    "decoder_layers": 1,
    "width": 4,
    "heads": 1,
    "feed_forward_width": 16,
    "is_gated": False,
    "vocabulary": 10,
    "is_tied": True,
    "has_biases": False,
}


def test_a_range_of_lengths_is_as_wide_as_the_network_counted_at_both_ends():
    """By hand, in multiply-adds of s and t positions: the encoder 192 s + 8 s^2; the decoder 224 t of its own layers, 32 s for
    keys and values of the source, 8 s t + 4 t (t + 1) of pairs, 40 t for the words.
    """

    def log_sd(source, target, architecture=SENTENCES):
        model = subject([], {"example_unit": "sentence_pair"}, architecture=architecture)
        model["training"][0] |= {
            "sequence_length": {**source, "source": "paper"},
            "target_length": {**target, "source": "paper"},
        }
        (row,) = runs.runs(records_of(model))
        return row["lengths_log_sd"]

    ranges = log_sd({"low": 10, "high": 20}, {"low": 20, "high": 40})
    assert ranges == pytest.approx(math.log(31_200 / 11_600) / (2 * 1.644854), rel=1e-6)
    assert log_sd({"value": 10}, {"at_most": 20}) is None
    nothing = {"source": "paper", "family": "layers", "input": {"shape": [3, 8, 8]}, "layers": [{"kind": "relu"}]}
    assert log_sd({"low": 10, "high": 20}, {"value": 20}, nothing) is None


def test_active_parameters_come_before_all():
    both = {"parameters": fact(8e9), "active_parameters": fact(1e9)}
    assert run(**both)["active_parameters"] == 1e9
    assert run(parameters=fact(8e9))["active_parameters"] == 8e9


def test_core_hours_are_chip_hours_of_chips_with_so_many_cores():
    """The matrix chip has 2 cores; for the tensor chip, and for an unknown chip, the number is not stated."""
    hardware = [
        {"chip": "matrix-chip", "chip_time": "400 core_hour"},
        {"chip": "tensor-chip", "chip_time": "400 core_hour"},
        {"chip_time": "400 core_hour"},
        {"chip": "Tensor Chip", "chip_time": "400 chip_hour"},
        {"chip": "tensor-chip", "chips": 8, "duration": "1 hour"},
    ]
    rows = runs.allocations(records_of(subject(hardware)))
    assert [row["allocation"] for row in rows] == [0, 1, 2, 3, 4]
    assert [row["hardware_id"] for row in rows] == ["matrix-chip", "tensor-chip", None, "tensor-chip", "tensor-chip"]
    assert [row["stated_chip_seconds"] for row in rows] == [720_000, None, None, 1_440_000, None]
    assert (rows[4]["chips"], rows[4]["duration_seconds"]) == (8, 3600)


@pytest.mark.parametrize(
    ("chips", "duration", "end"),
    [
        ({"at_least": 8}, {"value": "2 day"}, "at_least"),
        ({"at_least": 8}, {"at_least": "2 day"}, "at_least"),
        ({"at_least": 8}, {"at_most": "2 day"}, None),  # more chips for fewer days: their product may be either
    ],
)
def test_a_product_has_the_end_that_its_factors_share(chips, duration, end):
    hardware = [{"chips": {**chips, "source": "paper"}, "duration": {**duration, "source": "paper"}}]
    (row,) = runs.allocations(
        records_of(subject(training=[{"phase": "a", "example_unit": "token", "hardware": hardware}]))
    )
    assert (row["chip_seconds_class"], row["chip_seconds_bound"]) == ("bound", end)


@pytest.mark.parametrize(
    ("examples", "expected"),
    [
        ({"value": 1e12}, ("stated_by_user", None)),
        ({"low": 1e12, "high": 2e12}, ("user_range", 0.2107)),
        ({"at_least": 1e12}, ("bound", None)),
    ],
)
def test_a_users_own_figures_are_exact_but_for_the_width_of_a_range(examples, expected):
    """ln 2 / (2 x 1.645) = 0.2107."""
    phase = {"phase": "one", "example_unit": "token", "examples": examples, "epochs": {"value": 3}}
    record = {key: value for key, value in subject().items() if key != "sources"} | {
        "stated_by_user": True,
        "training": [phase],
    }
    (row,) = runs.runs(records_of(record))
    word, width = expected
    assert row["examples_class"] == word
    assert row["examples_range_log_sd"] == (width if width is None else pytest.approx(width, rel=1e-3))
