"""Recurrent, two-tower, game and protein networks: published sizes, counts by hand, and mistakes."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.architectures import counted, placed_layers
from pipeline.architectures.named_networks import network_settings
from pipeline.architectures.network import ArchitectureError, Lengths
from pipeline.formulas.layers import KINDS

LANGUAGE_MODEL = {"family": "lstm_language_model", "layers": 2, "width": 1500, "vocabulary": 10_000}
VOCABULARIES = {"source_vocabulary": 160_000, "target_vocabulary": 80_000}
SEQ2SEQ = {"family": "lstm_encoder_decoder", "layers": 4, "width": 1000, "embedding_width": 1000, **VOCABULARIES}
GNMT = {
    **SEQ2SEQ, "layers": 8, "width": 1024, "embedding_width": 1024, "source_vocabulary": 32_000, "target_vocabulary": 32_000,
    "attention_width": 1024, "is_bidirectional": True,
}  # fmt: skip
UNET = {"family": "unet", "image_size": 572, "classes": 1}
STABLE_DIFFUSION = {"family": "latent_diffusion", "latent_size": 64}
TOWERS = {"family": "two_tower", "image_size": 224, "text_width": 512, "text_layers": 12}
CLIP_B = {**TOWERS, "embedding_width": 512, "image_width": 768, "image_layers": 12, "patch_size": 32}
CLIP_L = {
    **CLIP_B,
    "embedding_width": 768,
    "image_width": 1024,
    "image_layers": 24,
    "patch_size": 14,
    "text_width": 768,
}
CLIP_RESNET = {**TOWERS, "embedding_width": 1024, "image_width": 64, "image_blocks": [3, 4, 6, 3]}
CLIP_RESNET_101 = {**CLIP_RESNET, "embedding_width": 512, "image_blocks": [3, 4, 23, 3]}
CLIP_RESNET_50X4 = {
    **CLIP_RESNET, "embedding_width": 640, "image_size": 288, "image_width": 80, "image_blocks": [4, 6, 10, 6], "text_width": 640,
}  # fmt: skip
GO = {"family": "residual_tower", "blocks": 20, "filters": 256, "board": 19, "input_planes": 17, "moves": 362}
EVOFORMER = {"family": "evoformer", "layers": 48, "rows": 128}

PAIR = {"sequence_length": 20, "target_length": 20}


def totals(settings, **lengths):
    return counted(settings, Lengths(**lengths))


@pytest.mark.parametrize(
    ("settings", "lengths", "published", "tolerance"),
    [
        # "LSTM (large) | 66M", S. Takase's table of models on Penn Treebank, takase.github.io/lm_performance
        pytest.param(LANGUAGE_MODEL, {"sequence_length": 35}, 66e6, 0.005, id="zaremba-large"),
        # GNMT as counted by Shazeer et al. for comparison (arXiv 1701.06538): 278M parameters
        pytest.param(GNMT, PAIR, 278e6, 0.015, id="gnmt"),
        # torchsummary of a U-Net from 1 channel to 1 class, "Total params: 31,030,593" (read in several repositories)
        pytest.param(UNET, {}, 31_030_593, 0, id="unet"),
        # "Normal Stable Diffusion U-net: Number of parameters: 859,520,964"; "DiffusionWrapper has 859.52 M params."
        pytest.param(STABLE_DIFFUSION, {}, 859_520_964, 0, id="stable-diffusion-v1"),
        # p.numel() over clip.load(name).parameters(), as printed in public code for all five names
        pytest.param(CLIP_B, {"sequence_length": 77}, 151_277_313, 0, id="clip-vit-b-32"),
        pytest.param(CLIP_L, {"sequence_length": 77}, 427_616_513, 0, id="clip-vit-l-14"),
        pytest.param(CLIP_RESNET, {"sequence_length": 77}, 102_007_137, 0, id="clip-rn50"),
        pytest.param(CLIP_RESNET_101, {"sequence_length": 77}, 119_688_033, 0, id="clip-rn101"),
        pytest.param(CLIP_RESNET_50X4, {"sequence_length": 77}, 178_300_601, 0, id="clip-rn50x4"),
        # AlphaGo Zero as counted in the README of Sagebati/littlego, with biases: 24,019,048 (20 blocks), 47,642,728
        # (40 blocks)
        pytest.param({**GO, "has_biases": True}, {}, 24_019_048, 0, id="alphago-zero-20"),
        pytest.param({**GO, "blocks": 40, "has_biases": True}, {}, 47_642_728, 0, id="alphago-zero-40"),
    ],
)
def test_published_parameters(settings, lengths, published, tolerance):
    assert totals(settings, **lengths).parameters == pytest.approx(published, rel=tolerance, abs=0)


def test_gnmt_does_214_million_multiply_adds_a_word():
    # Shazeer et al., arXiv 1701.06538: GNMT, 214M operations per time step, for encoder and decoder together
    assert totals(GNMT, sequence_length=1, target_length=1).forward_flop / 2 == pytest.approx(214e6, rel=0.01)


def test_an_evoformer_is_most_of_alphafolds_93_million_parameters():
    # "the parameters of AlphaFold2 are only 93M", the paper on Parallel Evoformer (its figure 2 shows the other parts)
    trunk = totals(EVOFORMER, sequence_length=256).parameters
    assert 0.9 < trunk / 93e6 < 1


def linear(inputs, outputs, has_bias=True):
    return inputs * outputs + (outputs if has_bias else 0)


def test_an_evoformer_block_by_hand():
    # Algorithm by algorithm of the supplement; m is the alignment's width, z the pairs'.
    m, z = 256, 128
    attention = {"m": 4 * linear(m, m, False) + m + linear(m, m), "z": 4 * linear(z, z, False) + z + linear(z, z)}
    alignment = (
        2 * (2 * m + attention["m"]) + 2 * z + linear(z, 8, False)
    )  # 7 and 8; two normalisations and a bias in 7
    alignment += 2 * m + linear(m, 4 * m) + linear(4 * m, m)  # 9
    outer = 2 * m + 2 * linear(m, 32) + linear(32 * 32, z)  # 10
    triangles = 2 * (2 * z + 4 * linear(z, z) + 2 * z + 2 * linear(z, z))  # 11 and 12
    triangles += 2 * (2 * z + attention["z"] + linear(z, 4, False))  # 13 and 14
    pairs = 2 * z + linear(z, 4 * z) + linear(4 * z, z)  # 15
    block = alignment + outer + triangles + pairs
    two, one = (totals({**EVOFORMER, "layers": layers}, sequence_length=16).parameters for layers in (2, 1))
    assert two - one == block


def products_of_an_evoformer_block(rows, residues, m=256, z=128):
    """Return the multiply-adds of a block, summed over the needs of each position of either grid."""
    alignment, pairs = rows * residues, residues * residues
    products = alignment * (2 * 5 * m * m + m * (residues + rows) * 2 + 8 * m * m)
    products += alignment * 2 * m * 32 + pairs * (rows * 32 * 32 + 32 * 32 * z)
    products += pairs * 2 * (6 * z * z + residues * z)
    return products + pairs * (2 * (5 * z * z + 2 * residues * z + z * 4) + 8 * z * z + z * 8)


@given(st.integers(1, 9), st.integers(1, 9))
def test_an_evoformer_blocks_products_by_hand(rows, residues):
    settings = {**EVOFORMER, "rows": rows}
    two, one = (totals({**settings, "layers": layers}, sequence_length=residues).forward_flop for layers in (2, 1))
    assert two - one == 2 * products_of_an_evoformer_block(rows, residues)


SMALL = st.integers(1, 4)


@given(SMALL, SMALL, SMALL, SMALL, st.one_of(st.none(), SMALL))
def test_a_decoders_attention_is_the_products_of_all_pairs(targets, sources, state, embedding, inner):
    source = state if inner is None else state + 1
    projected = 0 if inner is None else (targets * state + sources * source) * inner
    scored = mixed = 0
    for _target, _source in itertools.product(range(targets), range(sources)):
        scored += sum(1 for _ in range(inner or state))
        mixed += sum(1 for _ in range(source))
    arguments = {} if inner is None else {"attention_width": inner}
    count = KINDS["source_attention"](
        (targets, embedding), source_positions=sources, source_width=source, state_width=state, **arguments
    )
    assert count.forward_flop == 2 * (projected + scored + mixed)
    assert count.score_flop == 2 * (scored + mixed)
    assert count.shape == (targets, embedding + source)


def test_an_encoder_decoder_without_attention_is_as_it_was():
    # Sutskever et al., section 3.4: "384M parameters of which 64M are pure recurrent connections" (32M in each stack)
    sums = totals(SEQ2SEQ, sequence_length=20, target_length=25)
    recurrent = 2 * 4 * 4 * (2000 * 1000 + 1000)
    assert sums.parameters == recurrent + 160_000 * 1000 + 80_000 * 1000 + 80_000 * 1000 + 80_000
    assert sums.forward_flop == 2 * (4 * 4 * 2000 * 1000 * (20 + 25) + 25 * 80_000 * 1000)
    assert sums.attention_score_flop == 0


def test_a_bidirectional_encoder_of_one_layer_is_twice_as_wide_to_attend_to():
    # Bahdanau et al., arXiv 1409.0473, appendix A: U of 1000 x 2000, the decoder's context of 2000
    bahdanau = {**GNMT, "layers": 1, "width": 1000, "embedding_width": 620, "attention_width": 1000, "is_gru": True}
    placed = {layer.kind: layer for layer in placed_layers(bahdanau, Lengths(30, 30))}
    assert placed["source_attention"].count.parameters == 1000 * (2000 + 1000 + 1)
    assert placed["gru"].input_shape == (30, 2620)


def test_a_unet_without_padding_gives_388_of_572_pixels():
    # arXiv 1505.04597, figure 1: 572 -> … -> 388, crops of 392, 200, 104 and 56
    placed = placed_layers(UNET, Lengths())
    assert placed[-1].input_shape == (64, 388, 388)
    assert [layer.arguments["size"] for layer in placed if layer.kind == "crop2d"] == [392, 200, 104, 56]
    ups = [layer.input_shape for layer in placed if layer.kind == "conv_transpose2d"]
    assert ups == [(1024, 28, 28), (512, 52, 52), (256, 100, 100), (128, 196, 196)]


def test_stable_diffusion_has_sixteen_transformers_and_a_step_for_each_residual_block():
    placed = placed_layers(STABLE_DIFFUSION, Lengths())
    assert sum(layer.kind == "cross_attention" for layer in placed) == 16
    steps = [layer for layer in placed if layer.kind == "linear"]
    assert len(steps) == 2 + 22
    assert [layer.count.shape[0] for layer in steps[2:]] == [320] * 2 + [640] * 2 + [1280] * 12 + [640] * 3 + [320] * 3


def test_both_towers_lie_on_data():
    placed = placed_layers(CLIP_B, Lengths(77))
    assert [layer.kind for layer in placed if not layer.has_trainable_below and layer.count.parameters] == [
        "patches",
        "embedding",
    ]


def test_a_towers_heads_hang_on_one_tower():
    chess = {"board": 8, "input_planes": 119, "blocks": 19, "filters": 256, "family": "residual_tower"}
    placed = placed_layers({**chess, "move_planes": 73}, Lengths())
    assert [layer.input_shape for layer in placed if ".side.0" in layer.name or layer.kind == "flatten"] == [
        (256, 8, 8),
        (1, 8, 8),
    ]
    # 39 convolutions in the tower, two in each head
    assert sum(layer.times for layer in placed if layer.kind == "conv2d") == 39 + 2 + 1
    assert next(layer.count.shape for layer in placed if layer.arguments.get("out_channels") == 73) == (73, 8, 8)


ALL = [
    (LANGUAGE_MODEL, {"sequence_length": 35}),
    (GNMT, PAIR),
    (UNET, {}),
    (STABLE_DIFFUSION, {}),
    (network_settings("mixer_b16"), {}),
    (CLIP_B, {"sequence_length": 77}),
    (CLIP_RESNET, {"sequence_length": 77}),
    (GO, {}),
    (EVOFORMER, {"sequence_length": 16}),
]


@pytest.mark.parametrize(("settings", "lengths"), ALL, ids=lambda value: value.get("family"))
def test_each_layer_goes_back_with_nothing_to_two_forward_passes(settings, lengths):
    for layer in placed_layers(settings, Lengths(**lengths)):
        for has_below, is_frozen in itertools.product((True, False), repeat=2):
            assert 0 <= layer.count.backward_flop(has_below, is_frozen) <= 2 * layer.count.forward_flop
        assert 0 <= layer.count.active_parameters <= layer.count.parameters


@pytest.mark.parametrize(
    ("settings", "lengths", "message"),
    [
        (LANGUAGE_MODEL, {}, "family lstm_language_model needs the phase's sequence_length"),
        ({**UNET, "image_size": 570}, {}, "an image of 570 pixels has shrunk to 279 where it is halved; that size must be even"),
        ({**STABLE_DIFFUSION, "latent_size": 60}, {}, "a latent image of 60 cannot be halved 3 times"),
        ({**STABLE_DIFFUSION, "multipliers": [1, 0]}, {}, "multipliers must be above 0, not [1, 0]"),
        ({**STABLE_DIFFUSION, "residual_blocks": 10**9}, {}, "1000000000 residual_blocks per level are more than possible (64 in all)"),
        ({**CLIP_B, "image_blocks": [3, 4]}, {"sequence_length": 77}, "the image tower needs either patch_size with image_layers or image_blocks"),
        ({**CLIP_B, "text_width": 500}, {"sequence_length": 77}, "text_width must be a multiple of 64, a head's width, not 500"),
        ({**GO, "move_planes": 73}, {}, "a policy head needs either moves or move_planes"),
        (EVOFORMER, {"sequence_length": 255.5}, "sequence_length must be a whole number of residues, not 255.5"),
    ],
)  # fmt: skip
def test_mistakes_say_what_is_wrong(settings, lengths, message):
    with pytest.raises(ArchitectureError) as problem:
        placed_layers(settings, Lengths(**lengths))
    assert str(problem.value) == message
