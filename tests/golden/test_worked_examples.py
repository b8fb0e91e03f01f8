"""Worked examples from the literature, each against the independent number with which it was published or corrected."""

import pytest

from pipeline.architectures import counted
from pipeline.architectures.network import Lengths
from pipeline.formulas.layers import conv2d, linear, lstm, self_attention


def estimate(tables, model_id):
    return next(row for row in tables["estimates"] if row["model_id"] == model_id)


def parameters(tables, architecture_id):
    return next(row["parameters"] for row in tables["operation_counts"] if row["architecture_id"] == architecture_id)


def test_image_gpt_l_by_gpu_time(tables):
    # Its authors: "iGPT-L was trained for roughly 2500 V100-days". The article's 8.1e21 is tested with
    # gpu_time_estimates.sql.
    chip_seconds = 2500 * 86_400
    # Its models were trained in float32, for which a V100 has 15.7e12.
    row = estimate(tables, "image-gpt-l")
    assert row["gpu_time_informed_flop"] == pytest.approx(chip_seconds * 15.7e12 * 0.3, rel=1e-12)
    assert row["gpu_time_flop"] == pytest.approx(chip_seconds * 15.7e12 * 0.4, rel=1e-12)


def test_cnn_lstm_fcn():
    # The article prints 7.86432e18, because its convolution term has H²W² instead of H'W'; its own sizes give 1.130e16.
    images, sequences = 20, 10 * 100 * 128
    convolution = conv2d((5, 400, 400), out_channels=16, kernel=5, stride=2, padding=2)
    recurrent = lstm((images, 200 * 200 * 16), width=256)
    head = linear((256,), out_features=10)
    assert convolution.shape == (16, 200, 200)
    assert convolution.forward_flop == 2 * 200 * 200 * 5 * 5 * 5 * 16 == 160_000_000
    assert recurrent.forward_flop / images == pytest.approx(1.311e9, rel=1e-3)
    forward = images * convolution.forward_flop + recurrent.forward_flop + head.forward_flop
    assert forward == pytest.approx(2.9425e10, rel=1e-4)
    assert 3 * forward * sequences == pytest.approx(1.130e16, rel=5e-4)
    backward = images * convolution.backward_flop(False) + recurrent.backward_flop(True) + head.backward_flop(True)
    assert (forward + backward) * sequences == pytest.approx(1.089e16, rel=5e-4)


def test_transformer_with_the_articles_inputs():
    # The article prints 6.97e18, with one head's width instead of the input's; L = 20, 30,000 words, 25,000 tokens x
    # 300,000 steps.
    assert self_attention((20, 1024), heads=16, head_width=64).forward_flop / 20 == pytest.approx(8.470e6, rel=1e-4)
    big = {
        "family": "transformer_encoder_decoder",
        "encoder_layers": 6,
        "decoder_layers": 6,
        "width": 1024,
        "heads": 16,
        "feed_forward_width": 4096,
        "vocabulary": 30_000,
    }
    per_token = counted(big, Lengths(20, 20)).forward_flop / 20
    assert per_token == pytest.approx(
        4.152e8, rel=1e-3
    )  # the article also counts masked pairs: 4.1524e8 against 4.1501e8
    assert 3 * per_token * 300_000 * 25_000 == pytest.approx(9.34e18, rel=1e-3)


def test_alexnet_in_the_ledger(tables):
    # By the default utilization, 0.4, the same GPU time gives 6.0e17 (methods, section 7).
    assert estimate(tables, "alexnet")["gpu_time_flop"] == pytest.approx(6.0e17, rel=5e-3)


def test_resnet_18():
    # Counted independently from the running network: forward, and forward + backward without the first input gradient.
    count = counted({"family": "resnet", "depth": 18, "image_size": 224, "classes": 1000})
    forward, backward = count.forward_flop, count.backward_flop
    assert forward == 3_628_146_688
    assert forward + backward == 10_648_412_160
    assert 3 * forward == 10_884_440_064


