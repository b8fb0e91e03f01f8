"""Mistakes in other people's config.json: one line each, with the nearest valid value."""

import json
import os

import pytest

from pipeline.architectures.configs import read
from pipeline.architectures.counting import WAY_ON, WAY_ON_BY_CODE, CountError, count
from pipeline.architectures.network import ArchitectureError, Lengths
from tests.architectures.published_configs import (
    BERT,
    GEMMA3_TEXT,
    GPT2,
    LLAMA,
    MIXTRAL,
    QWEN3_MOE,
    SWIN,
    T5,
    VIT,
    WHISPER,
    sums,
)
from tests.architectures.transformers_configs import IMAGES, LANGUAGE


def written(config):
    """Write a config.json with one key per line."""
    return "{\n" + ",\n".join(f" {json.dumps(key)}: {json.dumps(value)}" for key, value in config.items()) + "\n}"


WRONG = [
    ({}, " a config needs model_type, or architectures with a known class"),
    ({"base_model_name_or_path": "a/b"}, " an adapter has no layers; estimate with --frozen and --base-model or --config of 'a/b'"),
    ({"global_step": 3, "log_history": []}, " a trainer's state has no layers; its folder's config.json has them"),
    ({"model_type": "lama"}, ":2 model_type 'lama' cannot be read; did you mean 'llama'?"),
    ({"model_type": 7}, ":2 model_type 7 cannot be read"),
    ({"model_type": "llama", "num_hidden_layers": 2, "hiden_size": 64}, ":4 hiden_size: unknown, and may change the network; is 'hidden_size' meant?"),
    ({"model_type": "gemma3"}, ":2 a config of gemma3 needs text_config, the config of its text model"),
    ({"model_type": "deepseek_v2", "hidden_size": 64, "num_hidden_layers": 2}, ":2 a config of deepseek_v2 needs num_experts_per_tok"),
    ({**LLAMA, "num_local_experts": 8}, ":12 num_local_experts is not a key of the class of llama: this is the config of another network"),
    ({**GPT2, "architectures": ["GPT2LMHeadCustomModel"]}, ":3 architectures names 'GPT2LMHeadCustomModel', not a class of gpt2 (GPT2): its own code may build another network"),
    ({**VIT, "architectures": ["MyViTForImageClassification"]}, ":3 architectures names 'MyViTForImageClassification', not a class of vit (ViT): its own code may build another network"),
    ({**LLAMA, "n_embd": 64}, ":12 n_embd is 64, but hidden_size, which means the same, is 4,096"),
    ({**LLAMA, "num_attention_heads": 33}, ":7 num_attention_heads does not divide a hidden_size of 4096: 33; 32 would"),
    ({**LLAMA, "num_key_value_heads": 5}, ":9 num_key_value_heads does not divide the 32 heads: 5; 4 would"),
    ({**SWIN, "num_heads": [3, 6, 12, 25]}, ":7 num_heads does not divide a width of 768: 25; 24 would"),
    ({**SWIN, "num_heads": [3, 6, 12]}, ":7 num_heads has 3 numbers for 4 depths"),
    ({**LLAMA, "hidden_size": -4096}, ":4 hidden_size must be a whole number above 0, not -4,096"),
    ({**LLAMA, "hidden_size": True}, ":4 hidden_size must be a whole number above 0, not true"),
    ({**LLAMA, "num_hidden_layers": 10**6}, ":8 num_hidden_layers is more than possible (10,000): 1,000,000"),
    ({**LLAMA, "hidden_act": "silo"}, ":12 hidden_act cannot be 'silo'; did you mean 'silu'?"),
    ({**LLAMA, "architectures": ["LlamaForDreams"]}, ":3 architectures names 'LlamaForDreams', whose head cannot be counted"),
    ({"model_type": "dinov2", "architectures": ["Dinov2Backbone"]}, ":3 architectures names 'Dinov2Backbone', whose head cannot be counted"),
    ({"model_type": "mpt", "attn_config": {"qk_lm": True}}, ":3 attn_config has 'qk_lm': unknown, and may change the network"),
    ({"model_type": "laguna", "num_attention_heads_per_layer": [8, 4] * 20, "mlp_layer_types": ["sparse"] * 40}, ":3 num_attention_heads_per_layer must have one number for all layers of attention"),
    ({**LLAMA, "architectures": "LlamaForCausalLM"}, ":3 architectures must be a list of names, not 'LlamaForCausalLM'"),
    ({**MIXTRAL, "num_experts_per_tok": 9}, ":8 num_experts_per_tok is 9, more than the 8 experts"),
    ({"model_type": "qwen3", "hidden_size": 1024, "num_hidden_layers": 2, "num_attention_heads": 16}, " num_key_value_heads (the default of qwen3) does not divide the 16 heads: 32; 16 would"),
    ({**T5, "feed_forward_proj": "gated-gelo"}, ":12 feed_forward_proj cannot be 'gated-gelo'; did you mean 'gated-gelu'?"),
    ({"model_type": "resnet", "hidden_sizes": [64], "depths": [2], "layer_type": "basik"}, ":5 layer_type cannot be 'basik'; did you mean 'basic'?"),
    ({"model_type": "resnet", "hidden_sizes": [], "depths": [2]}, ":3 hidden_sizes must be a list of whole numbers, not []"),
    ({"model_type": "efficientnet", "width_coefficient": 1.0, "depth_coefficient": 1.0, "hidden_dim": 1408}, ":5 hidden_dim must be 1280 scaled by width_coefficient, 1280, not 1408"),
    ({"model_type": "mamba", "hidden_size": 768, "num_hidden_layers": 24}, " a config of mamba states no longest sequence; state sequence_length (--sequence-length)"),
    ({**GEMMA3_TEXT, "layer_types": ["sliding_atention"] * 34}, ":7 layer_types names 'sliding_atention', which is not a kind of layer that can be counted; did you mean 'sliding_attention'?"),
]  # fmt: skip


