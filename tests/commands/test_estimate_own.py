"""`flopledger estimate` of a few figures of one's own model."""

import json

import pytest

from tests.builders import typed

FIGURES = "--parameters 7B --tokens 2T --chips 256 --hardware H100 --days 20 --precision bf16".split()


def test_what_is_saved_validates_and_gives_the_printed_number(tmp_path):
    """6 x 7e9 x 2e12 = 8.4e22; 256 H100 x 20 days x 989.4e12 FLOP/s x 0.3 = 1.313e23."""
    import pipeline

    printed = typed("estimate", *FIGURES, "--json", "--save", "my-model.yaml", folder=tmp_path)
    assert printed.returncode == 0
    mine = json.loads(printed.stdout)
    assert mine["operation_count_flop"] == pytest.approx(8.4e22)
    assert mine["gpu_time_flop"] == pytest.approx(256 * 20 * 86_400 * 989.4e12 * 0.3)
    assert mine["training_flop_low"] < mine["training_flop"] < mine["training_flop_high"]
    assert typed("validate", "my-model.yaml", folder=tmp_path).returncode == 0
    again = json.loads(typed("estimate", "my-model.yaml", "--json", folder=tmp_path).stdout)
    assert {name: mine[name] for name in again} == again
    assert [each["name"] for each in mine["filled"]] == ["epochs", "published", "utilization"]
    assert [each["input"] for each in mine["narrowing"]] == ["from_parameters"]
    told = pipeline.estimate(parameters=7e9, tokens=(2e12, 2e12), chips=256, hardware="H100", days=20, precision="bf16")
    assert told["training_flop"] == mine["training_flop"]


def test_the_answer_says_what_was_filled_and_what_would_make_it_better_known():
    done = typed("estimate", "--parameters", "7B", "--tokens", "2T")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("training compute: 8.4e22 FLOP, 90 % interval ")
    assert "by GPU time: unknown; state --chips with --days, or --chip-hours" in done.stdout
    assert "the tokens stated are taken as all that were seen in training" in done.stdout
    assert "  --config config.json: the network counted layer by layer" in done.stdout
    assert "  --chips with --days and --hardware: then GPU time confirms or contradicts the count" in done.stdout


def test_gpu_time_alone_is_three_quarters_of_the_prediction_and_asks_for_a_count():
    """64 A100 x 10 days x 312e12 FLOP/s x 0.4 as stated; without a statement the prediction x 3/4."""
    figures = "--chips 64 --days 10 --hardware A100 --precision bf16 --json".split()
    stated = json.loads(typed("estimate", *figures, "--utilization", "0.4").stdout)
    assert stated["training_flop"] == pytest.approx(64 * 864_000 * 312e12 * 0.4)
    # GPU time alone: 90 % between e^(-0.45 x 2.944) = 1/3.76 and e^(0.25 x 2.944) = 2.09 of it
    assert stated["training_flop_low"] * 3.76 == pytest.approx(stated["training_flop"], rel=2e-3)
    assert stated["training_flop_high"] / 2.09 == pytest.approx(stated["training_flop"], rel=2e-3)
    assert [each["input"] for each in stated["narrowing"]] == ["operation_count"]
    predicted = json.loads(typed("estimate", *figures).stdout)
    assert predicted["training_flop"] == pytest.approx(0.75 * predicted["gpu_time_informed_flop"])


def test_an_interval_is_no_narrower_than_the_range_that_is_stated():
    """1M to 9M images: a factor of 3 to each side of 3M, of a network that is counted."""
    done = typed("estimate", *"--config resnet50 --images 1M..9M --epochs 90 --json".split())
    mine = json.loads(done.stdout)
    assert mine["training_flop_high"] / mine["training_flop"] == pytest.approx(3)
    assert [each["input"] for each in mine["narrowing"]] == ["data_range", "gpu_time"]


def test_every_weakness_that_own_figures_may_have_is_told_with_what_ends_it():
    done = typed("estimate", *"--config resnet50 --images 1M --epochs 90 --steps 1000 --batch 256 --json".split())
    assert [each["input"] for each in json.loads(done.stdout)["narrowing"]] == ["data_contradict", "gpu_time"]


def test_more_operations_than_the_chips_can_do_are_refused_with_the_likeliest_slip():
    """8 H100 x 1 day x 989.4e12 FLOP/s = 6.84e20; 8.4e22 are 123 of it, and with 7M parameters 0.12."""
    done = typed("estimate", *"--parameters 7B --tokens 2T --chips 8 --hardware H100 --days 1".split())
    assert (done.returncode, done.stdout) == (1, "")
    assert "are 123 of what the chips can do" in done.stderr
    assert "likeliest wrong: parameters" in done.stderr
    assert "0.12 of the peak" in done.stderr


def test_figures_that_allow_no_estimate_say_what_is_missing(tmp_path):
    done = typed("estimate", "--parameters", "7B", "--save", tmp_path / "mine.yaml")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines()[0] == "neither method has all its inputs"
    assert "--tokens" in done.stderr
    assert not (tmp_path / "mine.yaml").exists()


def test_what_the_record_cannot_hold_is_said_of_the_figure():
    done = typed("estimate", *"--chips 8 --days 1 --hardware V100 --precision bf16".split())
    assert done.returncode == 1
    assert done.stderr.startswith("--precision: ")
    done = typed("estimate", *"--chips 8 --days 1 --hardware H100 --published 2012".split())
    assert done.stderr.startswith("--hardware: ")
    assert "was released on" in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["gpt-3", "--tokens", "3B"], "--tokens: for a model of your own"),
        ([], "state FILE or MODEL, or figures"),
        (["--out", "x.csv"], "--from and --out need FILE"),
    ],
)
def test_figures_are_of_a_model_of_ones_own(words, said):
    done = typed("estimate", *words)
    assert done.returncode == 2
    assert said in done.stderr


def test_python_refuses_unknown_figures():
    import pipeline

    with pytest.raises(TypeError, match="'token' is not a figure of a model; did you mean 'tokens'"):
        pipeline.estimate(token=1)
    with pytest.raises(TypeError, match="a record or figures"):
        pipeline.estimate()
    with pytest.raises(ValueError, match="parameters: -7 is not above 0"):
        pipeline.estimate(parameters=-7)