# torchvision's parameter counts.
@pytest.mark.parametrize(
    ("settings", "wanted"),
    [({"family": "resnet", "depth": 50}, 25_557_032), ({"family": "vgg", "depth": 16}, 138_357_544)],
)
def test_parameters_of_torchvision(settings, wanted):
    assert counted({**settings, "image_size": 224, "classes": 1000}).parameters == wanted


def test_resnet_50_forward():
    # Measured by counters on the running network: 8.178e9 at 224 x 224 (methods, section 6).
    forward = counted({"family": "resnet", "depth": 50, "image_size": 224, "classes": 1000}).forward_flop
    assert forward == pytest.approx(8.178e9, rel=1e-4)


def test_resnet_152_of_its_authors(tables, records):
    # The paper gives 11.3 billion multiply-adds for the authors' own network.
    settings = records.models["resnet-152"].architecture.settings
    assert counted(settings).forward_flop / 2 == pytest.approx(11.3e9, rel=5e-3)


def test_alexnet_parameters_of_2012_and_of_torchvision(tables):
    assert parameters(tables, "alexnet/training") == 60_965_224
    convolutions = [(64, 11, 4, 2), (192, 5, 1, 2), (384, 3, 1, 1), (256, 3, 1, 1), (256, 3, 1, 1)]
    layers = []
    for index, (channels, kernel, stride, padding) in enumerate(convolutions):
        layers.append(
            {"kind": "conv2d", "out_channels": channels, "kernel": kernel, "stride": stride, "padding": padding}
        )
        layers += [{"kind": "max_pool2d", "kernel": 3, "stride": 2}] if index in (0, 1, 4) else []
    layers += [{"kind": "flatten"}, *({"kind": "linear", "out_features": size} for size in (4096, 4096, 1000))]
    later = {"family": "layers", "input": {"shape": [3, 224, 224]}, "layers": layers}
    assert counted(later).parameters == 61_100_840


# Parameters as rounded in the publications.
@pytest.mark.parametrize(
    ("architecture_id", "published", "rounding"),
    [
        ("gpt-3/pretraining", 174_600e6, 0.05e9),
        ("palm-540b/pretraining", 540.35e9, 0.01e9),
        ("llama-3-1-405b/pretraining", 405e9, 1e9),
        ("seq2seq/pretraining", 384e6, 0.5e6),
        ("image-gpt-l/pretraining", 1.4e9, 0.05e9),
        ("transformer-big/pretraining", 213e6, 1.5e6),
        ("t5-11b/pretraining", 11e9, 0.5e9),
    ],
)
def test_parameters_of_publications(tables, architecture_id, published, rounding):
    assert abs(parameters(tables, architecture_id) - published) <= rounding


def test_deepseek_v3_parameters(records):
    # "671B parameters, of which 37B are activated", without its multi-token prediction module.
    settings = {**records.models["deepseek-v3"].architecture.settings}
    settings.pop("prediction_depth")
    count = counted(settings, Lengths(4096))
    assert count.parameters == pytest.approx(671e9, rel=1e-3)
    assert count.active_parameters == pytest.approx(37e9, rel=0.02)


def test_transformer_reports_more_than_either_method_gives(tables):
    # Its paper multiplies time by sustained peak, without utilization, so estimates from chip time say nothing about
    # it.
    row = estimate(tables, "transformer-big")
    assert row["reported_flop"] == pytest.approx(2.3e19)
    # 2.3e19 / 9.88e18 and 2.3e19 / 7.69e18
    assert row["reported_flop"] / row["operation_count_flop"] == pytest.approx(2.33, abs=0.005)
    assert row["reported_flop"] / row["gpu_time_flop"] == pytest.approx(2.99, abs=0.005)
    assert (row["headline_method"], row["named_second"]) == ("operation_count", None)
    assert row["training_flop"] == pytest.approx(row["operation_count_flop"])
    assert not row["is_disputed"]


def test_fine_tune_includes_its_base(tables):
    tuned, base = estimate(tables, "flan-palm-540b"), estimate(tables, "palm-540b")
    own = 2 * 540e9 * 3 * 1.4e9
    assert tuned["operation_count_flop"] == pytest.approx(base["operation_count_flop"] + own)
    assert tuned["reported_flop"] == pytest.approx(2.56e24 + 5.6e21)
