"""`flopledger estimate` from a few figures about a user's own model."""

import json

import pytest

from pipeline.base.text.wrapping import wrap
from pipeline.records import run_record
from tests.builders import estimate_json, typed

FIGURES = "--parameters 7B --tokens 2T --chips 256 --hardware H100 --days 20 --precision bf16".split()


def test_what_is_saved_validates_and_gives_the_printed_number(tmp_path):
    """6 x 7e9 x 2e12 = 8.4e22; 256 H100 x 20 days x 989.4e12 FLOP/s x 0.3 = 1.313e23."""
    import pipeline

    printed = typed("estimate", *FIGURES, "--json", "--save", "my-model.yaml", folder=tmp_path)
    assert printed.returncode == 0
    answer = json.loads(printed.stdout)
    assert answer["operation_count_flop"] == pytest.approx(8.4e22)
    assert answer["gpu_time_flop"] == pytest.approx(256 * 20 * 86_400 * 989.4e12 * 0.3)
    assert answer["training_flop_low"] < answer["training_flop"] < answer["training_flop_high"]
    assert typed("validate", "my-model.yaml", folder=tmp_path).returncode == 0
    again = json.loads(typed("show", "my-model.yaml", "--json", folder=tmp_path).stdout)
    assert again.pop("filled") == []  # the record states what the figures left out
    assert {name: answer[name] for name in again} == again
    assert [item["name"] for item in answer["filled"]] == ["published", "epochs"]
    assert [item["input"] for item in answer["narrowing"]] == ["from_parameters"]
    asked = pipeline.estimate(
        parameters=7e9, tokens=(2e12, 2e12), chips=256, hardware="H100", days=20, precision="bf16"
    )
    assert asked["training_flop"] == answer["training_flop"]
    assert asked["mfu"]["fraction"] == answer["mfu"]["fraction"]


def test_the_answer_says_what_was_filled_and_what_would_make_it_better_known():
    done = typed("estimate", "--parameters", "7B", "--tokens", "2T")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("training compute: 8.4e22 FLOP   90 %: ")
    assert "the stated tokens are assumed to be all tokens seen" in done.stdout
    assert "  --config config.json: the network counted layer by layer" in done.stdout
    assert "  --chips with --days and --hardware: then GPU time confirms or contradicts the count" in done.stdout


def test_gpu_time_alone_is_three_quarters_of_the_prediction_and_asks_for_a_count():
    """64 A100 x 10 days x 312e12 FLOP/s x 0.4 as stated; if no utilization is stated, the prediction x 3/4."""
    figures = "--chips 64 --days 10 --hardware A100 --precision bf16 --json".split()
    stated = json.loads(typed("estimate", *figures, "--utilization", "0.4").stdout)
    assert stated["training_flop"] == pytest.approx(64 * 864_000 * 312e12 * 0.4)
    # A stated utilization comes from a count, whose error is 1.541.
    assert stated["training_flop_low"] * 1.541 == pytest.approx(stated["training_flop"], rel=1e-3)
    assert stated["training_flop_high"] / 1.541 == pytest.approx(stated["training_flop"], rel=1e-3)
    assert [item["input"] for item in stated["narrowing"]] == ["operation_count"]
    predicted = json.loads(typed("estimate", *figures).stdout)
    assert predicted["training_flop"] == pytest.approx(0.75 * predicted["gpu_time_informed_flop"])
    # The 90 % interval is from e^(-0.45 x 2.944) = 1/3.76 to e^(0.25 x 2.944) = 2.09 times the estimate.
    assert predicted["training_flop_low"] * 3.76 == pytest.approx(predicted["training_flop"], rel=2e-3)
    assert predicted["training_flop_high"] / 2.09 == pytest.approx(predicted["training_flop"], rel=2e-3)


COUNT = {"parameters": "7B", "tokens": "2T"}
NETWORK = {"config": "resnet50", "images": "1M", "epochs": "90"}
LLAMA = {"config": "tests/architectures/field_cases/llama3_1_8b.json", "tokens": "15T"}
TIMED = {"chips": 64, "days": 10, "hardware": "A100"}
PLAN = {**COUNT, "chips": 256, "hardware": "H100"}


