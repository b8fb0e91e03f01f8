"""Public configs that were refused or miscounted before, with values calculated by hand."""

import json
from pathlib import Path

import pytest

from pipeline.architectures.counting import CountError, as_json, as_text, count
from pipeline.architectures.network import ArchitectureError, Lengths
from tests.architectures.published_configs import BERT, LLAMA, sums

CASES = Path(__file__).parent / "field_cases"


def counted(name, length=None, **sizes):
    return count(str(CASES / f"{name}.json"), Lengths(length), **sizes)


# gpt-oss: 36 x (q 2880 x 4096, kv 2 x 2880 x 512, o, biases, 64 sinks; 128 experts of 2880 x 5760 + 5760 + 2880 x 2880 + 2880,
# router) + 2 x 201088 x 2880. Kimi K2: published 1.04T, 32.6B active. MiMo without its further-token layer.
@pytest.mark.parametrize(
    ("name", "parameters", "active"),
    [
        ("gpt_oss_120b", 116_829_156_672, 5_711_982_912),
        ("kimi_k2", 1_026_408_209_408, 32_861_477_888),
        ("qwen3_vl_8b", 8_190_735_360, 8_190_735_360),
        ("mimo_7b", 7_622_619_136, 7_622_619_136),
    ],
)
def test_recent_types_are_read(name, parameters, active):
    depth = {"prediction_depth": 0} if name == "mimo_7b" else {}
    totals = counted(name, 4096, **depth).totals
    assert (totals.parameters, totals.active_parameters) == (parameters, active)


# Published: 132B in all, 36B active. https://github.com/databricks/dbrx, model/config.json.
def test_a_config_of_nested_sizes_is_read():
    sizes = {"d_model": 6144, "n_heads": 48, "n_layers": 40, "vocab_size": 100352}
    nested = {
        "attn_config": {"kv_n_heads": 8},
        "ffn_config": {"ffn_hidden_size": 10752, "moe_num_experts": 16, "moe_top_k": 4},
    }
    totals = sums({"model_type": "dbrx", **sizes, **nested}, sequence_length=2048)
    assert (round(totals.parameters, -9), round(totals.active_parameters, -9)) == (132_000_000_000, 36_000_000_000)


MINIMAX_M3 = {"model_type": "minimax_m3", "num_hidden_layers": 4, "hidden_size": 256}
SPARSE = {
    "sparse_attention_freq": [0, 1, 1, 1],
    "sparse_num_index_heads": 4,
    "sparse_index_dim": 16,
    "sparse_topk_blocks": 2,
    "sparse_block_size": 8,
}
MISTRAL = {"model_type": "mistral", "sliding_window": 64}
DEEPSEEK = {"model_type": "deepseek_v3", "num_hidden_layers": 4}


@pytest.mark.parametrize(
    ("config", "off"),
    [
        (MINIMAX_M3, {"sparse_attention_config": {**SPARSE, "use_sparse_attention": False}}),
        ({**MISTRAL, "sliding_window": None}, {**MISTRAL, "use_sliding_window": False}),
        (DEEPSEEK, {"num_nextn_predict_layers": 1, "use_mtp": False}),
    ],
)
def test_a_part_that_is_switched_off_is_not_counted(config, off):
    on = json.loads(json.dumps(off).replace("false", "true"))
    assert sums({**config, **off}, sequence_length=512) == sums(config, sequence_length=512)
    assert sums({**config, **on}, sequence_length=512) != sums(config, sequence_length=512)


def test_an_encoder_that_decodes_sees_only_earlier_positions():
    encoder, decoder = (sums({**BERT, "is_decoder": decodes}, sequence_length=128) for decodes in (False, True))
    assert decoder.attention_score_flop * 2 * 128 == encoder.attention_score_flop * 129
    assert decoder.parameters == encoder.parameters


# Gemma 4 as transformers 5.24 writes it: what layers with full attention have of their own is keyed by their number.
def test_heads_of_single_layers_are_those_of_full_attention_or_refused():
    kinds = ["sliding_attention"] * 5 + ["full_attention"]
    gemma = {"model_type": "gemma4_unified_text", "num_hidden_layers": 6, "layer_types": kinds, "head_dim": 32}
    whole = sums({**gemma, "global_head_dim": 48}, sequence_length=64)
    assert sums({**gemma, "per_layer_config": {"05": {"head_dim": 48}}}, sequence_length=64) == whole
    for odd in ({"04": {"head_dim": 48}}, {"05": 48}, {"05": {"head_dim": 48}, "04": {"head_dim": 64}}, [48]):
        with pytest.raises(ArchitectureError, match="per_layer_config"):
            sums({**gemma, "per_layer_config": odd}, sequence_length=64)


