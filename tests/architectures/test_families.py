"""Families: published sizes, consistent shapes, and mistakes that name their layers."""

import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.architectures import counted, network, placed_layers
from pipeline.architectures.network import (
    FAMILIES,
    ArchitectureError,
    Concatenation,
    Input,
    Layer,
    Lengths,
    Repeat,
    Side,
    Sum,
    place,
)
from pipeline.architectures.node_networks import FAMILIES as WRITTEN
from pipeline.formulas.totals import total
from pipeline.tools.measure import GPT_2

IMAGE = {"image_size": 224, "classes": 1000}
DECODER = {
    "family": "transformer_decoder",
    "layers": 2,
    "width": 64,
    "heads": 4,
    "vocabulary": 100,
    "feed_forward_width": 256,
}


def spelt(*layers):
    """Return a network written out layer by layer, on 3 x 8 x 8."""
    return {"family": "layers", "input": {"shape": [3, 8, 8]}, "layers": list(layers)}


def parameters(settings, **lengths):
    return counted(settings, Lengths(**lengths)).parameters


def times_of(kind, settings, **lengths):
    """Return how often a kind of layer occurs in an architecture."""
    return sum(layer.times for layer in placed_layers(settings, Lengths(**lengths)) if layer.kind == kind)


def test_gpt_2_parameters():
    # The released weights have 124,439,808 numbers.
    assert parameters(GPT_2, sequence_length=1024) == 124_439_808


def test_no_input_gradient_on_raw_data_and_everywhere_above():
    placed = placed_layers({"family": "resnet", "depth": 18, **IMAGE}, Lengths())
    assert [layer.has_trainable_below for layer in placed if layer.kind == "conv2d"] == [False] + [True] * 19


def test_a_sum_adds_paths_of_one_shape_alone():
    nodes = [Input((4, 8, 8)), Sum([Layer("conv2d", {"out_channels": 4, "kernel": 3}), Layer("relu")])]
    with pytest.raises(
        ArchitectureError,
        match=r"layer 0\.main\.1 \(relu\) gives 4x6x6 and the input gives 4x8x8: they cannot be added",
    ):
        list(place(nodes))


def test_a_side_path_leaves_the_stream_as_it_was():
    nodes = [Input((4, 8)), Side([Layer("linear", {"out_features": 3})]), Layer("linear", {"out_features": 5})]
    assert [layer.input_shape for layer in place(nodes)] == [(4, 8), (4, 8)]
    assert [layer.has_trainable_below for layer in place(nodes)] == [False, False]


def test_a_layer_without_input_says_so():
    with pytest.raises(ArchitectureError, match=r"layer 0 \(relu\) has no input; state input: \{shape: \[…\]\}"):
        list(place([Layer("relu")]))


def test_experts_replace_feed_forwards_after_the_dense_layers():
    settings = {**DECODER, "layers": 3, "dense_layers": 1, "experts": 8, "experts_per_token": 2, "expert_width": 32}
    assert times_of("feed_forward", settings, sequence_length=16) == 1
    assert times_of("mixture_of_experts", settings, sequence_length=16) == 2


def test_a_prediction_module_adds_a_block_and_a_use_of_the_head():
    more = {**DECODER, "prediction_depth": 1}
    assert times_of("unembedding", more, sequence_length=16) == 2
    assert (
        times_of("self_attention", more, sequence_length=16)
        == times_of("self_attention", DECODER, sequence_length=16) + 1
    )


def test_a_default_may_be_written_out():
    assert counted({**DECODER, "prediction_depth": 0}, Lengths(16)) == counted(DECODER, Lengths(16))


NORM = {"kind": "layer_norm", "has_bias": False}


def hybrid(vocabulary, width, *groups):
    """Return a language model written out in groups of layers, with its own head."""
    ends = [NORM, {"kind": "unembedding", "vocabulary": vocabulary}]
    layers = [{"kind": "embedding", "vocabulary": vocabulary, "width": width}, *groups, *ends]
    return {"family": "layers", "input": {"shape": ["sequence_length"]}, "layers": layers}


def times(number, *layers):
    return {"times": number, "layers": list(layers)}


def mamba_2(heads, head_width, groups, state):
    """Return NVIDIA's Mamba-2: norm of the gated output, biases of convolution and step sizes, decay and skip."""
    inner = heads * head_width
    return {
        "kind": "linear_attention", "heads": heads, "value_width": head_width, "key_heads": groups, "key_width": state,
        "kernel": 4, "scalars_per_head": 1, "has_gate": True,
        "other_parameters": 2 * inner + 2 * groups * state + 3 * heads,
    }  # fmt: skip


def attention(heads, head_width, groups, **more):
    return {
        "kind": "self_attention", "heads": heads, "head_width": head_width, "key_value_heads": groups, "is_causal": True, **more,
    }  # fmt: skip