@pytest.mark.parametrize(
    ("quantity", "rest", "name", "one", "ends"),
    [
        ("training_flop", COUNT, "parameters", "7B", ("5B", "10B")),
        ("training_flop", {**COUNT, "parameters": "70B"}, "active_parameters", "7B", ("5B", "10B")),
        ("training_flop", COUNT, "tokens", "2T", ("1T", "4T")),
        ("training_flop", NETWORK, "images", "1M", ("500k", "2M")),
        ("training_flop", NETWORK, "epochs", 90, (45, 180)),
        ("training_flop", {"parameters": "7B", "batch": "4M"}, "steps", 1000, (500, 2000)),
        ("training_flop", {"parameters": "7B", "steps": 1000}, "batch", "4M", ("2M", "8M")),
        ("training_flop", LLAMA, "sequence_length", 8192, (1024, 65536)),
        ("training_flop", TIMED, "chips", 64, (16, 256)),
        ("training_flop", TIMED, "days", 10, (2.5, 40)),
        ("training_flop", TIMED, "hardware", "A100", None),
        ("training_flop", {**TIMED, "utilization": 0.4}, "precision", "bf16", None),
        ("training_flop", TIMED, "utilization", 0.4, (0.2, 0.8)),
        ("training_flop", {"hardware": "A100"}, "chip_hours", 1000, (250, 4000)),
        ("training_flop", {"parameters": "13B", "chips": 64, "hardware": "H100"}, "tokens_per_second", "61k", ("30k", "120k")),
        ("training_flop", {"parameters": "13B", "chips": 64, "hardware": "H100", "batch": "61k"}, "step_time", 1, (0.5, 2)),
        ("own_training_flop", {"base_model": "t5-11b", "examples": "1M", "epochs": 1}, "target_length", 114, (28, 456)),
        ("training_flop", {"forward_flop": "1e9", "epochs": 3}, "examples", "1M", ("500k", "2M")),
        ("training_flop", {"tokens": "1T"}, "forward_flop", "1e9", ("5e8", "2e9")),
        ("training_flop", COUNT, "generated_tokens", "9T", ("4T", "20T")),
        ("training_flop", TIMED, "tflops_per_chip", 124.8, (62.4, 249.6)),
        ("training_flop", {"parameters": "7B"}, "total_flos", "8.4e22", ("4.2e22", "1.68e23")),
        ("energy_kwh", TIMED, "overhead", 1.1, (1.02, 1.9)),
        ("energy_kwh", TIMED, "organization", "Google", None),
        ("co2_kg", TIMED, "trained_in", "France", None),
        ("days", PLAN, "parameters", "7B", ("5B", "10B")),
        ("days", PLAN, "chips", 256, (128, 512)),
        ("days", PLAN, "utilization", 0.4, (0.2, 0.8)),
        ("chips", {**COUNT, "hardware": "H100"}, "days", 10, (5, 20)),
        ("examples_seen", {"parameters": "7B", "chips": 256, "days": 10, "hardware": "H100"}, "utilization", 0.4, (0.2, 0.8)),
        ("parameters", {"tokens": "2T", "chips": 256, "days": 10, "hardware": "H100"}, "utilization", 0.4, (0.2, 0.8)),
    ],
)  # fmt: skip
def test_a_stated_input_narrows_the_answer_and_its_range_widens_it(quantity, rest, name, one, ends):
    """A figure in place of a default or nothing is at least as narrow; a range is at least as wide as its two ends."""
    import pipeline

    def width(**figures):
        answer = pipeline.estimate(**figures)
        return answer[f"{quantity}_high"] / answer[f"{quantity}_low"]

    stated = width(**{**rest, name: one})
    in_place_of_a_default = (
        "hardware sequence_length precision utilization tflops_per_chip overhead organization trained_in"
    )
    if name in in_place_of_a_default.split():
        assert stated < 0.999 * width(**{key: value for key, value in rest.items() if key != name})
    if ends:
        assert width(**{**rest, name: ends}) > 1.05 * stated
        assert width(**{**rest, name: (one, one)}) == pytest.approx(stated)