def test_attention_in_both_directions_is_not_halved():
    # 4 full layers x 4 n^2 x 768, and 20 layers x 4 x 768 x pairs within 256 positions on either side.
    n = 2048
    pairs = n * 513 - 256 * 257
    assert counted("gemma3_bidirectional", n).totals.attention_score_flop == 4 * 768 * (4 * n * n + 20 * pairs)


@pytest.mark.parametrize(
    ("name", "key"), [("bert_with_its_own_code", "alibi_starting_size"), ("gpt2_multiquery", "attention_head_type")]
)
def test_a_network_of_its_own_code_is_refused_with_a_way_forward(name, key):
    with pytest.raises(CountError, match=rf"{key}: unknown, and may change the network.*state --parameters"):
        counted(name)


# Keys that no class of transformers reads: of the first years (BERT), of a converter, of a library for tuning.
@pytest.mark.parametrize(
    ("config", "keys", "parameters"),
    [
        (
            {"model_type": "bert", "architectures": ["BertForMaskedLM"], "hidden_size": 256, "num_hidden_layers": 4, "num_attention_heads": 4, "intermediate_size": 1024, "vocab_size": 21128},
            {"directionality": "bidi", "pooler_fc_size": 256, "pooler_num_attention_heads": 4, "pooler_num_fc_layers": 3, "pooler_type": "first_token_transform"},
            8_787_336,
        ),
        (
            {"model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_size": 576, "num_hidden_layers": 6, "num_attention_heads": 9, "num_key_value_heads": 3, "intermediate_size": 1536, "vocab_size": 49152, "tie_word_embeddings": True},
            {"is_llama_config": True, "rope_interleaved": False, "unsloth_fixed": True, "transformers.js_config": {"dtype": "q4"}},
            49_552_704,
        ),
    ],
)  # fmt: skip
def test_keys_that_the_class_never_reads_are_passed_over_and_listed(tmp_path, config, keys, parameters):
    file = tmp_path / "config.json"
    file.write_text(json.dumps({**config, **keys}))
    passed = count(str(file), Lengths(64))
    assert (passed.totals.parameters, passed.passed_over) == (parameters, [*keys])
    assert any(all(key in line for key in keys) for line in as_text(passed))
    file.write_text(json.dumps({**config, **{f"key_{index}": 1 for index in range(100_000)}}))
    assert any("key_11 and 99,988 more" in line for line in as_text(count(str(file), Lengths(64))))


# The same keys are refused if a class reads them, whatever their value, unless it is the class's default.
@pytest.mark.parametrize(
    ("config", "refused", "default"),
    [
        ({"model_type": "ernie"}, {"use_task_id": True}, {"use_task_id": False}),
        (BERT, {"add_cross_attention": True}, {"add_cross_attention": False}),
    ],
)
def test_a_key_that_the_class_reads_has_its_default_or_is_refused(config, refused, default):
    assert sums({**config, **default}, sequence_length=64) == sums(config, sequence_length=64)
    with pytest.raises(ArchitectureError, match=f"{next(iter(refused))}: unknown, and may change the network"):
        sums({**config, **refused}, sequence_length=64)


def test_a_decoder_made_to_look_both_ways_is_counted_with_full_attention():
    qwen = {"model_type": "qwen3", "hidden_size": 1024, "num_hidden_layers": 8, "num_attention_heads": 16, "num_key_value_heads": 8, "head_dim": 128, "intermediate_size": 3072, "architectures": ["Qwen3Model"]}  # fmt: skip
    both = sums({**qwen, "is_causal": False}, sequence_length=8192)
    assert both.forward_flop == 6_459_630_813_184
    assert both.forward_flop == sums(qwen, sequence_length=8192).forward_flop_full_attention
    # Within a window of 64 on both sides, a query sees 129 keys, and fewer at both ends.
    windows = {**qwen, "is_causal": False, "use_sliding_window": True, "sliding_window": 64, "max_window_layers": 0}
    assert sums(windows, sequence_length=512).attention_score_flop == 8 * 4 * 2048 * (512 * 129 - 64 * 65)