def experts(number, used, width, **more):
    return {
        "kind": "mixture_of_experts", "experts": number, "experts_per_token": used, "expert_width": width, **more,
    }  # fmt: skip


NEMOTRON_H_8B = hybrid(
    131_072, 4096, times(24, NORM, mamba_2(128, 64, 8, 128)), times(24, NORM, {"kind": "feed_forward", "width": 21_504}),
    times(4, NORM, attention(32, 128, 8)),
)  # fmt: skip
LATENT_EXPERTS = [
    NORM,
    {"side": [{"kind": "feed_forward", "width": 5376}]},
    {"kind": "linear", "out_features": 1024, "has_bias": False},
    experts(512, 22, 2688, is_gated=False),
    {"kind": "linear", "out_features": 4096, "has_bias": False},
]
NEMOTRON_3_SUPER = hybrid(
    131_072, 4096, times(40, NORM, mamba_2(128, 64, 8, 128)), times(40, *LATENT_EXPERTS), times(8, NORM, attention(32, 128, 2)),
)  # fmt: skip


# Nemotron-H 8B: the tensors of its checkpoint. Nemotron 3 Super: NVIDIA's table, 120.6B, of which 12.7B are active.
@pytest.mark.parametrize(
    ("settings", "wanted", "share"), [(NEMOTRON_H_8B, 8_100_852_736, 0), (NEMOTRON_3_SUPER, 120.6e9, 4e-4)]
)
def test_networks_of_unlike_layers_have_their_published_parameters(settings, wanted, share):
    assert parameters(settings, sequence_length=8) == pytest.approx(wanted, rel=share, abs=0)


def test_active_parameters_of_latent_experts_are_those_published():
    assert counted(NEMOTRON_3_SUPER, Lengths(8)).active_parameters == pytest.approx(12.7e9, rel=1e-3)


def test_groups_of_layers_are_the_layers_one_by_one():
    grouped = counted(NEMOTRON_H_8B, Lengths(100))
    written = [
        layer for group in NEMOTRON_H_8B["layers"] for layer in group.get("times", 1) * group.get("layers", [group])
    ]
    assert counted({**NEMOTRON_H_8B, "layers": written}, Lengths(100)) == grouped


def test_a_kernel_may_be_a_pair():
    assert (
        counted(spelt({"kind": "conv2d", "out_channels": 4, "kernel": [1, 7], "padding": [0, 3]})).forward_flop
        == 2 * 64 * 7 * 3 * 4
    )


def test_repetitions_count_as_often_as_they_stand_there():
    block = [Layer("linear", {"out_features": 8}), Layer("relu")]
    repeated = list(place([Input((8,)), Repeat(3, block)]))
    spelt = list(place([Input((8,)), *block * 3]))
    # nothing below the first layer is trainable, so it is listed separately
    assert [(layer.kind, layer.times, layer.has_trainable_below) for layer in repeated] == [
        ("linear", 1, False), ("relu", 1, True), ("linear", 2, True), ("relu", 2, True),
    ]  # fmt: skip
    assert sum_of(repeated) == sum_of(spelt)


def sum_of(placed):
    return total((layer.count, layer.backward_flop, layer.times) for layer in placed)


def test_only_what_keeps_its_shape_can_be_repeated():
    with pytest.raises(
        ArchitectureError, match=r"layer 0\.0 \(linear\) gives 4, so a layer that takes 8 cannot follow it"
    ):
        list(place([Input((8,)), Repeat(2, [Layer("linear", {"out_features": 4})])]))


def test_joined_paths_add_their_channels():
    paths = [
        [Layer("conv2d", {"out_channels": 5, "kernel": 1})],
        [Layer("conv2d", {"out_channels": 6, "kernel": 3, "padding": 1})],
        [],
    ]
    placed = list(place([Input((4, 8, 8)), Concatenation(paths), Layer("relu")]))
    assert placed[-1].input_shape == (15, 8, 8)
    bad = [*paths[:1], [Layer("conv2d", {"out_channels": 6, "kernel": 3})]]
    with pytest.raises(
        ArchitectureError,
        match=r"layer 0\.0\.0 \(conv2d\) gives 5x8x8 and layer 0\.1\.0 \(conv2d\) gives 6x6x6: they cannot be joined",
    ):
        list(place([Input((4, 8, 8)), Concatenation(bad)]))


