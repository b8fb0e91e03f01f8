"""Recurrent, generative, two-tower, game, protein and expert networks: published sizes, hand counts, mistakes."""

import itertools
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.architectures import counted, placed_layers
from pipeline.architectures.network import FAMILIES, ArchitectureError, Lengths
from pipeline.formulas.layers import KINDS

LANGUAGE_MODEL = {"family": "lstm_language_model", "layers": 2, "width": 1500, "vocabulary": 10_000}
BILLION_WORDS = {**LANGUAGE_MODEL, "layers": 1, "vocabulary": 793_471}
SEQ2SEQ = {
    "family": "lstm_encoder_decoder",
    "layers": 4,
    "width": 1000,
    "embedding_width": 1000,
    "source_vocabulary": 160_000,
    "target_vocabulary": 80_000,
}
GNMT = {
    **SEQ2SEQ,
    "layers": 8,
    "width": 1024,
    "embedding_width": 1024,
    "source_vocabulary": 32_000,
    "target_vocabulary": 32_000,
    "attention_width": 1024,
    "is_bidirectional": True,
}
SPEECH = {"family": "ctc_speech", "recurrent_layers": 3, "width": 1024, "characters": 29, "is_gru": True}
UNET = {"family": "unet", "image_size": 572, "classes": 1}
STABLE_DIFFUSION = {"family": "latent_diffusion", "latent_size": 64}
GENERATOR = {"family": "gan_generator", "image_size": 64, "channels": 512, "kernel": 4}
DISCRIMINATOR = {"family": "gan_discriminator", "image_size": 64, "kernel": 4}
MIXER_B = {
    "family": "mlp_mixer",
    "layers": 12,
    "width": 768,
    "patch_size": 16,
    "token_width": 384,
    "channel_width": 3072,
    "image_size": 224,
    "classes": 1000,
}
MIXER_L = {**MIXER_B, "layers": 24, "width": 1024, "token_width": 512, "channel_width": 4096}
TOWERS = {"family": "two_tower", "image_size": 224, "text_width": 512, "text_layers": 12}
CLIP_B = {**TOWERS, "embedding_width": 512, "image_width": 768, "image_layers": 12, "patch_size": 32}
CLIP_L = {
    **TOWERS,
    "embedding_width": 768,
    "image_width": 1024,
    "image_layers": 24,
    "patch_size": 14,
    "text_width": 768,
}
CLIP_RESNET = {**TOWERS, "embedding_width": 1024, "image_width": 64, "image_blocks": [3, 4, 6, 3]}
GO = {"family": "residual_tower", "blocks": 20, "filters": 256, "board": 19, "input_planes": 17, "moves": 362}
SWITCH = {
    "family": "moe_encoder_decoder",
    "encoder_layers": 12,
    "decoder_layers": 12,
    "width": 768,
    "heads": 12,
    "head_width": 64,
    "feed_forward_width": 2048,
    "vocabulary": 32_128,
    "experts": 128,
    "experts_per_token": 1,
    "is_gated": True,
}
SWITCH_LARGE = {
    **SWITCH,
    "encoder_layers": 24,
    "decoder_layers": 24,
    "width": 1024,
    "heads": 16,
    "feed_forward_width": 2816,
}
SWITCH_C = {
    **SWITCH,
    "encoder_layers": 15,
    "decoder_layers": 15,
    "width": 2080,
    "heads": 32,
    "feed_forward_width": 6144,
    "experts": 2048,
    "expert_every": 1,
    "is_gated": False,
}
EVOFORMER = {"family": "evoformer", "layers": 48, "rows": 128}

PAIR = {"sequence_length": 20, "target_length": 20}


def totals(settings, **lengths):
    return counted(settings, Lengths(**lengths))


