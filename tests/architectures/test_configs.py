"""Readers of others' config.json: published parameter counts exactly, and mistakes in one line with the nearest right thing."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.architectures import counted
from pipeline.architectures.configs import READERS, read
from pipeline.architectures.counting import CountError, as_json, as_text, count, known
from pipeline.architectures.network import ArchitectureError, Lengths, place
from pipeline.formulas.totals import total
from pipeline.records import loading
from tests.architectures.transformers_configs import IMAGES, LANGUAGE

GPT2 = {"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"], "n_embd": 768, "n_head": 12, "n_layer": 12, "n_positions": 1024, "vocab_size": 50257}  # fmt: skip
LLAMA = {"model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_size": 4096, "intermediate_size": 11008, "max_position_embeddings": 4096, "num_attention_heads": 32, "num_hidden_layers": 32, "num_key_value_heads": 32, "tie_word_embeddings": False, "vocab_size": 32000}  # fmt: skip
MIXTRAL = {"model_type": "mixtral", "architectures": ["MixtralForCausalLM"], "hidden_size": 4096, "intermediate_size": 14336, "max_position_embeddings": 32768, "num_attention_heads": 32, "num_experts_per_tok": 2, "num_hidden_layers": 32, "num_key_value_heads": 8, "num_local_experts": 8, "sliding_window": None, "vocab_size": 32000}  # fmt: skip
QWEN3_MOE = {"model_type": "qwen3_moe", "architectures": ["Qwen3MoeForCausalLM"], "decoder_sparse_step": 1, "head_dim": 128, "hidden_size": 2048, "intermediate_size": 6144, "max_position_embeddings": 40960, "max_window_layers": 48, "mlp_only_layers": [], "moe_intermediate_size": 768, "num_attention_heads": 32, "num_experts": 128, "num_experts_per_tok": 8, "num_hidden_layers": 48, "num_key_value_heads": 4, "sliding_window": None, "tie_word_embeddings": False, "use_sliding_window": False, "vocab_size": 151936}  # fmt: skip
DEEPSEEK = {"model_type": "deepseek_v3", "architectures": ["DeepseekV3ForCausalLM"], "first_k_dense_replace": 3, "hidden_size": 7168, "intermediate_size": 18432, "kv_lora_rank": 512, "max_position_embeddings": 163840, "moe_intermediate_size": 2048, "moe_layer_freq": 1, "n_routed_experts": 256, "n_shared_experts": 1, "num_attention_heads": 128, "num_experts_per_tok": 8, "num_hidden_layers": 61, "num_key_value_heads": 128, "num_nextn_predict_layers": 1, "q_lora_rank": 1536, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128, "vocab_size": 129280}  # fmt: skip
GEMMA3_TEXT = {"hidden_size": 2560, "intermediate_size": 10240, "model_type": "gemma3_text", "num_hidden_layers": 34, "sliding_window": 1024}  # fmt: skip
BERT = {"model_type": "bert", "architectures": ["BertModel"], "hidden_size": 768, "intermediate_size": 3072, "max_position_embeddings": 512, "num_attention_heads": 12, "num_hidden_layers": 12, "type_vocab_size": 2, "vocab_size": 30522}  # fmt: skip
ALBERT = {"model_type": "albert", "architectures": ["AlbertModel"], "embedding_size": 128, "hidden_size": 768, "inner_group_num": 1, "intermediate_size": 3072, "max_position_embeddings": 512, "num_attention_heads": 12, "num_hidden_groups": 1, "num_hidden_layers": 12, "type_vocab_size": 2, "vocab_size": 30000}  # fmt: skip
T5 = {"model_type": "t5", "architectures": ["T5ForConditionalGeneration"], "d_ff": 2048, "d_kv": 64, "d_model": 512, "n_positions": 512, "num_heads": 8, "num_layers": 6, "relative_attention_num_buckets": 32, "vocab_size": 32128}  # fmt: skip
WHISPER = {"model_type": "whisper", "architectures": ["WhisperForConditionalGeneration"], "d_model": 384, "decoder_attention_heads": 6, "decoder_ffn_dim": 1536, "decoder_layers": 4, "encoder_attention_heads": 6, "encoder_ffn_dim": 1536, "encoder_layers": 4, "max_source_positions": 1500, "max_target_positions": 448, "num_mel_bins": 80, "vocab_size": 51865}  # fmt: skip
IMAGENET = {"id2label": {str(label): f"label {label}" for label in range(1000)}}
VIT = {"model_type": "vit", "architectures": ["ViTForImageClassification"], "hidden_size": 768, "image_size": 224, "intermediate_size": 3072, "num_attention_heads": 12, "num_channels": 3, "num_hidden_layers": 12, "patch_size": 16, "qkv_bias": True, **IMAGENET}  # fmt: skip
SWIN = {"model_type": "swin", "architectures": ["SwinForImageClassification"], "depths": [2, 2, 6, 2], "embed_dim": 96, "image_size": 224, "num_heads": [3, 6, 12, 24], "patch_size": 4, "window_size": 7, **IMAGENET}  # fmt: skip


def sums(config, **sizes):
    """What a config comes to, for its own longest sequences unless sizes are given."""
    image_size = sizes.pop("image_size", None)
    reading = read(config, Lengths(**sizes), image_size, has_own_lengths=True)
    return total((each.count, each.backward_flop, each.times) for each in place(reading.nodes))


# Configs are those published with the weights; where the origin of a count is not said, many repositories print it from
# the weights themselves: Hugging Face's num_parameters, PEFT's "all params".
PUBLISHED = [
    (GPT2, 124_439_808),  # gpt2: its safetensors
    ({**GPT2, "n_embd": 1600, "n_head": 25, "n_layer": 48}, 1_557_611_200),  # gpt2-xl
    (LLAMA, 6_738_415_616),  # Llama-2-7b: PEFT's "all params"
    ({**LLAMA, "intermediate_size": 14336, "num_key_value_heads": 8, "vocab_size": 128256}, 8_030_261_248),  # Llama-3-8B
    ({**LLAMA, "model_type": "mistral", "intermediate_size": 14336, "num_key_value_heads": 8}, 7_241_732_096),  # Mistral-7B-v0.1
    (MIXTRAL, 46_702_792_704),  # Mixtral-8x7B-v0.1: its safetensors
    (QWEN3_MOE, 30_532_122_624),  # Qwen3-30B-A3B: safetensors index, total parameters
    ({**QWEN3_MOE, "hidden_size": 4096, "num_attention_heads": 64, "moe_intermediate_size": 1536, "num_hidden_layers": 94}, 235_093_634_560),  # Qwen3-235B-A22B
    (DEEPSEEK, 671_026_404_352),  # DeepSeek-V3 without its further-token module and the routers' balancing terms
    ({"model_type": "gemma", "hidden_size": 3072, "intermediate_size": 24576, "num_hidden_layers": 28, "num_attention_heads": 16, "num_key_value_heads": 16, "head_dim": 256, "vocab_size": 256000}, 8_537_680_896),  # gemma-7b
    ({"model_type": "gemma3", "architectures": ["Gemma3ForConditionalGeneration"], "text_config": GEMMA3_TEXT, "vision_config": {"hidden_size": 1152}}, 3_880_263_168),  # gemma-3-4b-it, text model
    ({"model_type": "phi", "hidden_size": 2560, "intermediate_size": 10240, "num_hidden_layers": 32, "num_attention_heads": 32, "vocab_size": 51200}, 2_779_683_840),  # phi-2
    ({"model_type": "bloom", "hidden_size": 14336, "n_head": 112, "n_layer": 70, "seq_length": 2048, "vocab_size": 250880}, 176_247_271_424),  # BLOOM's model card
    ({"model_type": "gpt_neox", "hidden_size": 6144, "intermediate_size": 24576, "num_hidden_layers": 44, "num_attention_heads": 64, "vocab_size": 50432}, 20_554_567_680),  # GPT-NeoX-20B's model card
    (BERT, 109_482_240),  # bert-base-uncased, BertModel
    ({**BERT, "architectures": ["BertForPreTraining"]}, 110_106_428),  # the same with both heads: its safetensors
    (ALBERT, 11_683_584),  # albert-base-v2, AlbertModel
    (T5, 60_506_624),  # t5-small
    (WHISPER, 37_760_640),  # whisper-tiny, with the encoder's fixed positions
    (VIT, 86_567_656),  # ViT-B/16: torchvision's model page
    (SWIN, 28_288_354),  # Swin-T: torchvision's model page
    ({"model_type": "convnext", "hidden_sizes": [96, 192, 384, 768], "depths": [3, 3, 9, 3], **IMAGENET}, 28_589_128),  # torchvision
    ({"model_type": "resnet", "hidden_sizes": [256, 512, 1024, 2048], "depths": [3, 4, 6, 3], **IMAGENET}, 25_557_032),  # torchvision
    ({"model_type": "efficientnet", "width_coefficient": 1.0, "depth_coefficient": 1.0, "hidden_dim": 1280, "image_size": 224, **IMAGENET}, 5_288_548),  # torchvision
    ({"model_type": "mobilenet_v2", **IMAGENET}, 3_504_872),  # torchvision
    ({"model_type": "mamba", "hidden_size": 768, "num_hidden_layers": 24, "state_size": 16, "vocab_size": 50280}, 129_135_360),  # mamba-130m-hf
]  # fmt: skip


@pytest.mark.parametrize(("config", "parameters"), PUBLISHED)
def test_published_parameters(config, parameters):
    asked = {"sequence_length": 64} if config["model_type"] in ("mamba",) else {}
    assert sums(config, **asked).parameters == parameters


# Mixtral: "uses 12.9B parameters per token" (mistral.ai, Mixtral of experts); DeepSeek-V3: 37B (arXiv 2412.19437,
# abstract); Qwen3-30B-A3B: "3.3B activated" (its model card).
@pytest.mark.parametrize(("config", "published"), [(MIXTRAL, 12.9e9), (DEEPSEEK, 37e9), (QWEN3_MOE, 3.3e9)])
def test_published_active_parameters(config, published):
    assert sums(config).active_parameters == pytest.approx(published, rel=0.02)


def test_a_window_costs_what_is_seen():
    # Mistral-7B at 32,768 tokens: a position sees at most the last 4,096.
    config = {**LLAMA, "model_type": "mistral", "num_key_value_heads": 8, "sliding_window": 4096}
    length, window = 32768, 4096
    pairs = length * window - window * (window - 1) // 2
    windowed = sums(config, sequence_length=length)
    assert windowed.attention_score_flop == 32 * 4 * 4096 * pairs
    assert (
        windowed.forward_flop_full_attention
        == sums({**config, "sliding_window": None}, sequence_length=length).forward_flop_full_attention
    )


def test_windows_stand_where_the_config_says():
    # Gemma 3: five of six layers; layer_types says it outright.
    config, length, window = GEMMA3_TEXT, 8192, 1024
    seen = length * window - window * (window - 1) // 2
    per_pair = 4 * 8 * 256
    wanted = per_pair * (29 * seen + 5 * length * (length + 1) // 2)
    assert sums(config, sequence_length=length).attention_score_flop == wanted
    types = ["sliding_attention"] * 4 + ["full_attention"] * 30
    wanted = per_pair * (4 * seen + 30 * length * (length + 1) // 2)
    assert sums({**config, "layer_types": types}, sequence_length=length).attention_score_flop == wanted


def test_shared_layers_count_once_but_work_each_time():
    once, spelt = sums({**ALBERT, "num_hidden_layers": 1}, sequence_length=128), sums(ALBERT, sequence_length=128)
    assert once.parameters == spelt.parameters
    block = spelt.forward_flop - sums({**ALBERT, "num_hidden_layers": 11}, sequence_length=128).forward_flop
    assert spelt.forward_flop == once.forward_flop + 11 * block
    # Each use of the weights has its own gradient: twice the forward, save for the embedding's narrow product.
    assert spelt.backward_flop == 2 * spelt.forward_flop


def test_tied_weights_count_once():
    untied = sums({**GPT2, "tie_word_embeddings": False})
    assert untied.parameters - sums(GPT2).parameters == 50257 * 768
    assert untied.forward_flop == sums(GPT2).forward_flop


def test_absent_heads_are_the_usual_ones():
    for config in (GPT2, LLAMA, T5, WHISPER, VIT):
        assert sums({key: value for key, value in config.items() if key != "architectures"}) == sums(config)
    bare = {key: value for key, value in BERT.items() if key != "architectures"}
    assert sums(bare) == sums({**bare, "architectures": ["BertForMaskedLM"]})
    two_labels = {key: value for key, value in VIT.items() if key != "id2label"}
    assert sums(VIT).parameters - sums(two_labels).parameters == 998 * 769


def test_mel_frames_are_halved_once():
    # Whisper's encoder runs over 1500 positions of 3000 frames; an odd number is rounded up.
    reading = read(WHISPER, Lengths(2999, 10))
    lengths = [each.input_shape[0] for each in place(reading.nodes) if each.kind == "self_attention"]
    assert set(lengths) == {1500, 10}


@given(length=st.integers(1, 10**7), width=st.integers(1, 500), layers=st.integers(1, 200))
def test_counts_are_whole_numbers_however_large(length, width, layers):
    config = {**LLAMA, "hidden_size": 32 * width, "num_hidden_layers": layers, "num_key_value_heads": 8}
    found = sums(config, sequence_length=length)
    assert all(type(each) is int for each in found)
    # Exactly causal: half of all pairs and half of those of a position with itself.
    assert found.attention_score_flop == layers * 4 * 32 * width * (length * (length + 1) // 2)
    assert 0 < found.backward_flop <= 2 * found.forward_flop


def test_a_record_may_hold_a_config():
    settings = {"family": "hugging_face", "config": LLAMA}
    assert counted(settings, Lengths(2048)) == sums(LLAMA, sequence_length=2048)
    with pytest.raises(ArchitectureError, match="a config of llama needs the phase's sequence_length"):
        counted(settings, Lengths())
    assert (
        counted({"family": "hugging_face", "config": VIT, "image_size": 384}).forward_flop
        == sums(VIT, image_size=384).forward_flop
    )


RECORD = """
name: Mine
organization: O
organization_kind: industry
published: 2023-05-04
domain: language
scope: single
sources: {paper: {kind: authors, title: P, url: "https://example.org"}}
architecture:
  family: hugging_face
  source: paper
  config:
    model_type: llama
    hidden_size: 4096
    num_hidden_layers: 32
    num_attention_heads: 33
