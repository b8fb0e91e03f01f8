"""Readers of other people's config.json: published parameter counts, windows, shared weights, configs in records."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.architectures import counted
from pipeline.architectures.configs import read
from pipeline.architectures.counting import CountError, as_json, as_text, count, countable_networks
from pipeline.architectures.network import ArchitectureError, Lengths, place
from pipeline.records import loading
from tests.architectures.published_configs import (
    ALBERT,
    BERT,
    DEEPSEEK,
    GEMMA3_TEXT,
    GPT2,
    IMAGENET,
    LLAMA,
    MIXTRAL,
    QWEN3_MOE,
    SWIN,
    T5,
    VIT,
    WHISPER,
    sums,
)

# Keys that transformers writes for a network of stages, and that only a backbone uses.
STAGES = {
    "stage_names": ["stem", "stage1", "stage2", "stage3", "stage4"],
    "out_features": ["stage2"],
    "out_indices": [2],
}

# Configs as published with the weights. If the origin of a count is not given, many repositories print it from the
# weights themselves: Hugging Face's num_parameters, PEFT's "all params".
PUBLISHED = [
    (GPT2, 124_439_808),  # gpt2: its safetensors
    ({**GPT2, "n_embd": 1600, "n_head": 25, "n_layer": 48}, 1_557_611_200),  # gpt2-xl
    (LLAMA, 6_738_415_616),  # Llama-2-7b: PEFT's "all params"
    ({**LLAMA, "model_type": "mistral", "architectures": ["MistralForCausalLM"], "intermediate_size": 14336, "num_key_value_heads": 8}, 7_241_732_096),  # Mistral-7B-v0.1
    (MIXTRAL, 46_702_792_704),  # Mixtral-8x7B-v0.1: its safetensors
    (QWEN3_MOE, 30_532_122_624),  # Qwen3-30B-A3B: safetensors index, total parameters
    ({**DEEPSEEK, "num_nextn_predict_layers": 0}, 671_026_404_352),  # DeepSeek-V3 without the routers' balancing terms
    ({"model_type": "gemma", "hidden_size": 3072, "intermediate_size": 24576, "num_hidden_layers": 28, "num_attention_heads": 16, "num_key_value_heads": 16, "head_dim": 256, "vocab_size": 256000}, 8_537_680_896),  # gemma-7b
    ({"model_type": "gemma3", "architectures": ["Gemma3ForConditionalGeneration"], "text_config": GEMMA3_TEXT, "vision_config": {"hidden_size": 1152}}, 3_880_263_168),  # gemma-3-4b-it, text model
    ({"model_type": "bloom", "hidden_size": 14336, "n_head": 112, "n_layer": 70, "seq_length": 2048, "vocab_size": 250880}, 176_247_271_424),  # BLOOM's model card
    ({"model_type": "gpt_neox", "hidden_size": 6144, "intermediate_size": 24576, "num_hidden_layers": 44, "num_attention_heads": 64, "vocab_size": 50432}, 20_554_567_680),  # GPT-NeoX-20B's model card
    (BERT, 109_482_240),  # bert-base-uncased, BertModel
    ({**BERT, "architectures": ["BertForPreTraining"]}, 110_106_428),  # the same with both heads: its safetensors
    (ALBERT, 11_683_584),  # albert-base-v2, AlbertModel
    (T5, 60_506_624),  # t5-small
    (WHISPER, 37_760_640),  # whisper-tiny, with the encoder's fixed positions
    (VIT, 86_567_656),  # ViT-B/16: torchvision's model page
    (SWIN, 28_288_354),  # Swin-T: torchvision's model page
    ({"model_type": "convnext", "hidden_sizes": [96, 192, 384, 768], "depths": [3, 3, 9, 3], **STAGES, **IMAGENET}, 28_589_128),  # torchvision
    ({"model_type": "resnet", "hidden_sizes": [256, 512, 1024, 2048], "depths": [3, 4, 6, 3], **STAGES, **IMAGENET}, 25_557_032),  # torchvision
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
@pytest.mark.parametrize(
    ("config", "published"),
    [(MIXTRAL, 12.9e9), ({**DEEPSEEK, "num_nextn_predict_layers": 0}, 37e9), (QWEN3_MOE, 3.3e9)],
)
def test_published_active_parameters(config, published):
    assert sums(config).active_parameters == pytest.approx(published, rel=0.02)


def test_a_window_costs_what_is_seen():
    # Mistral-7B at 32,768 tokens: a position sees at most the last 4,096.
    classes = {"model_type": "mistral", "architectures": ["MistralForCausalLM"]}
    config = {**LLAMA, **classes, "num_key_value_heads": 8, "sliding_window": 4096}
    length, window = 32768, 4096
    pairs = length * window - window * (window - 1) // 2
    windowed, full = (sums({**config, "sliding_window": size}, sequence_length=length) for size in (window, None))
    assert windowed.attention_score_flop == 32 * 4 * 4096 * pairs
    assert windowed.forward_flop_full_attention == full.forward_flop_full_attention


def test_windows_stand_where_the_config_says():
    # Gemma 3: five of six layers; layer_types states it explicitly.
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
    # Each use of the weights has its own gradient: twice the forward pass, except for the embedding's narrow product.
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
    lengths = [layer.input_shape[0] for layer in place(reading.nodes) if layer.kind == "self_attention"]
    assert set(lengths) == {1500, 10}


@given(length=st.integers(1, 10**7), width=st.integers(1, 500), layers=st.integers(1, 200))
def test_counts_are_whole_numbers_however_large(length, width, layers):
    config = {**LLAMA, "hidden_size": 32 * width, "num_hidden_layers": layers, "num_key_value_heads": 8}
    found = sums(config, sequence_length=length)
    assert all(type(number) is int for number in found)
    # Exactly causal: half of all pairs, plus half of the pairs of a position with itself.
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
        "mine.yaml:16 architecture.config.num_attention_heads: num_attention_heads does not divide a hidden_size of 4096: 33; 32 would"
    )
    file.write_text(RECORD.replace("hidden_size: 4096", "hiden_size: 4096"))
    with pytest.raises(
        loading.RecordError,
        match=r"mine\.yaml:14 .*hiden_size: unknown, and may change the network; is 'hidden_size' meant\?",
    ):
        loading.load([file])
    file.write_text(RECORD.replace("heads: 33", "heads: 32"))
    assert loading.load([file]).models["mine"].architecture.family == "hugging_face"


def test_mamba_takes_the_width_that_its_config_names():
    # transformers 5.23 builds this many from it; `expand` would give 256
    sizes = {"hidden_size": 128, "num_hidden_layers": 2, "vocab_size": 1000, "intermediate_size": 512}
    assert sums({"model_type": "mamba", **sizes}, sequence_length=16).parameters == 594_304


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
    assert found["counted_for"] == {"sequence_length": 4096, "prediction_depth": 1, "batch": 1}
    assert found["assumed"]["prediction_depth"].startswith("num_nextn_predict_layers")
    without = json.loads(as_json(count(str(file), Lengths(4096), prediction_depth=0)))
    assert any("further tokens" in part for part in without["not_counted"])
    assert all(type(found[key]) is int for key in found if "flop" in key and key != "step_flop_per_token")


def test_lengths_that_nobody_asked_for_are_said(tmp_path):
    file = tmp_path / "config.json"
    file.write_text(json.dumps(T5))
    counted_for = count(str(file), Lengths(100))
    assert counted_for.sizes == {"sequence_length": 100, "target_length": 512}
    assert next(as_text(counted_for)).endswith(
        "sequence length 100, target length 512 (assumed from n_positions), batch 1"
    )
    assert counted_for.defaults["tie_word_embeddings"] is True


def test_named_networks_count_too():
    assert count("resnet50", Lengths()).totals.parameters == 25_557_032
    assert (
        count("tv_resnet50", Lengths(), image_size=448).totals.forward_flop
        > 3.9 * count("resnet50", Lengths()).totals.forward_flop
    )
    assert {line.split()[0] for line in countable_networks()} >= {"resnet101", "vgg13", "densenet169", "config.json"}
    with pytest.raises(CountError, match="vgg13 has no use for --sequence-length; it takes --image-size"):
        count("vgg13", Lengths(5))