@pytest.mark.parametrize(
    ("settings", "lengths", "published", "tolerance"),
    [
        # "LSTM (large) | 66M", S. Takase's table of models on Penn Treebank, takase.github.io/lm_performance
        pytest.param(LANGUAGE_MODEL, {"sequence_length": 35}, 66e6, 0.005, id="zaremba-large"),
        # billions, tensorflow/models, lm_1b/README.md: LSTM-2048-512 0.83, LSTM-8192-2048 3.3, 2-layer LSTM-8192-1024 1.8
        pytest.param(
            {**BILLION_WORDS, "width": 2048, "projection": 512},
            {"sequence_length": 20},
            0.83e9,
            0.01,
            id="lstm-2048-512",
        ),
        pytest.param(
            {**BILLION_WORDS, "width": 8192, "projection": 2048},
            {"sequence_length": 20},
            3.3e9,
            0.035,
            id="lstm-8192-2048",
        ),
        pytest.param(
            {**BILLION_WORDS, "layers": 2, "width": 8192, "projection": 1024},
            {"sequence_length": 20},
            1.8e9,
            0.015,
            id="big-lstm",
        ),
        # GNMT as Shazeer et al. count it beside theirs (arXiv 1701.06538): 278M parameters
        pytest.param(GNMT, PAIR, 278e6, 0.015, id="gnmt"),
        # Wolfram's net repository, "Deep Speech 2 Trained on Baidu English Data": 52,504,416, with running means
        pytest.param(SPEECH, {"sequence_length": 200}, 52_504_416, 0.001, id="deep-speech-2-baidu"),
        # SeanNaren/deepspeech.pytorch, issue 608: "around 52 million" with 7 GRU layers of 768, directions added, 73 characters
        pytest.param(
            {**SPEECH, "recurrent_layers": 7, "width": 768, "characters": 73, "is_sum": True, "bias_vectors": 2},
            {"sequence_length": 200},
            52e6,
            0.015,
            id="deepspeech-pytorch",
        ),
        # torchsummary of a U-Net from 1 channel to 1 class, "Total params: 31,030,593" (read in several repositories)
        pytest.param(UNET, {}, 31_030_593, 0, id="unet"),
        # the same from RGB to 2 classes with batch normalisation: "Parameters: 31,037,698 (~31M)", 512 x 512
        pytest.param(
            {**UNET, "image_size": 512, "classes": 2, "input_channels": 3, "is_padded": True, "has_batch_norm": True},
            {},
            31_037_698,
            0,
            id="unet-batch-norm",
        ),
        # "Normal Stable Diffusion U-net: Number of parameters: 859,520,964"; "DiffusionWrapper has 859.52 M params."
        pytest.param(STABLE_DIFFUSION, {}, 859_520_964, 0, id="stable-diffusion-v1"),
        # torchsummary of PyTorch's DCGAN example: "Total params: 3,576,704"; its discriminator has 2,765,568
        pytest.param(GENERATOR, {}, 3_576_704, 0, id="dcgan-generator"),
        pytest.param(DISCRIMINATOR, {}, 2_765_568, 0, id="dcgan-discriminator"),
        # p.numel() over clip.load(name).parameters(), printed beside the names in public code: all five
        pytest.param(CLIP_B, {"sequence_length": 77}, 151_277_313, 0, id="clip-vit-b-32"),
        pytest.param(CLIP_L, {"sequence_length": 77}, 427_616_513, 0, id="clip-vit-l-14"),
        pytest.param(CLIP_RESNET, {"sequence_length": 77}, 102_007_137, 0, id="clip-rn50"),
        pytest.param(
            {**CLIP_RESNET, "embedding_width": 512, "image_blocks": [3, 4, 23, 3]},
            {"sequence_length": 77},
            119_688_033,
            0,
            id="clip-rn101",
        ),
        pytest.param(
            {
                **CLIP_RESNET,
                "embedding_width": 640,
                "image_size": 288,
                "image_width": 80,
                "image_blocks": [4, 6, 10, 6],
                "text_width": 640,
            },
            {"sequence_length": 77},
            178_300_601,
            0,
            id="clip-rn50x4",
        ),
        # AlphaGo Zero as Sagebati/littlego's README counts it, with biases: 24,019,048 (20 blocks), 47,642,728 (40 blocks)
        pytest.param({**GO, "has_biases": True}, {}, 24_019_048, 0, id="alphago-zero-20"),
        pytest.param({**GO, "blocks": 40, "has_biases": True}, {}, 47_642_728, 0, id="alphago-zero-40"),
        # Switch, arXiv 2101.03961, table 9: 7B, 26B, 1571B
        pytest.param(SWITCH, PAIR, 7e9, 0.07, id="switch-base"),
        pytest.param(SWITCH_LARGE, PAIR, 26e9, 0.05, id="switch-large"),
        pytest.param(SWITCH_C, PAIR, 1571e9, 0.0005, id="switch-c"),
    ],
)
def test_published_parameters(settings, lengths, published, tolerance):
    assert totals(settings, **lengths).parameters == pytest.approx(published, rel=tolerance, abs=0)