def test_a_wrapper_says_what_it_leaves_out_and_keeps_the_head_of_words():
    wrapped = counted("qwen3_vl_8b", 4096)
    # 27 layers of width 1152 with 4304 inside, 4 projections of 4608 merged to 4096, and a fifth: 1.2 x (545M + 230M).
    assert (
        "the part that vision_config describes, with its projection (at most about 930M parameters)"
        in wrapped.not_counted
    )
    assert "unembedding" in wrapped.by_kind


@pytest.mark.parametrize(("outer", "key"), [("llava", "text_config"), ("internvl_chat", "llm_config"), ("deepseek_vl_v2", "language_config")])  # fmt: skip
def test_the_inner_config_decides_if_the_outer_type_is_known_to_write_with_it(tmp_path, outer, key):
    file = tmp_path / "config.json"
    inner = {name: value for name, value in LLAMA.items() if name != "architectures"}
    file.write_text(json.dumps({"model_type": outer, "hidden_size": 1, key: inner}))
    assert count(str(file), Lengths(64)).totals.parameters == 6_738_415_616
    unknown = {"model_type": "some", "architectures": ["SomeForConditionalGeneration"], key: inner}
    file.write_text(json.dumps(unknown))
    with pytest.raises(CountError, match=f"{key} of 'some' may be only a part .*count its code with torch"):
        count(str(file), Lengths(64))


CHATGLM = {
    "model_type": "chatglm", "architectures": ["ChatGLMModel"], "auto_map": {"AutoModel": "modeling_chatglm.ChatGLM"}, "add_bias_linear": False, "add_qkv_bias": True,
    "apply_query_key_layer_scaling": True, "attention_softmax_in_fp32": True, "bias_dropout_fusion": True, "ffn_hidden_size": 13696, "fp32_residual_connection": False,
    "hidden_size": 4096, "kv_channels": 128, "layernorm_epsilon": 1e-05, "multi_query_attention": True, "multi_query_group_num": 2, "num_attention_heads": 32,
    "num_layers": 28, "original_rope": True, "padded_vocab_size": 65024, "post_layer_norm": True, "rmsnorm": True, "seq_length": 8192, "tie_word_embeddings": False,
    "use_cache": True, "pad_token_id": 0, "torch_dtype": "float16", "transformers_version": "4.27.1",
}  # fmt: skip
META = {"dim": 4096, "n_layers": 32, "n_heads": 32, "n_kv_heads": 8, "vocab_size": 128256, "multiple_of": 1024, "ffn_dim_multiplier": 1.3, "norm_eps": 1e-05, "rope_theta": 500000.0}  # fmt: skip
QWEN_VL = {
    "model_type": "qwen2_5_vl", "architectures": ["Qwen2_5_VLForConditionalGeneration"], "hidden_size": 512, "num_hidden_layers": 4, "num_attention_heads": 8,
    "num_key_value_heads": 2, "intermediate_size": 1408, "vocab_size": 32000, "max_position_embeddings": 8192, "tie_word_embeddings": False,
    "vision_config": {"depth": 2, "hidden_size": 320, "intermediate_size": 864, "out_hidden_size": 512, "patch_size": 14, "spatial_merge_size": 2, "temporal_patch_size": 2},
}  # fmt: skip


GEMMA_3N = {"model_type": "gemma3n_text", "num_hidden_layers": 35, "intermediate_size": [16384] * 35, "num_kv_shared_layers": 15}  # fmt: skip
GEMMA_4 = {
    "model_type": "gemma4_text", "num_hidden_layers": 35, "hidden_size": 1536, "intermediate_size": 6144, "num_attention_heads": 8, "num_key_value_heads": 1,
    "head_dim": 256, "global_head_dim": 512, "num_kv_shared_layers": 20, "use_double_wide_mlp": True, "hidden_size_per_layer_input": 256, "sliding_window_pattern": 5,
}  # fmt: skip


