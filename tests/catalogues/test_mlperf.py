"""MLPerf's logs: the content of a run, refusals, the precision from its scripts, rows of a repository."""

import csv
import json
import math
import re
import subprocess

import pytest

from pipeline.base.clones import CloneError, Repository
from pipeline.catalogues.mlperf.__main__ import TABLE
from pipeline.catalogues.mlperf.formats import Chip, FormatError, Machine, printed_format, stated_format
from pipeline.catalogues.mlperf.logs import LogError, node_watts, read, spread
from pipeline.catalogues.mlperf.rounds import rows


def line(key, value=None, seconds=0.0, **metadata):
    event = {"namespace": "", "time_ms": 1000 * seconds, "key": key, "value": value, "metadata": metadata}
    return f"0: :::MLLOG {json.dumps(event)}"


def log(*lines, batch=512, start=100.0, stop=1100.0, status="success", **of_stop):
    return "\n".join(
        [
            "starting",
            line("submission_division", "closed"),
            line("global_batch_size", batch),
            line("run_start", seconds=start),
            *lines,
            line("run_stop", seconds=stop, status=status, **of_stop),
        ]
    )


LLAMA = log(
    line("eval_start", seconds=500.0), line("eval_stop", seconds=540.0),
    line("eval_start", seconds=1060.0), line("eval_start", seconds=1061.0), line("eval_stop", seconds=1100.0),
    line("eval_stop", seconds=1100.0), samples_count=9200,
)  # fmt: skip


def test_a_run_s_samples_batch_and_time_without_its_evaluations_of_several_processes():
    run = read(LLAMA, "llama2_70b_lora")
    assert (run.examples_seen, run.batch, run.division) == (9200, 512, "closed")
    assert (run.run_seconds, run.evaluation_seconds) == (1000, 80)
    assert run.rate == pytest.approx(10)


@pytest.mark.parametrize(
    ("benchmark", "lines", "of_stop", "examples"),
    [
        ("resnet", [line("train_samples", 1281167, 101), line("eval_accuracy", 0.76, 1090, epoch_num=35)], {}, 35 * 1281167),
        ("bert", [line("eval_accuracy", 0.72, 1090, epoch_num=2550016)], {}, 2550016),
        ("bert", [line("train_samples", 2400384, 1099), line("eval_accuracy", 0.72, 1090, epoch_num=1)], {}, 2400384),
        ("bert", [line("eval_accuracy", 0.72, 1090, epoch_num=46)], {}, None),
        ("gpt3", [line("eval_accuracy", 2.69, 1090, epoch_num=1207959552)], {}, 589824),
        ("stable_diffusion", [], {"step_num": 4000}, 4000 * 512),
        ("llama31_8b", [line("eval_accuracy", 3.3, 1090, samples_count=221184)], {}, 221184),
        ("llama31_8b", [], {"samples_count": 0}, None),
        ("rnnt", [], {}, None),
    ],
)  # fmt: skip
def test_samples_as_each_benchmark_logs_them(benchmark, lines, of_stop, examples):
    assert read(log(*lines, **of_stop), benchmark).examples_seen == examples


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "it has no line in MLPerf's format"),
        (log().rsplit("\n", 1)[0], "it is cut off: no run_start or no run_stop"),
        (log() + "\n" + log(start=2000.0, stop=3000.0), "it contains several runs, or its times go backwards"),
        (log(stop=50.0), "it contains several runs, or its times go backwards"),
        (log(stop=100.0), "it contains several runs, or its times go backwards"),
        (log(status="aborted"), "the run did not reach its target"),
        (log(samples_count=math.nan), "its number of samples is not a positive number"),
        (log(samples_count=-5), "its number of samples is not a positive number"),
        (log(line("eval_start", seconds=100.0), line("eval_stop", seconds=1100.0), samples_count=5),
         "its evaluations take longer than the run"),
    ],
)  # fmt: skip
def test_a_log_that_gives_no_run_says_why(text, reason):
    with pytest.raises(LogError) as problem:
        read(text, "llama31_8b")
    assert str(problem.value) == reason