def test_a_peak_stands_for_a_chip_that_the_ledger_lacks(tmp_path):
    """256 chips x 60 days x 2.1e14 FLOP/s = 2.787e23; 6 x 7e9 x 2e12 = 8.4e22 of it is 30.1 %."""
    figures = "--parameters 7B --tokens 2T --chips 256 --days 60 --hardware".split()
    answer = estimate_json(*figures, "2.1e14", "--save", str(tmp_path / "own.yaml"))
    assert answer["mfu"]["fraction"] == pytest.approx(8.4e22 / (256 * 60 * 86_400 * 2.1e14))
    assert json.loads(typed("show", str(tmp_path / "own.yaml"), "--json").stdout)["mfu"] == answer["mfu"]
    refused = typed("estimate", *figures, "NVIDIA X9")
    assert "state its dense peak, such as 2.1e14" in refused.stderr


def test_a_stated_utilization_leaves_only_the_error_of_the_count():
    """11.2 days = 6 x 70e9 x 15e12 / (16,000 x 989.4e12 x 0.41); 6 x parameters x tokens is within /1.48 to x1.60."""
    plan = "--parameters 70B --tokens 15T --chips 16000 --hardware H100 --precision bf16".split()
    answer = estimate_json(*plan, "--utilization", "0.41")
    assert answer["days"] == pytest.approx(6 * 70e9 * 15e12 / (16_000 * 989.4e12 * 0.41) / 86_400)
    for end in ("low", "high"):
        count = answer[f"training_flop_{end}"] / answer["training_flop"]
        assert answer[f"days_{end}"] / answer["days"] == pytest.approx(count)
        assert answer[f"utilization_{end}"] == pytest.approx(0.41)
    ranged = estimate_json(*plan[:-2], "--utilization", "0.40..0.42")  # the peak is then uncertain
    assert [ranged["utilization_low"], ranged["utilization_high"]] == pytest.approx([0.40, 0.42])


def test_every_weakness_that_own_figures_may_have_is_told_with_what_ends_it():
    done = typed("estimate", *"--config resnet50 --images 1M --epochs 90 --steps 1000 --batch 256 --json".split())
    assert [item["input"] for item in json.loads(done.stdout)["narrowing"]] == ["data_contradict", "gpu_time"]


RUN = "--parameters 13B --chips 64 --hardware H100 --precision bf16".split()


def test_the_mfu_of_a_throughput_is_printed_and_no_guess_stands_beside_it():
    """6 x 13e9 x 61e3 FLOP/s of 64 H100 of 989.4e12 = 7.51 %; 61 sequences of 1,000 tokens per second are the same."""
    text = typed("estimate", *RUN, "--tokens-per-second", "61k").stdout
    assert "MFU: 7.5 % (90 %: 5.1 % to 12 %) of 989 TFLOP/s per chip, dense; " in text
    answer = estimate_json(*RUN, "--tokens-per-second", "61k")
    assert answer["mfu"]["fraction"] == pytest.approx(6 * 13e9 * 61e3 / (64 * 989.4e12), rel=1e-3)
    assert answer["mfu"]["hardware_fraction"] == answer["mfu"]["fraction"]
    assert answer["mfu"]["like_low_fraction"] < answer["mfu"]["like_fraction"] < answer["mfu"]["like_high_fraction"]
    assert (answer["independence"], answer["dispute"]) == ("measured", None)
    assert "utilization" not in [item["name"] for item in answer["filled"]]
    counted = estimate_json("--parameters", "13B", "--tokens", str(61e3 * 86_400))
    assert answer["training_flop_high"] == pytest.approx(counted["training_flop_high"])
    steps = estimate_json(*RUN, "--batch", "61", "--sequence-length", "1000", "--step-time", "1")
    assert steps["mfu"]["fraction"] == pytest.approx(answer["mfu"]["fraction"])
    whole = estimate_json(*RUN, "--tokens-per-second", "61k", "--tokens", "4T")
    assert whole["parts"][0]["allocations"][0]["days"] == pytest.approx(4e12 / 61e3 / 86_400)