training:
  - phase: pretraining
    example_unit: token
    sequence_length: {value: 2048, source: paper}
    examples: {value: 300e9, source: paper}
    epochs: {value: 1, source: paper}
"""


def test_a_record_with_a_config_is_checked_by_line(tmp_path):
    file = tmp_path / "mine.yaml"
    file.write_text(RECORD)
    with pytest.raises(loading.RecordError) as problem:
        loading.load([file])
    assert str(problem.value).endswith(
        "mine.yaml:16 architecture.config.num_attention_heads: num_attention_heads does not divide hidden_size: 33 heads, a width of 4096; 32 would"
    )
    file.write_text(RECORD.replace("hidden_size: 4096", "hiden_size: 4096"))
    with pytest.raises(
        loading.RecordError, match=r"mine\.yaml:13 .*a config of llama needs hidden_size; is 'hiden_size' meant\?"
    ):
        loading.load([file])
    file.write_text(RECORD.replace("heads: 33", "heads: 32"))
    assert loading.load([file]).models["mine"].architecture.family == "hugging_face"


def written(config):
    """A config.json with one key a line."""
    return "{\n" + ",\n".join(f" {json.dumps(key)}: {json.dumps(value)}" for key, value in config.items()) + "\n}"


KNOWN = ", ".join(sorted(READERS))
WRONG = [
    ({}, " a config needs model_type; known are " + KNOWN),
    ({"model_type": "lama"}, ":2 model_type 'lama' cannot be read; did you mean 'llama'? known are " + KNOWN),
    ({"model_type": "zzzzzz"}, ":2 model_type 'zzzzzz' cannot be read; known are " + KNOWN),
    ({"model_type": 7}, ":2 model_type '7' cannot be read; known are " + KNOWN),
    ({"model_type": "llama"}, ":2 a config of llama needs hidden_size"),
    ({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 2}, ":2 a config of llama needs num_hidden_layers"),
    ({"model_type": "llama", "num_hidden_layers": 2, "hiden_size": 64}, ":2 a config of llama needs hidden_size; is 'hiden_size' meant?"),
    ({"model_type": "gpt2", "n_layer": 2}, ":2 a config of gpt2 needs n_embd"),
    ({"model_type": "swin", "embed_dim": 96}, ":2 a config of swin needs depths"),
    ({"model_type": "gemma3"}, " text_config is needed: a config of gemma3 has the text model's inside"),
    ({"model_type": "deepseek_v2", "hidden_size": 64, "num_hidden_layers": 2}, ":2 a config of deepseek_v2 needs num_experts_per_tok"),
    ({**LLAMA, "num_attention_heads": 33}, ":7 num_attention_heads does not divide hidden_size: 33 heads, a width of 4096; 32 would"),
    ({**LLAMA, "num_key_value_heads": 5}, ":9 num_key_value_heads does not divide the 32 heads: 5; 4 would"),
    ({**GPT2, "n_head": 13}, ":5 n_head does not divide n_embd: 13 heads, a width of 768; 12 would"),
    ({**SWIN, "num_heads": [3, 6, 12, 25]}, ":7 num_heads does not divide embed_dim: 25 heads, a width of 768; 24 would"),
    ({**SWIN, "num_heads": [3, 6, 12]}, ":7 num_heads has 3 numbers for 4 depths"),
    ({**LLAMA, "hidden_size": -4096}, ":4 hidden_size must be a whole number above 0, not -4,096"),
    ({**LLAMA, "hidden_size": 0}, ":4 hidden_size must be a whole number above 0, not 0"),
    ({**LLAMA, "hidden_size": 4096.0}, ":4 hidden_size must be a whole number above 0, not 4096.0"),
    ({**LLAMA, "hidden_size": "4096"}, ":4 hidden_size must be a whole number above 0, not '4096'"),
    ({**LLAMA, "hidden_size": True}, ":4 hidden_size must be a whole number above 0, not true"),
    ({**LLAMA, "hidden_size": None}, ":4 hidden_size must be a whole number above 0, not null"),
    ({**LLAMA, "hidden_size": 10**12}, ":4 hidden_size is more than can be (1,000,000,000): 1,000,000,000,000"),
    ({**LLAMA, "hidden_size": 10**100}, ":4 hidden_size is more than can be (1,000,000,000): a number of 101 digits"),
    ({**LLAMA, "num_hidden_layers": 10**6}, ":8 num_hidden_layers is more than can be (10,000): 1,000,000"),
    ({**LLAMA, "tie_word_embeddings": "yes"}, ":10 tie_word_embeddings must be true or false, not 'yes'"),
    ({**LLAMA, "hidden_act": "silo"}, ":12 hidden_act cannot be 'silo'; did you mean 'silu'?"),
    ({**LLAMA, "architectures": ["LlamaForDreams"]}, ":3 architectures names 'LlamaForDreams', a head that cannot be counted; known are ForCausalLM, ForSequenceClassification, ForTokenClassification, ForQuestionAnswering, Model"),
    ({**LLAMA, "architectures": "LlamaForCausalLM"}, ":3 architectures must be a list of names, not 'LlamaForCausalLM'"),
    ({**MIXTRAL, "num_experts_per_tok": 9}, ":8 num_experts_per_tok is more than the experts: 9 of 8"),
    ({"model_type": "qwen3", "hidden_size": 1024, "num_hidden_layers": 2, "num_attention_heads": 16}, " num_key_value_heads (the default of qwen3) does not divide the 16 heads: 32; 16 would"),
    ({**ALBERT, "num_hidden_groups": 13}, ":10 num_hidden_groups is more than the layers: 13 of 12"),
    ({**T5, "feed_forward_proj": "gated-gelo"}, ":12 feed_forward_proj cannot be 'gated-gelo'; did you mean 'gated-gelu'?"),
    ({**VIT, "patch_size": 500}, ":10 patch_size is larger than the image: 500, 224"),
    ({"model_type": "resnet", "hidden_sizes": [64], "depths": [2], "layer_type": "basik"}, ":5 layer_type cannot be 'basik'; did you mean 'basic'?"),
    ({"model_type": "resnet", "hidden_sizes": [64, 128], "depths": [2]}, ":3 hidden_sizes has 2 numbers for 1 depths"),
    ({"model_type": "resnet", "hidden_sizes": [], "depths": [2]}, ":3 hidden_sizes must be a list of whole numbers, not []"),
    ({"model_type": "efficientnet", "width_coefficient": 1.0, "depth_coefficient": 1.0, "hidden_dim": 1408}, ":5 hidden_dim must be what width_coefficient makes of 1280, 1280, not 1408"),
    ({"model_type": "efficientnet", "width_coefficient": 0, "depth_coefficient": 1.0}, ":3 width_coefficient must be a number above 0, not 0"),
    ({"model_type": "mamba", "hidden_size": 768, "num_hidden_layers": 24}, " a config of mamba says no longest sequence_length; state sequence_length (--sequence-length)"),
    ({**GEMMA3_TEXT, "layer_types": ["full_attention"]}, ":7 layer_types must name each of the 34 layers"),
    ({**GEMMA3_TEXT, "layer_types": ["sliding_atention"] * 34}, ":7 layer_types names 'sliding_atention', which is no kind of layer; did you mean 'sliding_attention'?"),
]  # fmt: skip


@pytest.mark.parametrize(("config", "said"), WRONG)
def test_a_wrong_config_is_one_line(tmp_path, config, said):
    file = tmp_path / "config.json"
    file.write_text(written(config))
    with pytest.raises(CountError) as problem:
        count(str(file), Lengths())
    assert str(problem.value) == f"{file}{said}"


OPT = {
    "model_type": "opt",
    "hidden_size": 64,
    "num_attention_heads": 4,
    "num_hidden_layers": 2,
    "max_position_embeddings": 32,
}


@pytest.mark.parametrize(
    ("config", "length", "said"),
    [
        ({**GPT2, "architectures": ["GPT2DoubleHeadsModel"]}, None, "architectures names 'GPT2DoubleHeadsModel', a head that cannot be counted"),
        ({**GPT2, "add_cross_attention": True}, None, "add_cross_attention is true; a decoder that reads an encoder cannot be counted alone"),
        ({**VIT, "id2label": ["a", "b"]}, None, "id2label must be a mapping from numbers to names"),
        ({**QWEN3_MOE, "mlp_only_layers": [100]}, None, "mlp_only_layers must be a list of layers from 0 to 47"),
        (OPT, 33, "max_position_embeddings allows 32 positions, not 33"),
    ],
)  # fmt: skip
def test_nothing_is_taken_silently_for_something_else(tmp_path, config, length, said):
    file = tmp_path / "config.json"
    file.write_text(written(config))
    with pytest.raises(CountError, match=re.escape(said)):
        count(str(file), Lengths(length))


def test_mamba_takes_the_width_that_its_config_names():
    # transformers 5.23 builds so many from it; expand would say 256
    config = {
        "model_type": "mamba",
        "hidden_size": 128,
        "num_hidden_layers": 2,
        "vocab_size": 1000,
        "intermediate_size": 512,
    }
    assert sums(config, sequence_length=16).parameters == 594_304


ODD = [None, True, -1, 0, 1, 2, 3, 7, 0.5, 10**6, 10**40, "x", "", [], [0], [[]], [None, "x"], {}, {"a": 1}]


def complaint(config):
    """What is said of a config that cannot be; nothing of one that is counted in whole numbers."""
    try:
        counted_for = sums(config, sequence_length=64, target_length=16)
    except ArchitectureError as problem:
        return str(problem)
    return "" if all(type(each) is int and each >= 0 for each in counted_for) else f"no whole numbers\n{counted_for}"


@pytest.mark.parametrize("name", [*LANGUAGE, *IMAGES])
def test_no_value_is_more_than_one_line_of_complaint(name):
    config = {"model_type": name.split()[0], **{**LANGUAGE, **IMAGES}[name]}
    reading = read(config, Lengths(64, 16))
    for key in [
        *config,
        *reading.defaults,
        "architectures",
        "id2label",
        "num_labels",
        "layer_types",
        "hidden_act",
        "text_config",
    ]:
        for odd in ODD:
            said = complaint({**config, key: odd})
            assert "\n" not in said, (key, odd)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", ":1 is empty"),
        (b"\n \n", ":3 is empty"),
        (b"model_type: llama", ":1 is not JSON: Expecting value"),
        (b'{"model_type": "llama",\n}', ":2 is not JSON: Expecting property name enclosed in double quotes"),
        (b"[]", ":1 must hold a mapping of keys to values, not a list"),
        (b'"llama"', ":1 must hold a mapping of keys to values, not a text"),
        (b"3", ":1 must hold a mapping of keys to values, not a single value"),
        (b"null", ":1 must hold a mapping of keys to values, not a single value"),
        (b'{"model_type": "gpt2", "model_type": "llama"}', " states 'model_type' twice"),
        (b"\xff\xfe\x00", " is not text in UTF-8"),
        (b"[" * 100_000, " is nested too deeply"),
        (b'{"hidden_size": ' + b"9" * 5000 + b"}", " has an integer of 5,000 digits; no size of a network has more than 300"),
        (b'{"model_type": "llama", "num_hidden_layers": 2, "hidden_size": NaN}', ":1 hidden_size must be a whole number above 0, not nan"),
    ],
)  # fmt: skip
def test_what_is_no_config_is_one_line(tmp_path, content, said):
    file = tmp_path / "config.json"
    file.write_bytes(content)
    with pytest.raises(CountError) as problem:
        count(str(file), Lengths())
    assert str(problem.value).startswith(f"{file}{said}")
    assert "\n" not in str(problem.value)


def test_files_that_are_not_there(tmp_path):
    with pytest.raises(CountError, match=r"absent\.json cannot be read: no such file or directory"):
        count(str(tmp_path / "absent.json"), Lengths())
    (tmp_path / "folder.json").mkdir()
    with pytest.raises(CountError, match=r"folder\.json is a folder without a config\.json"):
        count(str(tmp_path / "folder.json"), Lengths())
    with pytest.raises(CountError, match="'resnet5O' is not a named network; did you mean 'resnet50'"):
        count("resnet5O", Lengths())


@pytest.mark.parametrize(
    ("config", "sizes", "said"),
    [
        (GPT2, {"sequence_length": 2000}, "layer 1 (position_embedding) after layer 0 (embedding), which gives 2000x768: a sequence of 2000 positions needs as many position vectors, not 1024"),
        (WHISPER, {"sequence_length": 3001}, ":11 max_source_positions allows 3000 mel frames, not 3001"),
        ({**BERT, "model_type": "roberta", "architectures": ["RobertaModel"], "max_position_embeddings": 514}, {"sequence_length": 513}, ":6 max_position_embeddings allows sequences of 512 positions, not 513"),
        (GPT2, {"image_size": 224}, " has no use for --image-size; it takes --sequence-length"),
        (GPT2, {"target_length": 5}, " has no use for --target-length; it takes --sequence-length"),
        (VIT, {"sequence_length": 5}, " has no use for --sequence-length; it takes --image-size"),
        ({"model_type": "resnet", "hidden_sizes": [64] * 9, "depths": [1] * 9, "layer_type": "basic"}, {"image_size": 1}, None),
    ],
)  # fmt: skip
def test_sizes_that_cannot_be(tmp_path, config, sizes, said):
    file = tmp_path / "config.json"
    file.write_text(written(config))
    image_size = sizes.pop("image_size", None)
    if said is None:
        assert count(str(file), Lengths(), image_size).totals.parameters > 0
        return
    with pytest.raises(CountError) as problem:
        count(str(file), Lengths(**sizes), image_size)
    assert str(problem.value).endswith(said)


def test_a_batch_multiplies_operations_alone(tmp_path):
    file = tmp_path / "config.json"
    file.write_text(json.dumps(GPT2))
    one, eight = (count(str(file), Lengths(128), batch=batch) for batch in (1, 8))
    for key in one.totals._fields:
        assert getattr(eight.totals, key) == getattr(one.totals, key) * (8 if "flop" in key else 1), key
    assert sum(own.forward_flop for own in eight.by_kind.values()) == eight.totals.forward_flop
    assert sum(own.parameters for own in eight.by_kind.values()) == eight.totals.parameters


def test_json_has_the_promised_keys(tmp_path):
    file = tmp_path / "config.json"
    file.write_text(json.dumps(DEEPSEEK))
    found = json.loads(as_json(count(str(file), Lengths(4096))))
    assert set(found) >= set(
        "parameters active_parameters forward_flop forward_flop_full_attention attention_score_flop backward_flop by_kind not_counted".split()
    )
    assert found["by_kind"]["latent_attention"].keys() == {"parameters", "forward_flop", "backward_flop"}
    assert any("further tokens" in each for each in found["not_counted"])
    assert found["counted_for"] == {"sequence_length": 4096, "batch": 1}
    assert all(type(found[key]) is int for key in found if "flop" in key and key != "step_flop_per_token")


def test_lengths_that_nobody_asked_for_are_said(tmp_path):
    file = tmp_path / "config.json"
    file.write_text(json.dumps(T5))
    counted_for = count(str(file), Lengths(100))
    assert counted_for.sizes == {"sequence_length": 100, "target_length": 512}
    assert next(as_text(counted_for)).endswith(
        "sequence length 100, target length 512 (the config's n_positions), batch 1"
    )
    assert counted_for.defaults["tie_word_embeddings"] is True


def test_named_networks_count_too():
    assert count("resnet50", Lengths()).totals.parameters == 25_557_032
    assert (
        count("tv_resnet50", Lengths(), image_size=448).totals.forward_flop
        > 3.9 * count("resnet50", Lengths()).totals.forward_flop
    )
    assert {line.split()[0] for line in known()} >= {"resnet101", "vgg13", "densenet169", "config.json"}
    with pytest.raises(CountError, match="vgg13 has no use for --sequence-length; it takes --image-size"):
        count("vgg13", Lengths(5))
