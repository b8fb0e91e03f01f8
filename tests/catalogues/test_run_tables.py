"""Readers of published tables: what a row says, what is left out, whole sequences from logged operations."""

import json
import subprocess

import pytest

from pipeline.catalogues.clones import Repository
from pipeline.catalogues.run_tables import dawnbench, deep_learning_examples, marin
from pipeline.catalogues.run_tables.__main__ import main
from schemas.records import TableRow


@pytest.fixture
def clone(tmp_path):
    """A clone of these files, by name."""

    def made(name, files):
        folder = tmp_path / name.replace("/", "+")
        for path, text in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text)
        git = ["git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@b"]
        for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "results"]):
            subprocess.run([*git, *words], check=True)
        return Repository(name, folder)

    return made


def read(reader, repository):
    mistakes = []
    rows = list(reader.rows(repository, mistakes))
    for row in rows:
        TableRow.model_validate_strings({name: str(cell) for name, cell in row.items() if cell is not None})
    return rows, mistakes


def speedrun(name, parameters, model_flop, hardware_flop, seconds):
    return {
        "run_name": name, "model_size": parameters, "model_flops": model_flop,
        "training_hardware_flops": hardware_flop, "training_time": seconds,
    }  # fmt: skip


# Results of single runs (experiments/speedrun/*/speedrun_results.json), which state the tokens and the machine that the
# leaderboard leaves out: 16,740,515,840 on v5litepod-64; 9,999,745,024 on 8 H200; 2,999,975,936 on an H100.
SPEEDRUNS = [
    speedrun("muonh_qwen3_scaling/800m", 837046144, 8.340840896299794e19, 2.2375201022490496e20, 17746.828222152995),
    speedrun("llama_1_4B_8xH200", 2136049664, 1.2454406018439945e20, 4.032976813981806e20, 50947.15530548012),
    speedrun("parallel/gpu/150m", 154147328, 1.707084418797011e18, 9.264161724167268e18, 9362.46763432771),
]


def test_speedruns_have_the_chips_and_tokens_that_results_of_single_runs_state(clone):
    others = [
        speedrun("mixture", 905104128, 4.4e18, 3.52e16, 1.0), speedrun("no machine", 33784960, 1e17, 1e15, 1.0),
        speedrun("no time", 33784960, 1e17, 1e15, None), speedrun("no steps", 33784960, 8.7e16, 3.52e16, 1.0),
    ]  # fmt: skip
    repository = clone(marin.REPOSITORY, {marin.PATH: json.dumps([*SPEEDRUNS, *others])})
    rows, mistakes = read(marin, repository)
    assert [(row["chip"], row["chips"], row["task"]) for row in rows] == [
        ("TPU v5e", 64, "llama-800m-4096"), ("H200", 8, "llama-1-4b-2048"), ("H100", 1, "llama-130m-1024"),
        ("TPU v4", 128, "other"), ("TPU v4", 128, "other"),
    ]  # fmt: skip
    assert [row["examples_seen"] * 4096 for row in rows[:1]] == [16740515840]
    assert [row["examples_seen"] * length for row, length in zip(rows[1:3], (2048, 1024), strict=True)] == [
        9999745024, 2999975936,
    ]  # fmt: skip
    assert rows[3]["examples_seen"] is None
    assert [mistake.partition(":")[0] for mistake in mistakes] == ["no machine", "no time"]


