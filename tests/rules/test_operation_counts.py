"""Sums of operations over layers."""

import json

from pipeline.rules.operation_counts import by_network


def layer(kind, shape, times=1, has_trainable_below=True, is_frozen=False, network="net", **arguments):
    return {
        "architecture_id": network, "layer_kind": kind, "input_shape": json.dumps(shape), "arguments": json.dumps(arguments),
        "times": times, "has_trainable_below": has_trainable_below, "is_frozen": is_frozen,
    }  # fmt: skip


def test_a_network_is_the_sum_of_its_layers_and_of_its_kinds():
    """conv 2 x 8 x 8 x 9 x 3 x 4 = 13,824; linear 2 x 256 x 10 = 5,120; no gradient of the raw image."""
    layers = [
        layer("conv2d", [3, 8, 8], has_trainable_below=False, out_channels=4, kernel=3, padding=1),
        layer("linear", [256], out_features=10),
    ]
    (network,), kinds = by_network(layers)
    assert (network["architecture_id"], network["forward_flop"], network["backward_flop"]) == ("net", 13_824 + 5_120, 13_824 + 2 * 5_120)  # fmt: skip
    assert [(row["layer_kind"], row["layers"], row["kind_forward_flop"]) for row in kinds] == [("conv2d", 1, 13_824), ("linear", 1, 5_120)]  # fmt: skip


def test_a_layer_counts_as_often_as_the_network_has_it():
    (network,), (kind,) = by_network([layer("linear", [10], times=12, out_features=10)])
    assert (network["forward_flop"], network["backward_flop"]) == (12 * 200, 12 * 400)
    assert (kind["layers"], kind["kind_forward_flop"]) == (12, 2400)


def test_a_frozen_layer_has_no_gradient_of_its_weights():
    (network,), _ = by_network([layer("linear", [10], is_frozen=True, out_features=10)])
    assert (network["forward_flop"], network["backward_flop"]) == (200, 200)


def test_networks_are_apart():
    networks, kinds = by_network([layer("linear", [10], network=name, out_features=10) for name in "ab"])
    assert [row["architecture_id"] for row in networks] == [row["architecture_id"] for row in kinds] == ["a", "b"]