@pytest.fixture
def refusal(tmp_path):
    """Return a function from the content of a config.json to the error that `count` raises, without the file's name."""

    def refused(content, lengths=None, image_size=None):
        file = tmp_path / "config.json"
        file.write_bytes(content if isinstance(content, bytes) else written(content).encode())
        with pytest.raises(CountError) as problem:
            count(str(file), lengths or Lengths(), image_size)
        return str(problem.value).removeprefix(str(file))

    return refused


@pytest.mark.parametrize(("config", "message"), WRONG)
def test_a_wrong_config_is_one_line(refusal, config, message):
    before = f"{message}{' Otherwise ' if message.endswith('?') else '; '}"
    is_size = "--sequence-length" in message
    assert refusal(config) in ([message] if is_size else [before + WAY_ON, before + WAY_ON_BY_CODE])


@pytest.mark.parametrize(
    ("config", "way_on"),
    [
        ({"model_type": "segformer", "num_channels": 3}, WAY_ON_BY_CODE),
        ({"model_type": "imagegpt", "vocab_size": 9}, WAY_ON_BY_CODE),
        ({"model_type": "mine", "architectures": ["MineForImageEditing"], "vocab_size": 9}, WAY_ON_BY_CODE),
        ({"model_type": "swin", "num_heads": [3]}, WAY_ON_BY_CODE),
        ({"model_type": "blip", "text_config": {"vocab_size": 9}, "image_text_hidden_size": 9}, WAY_ON_BY_CODE),
        ({"model_type": "lama", "architectures": ["LamaForCausalLM"], "vocab_size": 9}, WAY_ON),
    ],
)
def test_operations_per_token_are_a_way_on_for_text_only(refusal, config, way_on):
    assert refusal(config).endswith(way_on)


OPT = {"model_type": "opt", "hidden_size": 64, "num_attention_heads": 4, "num_hidden_layers": 2}
MORE_KEYS = "architectures id2label num_labels layer_types hidden_act text_config block_configs".split()


@pytest.mark.parametrize(
    ("config", "length", "message"),
    [
        ({**GPT2, "architectures": ["GPT2DoubleHeadsModel"]}, None, "architectures names 'GPT2DoubleHeadsModel', whose head cannot be counted"),
        ({**GPT2, "add_cross_attention": True}, None, "add_cross_attention: unknown, and may change the network"),
        ({**VIT, "id2label": ["a", "b"]}, None, "id2label must be a mapping from numbers to names"),
        ({**LLAMA, "auto_map": {"AutoModel": "x.Y"}, **{f"key_{index}": index for index in range(110_000)}}, None, "key_0, key_1, key_2, key_3, key_4: unknown, and may change the network"),
        ({**QWEN3_MOE, "mlp_only_layers": [100]}, None, "mlp_only_layers must be a list of layers from 0 to 47"),
        ({**OPT, "max_position_embeddings": 32}, 33, "max_position_embeddings allows at most 32 positions, not 33"),
    ],
)  # fmt: skip
def test_nothing_is_taken_silently_for_something_else(refusal, config, length, message):
    assert message in refusal(config, Lengths(length))


