"""`flopledger estimate --config`: the network of a user's own run, counted layer by layer."""

import json
import math

import pytest

from tests.architectures.published_configs import WHISPER
from tests.builders import estimate_json, typed

LAYERS = "input: {shape: [1, 32, 32]}\nlayers: [{kind: flatten}, {kind: linear, out_features: 10}]\n"


@pytest.mark.parametrize("written", [LAYERS, "architecture:\n  " + LAYERS.replace("\nl", "\n  l")])
def test_a_network_in_yaml_is_estimated(tmp_path, written):
    """2 x 1,024 x 10 FLOP forward; the layer reads raw data, so backward it has only the gradient of its weights."""
    file = tmp_path / "mine.yaml"
    file.write_text(written)
    done = typed("estimate", "--config", str(file), *"--images 1M --epochs 90 --json".split())
    assert json.loads(done.stdout)["operation_count_flop"] == 2 * 20_480 * 90e6


@pytest.mark.parametrize("written", [LAYERS, '{"model_type": "llama"}', "hidden-size: 768\nnum-layers: 12\n", "model: {model_config: {}}"])  # fmt: skip
def test_a_network_in_place_of_a_record_is_one_line_with_the_way_on(tmp_path, written):
    (tmp_path / "my_net.yml").write_text(written)
    for verb in ("estimate", "validate"):
        (line,) = (line for line in typed(verb, "my_net.yml", folder=tmp_path).stderr.splitlines() if "my_net" in line)
        assert "is a network, not the record of a model: `flopledger count my_net.yml`, or" in line


PAIRS = {
    "t5": {"d_model": 512, "d_ff": 2048, "d_kv": 64, "num_layers": 6, "num_decoder_layers": 6, "num_heads": 8}
    | {"vocab_size": 32128, "n_positions": 512, "feed_forward_proj": "relu", "is_encoder_decoder": True},
    "mt5": {"d_model": 512, "d_ff": 1024, "d_kv": 64, "num_layers": 8, "num_decoder_layers": 8, "num_heads": 6}
    | {"vocab_size": 250112, "feed_forward_proj": "gated-gelu", "tie_word_embeddings": False},
    **dict.fromkeys(
        ("bart", "m2m_100"),
        {"d_model": 768, "encoder_layers": 6, "decoder_layers": 6, "encoder_attention_heads": 12}
        | {"decoder_attention_heads": 12, "encoder_ffn_dim": 3072, "decoder_ffn_dim": 3072, "vocab_size": 50265}
        | {"max_position_embeddings": 1024},
    ),
    "whisper": WHISPER,
}


@pytest.mark.parametrize("kind", PAIRS)
def test_an_encoder_and_a_decoder_are_estimated_from_pairs_of_sequences(kind, tmp_path):
    """A step's operations by `count` times the steps; a batch counts pairs, and examples are steps x batch."""
    name = {"m2m_100": "M2M100", "bart": "Bart", "whisper": "Whisper"}.get(kind, kind.upper())
    config = tmp_path / "config.json"
    keys = {"model_type": kind, "architectures": [f"{name}ForConditionalGeneration"], **PAIRS[kind]}
    config.write_text(json.dumps(keys))
    lengths = ["--sequence-length", "3000" if kind == "whisper" else "512", "--target-length", "128"]
    step = json.loads(typed("count", str(config), *lengths, "--batch", "8", "--json").stdout)["step_flop"]
    answer = estimate_json("--config", str(config), *lengths, "--steps", "1250", "--batch", "8")
    assert answer["operation_count_flop"] == pytest.approx(1250 * step)
    if kind == "t5":  # 8.766e11 by torch's layers
        assert step == pytest.approx(8.766e11, rel=1e-4)
    examples = estimate_json("--config", str(config), *lengths, "--examples", "2500", "--epochs", "4")
    assert examples["training_flop"] == pytest.approx(answer["training_flop"])
    assumed = estimate_json("--config", str(config), "--steps", "1250", "--batch", "8")
    assert {"sequence length", "target length"} <= {figure["name"] for figure in assumed["filled"]}


def test_a_tuned_encoder_and_decoder_has_the_lengths_of_its_base():
    answer = estimate_json(*"--base-model whisper-tiny --steps 1000 --batch 16".split())
    given = estimate_json(*"--base-model whisper-tiny --steps 1000 --batch 16 --target-length 114".split())
    assert answer["example_unit"] == given["example_unit"] == "audio_clip"
    assert given["own_training_flop"] < answer["own_training_flop"]


def test_a_length_from_a_config_is_called_assumed_first_and_widens(tmp_path):
    """Llama 3.1 8B was trained at 8,192: 7.72e23 FLOP; at 4,096 it would be 6 % less, at 32,768 38 % more."""
    file = "tests/architectures/field_cases/llama3_1_8b.json"
    asked = ["estimate", "--config", file, "--tokens", "15T"]
    first, *rest = typed(*asked, "--save", str(tmp_path / "mine.yaml")).stdout.splitlines()
    assert first.startswith("training compute: 7.72e23 FLOP")
    assert first.endswith(", at an assumed sequence length of 8,192")
    assert not any("authors state" in line or "by its makers" in line or "confident" in line for line in rest)
    assert typed("show", str(tmp_path / "mine.yaml")).stdout.splitlines()[0] == first
    stated = json.loads(typed(*asked, "--sequence-length", "8192", "--json").stdout)
    assumed = json.loads(typed(*asked, "--json").stdout)
    assert (stated["confidence"], assumed["confidence"]) == ("confident", "rough")
    assert stated["training_flop"] == assumed["training_flop"]
    assert stated["training_flop_high"] / stated["training_flop"] == pytest.approx(1.541, abs=0.001)
    ends = {
        length: json.loads(typed(*asked, "--sequence-length", length, "--json").stdout) for length in ("4096", "32768")
    }
    wide = math.log(ends["32768"]["training_flop"] / ends["4096"]["training_flop"]) / 2
    high = math.hypot(math.log(1.541), wide)
    assert math.log(assumed["training_flop_high"] / assumed["training_flop"]) == pytest.approx(high, abs=0.002)
    assert [item["input"] for item in assumed["narrowing"]][0] == "length_assumed"