# As the makers publish them: 16.8B, 456B (their own config.json); Step 3.5 Flash, transformers' class with this vocabulary.
LING_LITE = {"model_type": "bailing_moe", "first_k_dense_replace": 0, "hidden_size": 2048, "intermediate_size": 5632, "moe_intermediate_size": 1408, "num_experts": 64, "num_shared_experts": 2, "num_attention_heads": 16, "num_experts_per_tok": 6, "num_hidden_layers": 28, "num_key_value_heads": 4, "tie_word_embeddings": False, "vocab_size": 126464, "norm_head": True}  # fmt: skip
MINIMAX_M1 = {"model_type": "minimax_m1", "attn_type_list": [*[0] * 7, 1] * 10, "head_dim": 128, "hidden_size": 6144, "intermediate_size": 9216, "layernorm_mlp_alpha": 3.55, "num_attention_heads": 64, "num_experts_per_tok": 2, "num_hidden_layers": 80, "num_key_value_heads": 8, "num_local_experts": 32, "shared_intermediate_size": 0, "tie_word_embeddings": False, "vocab_size": 200064}  # fmt: skip
STEP = {"model_type": "step3p5", "num_hidden_layers": 45, "hidden_size": 4096, "num_attention_heads": 64, "num_key_value_heads": 8, "head_dim": 128, "vocab_size": 128896, "intermediate_size": 11264, "layer_types": ["full_attention"] * 45, "first_k_dense_replace": 3, "num_experts": 288, "num_experts_per_tok": 8, "moe_intermediate_size": 1280, "share_expert_dim": 1280, "tie_word_embeddings": False}  # fmt: skip


# Gemma 3n and 4: transformers' classes. ChatGLM3-6B: 6,243,584,000, as people print model.num_parameters(). Llama 3.1 8B: as its index. Qwen2.5-VL: by hand, 27,663,872
# and a head of 16,384,000. The BERT of bert_config.json has the head of masked words.
@pytest.mark.parametrize(
    ("config", "parameters"),
    [
        (CHATGLM, 6_243_584_000),
        (META, 8_030_261_248),
        (QWEN_VL, 44_047_872),
        ({**QWEN_VL, "architectures": ["Qwen2_5_VLModel"]}, 27_663_872),
        (GEMMA_3N, 6_835_235_568),
        (LING_LITE, 16_801_974_272),
        (MINIMAX_M1, 456_089_655_296),
        (STEP, 195_844_496_640),
        (
            {**GEMMA_3N, "num_hidden_layers": 30, "intermediate_size": [8192] * 30, "num_kv_shared_layers": 10},
            4_435_182_688,
        ),
        (GEMMA_4, 4_628_569_344),
        (
            {
                **GEMMA_4,
                "num_hidden_layers": 42,
                "hidden_size": 2560,
                "intermediate_size": 10240,
                "num_key_value_heads": 2,
                "num_kv_shared_layers": 18,
                "use_double_wide_mlp": False,
                "sliding_window_pattern": 6,
            },
            7_463_013_376,
        ),
    ],
)
def test_other_spellings_of_a_decoder_are_read(config, parameters):
    assert sums(config, sequence_length=64).parameters == parameters


@pytest.mark.parametrize("model_type", ["deepseek_v4", "hy_v3", "step3p5"])
def test_a_bias_that_only_some_feed_forward_networks_of_a_class_take_is_refused(model_type):
    with pytest.raises(ArchitectureError, match="mlp_bias other than false cannot be counted"):
        sums({**STEP, "model_type": model_type, "mlp_bias": True}, sequence_length=64)


def test_keys_on_the_top_level_leave_the_parts_around_the_text_model_named(tmp_path):
    (tmp_path / "config.json").write_text(json.dumps(QWEN_VL))
    (part,) = (words for words in count(str(tmp_path), Lengths(64)).not_counted if "vision_config" in words)
    # Torch: 49,206,080 in all, of which the tower and its projection have 5,162,208.
    assert "(at most about 7M parameters)" in part


def test_a_config_of_bert_without_a_type_is_recognised():
    unnamed = {key: value for key, value in BERT.items() if key not in ("model_type", "architectures")}
    unnamed |= {"attention_probs_dropout_prob": 0.1, "type_vocab_size": 2}
    assert sums(unnamed, sequence_length=64).parameters == sums({**BERT, "architectures": ["BertForMaskedLM"]}, sequence_length=64).parameters  # fmt: skip


def test_a_text_config_that_is_only_a_part_of_the_network_is_refused(tmp_path):
    file = tmp_path / "config.json"
    detector = {"model_type": "grounding-dino", "d_model": 256, "text_config": {"model_type": "bert"}, "backbone_config": {"model_type": "swin"}}  # fmt: skip
    file.write_text(json.dumps(detector))
    with pytest.raises(CountError, match="text_config of 'grounding-dino' may be only a part of the network"):
        count(str(file), Lengths(64))


