"""Networks counted from a config.json or by name."""

import json

from tests.builders import typed


def test_a_config_of_others_is_counted(tmp_path):
    config = {"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"], "n_embd": 768, "n_layer": 12, "n_head": 12}
    (tmp_path / "config.json").write_text(json.dumps(config))
    done = typed("count", "config.json", "--sequence-length", 512, "--batch", 2, "--json", folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    counted = json.loads(done.stdout)
    assert counted["parameters"] == 124_439_808
    # 2 sequences; 2 FLOP per weight except for the embeddings' look-up, the tied head once; 4 x 768 per pair in which
    # one sees the other
    pairs = 12 * 512 * 513 // 2
    weights = 12 * 12 * 768**2 + 768 * 50257
    assert counted["forward_flop"] == 2 * (2 * 512 * weights + 4 * 768 * pairs)
    assert counted["step_flop_per_token"] == (counted["forward_flop"] + counted["backward_flop"]) / 1024
    done = typed("count", "config.json", folder=tmp_path)
    assert typed("count", ".", folder=tmp_path).stdout == done.stdout  # the folder that contains it
    assert done.stdout.startswith("config.json: sequence length 1,024 (assumed from n_positions), batch 1\n")


def test_named_networks_are_counted_and_listed():
    assert json.loads(typed("count", "resnet18", "--json").stdout)["forward_flop"] == 3_628_146_688
    assert "resnet101" in typed("count", "--list").stdout


def test_a_config_that_is_wrong_is_one_line_and_exit_code_1(tmp_path):
    (tmp_path / "config.json").write_text('{"model_type": "lama"}')
    done = typed("count", "config.json", folder=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(
        "config.json:1 model_type 'lama' cannot be read; did you mean 'llama'? Otherwise count its code with torch instead: torch:FILE.py"
    )
    assert done.stderr.count("\n") == 1


def test_multiply_adds_and_a_step_are_told():
    # torchvision's table gives 4.09 GFLOPS of multiply-adds for ResNet-50
    lines = typed("count", "ResNet-50", "--batch", "2").stdout.splitlines()
    told = {line[:34].strip(): line[34:].split()[0] for line in lines[1:8]}
    assert told["forward multiply-adds"] == "8,178,368,512"
    step = int(told["per step: forward and backward"].replace(",", ""))
    assert step == int(told["forward FLOP"].replace(",", "")) + int(told["backward FLOP"].replace(",", ""))
    assert json.loads(typed("count", "resnet50", "--batch", "2", "--json").stdout)["step_flop"] == step


def test_tokens_are_those_of_a_language_model(tmp_path):
    # 6 FLOP per parameter and token (Kaplan et al. 2020), plus attention: a few percent at this length
    config = {"model_type": "llama", "hidden_size": 4096, "intermediate_size": 11008, "num_hidden_layers": 32,
              "num_attention_heads": 32, "vocab_size": 32000, "max_position_embeddings": 2048}  # fmt: skip
    (tmp_path / "config.json").write_text(json.dumps(config))
    answer = json.loads(typed("count", ".", "--json", folder=tmp_path).stdout)
    assert 1 < answer["step_flop_per_token"] / (6 * 6.7e9) < 1.1