def test_recomputation_is_a_forward_pass_more():
    """8 operations for 6, or 6 for 4 if the weights are frozen."""
    answer = estimate_json(*RUN, "--tokens-per-second", "61k", "--recompute")
    assert answer["mfu"]["hardware_fraction"] / answer["mfu"]["fraction"] == pytest.approx(4 / 3)
    assert "HFU: 10 %" in typed("estimate", *RUN, "--tokens-per-second", "61k", "--recompute").stdout
    plan = estimate_json(
        *"--parameters 13B --tokens 1T --hardware H100 --chips 64 --utilization 53% --recompute".split()
    )
    assert plan["utilization"] == pytest.approx(0.53 * 3 / 4)


@pytest.mark.parametrize(
    ("tokens", "message"), [("3.471B", "An MFU below 5 %"), ("60B", "higher than in 95"), ("3.541B", None)]
)
def test_an_mfu_that_few_runs_have_is_remarked_with_the_usual_slips(tokens, message):
    """For a day of 64 H100, 13B x 6 x 3.506e9 tokens are 5 % of the peak, and 60e9 are 86 %."""
    text = typed("estimate", *RUN, "--days", "1", "--tokens", tokens).stdout
    assert ("Usual slips" in text) == bool(message)
    assert (message or "") in text


def test_a_fine_tune_says_its_share_of_the_base_and_what_is_assumed(tmp_path):
    """Llama 3.1 8B was trained on 15T tokens, of which 6T more are 0.4; with frozen weights, two thirds of that, plus both gradients of attention."""
    tune = "--base-model llama-3-1-8b --tokens 6T".split()
    text = typed("estimate", *tune, "--save", "tune.yaml", folder=tmp_path).stdout
    assert "its own training is 0.4 times its base model's, above a third (EU guidelines, paragraph 63" in text
    assert "frozen: no (all weights of the base model are assumed to be trained)" in text
    assert "above a third" in typed("thresholds", "tune.yaml", folder=tmp_path).stdout
    assert "above a third" in typed("show", "tune.yaml", folder=tmp_path).stdout
    answer, frozen = estimate_json(*tune), estimate_json(*tune, "--frozen")
    assert answer["is_above_third_of_base"]
    assert answer["third_of_base_flop"] * 3 == pytest.approx(answer["own_training_flop"] / answer["own_to_base_ratio"])
    assert 0.4 * 2 / 3 < frozen["own_to_base_ratio"] < 0.3
    assert not frozen["is_above_third_of_base"]


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ({"parameters": "70 billion", "tokens": "1..2 trillion"}, {"parameters": "70B", "tokens": "1T..2T"}),
        ({"chips": "32 nodes", "hardware": "DGX H100"}, {"chips": "256", "hardware": "H100"}),
        ({"chips": "32x8", "hardware": "H100s"}, {"chips": "256", "hardware": "H100"}),
        ({"days": "3 weeks", "hardware": "A100"}, {"days": "21", "hardware": "A100"}),
        ({"days": "36h", "tokens": "100B"}, {"days": "1.5", "tokens": "100B"}),
        ({"step_time": "17012ms", "tokens": None}, {"step_time": "17.012", "tokens": None}),
        ({"chips": None, "hardware": "256 80GB A100"}, {"chips": "256", "hardware": "A100"}),
        ({"tflops_per_chip": "395.76", "days": None}, {"utilization": "0.4", "days": None}),
    ],
)
def test_units_as_people_and_logs_write_them(written, plain):
    """395.76 of 989.4 TFLOP/s are 0.4."""
    import pipeline

    run = {"parameters": "7B", "tokens": "2T", "chips": "256", "hardware": "H100", "days": "21", "precision": "bf16"}
    run |= {"days": None, "batch": "4M"} if "step_time" in written else {}
    answers = [
        pipeline.estimate(**{key: value for key, value in {**run, **more}.items() if value})
        for more in (written, plain)
    ]
    for key in ("training_flop", "training_flop_low", "energy_kwh"):
        assert answers[0][key] == pytest.approx(answers[1][key], rel=1e-6)


