"""The family of an architecture, by the kind of most operations, and its layers as rows."""

import json

import pytest

from pipeline.rules.ingestion import architectures
from schemas.records import Measurement, Model, Records
from tests.builders import parameters, subject

CONVOLUTION = {"kind": "conv2d", "out_channels": 16, "kernel": 3, "padding": 1}
DEPTHWISE = {"kind": "conv2d", "out_channels": 8, "kernel": 3, "padding": 1, "groups": 8}
HEAD = [{"kind": "flatten"}, {"kind": "linear", "out_features": 10}]
ATTENTION = {"kind": "self_attention", "heads": 2, "head_width": 16}


def written(shape, *layers):
    return {"family": "layers", "source": "paper", "input": {"shape": shape}, "layers": list(layers)}


def network_of(unit, **model):
    model = Model.model_validate(subject([], {"example_unit": unit}, **model))
    return architectures.network_of(model, model.training[0])


@pytest.mark.parametrize(
    ("unit", "architecture", "network"),
    [
        ("image", written([8, 16, 16], CONVOLUTION, *HEAD), "dense_convolution"),
        ("image", written([8, 16, 16], {**CONVOLUTION, "out_channels": 1}, {"kind": "flatten"}, {"kind": "linear", "out_features": 1000}), None),
        ("image", written([8, 16, 16], DEPTHWISE, CONVOLUTION, *HEAD), "depthwise_convolution"),
        ("image", written([8, 16, 16], {**CONVOLUTION, "groups": 2}, *HEAD), "dense_convolution"),  # two groups
        ("token", written([20, 32], ATTENTION), "language_transformer"),
        ("image", written([20, 32], ATTENTION), "other_transformer"),
        ("token", written([20, 32], {"kind": "lstm", "width": 32}), "recurrent"),
        ("token", written([20, 32], {"kind": "lstm", "width": 32}, ATTENTION), "recurrent"),  # attention between recurrent layers
        ("image", written([100], {"kind": "linear", "out_features": 10}), None),
    ],
)  # fmt: skip
def test_a_family_is_where_most_operations_are(unit, architecture, network):
    assert network_of(unit, architecture=architecture) == network


@pytest.mark.parametrize(
    ("unit", "model", "network"),
    [
        ("token", parameters(1e9), "language_transformer"),
        ("protein_sequence", parameters(1e9), "other_transformer"),
        ("token", {**parameters(1e9), "network": "recurrent"}, "recurrent"),
        ("token", {}, None),
    ],
)
def test_without_an_architecture_the_family_is_what_the_record_names(unit, model, network):
    assert network_of(unit, **model) == network


def test_a_network_has_its_layers_once_for_each_length_that_it_was_timed_at():
    row = {"architecture": "net", "network": "recurrent", "chip": "c", "chips": 1, "precision": "fp16", "batch": 1, "timed": "step",
           "step_time": {"value": "1 second", "source": "page"}}  # fmt: skip
    measurement = Measurement.model_validate(
        {
            "name": "Bench", "licence": "MIT", "run": "script", "sources": {"page": {"title": "Page"}},
            "architectures": {"net": {**written([20, 32], {"kind": "lstm", "width": 32}), "source": "page"}},
            "rows": [{**row, "row": name, "sequence_length": length} for name, length in (("a", 20), ("b", 20), ("c", 40))],
        }
    )  # fmt: skip
    frozen = subject([], {"example_unit": "image"}, architecture=written([100], {"kind": "linear", "out_features": 10}))
    frozen["training"][0]["has_frozen_weights"] = True
    records = Records(models={"m": Model.model_validate(frozen)}, measurements={"bench": measurement})
    rows = architectures.layers(records)
    assert [row["architecture_id"] for row in rows] == ["m/pretraining", "bench/net/20", "bench/net/40"]
    linear, lstm, _ = rows
    assert (linear["layer_kind"], linear["is_frozen"], lstm["is_frozen"]) == ("linear", True, False)
    assert json.loads(linear["input_shape"]) == [100]
    assert json.loads(linear["arguments"]) == {"out_features": 10}