BLIP_2 = {
    "model_type": "blip-2",
    "architectures": ["Blip2ForConditionalGeneration"],
    "text_config": {"model_type": "opt", "hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12, "ffn_dim": 3072, "word_embed_proj_dim": 768},
    "vision_config": {"hidden_size": 1408, "num_hidden_layers": 39, "intermediate_size": 6144},
    "qformer_config": {"hidden_size": 768, "num_hidden_layers": 12},
}  # fmt: skip


def test_what_a_count_leaves_out_is_named_and_widens_the_interval_upwards(tmp_path):
    file = tmp_path / "config.json"
    asked = ["estimate", "--config", str(file), "--tokens", "1B", "--sequence-length", "512"]
    file.write_text(json.dumps({"model_type": "opt", **BLIP_2["text_config"]}))
    text = json.loads(typed(*asked, "--json").stdout)
    file.write_text(json.dumps(BLIP_2))
    whole = json.loads(typed(*asked, "--save", str(tmp_path / "mine.yaml"), "--json").stdout)
    assert (whole["training_flop"], whole["training_flop_low"]) == (text["training_flop"], text["training_flop_low"])
    # Layers (attention, gated feed-forward, biases and norms), a projection of two layers to a width of 768, and pixels.
    images = 39 * (4 * 1408**2 + 3 * 1408 * 6144 + 16 * 1408 + 2 * 6144) + 1408**2 + 1408 * 768 + 768**2 + 3 * 1408
    queries = 12 * (4 * 768**2 + 12 * 768**2 + 24 * 768) + 3 * 768**2 + 3 * 768
    parameters = images + queries
    # The bound is a fifth wider: positions, pools and the like take up to 17 % in default configs.
    high = whole["training_flop"] * (1 + 1.2 * parameters / 125_239_296)
    assert whole["training_flop_high"] == pytest.approx(high, rel=1e-6)
    assert whole["training_flop_low"] < 6 * 1.217e9 * 1e9 < whole["training_flop_high"]  # the whole network by 6ND
    for words in (asked, [*asked, "--explain"], ["show", str(tmp_path / "mine.yaml")]):
        printed = typed(*words).stdout
        assert all(
            f"not counted, so the number is a floor: the part that {name}_config" in printed
            for name in ("vision", "qformer")
        )
    # Without a size: a floor.
    file.write_text(json.dumps({**BLIP_2, "vision_config": {"image_size": 224}}))
    unknown = json.loads(typed(*asked, "--json").stdout)
    assert (unknown["is_bound"], unknown["narrowing"][0]["input"]) == (True, "part_left_out")
    file.write_text(json.dumps({"_class_name": "FluxTransformer2DModel"}))
    assert "prompt's encoder" in typed("estimate", "--config", file, "--images", "1M", "--epochs", "1").stdout


def test_a_range_of_lengths_that_the_network_cannot_take_is_one_line(tmp_path):
    """The middle of 512..1500 is 876, but gpt2 has 1,024 positions; a record with this range is refused, too."""
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "gpt2", "n_embd": 64, "n_layer": 2, "n_head": 2}))
    run = ["estimate", "--config", "config.json", "--tokens", "1B", "--sequence-length"]
    assert typed(*run, "512..1000", "--save", "mine.yaml", folder=tmp_path).returncode == 0
    record = tmp_path / "mine.yaml"
    record.write_text(record.read_text().replace("high: 1000", "high: 1500"))
    for words in ([*run, "512..1500"], ["estimate", "mine.yaml"], ["validate", "mine.yaml"]):
        done = typed(*words, folder=tmp_path)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1), done.stderr
        assert "allows at most 1024 positions, not 1500" in done.stderr


def test_figures_that_the_answer_does_not_use_are_named():
    time = "--chips 8 --days 2 --hardware A100".split()
    for words, remark in (
        (["--parameters", "300M", "--images", "1M", *time], "not used: --parameters, --images; to count operations, state --config"),
        (["--config", "resnet50", "--parameters", "25.5M", "--images", "1M", "--epochs", "9"], "--parameters is only compared with"),
    ):  # fmt: skip
        done = typed("estimate", *words)
        assert any(line.startswith(remark) for line in done.stdout.splitlines())


def test_a_folder_with_the_name_of_a_model_is_remarked(tmp_path):
    (tmp_path / "gpt-3").mkdir()
    done = typed("estimate", "gpt-3", folder=tmp_path)
    assert done.returncode == 0
    assert "gpt-3 is taken for the name of a model, because the folder has no file of a run" in done.stderr
