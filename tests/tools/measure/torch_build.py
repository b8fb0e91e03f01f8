"""Networks built layer by layer from our nodes, against published parameter counts and torch's own counter.

pytest does not collect files of this name by itself; `make measure-test` runs them where torch is installed.
"""

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from pipeline.architectures.named import NAMED, named
from pipeline.architectures.network import Concatenation, Frozen, Input, Layer, Repeat, Side, Sum, place
from pipeline.formulas.totals import total
from pipeline.tools.measure import build, networks, step
from pipeline.tools.measure.layers import UnbuildableError
from pipeline.tools.measure.networks import Network
from tests.tools.measure.whole import examples, network

# `num_params` on torchvision's model pages, with 1000 classes.
TORCHVISION = {
    "resnet18": 11_689_512, "resnet34": 21_797_672, "resnet50": 25_557_032, "resnet101": 44_549_160,
    "resnet152": 60_192_808, "vgg11": 132_863_336, "vgg13": 133_047_848, "vgg16": 138_357_544, "vgg19": 143_667_240,
    "wide_resnet50_2": 68_883_240, "alexnet": 61_100_840, "mobilenet_v2": 3_504_872, "efficientnet_b0": 5_288_548,
}  # fmt: skip
# Published elsewhere: GPT-2 small and BERT's masked language model, as Hugging Face counts them.
OTHERS = {"gpt2": 124_439_808, "bert_base": 109_514_298}
BATCH = 2


def compared(nodes):
    """Return the parameters of the network on meta tensors, its forward FLOP per example by torch's counter, and our counts."""
    with torch.device("meta"):
        built = network(nodes)
    with FlopCounterMode(display=False) as counter, torch.no_grad():
        built.module.eval()(*examples(built, BATCH, "meta"))
    ours = total((each.count, each.backward_flop, each.times) for each in place(nodes))
    return sum(each.numel() for each in built.module.parameters()), counter.get_total_flops() / BATCH, ours


@pytest.mark.parametrize("subject", networks.networks(), ids=lambda each: each.name)
def test_every_timed_network_is_the_one_we_count(subject):
    with torch.device("meta"):
        built = build.network(subject.nodes())
    with FlopCounterMode(display=False) as counter, torch.no_grad():
        built.module.eval()(step.examples(built, BATCH, "meta"))
    assert sum(each.numel() for each in built.module.parameters()) == subject.totals().parameters
    assert counter.get_total_flops() == BATCH * subject.totals().forward_flop_full_attention


# Methods, section 6: it counts the backward pass of depthwise convolutions as if they were dense. Torch 2.13.
@pytest.mark.parametrize(("name", "ratio"), [("mobilenet_v2", 19.5), ("efficientnet_b0", 40.8), ("resnet18", 1.935)])
def test_torchs_counter_over_counts_depthwise_convolutions_backward(name, ratio):
    (subject,) = (each for each in networks.networks() if each.name == name)
    with torch.device("meta"):
        built = build.network(subject.nodes())
    with FlopCounterMode(display=False) as forward:
        loss = step.loss_of(built.module(step.examples(built, 1, "meta").expand(2, -1, -1, -1)))
    with FlopCounterMode(display=False) as backward:
        loss.backward()
    assert backward.get_total_flops() / forward.get_total_flops() == pytest.approx(ratio, rel=0.02)


@pytest.mark.parametrize("name", TORCHVISION)
def test_image_networks_have_torchvisions_parameters(name):
    subject = Network(name, named(name), "")
    assert compared(subject.nodes())[0] == TORCHVISION[name]


@pytest.mark.parametrize("name", OTHERS)
def test_transformers_have_the_published_parameters(name):
    (subject,) = (each for each in networks.networks() if each.name == name)
    assert compared(subject.nodes())[0] == OTHERS[name]