@pytest.mark.parametrize(
    ("hardware", "chip", "chips"),
    [
        ("16 nodes with InfiniBand (8*V100 with NVLink for each node)", "V100", 128),
        ("16 * 8 * Tesla-V100(ModelArts Service)", "V100", 128),
        ("Tesla V100 * 8 GPU / 32 GB / 40 CPU", "V100", 8),
        ("Lambda GPU Cloud - 4x GTX 1080 Ti", "GTX 1080 Ti", 4),
        ("V100 (AWS p3.2xlarge)", "V100", 1),
        ("p3.16xlarge", "p3.16xlarge", None),
        ("Half of a TPUv2 Pod", "TPUv2", None),
    ],
)
def test_an_entry_has_the_chips_of_its_words_and_none_that_they_do_not_say(clone, hardware, chip, chips):
    entry = {
        "author": "A | B",
        "model": "ResNet 50",
        "hardware": hardware,
        "misc": {"mixed_precision": True, "batchSize": 64},
    }
    files = {
        "ImageNet/train/a.json": json.dumps(entry), "ImageNet/train/a.tsv": "hours\tepoch\ttop1\n0.5\t1\t9\n\n1.0\t2\t93\n",
        "ImageNet/train/cut.json": json.dumps(entry)[:40], "ImageNet/train/none.json": json.dumps(entry),
        "ImageNet/inference/b.json": "{}",
    }  # fmt: skip
    (row,), mistakes = read(dawnbench, clone(dawnbench.REPOSITORY, files))
    assert (row["chip"], row["chips"], row["precision"], row["batch"]) == (chip, chips, "fp16", 64)
    assert (row["run_seconds"], row["examples_seen"], row["submitter"]) == (3600, 2 * 1281167, "A , B")
    assert [mistake.partition(":")[0] for mistake in mistakes] == [
        "ImageNet/train/cut.json",
        "ImageNet/train/none.json",
    ]
    assert mistakes[1].endswith("it has no hours of epochs")


README = """# BERT
## Training performance results
### Training performance: NVIDIA DGX-2H (16x V100 32GB)
#### Pre-training
| **Nodes** | **Sequence Length** | **Batch size / GPU: mixed precision, FP32** | **Throughput - mixed precision** | **Throughput - FP32** | **Weak scaling - FP32** |
|--|--|--|--|--|--|
| 4 | 128 | 64,32 | 10,583.5 | 2,762 | 3.9 |
| 4 | 512 | 64,32 | N/A | 2,762 | 3.9 |
### Elsewhere
| GPUs | Throughput - TF32 |
|--|--|
| 8 | 100 |
## Inference performance results
### Inference performance: NVIDIA DGX A100 (1x A100 40GB)
| GPUs | Throughput - TF32 |
|--|--|
| 1 | 5 |
"""


def test_tables_of_a_readme_have_machine_format_and_network_by_headings_and_columns(clone):
    repository = clone(deep_learning_examples.REPOSITORY, {"TensorFlow/LanguageModeling/BERT/README.md": README})
    (mixed, single), mistakes = read(deep_learning_examples, repository)
    assert (mixed["task"], mixed["chip"], mixed["chips"]) == ("bert-large-128", "NVIDIA V100-SXM3-32GB (450W)", 64)
    assert (mixed["precision"], mixed["examples_seen"], mixed["run_seconds"]) == ("fp16", 10583.5, 1)
    assert (single["precision"], single["examples_seen"]) == ("fp32", 2762)  # the second of the same number is left out
    assert [mistake.rsplit(" ", 1)[0] for mistake in mistakes] == [
        "TensorFlow/LanguageModeling/BERT/README.md: no machine above the table of 'Elsewhere < Training performance results <"
    ]


def test_a_throughput_that_a_record_of_the_same_page_states_is_left_out(clone):
    page = "MxNet/Classification/RN50v1.5/README.md"  # nvidia-resnet-50-mxnet states 3410.52
    text = "## Training performance: DGX A100 (8x A100 80GB)\n|GPUs|Throughput - mixed precision|\n|-|-|\n|1|3410.52|\n|4|13442.66|\n"
    (row,), _ = read(deep_learning_examples, clone(deep_learning_examples.REPOSITORY, {page: text}))
    assert row["chips"] == 4


def test_the_command_writes_a_table_and_refuses_what_it_does_not_know(clone, tmp_path, capsys):
    folder = clone(marin.REPOSITORY, {marin.PATH: json.dumps(SPEEDRUNS)}).folder
    assert main([f"marin-speedruns={folder}", "--out", str(tmp_path)]) == 0
    lines = (tmp_path / "marin-speedruns.csv").read_text().splitlines()
    assert lines[0].split(",") == list(TableRow.model_fields)
    assert len(lines) == 4
    assert main([f"marin-speedruns={tmp_path}/nowhere"]) == 1
    assert "nowhere is no clone of marin-community/speedrun" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["marin=folder"])
    assert "not as 'marin=folder'" in capsys.readouterr().err