def test_tuning_has_its_own_training_first_with_intervals_and_the_base_second():
    """4 x 8e9 x 5e7 of 8 H100 x 6 h; the H100's peak is 989.4e12. No logged whole run is a tuning to compare with."""
    tune = "--base-model llama-3-1-8b --tokens 50M --chips 8 --days 6h --hardware H100".split()
    first, second, third, *rest = typed("estimate", *tune, "--lora").stdout.splitlines()
    assert first.startswith("its own training: 1.82e18 FLOP, 90 % interval ")
    assert second.startswith("with its base model Llama 3.1 8B: 7.72e23 FLOP   90 %: ")
    assert third.startswith("MFU: 1.1 % (90 %: ")
    assert "whole runs of this kind" not in third
    answer = estimate_json(*tune, "--lora")
    assert answer["mfu"]["fraction"] == pytest.approx(answer["own_training_flop"] / (8 * 6 * 3600 * 989.4e12))
    assert answer["own_training_flop"] == estimate_json(*tune, "--frozen")["own_training_flop"]
    for name in ("own_training_flop", "own_energy_kwh", "own_cost_usd", "own_co2_kg"):
        assert answer[f"{name}_low"] < answer[name] < answer[f"{name}_high"]
    assert any("1.82e18 FLOP counted, but 5.13e19 FLOP by time at 30 %: 28 times apart" in line for line in rest)


def test_tokens_generated_are_assumed_to_be_learnt():
    run = "--base-model qwen3-32b --generated-tokens 20B --chips 128 --hardware H100 --days 5".split()
    answer, stated = estimate_json(*run), estimate_json(*run, "--tokens", "20B")
    assert answer["own_training_flop"] == stated["own_training_flop"]
    assert ["tokens", "20B"] in [[figure["name"], figure["value"]] for figure in answer["filled"]]


def test_a_base_model_without_a_number_leaves_the_own_training():
    answer = estimate_json(*"--base-model aya-expanse-32b --parameters 32B --tokens 1B".split())
    assert answer["own_training_flop"] == pytest.approx(6 * 32e9 * 1e9)
    assert answer["training_flop"] is None


def test_generated_tokens_are_forward_passes_in_the_time_of_training():
    """2 x 7e9 x 9e9 in addition to 6 x 7e9 x 1e9."""
    run = "--parameters 7B --tokens 1B --chips 8 --hardware H100 --days 3".split()
    answer = estimate_json(*run, "--generated-tokens", "9B")
    assert answer["operation_count_flop"] == pytest.approx(6 * 7e9 * 1e9 + 2 * 7e9 * 9e9)
    assert answer["gpu_time_flop"] == pytest.approx(estimate_json(*run)["gpu_time_flop"])


def test_an_owner_and_an_overhead_change_the_energy_and_the_chips_only_are_said():
    """64 H100 x 10 days x 700 W = 10.75 MWh; the data centre's overhead is 1.05 instead of 1.31."""
    run = "--chips 64 --hardware H100 --days 10 --published 2025".split()
    usual, stated, owned = (
        estimate_json(*run),
        estimate_json(*run, "--overhead", "1.05"),
        estimate_json(*run, "--organization", "Google"),
    )
    assert stated["energy_kwh"] / usual["energy_kwh"] == pytest.approx(1.05 / 1.31)
    assert owned["energy_kwh"] / usual["energy_kwh"] == pytest.approx(1.10 / 1.31)
    assert "chips only: 10.8 MWh" in typed("estimate", *run).stdout
    assert "at design power, as in model cards: 10.8 MWh" in typed("estimate", *run, "--explain").stdout


