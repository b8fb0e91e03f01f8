"""The files that a training run leaves behind, as figures of `estimate`."""

import json
import os

import pytest

import pipeline
from tests.builders import typed

GPT2 = {"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"], "n_embd": 768, "n_layer": 12, "n_head": 12}
GPT2 |= {"n_positions": 1024, "vocab_size": 32000}
# 110,418,432 parameters, 25,362,432 of them in embeddings.
STATE = {"global_step": 3000, "train_batch_size": 2, "total_flos": 6 * 85_056_000 * 24_576_000}
MEGATRON = (
    " iteration {step}/ 500 | consumed samples: 9 | elapsed time per iteration (ms): {ms} |"
    " throughput per GPU (TFLOP/s/GPU): 432.6 | global batch size:  1024 | lm loss: 3.1E+00\n"
)


@pytest.fixture
def run(tmp_path):
    """Return a function that writes files into a folder of a run, and returns the answer of `estimate`."""

    def answered(files, *words):
        folder = tmp_path / "run"
        folder.mkdir(exist_ok=True)
        for name, content in files.items():
            (folder / name).write_text(content if isinstance(content, str) else json.dumps(content))
        done = typed("estimate", str(folder), *words, "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return answered


def test_the_total_of_the_trainer_gives_the_tokens(run):
    """3,000 x 8 x 1,024 tokens; 3 x 243,624,050,688 FLOP for each of 24,000 sequences; accumulation is not stated."""
    answer = run({"config.json": GPT2, "trainer_state.json": STATE})
    assert answer["examples_seen"] == pytest.approx(24_576_000)
    assert answer["operation_count_flop"] == pytest.approx(3 * 243_624_050_688 * 24_000)
    assert answer["total_flos"] == STATE["total_flos"]
    assert [taken["name"] for taken in answer["taken"]] == ["config", "total_flos"]
    seen = run({"trainer_state.json": {**STATE, "num_input_tokens_seen": 24_576_000}})
    assert seen["operation_count_flop"] == pytest.approx(answer["operation_count_flop"])
    batches = run({"trainer_state.json": {**STATE, "total_flos": 0}})
    assert batches["examples_seen"] == 3000 * 2 * 1024
    assert "accumulation" in [figure["name"] for figure in batches["filled"]]


def test_the_total_of_the_trainer_gives_clips_and_images(run):
    """3,500 steps of 2 GPUs x 12 x 16 clips of 80 x 3,000 numbers: Wo12345678/-whisper-small-monglian-commonvioce@dbd28496."""
    state = {"global_step": 3500, "train_batch_size": 16, "total_flos": 3.844419173838089e20}
    clips = run({"trainer_state.json": state}, "--base-model", "whisper-small")["record"]["training"][0]["examples"]
    assert clips["value"] == pytest.approx(3500 * 2 * 12 * 16, rel=0.01)
    state["total_flos"] = 6 * 25_557_032 * 3 * 224**2 * 9e6
    assert run({"trainer_state.json": state}, "--config", "resnet50")["examples_seen"] == pytest.approx(9e6)


def test_a_trainers_state_under_another_name_is_known_by_its_content(run, tmp_path):
    answer = run(
        {"config.json": GPT2, "state.json": {**STATE, "log_history": []}, "vocabulary.json": {"global_step": 0}}
    )
    assert {taken["place"] for taken in answer["taken"]} > {"state.json: total_flos"}
    alone = pipeline.estimate(tmp_path / "run" / "state.json", parameters=85_056_000)
    assert alone["examples_seen"] == answer["examples_seen"] == pytest.approx(3000 * 8 * 1024)


def test_the_samples_per_second_are_of_all_processes(run):
    """21.875 x 1,097.1 = 24,000 sequences, although the batch of one process is 2; 1,097.1 s of one A100."""
    timed = {"train_runtime": 1097.142857, "train_samples_per_second": 21.875, "total_flos": 0}
    state = {**STATE, **timed, "log_history": [{"loss": 3}, timed]}
    files = {"config.json": GPT2, "trainer_state.json": state, "all_results.json": timed}
    answer = run(files, "--chips", "1", "--hardware", "A100")
    assert answer["examples_seen"] == pytest.approx(24_576_000)
    assert answer["mfu"]["fraction"] == pytest.approx(3 * 243_624_050_688 * 24_000 / 1097.142857 / 312e12, rel=1e-5)


def test_python_takes_a_folder_with_figures(tmp_path):
    (tmp_path / "trainer_state.json").write_text(json.dumps(STATE))
    answer = pipeline.estimate(tmp_path, parameters="124M", sequence_length=1024)
    assert answer["training_flop"] == pytest.approx(STATE["total_flos"])


def test_an_adapter_is_a_tuning_with_frozen_weights(run):
    answer = run({"adapter_config.json": {"peft_type": "LORA", "base_model_name_or_path": "EleutherAI/pythia-1b-4bit"}},
                 "--tokens", "50M")  # fmt: skip
    assert (answer["base_model"], answer["inputs"]["frozen"]) == ("pythia-1b", True)
    assert answer["filled"][0]["value"] == "pythia-1b, sequence length 2,048"


def test_a_log_of_megatron_is_read_by_the_middle_of_its_lines_after_the_first(run):
    """6 x 70e9 x 1,024 x 8,192 / (17.0123 s x 512 x 989.4e12) = 40.9 %; the last line is cut."""
    log = "".join(MEGATRON.format(step=step, ms=ms) for step, ms in ((1, 90_000.1), (2, 17_012.3)))
    words = "--parameters 70B --sequence-length 8192 --chips 512 --hardware H100".split()
    answer = run({"train.log": log + MEGATRON[:70]}, *words)
    assert answer["mfu"]["fraction"] == pytest.approx(6 * 70e9 * 1024 * 8192 / (17.0123 * 512 * 989.4e12))


def test_a_log_of_nanogpt_is_read(run):
    """6 x 124e6 x 491,520 / (0.2505 s x 8 x 312e12) = 58 %."""
    log = "tokens per iteration will be: 491,520\niter 10: loss 9.9, time 250.50ms, mfu 38.10%\n"
    answer = run({"out.txt": log}, *"--parameters 124M --chips 8 --hardware A100".split())
    assert answer["mfu"]["fraction"] == pytest.approx(6 * 124e6 * 491_520 / (0.2505 * 8 * 312e12))


def test_a_log_of_lightning_is_read_in_either_unit(run):
    """6 x 7e9 x 4e6 / (2.5 s x 256 x 989.4e12) = 26.5 %; 0.4 steps per second are 2.5 s for a step."""
    line = "Epoch 0:  99%|###| 937/938 [05:00<00:00, {}, loss=0.1, v_num=0]\r"
    words = "--parameters 7B --batch 4M --chips 256 --hardware H100".split()
    for speed in ("0.40it/s", "2.50s/it"):
        answer = run({"train.log": line.format(speed) * 3}, *words)
        assert answer["mfu"]["fraction"] == pytest.approx(6 * 7e9 * 4e6 / (2.5 * 256 * 989.4e12))


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, "states no figure of a run; these files do: config.json, "),
        ({"trainer_state.json": "{", "config.json": GPT2}, "trainer_state.json is not JSON"),
        ({"trainer_state.json": STATE, "all_results.json": {"total_flos": 3e16}}, "; state --total-flos"),
        ({"args.json": {"world_size": 8}, "trainer_state.json": {"world_size": 16}}, "; name the right file"),
        ({"train.log": MEGATRON.format(step=1, ms=0.0)[:80]}, "states no figure of a run"),
    ],
)
def test_files_that_state_nothing_or_contradict_each_other_are_one_line(tmp_path, files, message):
    folder = tmp_path / "run"
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_text(content if isinstance(content, str) else json.dumps(content))
    is_one_line(typed("estimate", str(folder)), message)


def test_links_large_files_and_weights_are_not_opened(tmp_path):
    (tmp_path / "trainer_state.json").symlink_to("/dev/zero")
    is_one_line(typed("estimate", str(tmp_path)), "is a link, a folder or a device")
    (tmp_path / "trainer_state.json").unlink()
    with (tmp_path / "train.log").open("wb") as file:
        os.truncate(file.fileno(), 50_000_001)
    is_one_line(typed("estimate", str(tmp_path)), "is larger than 50,000,000 bytes")
    (tmp_path / "training_args.bin").write_bytes(b"\x80\x04")
    is_one_line(typed("estimate", str(tmp_path / "training_args.bin")), "is not opened; name its folder")


def is_one_line(done, message):
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1), done.stderr
    assert message in done.stderr