def test_mixers_parameters_and_multiply_adds():
    # ../shared/reference/timm_forward_gmac.csv: 59.88 M and 12.62 G, 208.2 M and 44.6 G, an activation's element among them
    for settings, parameters, multiply_adds in ((MIXER_B, 59.88e6, 12.62e9), (MIXER_L, 208.2e6, 44.6e9)):
        sums = totals(settings)
        assert sums.parameters == pytest.approx(parameters, rel=1e-4)
        assert sums.forward_flop / 2 == pytest.approx(multiply_adds, rel=0.002)


def test_the_big_lstm_does_151_million_multiply_adds_a_word_besides_embedding_and_head():
    # Shazeer et al., arXiv 1701.06538, table 7: 2xLSTM-8192-1024, 151.0 M operations a time step, as many parameters
    settings = {**BILLION_WORDS, "layers": 2, "width": 8192, "projection": 1024}
    layers = [each for each in placed_layers(settings, Lengths(1)) if each.kind == "lstm"]
    assert sum(each.count.forward_flop for each in layers) / 2 == pytest.approx(151.0e6, rel=1e-3)
    assert sum(each.count.parameters for each in layers) == pytest.approx(151.0e6, rel=1e-3)


def test_gnmt_does_214_million_multiply_adds_a_word():
    # Shazeer et al., arXiv 1701.06538: GNMT, 214M operations a time step, of the encoder and of the decoder together
    assert totals(GNMT, sequence_length=1, target_length=1).forward_flop / 2 == pytest.approx(214e6, rel=0.01)


@pytest.mark.parametrize(("settings", "published"), [(SWITCH, 124e9), (SWITCH_LARGE, 425e9), (SWITCH_C, 890e9)])
def test_switchs_flops_a_sequence_are_multiply_adds(settings, published):
    # Table 9 prints "FLOPs/seq" 124B, 425B and 890B and no length: multiply-adds of 512 tokens in and out come within 5 %
    # of all three, so that our convention counts twice as much.
    sums = totals(settings, sequence_length=512, target_length=512)
    assert sums.forward_flop_full_attention / 2 == pytest.approx(published, rel=0.05)


def test_switch_xxls_395_billion_need_twice_the_experts_that_its_table_states():
    # Table 9 states 64 experts in every other layer and 395B parameters; those experts come to 201B, 128 to 395B.
    xxl = {**SWITCH_LARGE, "width": 4096, "heads": 64, "feed_forward_width": 10_240}
    billions = [totals({**xxl, "experts": experts}, **PAIR).parameters / 1e9 for experts in (64, 128)]
    assert [round(each) for each in billions] == [201, 395]


def test_an_evoformer_is_most_of_alphafolds_93_million_parameters():
    # "the parameters of AlphaFold2 are only 93M", the paper on Parallel Evoformer (its figure 2 shows what else there is)
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
    """Multiply-adds of a block, summed over what each position of either grid needs."""
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


@given(SMALL, SMALL, SMALL, st.booleans())
def test_axial_attention_sees_its_own_row_or_column(rows, across, heads, is_over_columns):
    seen = sum(
        1
        for a, b in itertools.product(itertools.product(range(rows), range(across)), repeat=2)
        if a[is_over_columns] == b[is_over_columns]
    )
    count = KINDS["axial_attention"]((rows, across, 6), heads=heads, head_width=3, is_over_columns=is_over_columns)
    assert count.score_flop == 2 * 2 * seen * heads * 3
    assert count.matrix_flop == 2 * rows * across * 5 * 6 * heads * 3


