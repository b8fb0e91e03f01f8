"""Published multiply-adds: ours equal timm's within 1 % and 0.01 GMAC, after subtracting its normalisations.

timm counts like fvcore: a multiply-add of a convolution or product as 1, plus the operations of normalisations, 2 per
element of batch norm and 5 of layer norm. Our totals leave out elementwise operations, so we subtract them here and
print them separately. On the networks below, a least-squares line through the origin gives 2 per element for batch norm
and 5 for layer norm.

No network of the families differs by more than the rounding of timm's figures (0.005 GMAC) and the pools that fvcore
counts. Similar names in the file belong to other networks, which are left out here: a deeper stem (resnet50d, 50c, 50s,
50t, densenet121d), a wider classifier (convnext_large_mlp, mobilenetv1_100h), a stem with other kernels or an unscaled
one (convnext_*_ols, mobilenetv2_110d, mobilenetv2_120d, mobilenetv3_*_150d, mobilenetv3_small_050), a normalisation in
another place (xception41p, xception65p) or blocks of a later paper (regnetv, regnetz, efficientnetv2).
"""

import csv
from math import prod
from pathlib import Path

import pytest

from pipeline.architectures import placed_layers
from pipeline.architectures.named_networks import ALIASES, network_settings
from pipeline.architectures.network import Lengths

# timm's results (github.com/huggingface/pytorch-image-models, results/, Apache-2.0): per network and image size.
with Path(__file__).with_name("timm_forward_gmac.csv").open(newline="") as file:
    PUBLISHED = [
        (row["model"], int(row["image_size"]), float(row["parameters_million"]), float(row["forward_gmac"]))
        for row in csv.DictReader(file)
    ]
WITHOUT_HEAD = {"vit_large_patch32_224": 1024 * 1000 + 1000}  # timm's row is of the network before its classes


def placed(name, image_size):
    return placed_layers({**network_settings(name), "image_size": image_size}, Lengths())


def multiply_adds(layers):
    return sum(layer.count.forward_flop * layer.times for layer in layers) / 2e9


@pytest.mark.parametrize(("name", "image_size", "parameters_million", "published"), PUBLISHED)
def test_published_multiply_adds_and_parameters(name, image_size, parameters_million, published):
    layers = placed(name, image_size)
    norms = [layer for layer in layers if layer.kind in ("batch_norm", "layer_norm2d", "layer_norm")]
    normalisation = sum(layer.count.elementwise_flop * layer.times for layer in norms) / 1e9
    print(f"{name}: counted {multiply_adds(layers):.3f}, normalisation {normalisation:.3f}, timm {published} GMAC")
    assert abs(published - normalisation - multiply_adds(layers)) <= 0.01 * published + 0.01
    parameters = sum(layer.count.parameters * layer.times for layer in layers) - WITHOUT_HEAD.get(name, 0)
    assert parameters / 1e6 == pytest.approx(parameters_million, abs=0.006)


def test_enough_networks_of_enough_families():
    assert len({ALIASES.get(name, name) for name, *_ in PUBLISHED}) >= 70
    assert len({network_settings(name)["family"] for name, *_ in PUBLISHED}) >= 14


@pytest.mark.parametrize(("norm", "operations"), [("batch_norm", 2), ("layer_norm2d", 5)])
def test_timm_counts_so_many_operations_an_element_of_a_normalisation(norm, operations):
    used = []
    for name, image_size, _, published in PUBLISHED:
        layers = placed(name, image_size)
        elements = sum(prod(layer.input_shape) * layer.times for layer in layers if layer.kind == norm) / 1e9
        if elements:
            used.append((elements, published - multiply_adds(layers)))
    slope = sum(elements * excess for elements, excess in used) / sum(elements**2 for elements, _ in used)
    assert slope == pytest.approx(operations, rel=0.03)  # timm's figures are rounded to 0.01 GMAC