def test_a_class_suffices_without_model_type_and_defaults_fill_sizes(tmp_path):
    file = tmp_path / "config.json"
    file.write_text(json.dumps({"architectures": ["LlamaForCausalLM"], "auto_map": {"AutoModel": "x.Y"}}))
    found = count(str(file), Lengths(64))
    assert found.totals.parameters == 6_738_415_616  # Llama 7B, whose sizes are the defaults of the class
    assert found.defaults["hidden_size"] == 4096
    assert any("auto_map" in part for part in found.not_counted)


# Llama 3.1 8B, at its training length before extension; a maximum without an original length is cut.
@pytest.mark.parametrize(
    ("name", "length", "low", "high", "words"),
    [
        ("llama3_1_8b", 8192, 4096, 32768, "sequence length 8,192 (assumed from original_max_position_embeddings)"),
        ("kimi_k2", 8192, 4096, 32768, "sequence length 8,192 (assumed from max_position_embeddings 131,072, cut to 8,192)"),
        ("gemma3_bidirectional", 2048, 1024, 2048, "sequence length 2,048 (assumed from max_position_embeddings)"),
    ],
)  # fmt: skip
def test_a_length_from_the_file_is_assumed_and_has_a_range(name, length, low, high, words):
    found = counted(name)
    assert found.length[:3] == (length, low, high)
    assert words in next(as_text(found))


def test_the_maximum_is_told_beside_the_assumed_length():
    found, longest = counted("llama3_1_8b"), counted("llama3_1_8b", 131072)
    assert found.step_flop_per_token_at_maximum == longest.step_flop / 131072
    assert any("the same at 131,072 tokens" in line for line in as_text(found))
    assert json.loads(as_json(found))["assumed_length"]["maximum"] == 131072
    assert longest.length is None
    assert "assumed_length" not in json.loads(as_json(longest))


def test_the_depth_of_further_tokens_is_an_assumption_or_stated():
    assumed, stated = counted("mimo_7b", 4096), counted("mimo_7b", 4096, prediction_depth=2)
    assert "prediction depth 1 (assumed from num_nextn_predict_layers" in next(as_text(assumed))
    assert "prediction depth 2, batch" in next(as_text(stated))
    module = assumed.totals.parameters - 7_622_619_136
    assert stated.totals.parameters == 7_622_619_136 + 2 * module
    with pytest.raises(CountError, match="has no use for --prediction-depth"):
        counted("llama3_1_8b", prediction_depth=1)


LENET = """
input: {shape: [1, 32, 32]}
layers:
  - {kind: conv2d, out_channels: 6, kernel: 5}
  - {kind: average_pool2d, kernel: 2, stride: 2}
  - {kind: conv2d, out_channels: 16, kernel: 5}
  - {kind: average_pool2d, kernel: 2, stride: 2}
  - kind: flatten
  - {kind: linear, out_features: 120}
  - {kind: linear, out_features: 84}
  - {kind: linear, out_features: 10}
"""


def test_a_network_of_layers_in_yaml_is_counted(tmp_path):
    # LeNet-5: 156 + 2416 + 48120 + 10164 + 850 parameters; 2 x (28^2 x 6 x 25 + 10^2 x 16 x 150 + 400 x 120 + 120 x 84 + 84 x 10).
    file = tmp_path / "lenet.yaml"
    for written in (LENET, "architecture:" + LENET.replace("\n", "\n  ")):
        file.write_text(written)
        totals = count(str(file), Lengths()).totals
        assert (totals.parameters, totals.forward_flop) == (61_706, 833_040)


# SmolLM-135M's file of nanotron: 134,515,008 as its safetensors.
def test_a_run_s_yaml_of_nanotron_has_a_config(tmp_path):
    sizes = "hidden_size: 576, intermediate_size: 1536, num_attention_heads: 9, num_hidden_layers: 30, num_key_value_heads: 3"
    file = tmp_path / "config.yaml"
    file.write_text(
        f"model: {{model_config: {{is_llama_config: true, {sizes}, tie_word_embeddings: true, vocab_size: 49152}}}}"
    )
    assert count(str(file), Lengths(64)).totals.parameters == 134_515_008