@pytest.mark.parametrize(
    "words",
    [
        "--parameters 7B --tokens-per-second 9600 --chips 1 --hardware H100",
        "--parameters 70B --steps 500 --batch 16 --sequence-length 2048 --chips 16 --days 0.5625 --hardware A100",
        "--parameters 561M --tokens-per-second 529k --chips 8 --hardware A100",
        "--parameters 13B --tokens-per-second 61k --recompute --chips 64 --hardware H100",
        "--base-model llama-3-1-8b --tokens 100M --frozen --chips 8 --days 0.5 --hardware A100",
        "--base-model llama-3-1-8b --tokens 2B --generated-tokens 8B --chips 8 --days 3 --hardware H100",
        "--domain vision --chips 64 --days 10 --hardware A100",
        "--parameters 176B --tokens 350B --chips 384 --hardware A100 --utilization 0.49 --recompute",
    ],
)
def test_a_question_of_a_public_thread_is_answered_on_one_screen(words):
    """Screens of 80 characters and 24 lines, the prompt on the last of them."""
    done = typed("estimate", *words.split())
    assert done.returncode == 0
    assert sum(len(wrap(line, 80)) for line in done.stdout.splitlines()) < 24


def test_figures_are_read_as_people_and_frameworks_write_them(records):
    run = {"chips": "8", "days": "1", "hardware": "H100"}
    for korea in ("KR", "kor", "Korea (Republic of)"):
        written = run_record.model_from_figures(
            {**run, "trained_in": korea, "precision": "torch.float8_e4m3fn"}, records
        )
        assert written.record["trained_in"] == {"value": "South Korea"}
        assert written.record["training"][0]["precision"] == {"value": "fp8"}
    answer = estimate_json("--chips", "8", "--days", "1", "--hardware", "H100", "--trained-in", "kor")
    assert answer["record"]["trained_in"] == {"value": "South Korea"}
    assert answer["parts"][0]["allocations"][0]["grid_basis"] == "stated"
    for few, is_odd in (("9900", True), ("10100", False)):
        assert ("for billions write" in typed("estimate", "--parameters", few, "--tokens", "2T").stdout) == is_odd
    for few, is_odd in (("990k", True), ("1010k", False)):
        assert ("tokens are few" in typed("estimate", "--parameters", "7B", "--tokens", few).stdout) == is_odd
    vision = estimate_json("--domain", "vision", "--chips", "8", "--days", "3", "--hardware", "A100")
    assert vision["parts"][0]["allocations"][0]["default_utilization_fraction"] == 0.4


def test_a_run_is_above_no_threshold_that_its_chips_cannot_reach():
    """216 A100-hours at 312e12 FLOP/s are 2.4e20."""
    answer = estimate_json(*"--chip-hours 216 --hardware A100".split())
    assert answer["probabilities"] == {"1e23": 1e-6, "1e25": 1e-6, "1e26": 1e-6}


def test_more_operations_than_the_chips_can_do_are_refused_with_the_likeliest_slip():
    """8 H100 x 1 day x 989.4e12 FLOP/s = 6.84e20; 8.4e22 is 123 times that, and with 7M parameters 0.12 times."""
    done = typed("estimate", *"--parameters 7B --tokens 2T --chips 8 --hardware H100 --days 1".split())
    assert (done.returncode, done.stdout) == (1, "")
    assert "are 123 times what the chips can do" in done.stderr
    assert "most likely wrong: parameters" in done.stderr
    assert "0.12 of the peak" in done.stderr


def test_figures_that_allow_no_estimate_say_what_is_missing(tmp_path):
    done = typed("estimate", "--parameters", "7B", "--save", tmp_path / "mine.yaml")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines()[0] == "neither method has all its inputs"
    assert "--tokens" in done.stderr
    assert not (tmp_path / "mine.yaml").exists()


def test_python_refuses_unknown_figures():
    import pipeline

    with pytest.raises(TypeError, match="'token' is not a figure of a model; did you mean 'tokens'"):
        pipeline.estimate(token=1)
    with pytest.raises(TypeError, match="a record or figures"):
        pipeline.estimate()
    with pytest.raises(ValueError, match="parameters: -7 is not above 0"):
        pipeline.estimate(parameters=-7)