ODD = [None, True, -1, 0, 1, 2, 3, 7, 0.5, 10**6, 10**40, "x", "", [], [0], [[]], [None, "x"], {}, {"a": 1}]


def complaint(config):
    """Return the message about an invalid config; nothing for a config that is counted in whole numbers."""
    try:
        counted_for = sums(config, sequence_length=64, target_length=16)
    except ArchitectureError as problem:
        return str(problem)
    return (
        "" if all(type(number) is int and number >= 0 for number in counted_for) else f"no whole numbers\n{counted_for}"
    )


@pytest.mark.parametrize("name", [*LANGUAGE, *IMAGES])
def test_no_value_is_more_than_one_line_of_complaint(name):
    config = {"model_type": name.split()[0], **{**LANGUAGE, **IMAGES}[name]}
    reading = read(config, Lengths(64, 16))
    for key in [*config, *reading.defaults, *MORE_KEYS]:
        for odd in ODD:
            message = complaint({**config, key: odd})
            assert "\n" not in message, (key, odd)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", ":1 is empty"),
        (b"\n \n", ":3 is empty"),
        (b"model_type: llama", ":1 is not JSON: Expecting value"),
        (b'{"model_type": "llama",\n:}', ":2 is not JSON: Expecting property name enclosed in double quotes"),
        (b"[]", ":1 must contain a mapping of keys to values, not a list"),
        (b'"llama"', ":1 must contain a mapping of keys to values, not a string"),
        (b"3", ":1 must contain a mapping of keys to values, not a single value"),
        (b"null", ":1 must contain a mapping of keys to values, not a single value"),
        (b'{"model_type": "gpt2", "model_type": "llama"}', " states 'model_type' twice"),
        (b"{" + b"".join(b'"a%d": 1,' % n for n in range(160_000)) + b'"a159999": 1}', " states 'a159999' twice"),
        (b"\xff\xfe\x00", " is not text in UTF-8"),
        (b"[" * 100_000, " is nested too deeply"),
        (b'{"hidden_size": ' + b"9" * 5000 + b"}", " has an integer of 5,000 digits; no size of a network has more than 300"),
        (b'{"model_type": "llama", "num_hidden_layers": 2, "hidden_size": NaN}', ":1 hidden_size must be a whole number above 0, not nan"),
    ],
)  # fmt: skip
def test_what_is_no_config_is_one_line(refusal, content, message):
    refused = refusal(content)
    assert refused.startswith(message)
    assert "\n" not in refused


def test_an_image_of_one_pixel_is_halved_as_often_as_the_network_says():
    deep = {"model_type": "resnet", "hidden_sizes": [64] * 9, "depths": [1] * 9, "layer_type": "basic"}
    assert sums(deep, image_size=1).parameters > 0


def test_files_that_are_not_there(tmp_path):
    with pytest.raises(CountError, match=r"absent\.json cannot be read: no such file or directory"):
        count(str(tmp_path / "absent.json"), Lengths())
    (tmp_path / "folder.json").mkdir()
    with pytest.raises(CountError, match=r"folder\.json is a folder without a config\.json"):
        count(str(tmp_path / "folder.json"), Lengths())
    with pytest.raises(CountError, match="'resnet5O' is not a named network; did you mean 'resnet50'"):
        count("resnet5O", Lengths())
    os.mkfifo(tmp_path / "pipe.json")
    with pytest.raises(CountError, match="is not a regular file"):
        count(str(tmp_path / "pipe.json"), Lengths())


@pytest.mark.parametrize(
    ("config", "sizes", "message"),
    [
        (GPT2, {"sequence_length": 2000}, ":7 n_positions allows at most 1024 positions, not 2000"),
        (WHISPER, {"sequence_length": 3001}, ":11 max_source_positions allows at most 3000 mel frames, not 3001"),
        ({**BERT, "model_type": "roberta", "architectures": ["RobertaModel"], "max_position_embeddings": 514}, {"sequence_length": 513}, ":6 max_position_embeddings allows at most 512 positions, not 513"),
        (GPT2, {"image_size": 224}, " has no use for --image-size; it takes --sequence-length"),
        (GPT2, {"target_length": 5}, " has no use for --target-length; it takes --sequence-length"),
        (VIT, {"sequence_length": 5}, " has no use for --sequence-length; it takes --image-size"),
    ],
)  # fmt: skip
def test_sizes_that_cannot_be(refusal, config, sizes, message):
    lengths = Lengths(**{name: size for name, size in sizes.items() if name != "image_size"})
    assert message in refusal(config, lengths, sizes.get("image_size"))