@given(SMALL, SMALL)
def test_triangles_have_three_corners(residues, width):
    corners = sum(1 for _ in itertools.product(range(residues), repeat=3))
    count = KINDS["triangle_multiplication"]((residues, residues, 5), width=width)
    assert count.score_flop == 2 * corners * width


@given(SMALL, SMALL, SMALL)
def test_outer_products_are_of_every_pair_in_every_row(rows, across, width):
    products = sum(1 for _ in itertools.product(range(rows), range(across), range(across), range(width), range(width)))
    count = KINDS["outer_product_mean"]((rows, across, 7), width=width, out_features=3)
    assert count.score_flop == 2 * products
    assert count.shape == (across, across, 3)


def test_clips_pool_attends_from_the_mean_alone():
    count = KINDS["attention_pool2d"]((8, 3, 3), heads=2, out_features=5)
    # keys and values of 10 positions, one query and one output; the query meets 10 keys and 10 values of width 8
    assert count.matrix_flop == 2 * (2 * 10 * 8 * 8 + 8 * 8 + 8 * 5)
    assert count.score_flop == 2 * 2 * 10 * 8


def test_an_encoder_decoder_without_attention_is_as_it_was():
    # Sutskever et al., section 3.4: "384M parameters of which 64M are pure recurrent connections" (32M in either stack)
    sums = totals(SEQ2SEQ, sequence_length=20, target_length=25)
    recurrent = 2 * 4 * 4 * (2000 * 1000 + 1000)
    assert sums.parameters == recurrent + 160_000 * 1000 + 80_000 * 1000 + 80_000 * 1000 + 80_000
    assert sums.forward_flop == 2 * (4 * 4 * 2000 * 1000 * (20 + 25) + 25 * 80_000 * 1000)
    assert sums.attention_score_flop == 0


def test_context_widens_as_many_decoder_layers_as_are_stated():
    widths = {}
    for layers in (1, 3, 8):
        placed = placed_layers({**GNMT, "context_layers": layers}, Lengths(20, 20))
        widths[layers] = [each.input_shape[1] for each in placed if each.kind == "lstm"][8:]
    assert widths == {1: [2048] + [1024] * 7, 3: [2048] * 3 + [1024] * 5, 8: [2048] * 8}


def test_a_bidirectional_encoder_of_one_layer_is_twice_as_wide_to_attend_to():
    # Bahdanau et al., arXiv 1409.0473, appendix A: U of 1000 x 2000, the decoder's context of 2000
    bahdanau = {**GNMT, "layers": 1, "width": 1000, "embedding_width": 620, "attention_width": 1000, "is_gru": True}
    placed = {each.kind: each for each in placed_layers(bahdanau, Lengths(30, 30))}
    assert placed["source_attention"].count.parameters == 1000 * (2000 + 1000 + 1)
    assert placed["gru"].input_shape == (30, 2620)


def test_speech_halves_time_once_and_frequencies_with_every_convolution():
    # 161 bins -> 81 -> 41 -> 21: an LSTM's input of 41 * 32 = 1312 after two (PMC10718467, table 5: [32, 41, 101], 1,312)
    shapes = {}
    for convolutions in (1, 2, 3):
        placed = placed_layers({**SPEECH, "convolutions": convolutions}, Lengths(201))
        shapes[convolutions] = next(each.input_shape for each in placed if each.kind == "gru")
    assert shapes == {1: (101, 81 * 32), 2: (101, 41 * 32), 3: (101, 21 * 96)}


def test_directions_that_are_added_leave_a_narrower_layer():
    joined, added = (
        [
            each.input_shape[1]
            for each in placed_layers({**SPEECH, "is_sum": is_sum}, Lengths(200))
            if each.kind in ("gru", "linear")
        ]
        for is_sum in (False, True)
    )
    assert joined == [1312, 2048, 2048, 2048]
    assert added == [1312, 1312, 1024, 1024, 1024, 1024, 1024]