def test_steps_times_batch_that_no_evaluation_counted_are_no_samples():
    counted = line("eval_accuracy", 80.0, 1090, samples_count=1_000_000)
    with pytest.raises(LogError, match="no count of samples"):
        read(log(counted, step_num=4000), "stable_diffusion")


def test_a_line_of_two_processes_written_into_one_another_is_left_out():
    assert (
        read(LLAMA.replace("starting", ':::MLLOG {"time_ms": 1, "key": :::MLLOG'), "llama31_8b").examples_seen == 9200
    )


def test_the_spread_of_repeats_is_that_of_their_logarithms():
    assert spread([1.0]) is None
    assert spread([1.0, math.e, math.e**2]) == pytest.approx(1.0)


def power(*watts, start=100.0):
    return "\n".join(line("power_reading", reading, start + 10 * place) for place, reading in enumerate(watts))


def test_a_node_s_power_is_the_mean_of_its_readings_within_the_run():
    run = read(LLAMA, "llama2_70b_lora")
    first, second = power(*[5000.0] * 90, *[900.0] * 20), power(*[7000.0] * 50)
    assert node_watts([first, second], run) == pytest.approx(((90 * 5000 + 11 * 900) / 101 + 7000) / 2)
    assert node_watts([], run) is None
    assert node_watts([first, power(*[7000.0] * 50, start=2000.0)], run) is None  # out of step


COMMON = {"i/config_common.sh": "export FP8=True\n", "i/run_and_time.sh": "  --fp16 \\\n"}
SOURCING = "source $(dirname ${BASH_SOURCE[0]})/config_common"
FP4 = COMMON | {"i/config_common_fp4.sh": "export FP4=True\nexport FP8=False"}
B200 = ("fp16", "bf16", "fp8", "fp4")


def machine(*formats, system="X", benchmark="llama31_8b", nodes=1, chip="nvidia-b200", maker="NVIDIA"):
    return Machine(system, benchmark, nodes, 8, Chip(chip, maker, formats))


@pytest.mark.parametrize(
    ("texts", "formats", "precision"),
    [
        ({"i/config_A100_1x8x4.sh": f"{SOURCING}.sh"} | COMMON, ("fp16", "bf16"), "fp16"),  # the chip has no FP8
        ({"i/config_H100_1x8x4.sh": f"{SOURCING}.sh"} | COMMON, ("fp16", "bf16", "fp8"), "fp8"),
        ({"i/config_H100_1x8x4.sh": f"export FP8=False\n{SOURCING}.sh"} | COMMON, ("fp16", "fp8"), "fp16"),
        ({"i/config_B200_1x8x4.sh": f"{SOURCING}.sh"} | FP4, B200, "fp8"),  # FP4 is in the folder, but not sourced
        ({"i/config_B200_1x8x4.sh": f"{SOURCING}.sh\n{SOURCING}_fp4.sh"} | FP4, B200, "fp4"),
        ({"i/config_B200_1x8x4.sh": f"{SOURCING}.sh", "i/config_B200_1x8x8.sh": f"{SOURCING}_fp4.sh"} | FP4, B200, None),
        ({"i/config_B200_1x8x4.sh": f"{SOURCING}.sh", "i/config_GB200_1x8x4.sh": f"{SOURCING}_fp4.sh"} | FP4, B200, "fp8"),
        ({"i/config_B200_1x8_8b.sh": f"{SOURCING}.sh", "i/config_B200_1x8_cg.sh": f"{SOURCING}_fp4.sh"} | FP4, B200, "fp8"),
        ({"i/config_X.sh": f"{SOURCING}_fp4.sh", "i/config_B200_1x8x4.sh": f"{SOURCING}.sh"} | FP4, B200, "fp4"),
        ({"i/config_A_1x8.sh": "--use_transformer_engine2", "i/config_A_2x8.sh": ""}, ("fp16", "fp8"), "fp8"),
        ({"i/config_A_4x8.sh": "--bf16", "i/config_A_2x8.sh": "--bf16"}, ("fp16", "bf16"), None),  # in which file?
        ({"i/config_A_1x8.sh": "", "i/run_and_time.sh": "x --config-name=c", "i/conf/c.yaml": "precision: 16"}, ("fp16",), "fp16"),
        ({"i/config_A_1x8.sh": "", "i/a30-run_and_time.sh": "--fp16"}, ("fp16",), None),  # the script of another machine
        ({"i/config_MI300X_1x8x1.sh": "export FP8=True"}, ("fp16", "fp8"), None),
        ({"i/run.sh": 'export DEFAULT_FLOAT="HALF" GPUS=6'}, ("fp16", "bf16"), "fp16"),
        ({"i/run.sh": "--fp16\n--bf16\n"}, ("fp16", "bf16"), None),
        ({"i/run.sh": "--bf16\n", "i/x.yaml": "fp8: ${FP8}"}, ("bf16", "fp8"), None),  # chosen elsewhere
        ({"i/run.sh": "nothing"}, ("fp16",), None),
        ({}, ("fp16",), None),
    ],
)  # fmt: skip
def test_the_precision_is_that_of_the_config_that_ran_and_what_it_sources(texts, formats, precision):
    stated = stated_format(texts, machine(*formats))
    assert (stated.precision if stated else None) == precision


