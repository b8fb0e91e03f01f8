"""Counters on known networks."""

import pytest

from pipeline.measure.harness import flop
from tests.measure.harness.builders import QUICKLY, SUBJECTS


def counts(name):
    return flop._flop_counter_mode(SUBJECTS[name], QUICKLY), flop.ours(SUBJECTS[name].placed(), SUBJECTS[name])


@pytest.mark.parametrize("name", ["resnet18", "vgg16", "alexnet", "bert_base", "gpt2", "vit_base_patch16"])
def test_torchs_counter_is_right_on_dense_networks(name):
    counter, ours = counts(name)
    for state in ("raw", "cleaned"):
        assert counter[state] == {"forward": ours["forward_full"], "backward": ours["backward_full"]}
    assert counter["is_proportional_to_batch"]


# methods, section 6: it counts the backward pass of depthwise convolutions as if they were dense. Torch 2.13.
@pytest.mark.parametrize(("name", "backward_over_forward"), [("mobilenet_v2", 19.5), ("efficientnet_b0", 40.8)])
def test_its_mistake_on_depthwise_networks_is_cleaned(name, backward_over_forward):
    counter, ours = counts(name)
    assert counter["raw"]["backward"] / counter["raw"]["forward"] == pytest.approx(backward_over_forward, rel=0.02)
    assert counter["cleaned"] == {"forward": ours["forward"], "backward": ours["backward"]}


def test_resnet_18_forward_and_backward_are_as_published():
    # methods, section 7, with 1000 classes: 3,628,146,688 and 10,648,412,160; 990 classes less are 2 x 512 x 990 x (1, 3).
    ours = flop.ours(SUBJECTS["resnet18"].placed(), SUBJECTS["resnet18"])
    less = 2 * 512 * 990
    assert ours["forward"] == 3_628_146_688 - less
    assert ours["forward"] + ours["backward"] == 10_648_412_160 - 3 * less


def test_the_profiler_counts_a_linear_layer_once_and_no_elements():
    class Event:
        def __init__(self, name, flops, parent=None):
            self.name, self.flops, self.cpu_parent = name, flops, parent

    linear = Event("aten::linear", 0)
    product = Event("aten::addmm", 100, linear)
    events = [linear, product, Event("aten::mm", 100, product), Event("aten::mul", 7)]
    assert (flop.raw(events), flop.cleaned(events)) == (207, 100)
