"""Named networks: exactly torchvision's parameters and multiply-adds, and the names that are understood."""

import csv
from pathlib import Path

import pytest

from pipeline.architectures import counted
from pipeline.architectures.counting import CountError, count
from pipeline.architectures.named_networks import ALIASES, NAMED, network_settings
from pipeline.architectures.network import ArchitectureError, Lengths

# "num_params", image size and "_ops" (multiply-adds, 1e9, three decimals) in the meta of each network's weights:
# torchvision 0.29.2, torchvision/models/*.py. Inception v3's parameters there include the auxiliary classifier, but its
# multiply-adds do not.
with Path(__file__).with_name("torchvision.csv").open(newline="") as file:
    TORCHVISION = [(name, int(size), int(count), float(gmac)) for name, size, count, gmac in list(csv.reader(file))[1:]]


@pytest.mark.parametrize(("name", "image_size", "parameters", "giga_multiply_adds"), TORCHVISION)
def test_torchvisions_networks(name, image_size, parameters, giga_multiply_adds):
    count = counted({**network_settings(name), "image_size": image_size})
    assert count.parameters == parameters
    assert round(count.forward_flop / 2e9, 3) == giga_multiply_adds


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        # Caffe's one network of the 2012 paper (netscope of bvlc_alexnet): two groups in layers 2, 4 and 5.
        ("alexnet_2012", 60_965_224),
        # Caffe's bvlc_googlenet, without its auxiliary classifiers.
        ("inception_v1", 6_998_552),
        # Without the auxiliary classifier: torchvision's and timm's at inference.
        ("inception_v3", 23_834_568),
        # Cadene's port of the authors' weights, which timm has.
        ("inception_v4", 42_679_816),
        ("inception_resnet_v2", 55_843_464),
        # The paper's table 3, which Keras repeats.
        ("xception", 22_855_952),
        # The authors' model page (github.com/tensorflow/models, slim) and Keras, trainable.
        ("mobilenet_v1", 4_231_976),
    ],
)
def test_parameters_of_networks_that_torchvision_has_not(name, wanted):
    assert counted(network_settings(name)).parameters == wanted


@pytest.mark.parametrize(
    ("name", "heads", "wanted"),
    [
        ("googlenet", "has_auxiliary_classifiers", 13_004_888),  # torchvision's with aux_logits
        ("inception_v1", "has_auxiliary_classifiers", 13_378_280),  # Caffe's bvlc_googlenet in training
        ("inception_v3", "has_auxiliary_classifier", 27_161_264),  # torchvision's num_params
    ],
)
def test_auxiliary_classifiers_are_heads_on_the_side(name, heads, wanted):
    with_heads = counted({**network_settings(name), heads: True})
    assert with_heads.parameters == wanted
    assert with_heads.forward_flop > counted(network_settings(name)).forward_flop


@pytest.mark.parametrize(("name", "image_size"), [("alexnet", 288), ("vgg16", 32), ("vgg16", 256)])
def test_pooling_before_the_classifier_keeps_parameters_at_any_image_size(name, image_size):
    assert (
        counted({**network_settings(name), "image_size": image_size}).parameters
        == counted(network_settings(name)).parameters
    )


def test_a_block_of_stride_in_the_first_convolution_costs_less():
    # He et al. count 3.8e9 multiply-adds for depth 50 (table 1); a stride in the 3x3 convolution makes it 4.1e9.
    assert round(counted({**network_settings("resnet50"), "is_stride_in_first": True}).forward_flop / 2e9, 2) == 3.86


def test_every_named_network_can_be_counted():
    for name in NAMED:
        count = counted(network_settings(name))
        # Only the first convolution, and anything else directly on the image, has one gradient instead of two.
        assert 1.5 * count.forward_flop < count.backward_flop < 2 * count.forward_flop, name


def test_an_alias_is_another_name_of_a_named_network():
    assert not set(ALIASES) & set(NAMED)
    assert set(ALIASES.values()) <= set(NAMED)
    assert network_settings("mobilenetv2_140") == network_settings("mobilenet_v2_140")


def test_a_network_is_found_however_it_is_spelt():
    assert network_settings("ResNet-50") == network_settings("resnet50")
    assert network_settings("mobilenetv2") == network_settings("mobilenet_v2")
    with pytest.raises(ArchitectureError):
        network_settings("regnet-x-16-gf")  # 1.6 or 16


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("resnet-5O", "; did you mean 'resnet50'?"),
        (
            "vgg17",
            "; did you mean 'vgg11', 'vgg13' or 'vgg16'? Otherwise count torch:torchvision.models:vgg17 or torch:timm.models:vgg17",
        ),
        ("q q", "; `flopledger count --list` names them all"),
        (
            "qqq",
            "; `flopledger count --list` names them all; count torch:torchvision.models:qqq or torch:timm.models:qqq",
        ),
    ],
)
def test_an_unknown_name_is_refused_with_the_nearest(name, message):
    with pytest.raises(ArchitectureError) as problem:
        network_settings(name)
    assert str(problem.value) == f"{name!r} is not a named network{message}"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"depth": 17}, "DenseNet has a depth of 121, 161, 169, 201, 264, not 17"),
        ({"family": "xception", "depth": 17}, "Xception has a depth of 36, 41, 65, 71, not 17"),
        ({"family": "convnext", "depths": [3, 3], "widths": [96]}, "depths has 2 stages, but widths has 1"),
        ({"family": "convnext", "depths": [1] * 17, "widths": [96] * 17}, "depths has 17 stages, more than possible (16)"),
        ({"family": "convnext", "depths": [], "widths": []}, "depths must be whole numbers above 0 and below 100,000, not []"),
        ({"family": "regnet", "depths": [1], "widths": [-8], "group_width": 8}, "widths must be whole numbers above 0 and below 100,000, not [-8]"),
        ({"family": "regnet", "depths": [1], "widths": [24], "group_width": 10}, "24 channels cannot be divided into groups of 10"),
        ({"family": "resnet", "depth": 18, "groups": 32}, "groups and width_per_group apply only to bottlenecks, which begin at depth 50"),
        ({"family": "densenet", "depth": 121, "image_size": 10}, "layer 29 (average_pool2d) after layer 28 (conv2d), which gives 256x1x1: the kernel reaches over 2 of a padded input of 1"),
    ],
)  # fmt: skip
def test_mistakes_are_refused(settings, message):
    image = {"family": "densenet", "image_size": 224, "classes": 1000}
    with pytest.raises(ArchitectureError) as problem:
        counted({**image, **settings})
    assert message in str(problem.value)


def test_a_name_holds_its_image_size():
    # timm's 86.86 M parameters and 55.54 GMAC at 384
    count = counted(network_settings("vit_base_patch16_384"))
    assert count.parameters == pytest.approx(86.86e6, rel=1e-4)
    assert count.forward_flop / 2e9 == pytest.approx(55.54, rel=2e-3)


def test_a_network_with_only_sums_has_one_image_size_and_a_way_on():
    # torchvision: 0.217 GMAC
    assert count("mobilenet_v3_large", Lengths(), 224).totals.forward_flop / 2e9 == pytest.approx(0.217, abs=5e-4)
    way_on = "count torch:torchvision.models:mobilenet_v3_large --image-size 256"
    with pytest.raises(CountError, match=f"images of 224 and 1,000 classes are known; {way_on}"):
        count("mobilenetv3_large_100", Lengths(), 256)
    with pytest.raises(
        ArchitectureError, match="'inception_v5' is not a network with known sums; did you mean 'inception_v4'"
    ):
        counted({**network_settings("inception_v4"), "network": "inception_v5"})