def test_the_config_that_the_log_names_is_the_run_s():
    texts = {"i/config_B_1x8.sh": f"{SOURCING}_fp4.sh", "i/config_Z.sh": f"{SOURCING}.sh"} | FP4
    stated = stated_format(texts, machine(*B200), "0: :::DLPAL image.sqsh 467 1 node[1-2] 'unknown' Z\n")
    assert (stated.precision, stated.path) == ("fp8", "i/config_common.sh")
    assert stated_format(texts, machine(*B200), ":::DLPAL image.sqsh 467 1 n 'unknown' absent\n") is None


def test_a_config_that_sources_itself_is_refused():
    texts = {"i/config_B_1x8.sh": "source b.sh\nexport FP8=True", "i/b.sh": ". config_B_1x8.sh"}
    with pytest.raises(FormatError, match=r"i/config_B_1x8\.sh sources itself"):
        stated_format(texts, machine(*B200))


@pytest.mark.parametrize(
    ("text", "formats", "precision"),
    [
        ("0:   fp4: false\n0:   fp8: true\n bf16=True, fp16=False", B200, "fp8"),
        ("fp4='e2m1', fp8=None", B200, "fp4"),
        ("fp8: true", B200, None),  # the log does not print whether FP4 was on
        ("fp8: true", ("fp16", "fp8"), "fp8"),
        ("fp4=None, fp8=None, precision: bf16-mixed", B200, "bf16"),
        ("Namespace(dtype='float16')", ("fp16", "bf16"), "fp16"),
        ("no word of it", B200, None),
    ],
)
def test_a_log_that_prints_its_precision(text, formats, precision):
    stated = printed_format("log", text, formats)
    assert (stated.precision if stated else None) == precision


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("fp8: true\nfp8: false", "its log prints fp8 both as on and as off"),
        ("fp4: false\nfp8: false\nbf16=True\nfp16=True", "its log prints two 16-bit precisions as on"),
    ],
)
def test_a_log_with_two_precisions_is_refused(text, reason):
    with pytest.raises(FormatError) as problem:
        printed_format("log", text, B200)
    assert str(problem.value) == reason


@pytest.fixture
def repository(tmp_path):
    system = {"accelerator_model_name": "NVIDIA H100", "number_of_nodes": "2", "accelerators_per_node": "8"}
    files = {
        "Acme/results/two_h100/llama2_70b_lora/result_0.txt": LLAMA,
        "Acme/results/two_h100/llama2_70b_lora/result_1.txt": log(stop=1300.0, samples_count=9200),
        "Acme/results/two_h100/llama2_70b_lora/result_2.txt": "cut off",
        "Acme/results/two_h100/rnnt/result_0.txt": log(),
        "Acme/results/two_h100/llama2_70b_lora/power/result_1/node_0.txt": power(*[4000.0] * 20),
        "Acme/results/nobody/rnnt/result_0.txt": log(stop=1200.0),
        "Acme/results/two_h100_again/llama2_70b_lora/result_1.txt": LLAMA,  # submitted twice
        "Acme/systems/two-h100.json": json.dumps(system),
        "Acme/systems/nobody.json": "{",
        "Acme/benchmarks/llama2_70b_lora/implementations/nemo/config_2x8x1.sh": "export FP8=True",
    }
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b"]
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "results"]):
        subprocess.run([*git, *words], check=True)
    return Repository("mlcommons/training_results_v9.9", tmp_path)