RECORD = """
architecture: {family: transformer_decoder, layers: 2, width: 64, heads: 4, feed_forward_width: 256, vocabulary: 100, is_tied: true}
training:
  - {phase: pretraining, sequence_length: {value: 512, quote: length}}
  - {phase: extension, sequence_length: {value: 4096, quote: length}}
"""


def test_a_record_s_length_is_the_one_that_it_states(tmp_path):
    file = tmp_path / "mine.yaml"
    file.write_text(RECORD)
    found = count(str(file), Lengths())
    assert next(as_text(found)) == f"{file}: sequence length 512 (stated for pretraining), batch 1"
    assert found.totals == count(str(file), Lengths(512)).totals
    assert count(str(file), Lengths(64)).stated == {}
    for odd in ("{low: 64, high: 512}", "512", "{value: many}"):
        file.write_text(RECORD.replace("{value: 512, quote: length}", odd))
        with pytest.raises(CountError, match="needs --sequence-length"):
            count(str(file), Lengths())


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("family: resnett\ndepth: 18", "'resnett' is not a family of networks; did you mean 'resnet'?"),
        ("family: resnet\ndepht: 18\nimage_size: 224\nclasses: 10", "'depht' is not a key of family resnet; did you mean 'depth'?"),
        ("name: Mine", "has no architecture: neither a family nor layers"),
        ("- 1", "has no architecture: neither a family nor layers"),
        ("num-layers: 12\nhidden-size: 768\nnum-attention-heads: 12", 'write a config.json with its vocabulary: {"model_type": "gpt_neox", "vocab_size": "?", "hidden_size": 768,'),
        ("a: [", "is not YAML: "),
        ("family: vgg\ndepth: 16\ndepth: 11", "states 'depth' twice"),
        ("a: &a [1, 1]\nlayers: [*a, *a]", "has an alias (*a); write its content out"),
        ("[" * 100_000, "is nested too deeply"),
        ("k: 1\n" * 200_001, "is larger than 1,000,000 bytes"),
    ],
)  # fmt: skip
def test_a_wrong_network_in_yaml_is_one_line(tmp_path, written, message):
    file = tmp_path / "mine.yaml"
    file.write_text(written)
    with pytest.raises(CountError) as problem:
        count(str(file), Lengths())
    assert message in str(problem.value)
    assert "\n" not in str(problem.value)


def test_a_network_in_yaml_takes_the_lengths_that_it_has_and_no_others(tmp_path):
    file = tmp_path / "clip.yaml"
    numbers = "embedding_width: 512, image_size: 224, image_width: 768, patch_size: 32, image_layers: 12"
    file.write_text(f"{{family: two_tower, {numbers}, text_width: 512, text_layers: 12}}")
    with pytest.raises(CountError, match="needs --sequence-length"):
        count(str(file), Lengths())
    found = count(str(file), Lengths(77))
    assert (found.sizes, found.totals.parameters) == ({"image_size": 224, "sequence_length": 77}, 151_277_313)
    file.write_text(LENET)
    with pytest.raises(CountError, match="has no use for --sequence-length; it takes no size"):
        count(str(file), Lengths(77))


# Llama 3.1 8B's published index: its number of parameters, or 2 bytes per parameter.
@pytest.mark.parametrize(
    ("metadata", "message"),
    [
        ({"total_parameters": 8_030_261_248, "total_size": 1}, "has 8,030,261,248 parameters, as counted"),
        ({"total_size": 16_060_522_496}, "has 8,030,261,248 parameters, as counted"),
        ({"total_size": 2 * 8_833_287_373}, "has 8,833,287,373 parameters: 10.0% more than counted"),
        ({"total_size": "x"}, None),
    ],
)
def test_an_index_of_weights_is_compared(tmp_path, metadata, message):
    config = json.loads((CASES / "llama3_1_8b.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps({**config, "torch_dtype": "bfloat16"}))
    (tmp_path / "model.safetensors.index.json").write_text(json.dumps({"metadata": metadata, "weight_map": {}}))
    lines = [line for line in as_text(count(str(tmp_path), Lengths(64))) if "safetensors" in line]
    assert (message in lines[0]) if message else not lines


def test_training_heads_that_are_left_out_are_named():
    for name in ("googlenet", "inception_v3"):
        assert "the auxiliary classifiers, which only training uses" in count(name, Lengths()).not_counted
    assert len(count("inception_v4", Lengths()).not_counted) == 1
