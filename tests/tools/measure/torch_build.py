"""The timed networks, built layer by layer from our nodes, against torch's own counter.

pytest does not collect files of this name by itself; `make measure-test` runs them where torch is installed.
"""

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from pipeline.architectures.network import Concatenation, Input, Layer, Repeat, Sum
from pipeline.tools.measure import build, networks, step
from pipeline.tools.measure.layers import UnbuildableError

BATCH = 2


@pytest.mark.parametrize("subject", networks.networks(), ids=lambda network: network.name)
def test_every_timed_network_is_the_one_we_count(subject):
    with torch.device("meta"):
        built = build.network(subject.nodes())
    with FlopCounterMode(display=False) as counter, torch.no_grad():
        built.module.eval()(step.examples(built, BATCH).to("meta"))
    assert sum(parameter.numel() for parameter in built.module.parameters()) == subject.totals().parameters
    assert counter.get_total_flops() == BATCH * subject.totals().forward_flop_full_attention


# Methods, section 6: it counts the backward pass of depthwise convolutions as if they were dense. Torch 2.13.
@pytest.mark.parametrize(("name", "ratio"), [("mobilenet_v2", 19.5), ("efficientnet_b0", 40.8), ("resnet18", 1.935)])
def test_torchs_counter_over_counts_depthwise_convolutions_backward(name, ratio):
    (subject,) = (network for network in networks.networks() if network.name == name)
    with torch.device("meta"):
        built = build.network(subject.nodes())
    with FlopCounterMode(display=False) as forward:
        loss = step.loss_of(built.module(step.examples(built, 1).to("meta").expand(2, -1, -1, -1)))
    with FlopCounterMode(display=False) as backward:
        loss.backward()
    assert backward.get_total_flops() / forward.get_total_flops() == pytest.approx(ratio, rel=0.02)


def test_outputs_have_the_shapes_that_we_infer():
    for subject in networks.quick_networks():
        built = build.network(subject.nodes())
        out = built.module(step.examples(built, BATCH))
        assert tuple(out.shape) == (BATCH, *subject.placed()[-1].count.shape), subject.name


def test_paths_are_added_and_a_repeated_layer_has_weights_of_its_own():
    x = torch.randn(BATCH, 2, 4, 4)
    assert torch.equal(build.network([Input((2, 4, 4)), Sum([Layer("relu")])]).module(x), x + x.relu())
    repeated = build.network([Input((4,)), Repeat(3, [Layer("linear", {"out_features": 4})])])
    assert len(list(repeated.module.parameters())) == 6


def test_a_tied_head_is_the_embeddings_table():
    head = Layer("unembedding", {"vocabulary": 9, "is_tied": True})
    built = build.network([Input((3,)), Layer("embedding", {"vocabulary": 9, "width": 4}), head])
    assert sum(parameter.numel() for parameter in built.module.parameters()) == 36
    with pytest.raises(UnbuildableError, match="no embedding"):
        build.network([Input((3, 4)), head])
    with pytest.raises(UnbuildableError, match="Concatenation has no torch module here"):
        build.network([Input((3, 4)), Concatenation([[], []])])


def test_what_cannot_be_built_is_named():
    with pytest.raises(UnbuildableError, match="two bias vectors"):
        build.network([Input((3, 4)), Layer("lstm", {"width": 4})])
    with pytest.raises(UnbuildableError, match="mean length"):
        build.network([Input((3.5, 4)), Layer("layer_norm")])