def test_a_unet_without_padding_gives_388_of_572_pixels():
    # arXiv 1505.04597, figure 1: 572 -> … -> 388, crops of 392, 200, 104 and 56
    placed = placed_layers(UNET, Lengths())
    assert placed[-1].input_shape == (64, 388, 388)
    assert [each.arguments["size"] for each in placed if each.kind == "crop2d"] == [392, 200, 104, 56]
    ups = [each.input_shape for each in placed if each.kind == "conv_transpose2d"]
    assert ups == [(1024, 28, 28), (512, 52, 52), (256, 100, 100), (128, 196, 196)]


def test_stable_diffusion_has_sixteen_transformers_and_a_step_for_each_residual_block():
    placed = placed_layers(STABLE_DIFFUSION, Lengths())
    assert sum(each.kind == "cross_attention" for each in placed) == 16
    steps = [each for each in placed if each.kind == "linear"]
    assert len(steps) == 2 + 22
    assert [each.count.shape[0] for each in steps[2:]] == [320] * 2 + [640] * 2 + [1280] * 12 + [640] * 3 + [320] * 3


def test_a_generators_maps_double_and_a_discriminators_halve():
    up = [each.count.shape for each in placed_layers(GENERATOR, Lengths()) if each.kind == "conv_transpose2d"]
    down = [each.count.shape for each in placed_layers(DISCRIMINATOR, Lengths()) if each.kind == "conv2d"]
    assert up == [(256, 8, 8), (128, 16, 16), (64, 32, 32), (3, 64, 64)]
    assert down == [(64, 32, 32), (128, 16, 16), (256, 8, 8), (512, 4, 4)]
    paper = {**GENERATOR, "channels": 1024, "kernel": 5}
    assert [each.count.shape[0] for each in placed_layers(paper, Lengths()) if each.kind == "conv_transpose2d"] == [
        512, 256, 128, 3,
    ]  # fmt: skip


def test_both_towers_lie_on_data():
    placed = placed_layers(CLIP_B, Lengths(77))
    assert [each.kind for each in placed if not each.has_trainable_below and each.count.parameters] == [
        "patches",
        "embedding",
    ]


def test_a_towers_heads_hang_on_one_tower():
    chess = {"board": 8, "input_planes": 119, "blocks": 19, "filters": 256, "family": "residual_tower"}
    placed = placed_layers({**chess, "move_planes": 73}, Lengths())
    assert [each.input_shape for each in placed if ".side.0" in each.name or each.kind == "flatten"] == [
        (256, 8, 8),
        (1, 8, 8),
    ]
    # 39 convolutions of the tower, two of either head
    assert sum(each.times for each in placed if each.kind == "conv2d") == 39 + 2 + 1
    assert next(each.count.shape for each in placed if each.arguments.get("out_channels") == 73) == (73, 8, 8)


def test_every_other_layer_has_experts_in_both_stacks():
    placed = placed_layers(SWITCH, Lengths(**PAIR))
    kinds = [each.kind for each in placed if each.kind in ("feed_forward", "mixture_of_experts")]
    assert kinds == ["feed_forward", "mixture_of_experts"] * 2
    assert sum(each.times for each in placed if each.kind == "mixture_of_experts") == 12
    dense = {**SWITCH, "experts": 1}
    assert totals(SWITCH, **PAIR).active_parameters == totals(dense, **PAIR).parameters + 12 * 768 * 127


ALL = [
    (LANGUAGE_MODEL, {"sequence_length": 35}),
    (GNMT, PAIR),
    (SPEECH, {"sequence_length": 100}),
    (UNET, {}),
    (STABLE_DIFFUSION, {}),
    (GENERATOR, {}),
    (DISCRIMINATOR, {}),
    (MIXER_B, {}),
    (CLIP_B, {"sequence_length": 77}),
    (CLIP_RESNET, {"sequence_length": 77}),
    (GO, {}),
    (SWITCH, PAIR),
    (EVOFORMER, {"sequence_length": 16}),
]


