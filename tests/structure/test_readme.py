"""The README: its excerpt, targets and length."""

import csv
import re
import subprocess

from pipeline.stages import flow

README = (flow.ROOT / "README.md").read_text(encoding="utf-8")
MODELS = "alexnet bert-large alphago-zero gpt-3 llama-3-1-405b deepseek-v3".split()
SHOWN = (
    "model_id operation_count_flop gpu_time_flop reported_flop method_ratio is_disputed dispute_cause training_flop headline_method"
).split()
MOST_LINES = 100


def excerpt():
    """Return the rows shown in the README as a table."""
    with (flow.ROOT / "data/published/estimates.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    lines = [f"| {' | '.join(SHOWN)} |", f"|{'---|' * len(SHOWN)}"]
    lines += [f"| {' | '.join(short(row[name]) for name in SHOWN)} |" for row in rows if row["model_id"] in MODELS]
    return "\n".join(lines)


def short(cell):
    return f"{float(cell):.3g}" if re.fullmatch(r"[\d.]+(e[+-]\d+)?", cell) else cell


def test_the_excerpt_is_what_the_pipeline_made():
    shown = re.search(r"<!-- excerpt -->\n(.*?)\n?<!-- end of excerpt -->", README, re.DOTALL).group(1).splitlines()
    made = excerpt().splitlines()
    assert shown == made, f"paste between the excerpt marks:\n{excerpt()}"


def test_it_is_short():
    assert len(README.splitlines()) <= MOST_LINES


def test_every_target_that_it_names_exists():
    named = set(re.findall(r"^make (\w+)", README, re.MULTILINE))
    assert {"repro", "test"} <= named
    listed = subprocess.run(["make", "help"], capture_output=True, text=True, cwd=flow.ROOT, check=True).stdout
    assert named <= {line.split()[0] for line in listed.splitlines()}


def test_every_command_that_it_shows_exists():
    from pipeline.cli import application

    commands = {command.name or command.callback.__name__ for command in application().registered_commands}
    assert {"show", "explain", "query", "new", "validate"} <= set(re.findall(r"flopledger (\w+)", README)) <= commands


def test_every_folder_of_the_code_is_in_its_layout():
    layout = README.partition("## Repository layout")[2].partition("\n## ")[0]
    folders = {path.name for path in (flow.ROOT / "pipeline").iterdir() if path.is_dir() and (path / "__init__.py").exists()}  # fmt: skip
    assert {name for name in folders if f"{name}/`" not in layout} == set()