def test_rows_of_a_round_have_the_median_run_the_system_and_places(repository):
    mistakes = []
    lora, unknown, rnnt = sorted(
        rows("v9.9", repository, lambda name: Chip("nvidia-h100", "NVIDIA", ("fp16", "fp8")), mistakes),
        key=lambda row: (row["task"], row["row"]),
    )
    assert lora["row"] == "v9-9-acme-two-h100-llama2-70b-lora"
    assert (lora["chip"], lora["chips"], lora["nodes"], lora["precision"]) == ("NVIDIA H100", 16, 2, "fp8")
    assert (lora["repeats"], lora["run_seconds"], lora["node_watts"]) == (2, 1200, 4000)  # the slower of two
    assert lora["place"].endswith(":Acme/results/two_h100/llama2_70b_lora/result_1.txt")
    assert repository.commit in lora["precision_place"]
    assert (rnnt["chip"], rnnt["examples_seen"], rnnt["precision"]) == ("NVIDIA H100", None, None)
    assert (unknown["chip"], unknown["chips"]) == (None, None)
    assert [mistake.rsplit(": ", 1)[1] for mistake in mistakes] == ["it has no line in MLPerf's format"]


def test_a_file_whose_content_a_clone_lacks_gives_no_row_and_a_folder_that_is_none_is_refused(repository, tmp_path):
    path = "Acme/results/two_h100/rnnt/result_0.txt"
    blob = subprocess.run(
        ["git", "-C", str(tmp_path), "rev-parse", f"HEAD:{path}"], capture_output=True, check=True, encoding="utf-8"
    ).stdout.strip()
    (tmp_path / ".git/objects" / blob[:2] / blob[2:]).unlink()
    assert set(repository.texts([path, "Acme/systems/two-h100.json", "absent"])) == {"Acme/systems/two-h100.json"}
    assert "rnnt" not in [row["task"] for row in rows("v9.9", repository, lambda name: None, []) if row["chip"]]
    with pytest.raises(CloneError, match="is not a clone of mlcommons/training_results_v9.9"):
        Repository("mlcommons/training_results_v9.9", tmp_path / "gone")


@pytest.mark.parametrize("entry", [{}, {"accelerators_per_node": ""}, {"accelerators_per_node": "N/A"}])
def test_a_system_without_chips_per_node_has_no_number_of_chips(repository, tmp_path, entry):
    system = {"accelerator_model_name": "NVIDIA H100", "number_of_nodes": "2"} | entry
    (tmp_path / "Acme/systems/two-h100.json").write_text(json.dumps(system))
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run([*git, "commit", "-qam", "less"], check=True)
    again = Repository("mlcommons/training_results_v9.9", tmp_path)
    assert {row["chips"] for row in rows("v9.9", again, lambda name: None, [])} == {None}


def test_each_precision_of_the_table_is_of_the_row_s_log_or_of_its_submitter_s_files_for_the_maker_of_its_chip():
    with TABLE.open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["precision"]]
    for row in rows:
        place = row["precision_place"].split(":", 2)[2]
        log = row["place"].split(":", 2)[2]
        assert place == log or place.startswith(f"{row['submitter']}/benchmark"), row["row"]
        amd = re.search(r"MI\d{3}", place.rsplit("/", 1)[-1])
        nvidia = re.search(r"(?<![A-Z])(DGX|G?[BH]\d00|A100|V100)", place.rsplit("/", 1)[-1])
        assert not (amd and "AMD" not in row["chip"]), row["row"]
        assert not (nvidia and not re.search("NVIDIA|Nvidia", row["chip"])), row["row"]