@pytest.mark.parametrize(("settings", "lengths"), ALL, ids=lambda value: value.get("family"))
def test_each_layer_goes_back_with_nothing_to_two_forward_passes(settings, lengths):
    for each in placed_layers(settings, Lengths(**lengths)):
        for has_below, is_frozen in itertools.product((True, False), repeat=2):
            assert 0 <= each.count.backward_flop(has_below, is_frozen) <= 2 * each.count.forward_flop
        assert 0 <= each.count.active_parameters <= each.count.parameters


@pytest.mark.parametrize(
    ("settings", "lengths", "said"),
    [
        (LANGUAGE_MODEL, {}, "family lstm_language_model needs the phase's sequence_length"),
        ({**LANGUAGE_MODEL, "is_tied": True, "projection": 512, "embedding_width": 400}, {"sequence_length": 4}, "a tied head needs an embedding as wide as the last layer's output, 512, not 400"),
        ({**GNMT, "has_dot_attention": True}, PAIR, "attention is either additive (attention_width) or of products (has_dot_attention)"),
        ({**SEQ2SEQ, "context_layers": 1}, PAIR, "context_layers needs attention_width or has_dot_attention"),
        ({**GNMT, "context_layers": 9}, PAIR, "a decoder of 8 layers has no 9 layers that read the context"),
        ({**SEQ2SEQ, "layers": 1, "is_bidirectional": True, "has_dot_attention": True}, PAIR, "layer 3 (source_attention) after layer 2 (embedding), which gives 20x1000: a state of 1000 cannot be multiplied with a source of 2000"),
        ({**SPEECH, "convolutions": 4}, {"sequence_length": 100}, "Deep Speech 2 has 1 to 3 convolutions, not 4"),
        ({**SPEECH, "is_lstm": True}, {"sequence_length": 100}, "recurrent layers are either is_gru or is_lstm"),
        ({**SPEECH, "is_sum": True, "is_bidirectional": False}, {"sequence_length": 100}, "a layer that reads one way has no directions to add"),
        ({**UNET, "image_size": 570}, {}, "an image of 570 comes to 279 where it is halved; its image_size must stay even"),
        ({**STABLE_DIFFUSION, "latent_size": 60}, {}, "a latent image of 60 cannot be halved 3 times"),
        ({**STABLE_DIFFUSION, "multipliers": [1, 0]}, {}, "multipliers must be above 0, not [1, 0]"),
        ({**STABLE_DIFFUSION, "residual_blocks": 10**9}, {}, "1000000000 residual_blocks a level are more than can be (64 in all)"),
        ({**GENERATOR, "image_size": 60}, {}, "an image that is doubled from 4x4 has a size of 8, 16, 32, 64, …, not 60"),
        ({**GENERATOR, "channels": 12}, {}, "12 channels cannot be halved 3 times"),
        ({**DISCRIMINATOR, "image_size": 4}, {}, "an image that is halved to 4x4 has a size of 8, 16, 32, 64, …, not 4"),
        ({**CLIP_B, "image_blocks": [3, 4]}, {"sequence_length": 77}, "an image's tower needs either patch_size with image_layers, or image_blocks"),
        ({**CLIP_B, "text_width": 500}, {"sequence_length": 77}, "text_width must be a multiple of 64, a head's width, not 500"),
        ({**GO, "move_planes": 73}, {}, "a policy head needs either moves or move_planes"),
        ({**SWITCH, "decoder_layers": 11}, PAIR, "11 decoder_layers are no multiple of expert_every, 2"),
        ({**SWITCH, "experts_per_token": 200}, PAIR, "layer 1.3.main.1 (mixture_of_experts) after layer 1.3.main.0 (layer_norm), which gives 20x768: a token cannot use 200 of 128 experts"),
        (EVOFORMER, {"sequence_length": 255.5}, "sequence_length must be whole residues (the crop), not 255.5"),
    ],
)  # fmt: skip
def test_mistakes_say_what_is_wrong(settings, lengths, said):
    with pytest.raises(ArchitectureError) as problem:
        placed_layers(settings, Lengths(**lengths))
    assert str(problem.value) == said


def test_an_evoformer_says_that_it_is_approximate():
    evoformer = FAMILIES["evoformer"]
    assert "approximately" in sys.modules[evoformer.__module__].__doc__
    assert "recycling" in evoformer.not_counted