@pytest.mark.parametrize(
    ("settings", "lengths", "message"),
    [
        ({"family": "resnett"}, {}, "'resnett' is not a family; did you mean 'resnet'?"),
        ({"family": "resnet", "depht": 18, **IMAGE}, {}, "'depht' is not a key of family resnet; did you mean 'depth'?"),
        ({"family": "resnet", **IMAGE}, {}, "family resnet needs depth"),
        ({"family": "resnet", "depth": 17, **IMAGE}, {}, "ResNet has a depth of 18, 34, 50, 101, 152, not 17"),
        ({"family": "vgg", "depth": True, **IMAGE}, {}, "depth must be a whole number above 0, not True"),
        (DECODER, {}, "family transformer_decoder needs the phase's sequence_length"),
        ({**DECODER, "heads": 5}, {"sequence_length": 8}, "a width of 64 cannot be divided among 5 heads; state head_width"),
        ({**DECODER, "query_rank": 5}, {"sequence_length": 8}, "latent attention needs key_value_rank, rotary_width and value_width together"),
        ({**DECODER, "learned_positions": 4}, {"sequence_length": 8}, "layer 1 (position_embedding) after layer 0 (embedding), which gives 8x64: a sequence of 8 positions needs as many position vectors, not 4"),
        ({"family": "layers", "input": {"shape": [3, 8, 8]}, "layers": [{"kind": "konv2d"}]}, {}, "'konv2d' is not a layer kind; did you mean 'conv2d'?"),
        ({"family": "layers", "input": {"shape": [3, 8, 8]}, "layers": [{"kind": "linear"}]}, {}, "layer 0 (linear) needs out_features"),
        (spelt({"kind": "activation", "function": "gelo"}), {}, "layer 0 (activation) after the input, which gives 3x8x8: 'gelo' is not an activation; did you mean 'gelu'?"),
        (spelt({"kind": "conv2d", "out_channels": 4, "kernel": "3x3"}), {}, "layer 0 (conv2d): kernel must be a whole number above 0 or a list of whole numbers above 0, not '3x3'"),
        (spelt({"kind": "flatten"}, {"kind": "conv2d", "out_channels": 4, "kernel": 3}), {}, "layer 1 (conv2d) after layer 0 (flatten), which gives 192: needs an input of channels x height x width, not of shape 192"),
        (spelt({"kind": "reshape", "to": [-3, -8, 8]}), {}, "layer 0 (reshape): to must be a whole number above 0 or a list of whole numbers above 0, not [-3, -8, 8]"),
        (spelt(), {}, "layers is empty; state at least one layer"),
        ({**DECODER, "dense_layers": 1}, {"sequence_length": 8}, "dense_layers has no effect without experts"),
        ({**DECODER, "window": 4, "window_layers": 99}, {"sequence_length": 8}, "window_layers is 99, more than the 2 layers"),
        ({"family": "swin", "image_size": 224, "width": 96, "depths": [2, 2], "heads": [3, 0]}, {}, "heads must be whole numbers above 0 and below 100,000, not [3, 0]"),
        ({"family": "layers", "input": {"shape": "big"}, "layers": []}, {}, "input needs a shape of whole numbers above 0, such as [3, 224, 224], or [sequence_length], not 'big'"),
        ({**spelt({"kind": "linear", "out_features": 4}), "input": {"shape": ["sequence_length", 8]}}, {}, "family layers needs the phase's sequence_length"),
        (spelt({"times": 2, "layers": [{"kind": "relu"}, {"kind": "reluu"}]}), {}, "'reluu' is not a layer kind; did you mean 'relu'?"),
        (spelt({"times": 2, "layers": [{"kind": "linear", "out_features": 4}]}), {}, "layer 0.0 (linear) gives 3x8x4, so a layer that takes 3x8x8 cannot follow it"),
        (spelt({"times": 0, "layers": [{"kind": "relu"}]}), {}, "layer 0 is a group; it must have times, a whole number from 1 to 10,000, and layers"),
        (spelt({"side": [{"kind": "relu"}], "times": 2}), {}, "layer 0 is a group; it must have only side"),
        (spelt({"side": []}), {}, "layer 0: side must be a list of layers"),
        (spelt({"times": 2, "layers": [{"times": 2, "layers": [{"kind": "relu"}]}]}), {}, "layer 0.0 needs a kind"),
    ],
)  # fmt: skip
def test_mistakes_name_the_key_and_the_nearest_right_thing(settings, lengths, message):
    with pytest.raises(ArchitectureError) as problem:
        placed_layers(settings, Lengths(**lengths))
    assert str(problem.value) == message


def test_every_family_is_named_like_its_file():
    files = (Path(network.__file__).parent / "families").glob("*.py")
    assert {*FAMILIES} - {*WRITTEN} == {file.stem for file in files if "\n@family\n" in file.read_text()}


def test_a_family_is_imported_when_it_is_named():
    script = (
        "import sys; from pipeline import architectures; before = 'pipeline.architectures.families.vgg' in sys.modules;"
        "numbers = {'family': 'vgg', 'depth': 16, 'image_size': 224, 'classes': 1000};"
        "print(before, architectures.counted(numbers).parameters, 'pipeline.architectures.families.resnet' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "False 138357544 False\n"