@pytest.mark.parametrize("name", NAMED)
def test_every_named_network_can_be_built(name):
    parameters, forward_flop, ours = compared(Network(name, named(name), "").nodes())
    assert (parameters, forward_flop) == (ours.parameters, ours.forward_flop_full_attention)


def test_outputs_have_the_shapes_that_we_infer():
    for subject in networks.quick_networks():
        built = build.network(subject.nodes())
        out = built.module(step.examples(built, BATCH, "cpu"))
        assert tuple(out.shape) == (BATCH, *subject.placed()[-1].count.shape), subject.name


def test_paths_are_added_and_joined():
    nodes = [Input((2, 4, 4)), Sum([Layer("relu")]), Concatenation([[], [Layer("relu")]])]
    x = torch.randn(BATCH, 2, 4, 4)
    added = x + x.relu()
    assert torch.equal(network(nodes).module(x), torch.cat([added, added.relu()], 1))


def test_a_repeated_layer_has_weights_of_its_own_and_a_shared_one_has_not():
    linear = Layer("linear", {"out_features": 4})
    assert len(list(network([Input((4,)), Repeat(3, [linear])]).module.parameters())) == 6
    norm, again = Layer("layer_norm"), Layer("layer_norm", {"is_shared": True})
    assert len(list(network([Input((2, 4)), norm, again]).module.parameters())) == 2


def test_a_tied_head_is_the_embeddings_table():
    head = Layer("unembedding", {"vocabulary": 9, "is_tied": True})
    built = build.network([Input((3,)), Layer("embedding", {"vocabulary": 9, "width": 4}), head])
    assert sum(each.numel() for each in built.module.parameters()) == 36
    with pytest.raises(UnbuildableError, match="no embedding"):
        build.network([Input((3, 4)), head])
    with pytest.raises(UnbuildableError, match="Concatenation has no torch module here"):
        build.network([Input((3, 4)), Concatenation([[], []])])


def test_frozen_layers_are_not_trained_and_sides_are_outputs():
    linear = Layer("linear", {"out_features": 4})
    built = network([Input((4,)), Frozen([linear]), Side([Layer("linear", {"out_features": 7})]), linear])
    assert [each.requires_grad for each in built.module.parameters()] == [False, False, True, True, True, True]
    side, out = built.module(torch.randn(BATCH, 4))
    assert (side.shape[1], out.shape[1]) == (7, 4)


def test_what_cannot_be_built_is_named():
    with pytest.raises(UnbuildableError, match="two bias vectors"):
        network([Input((3, 4)), Layer("lstm", {"width": 4})])
    sizes = {"source_positions": 3, "source_width": 4, "state_width": 4}
    with pytest.raises(UnbuildableError, match="source_attention"):
        network([Input((3, 4)), Layer("source_attention", sizes)])
    with pytest.raises(UnbuildableError, match="mean length"):
        network([Input((3.5, 4)), Layer("layer_norm")])


def test_a_stream_reads_the_output_of_the_one_before():
    first, join = Layer("linear", {"out_features": 6}), Layer("join", {"width": 6})
    module = network([Input((3, 5)), first, Input((4, 2)), join]).module
    x, y = torch.randn(BATCH, 3, 5), torch.randn(BATCH, 4, 2)
    (out,) = module(x, y)
    mean = module.streams[0](x).mean(1)
    assert torch.equal(out, torch.cat([y, mean[:, None].expand(-1, 4, -1)], -1))
    with pytest.raises(UnbuildableError, match="join: no stream before it has a width of 6"):
        network([Input((4, 2)), join])
    sizes = {"source_positions": 3, "source_width": 6, "heads": 1, "head_width": 2}
    assert len(network([Input((3, 5)), first, Input((4, 2)), Layer("cross_attention", sizes)]).inputs) == 2
    with pytest.raises(UnbuildableError, match="cross_attention: no stream before it gives 7 x 6"):
        network([Input((3, 5)), first, Input((4, 2)), Layer("cross_attention", {**sizes, "source_positions": 7})])
