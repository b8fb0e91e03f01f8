"""pipeline/README.md: the command-line reference is complete, its sample of a problem is real, and files it names exist."""

import contextlib
import re
from itertools import combinations, pairwise

import typer

from pipeline import stages
from pipeline.cli import application
from pipeline.records import loading
from pipeline.stages import flow

README = (flow.ROOT / "pipeline" / "README.md").read_text(encoding="utf-8")
REFERENCE = README.partition("## Command line")[2].partition("\n## ")[0]


def test_every_command_is_described_and_its_help_tells_every_option():
    group = typer.main.get_command(application())
    missing = [name for name in group.commands if not re.search(rf"^flopledger {name} .*# ", REFERENCE, re.MULTILINE)]
    for name, command in group.commands.items():
        missing += [f"{name} {option.opts[0]}" for option in command.params if not option.help]
    assert missing == []


def test_every_option_of_measure_is_documented(capsys):
    from pipeline.measure.harness.command import main

    with contextlib.suppress(SystemExit):
        main(["--help"])
    options = set(re.findall(r"--[a-z-]+", capsys.readouterr().out)) - {"--help"}
    section = REFERENCE.partition("### Measure")[2]
    assert len(options) >= 9
    assert {option for option in options if option not in section} == set()


def test_the_sample_of_a_problem_is_what_validate_prints(tmp_path):
    (tmp_path / "models").mkdir()
    broken = (
        (flow.ROOT / "data/records/models/alexnet.yaml").read_text().replace("value: nvidia-gtx-580,", "value: gxt580,")
    )
    (tmp_path / "models/alexnet.yaml").write_text(broken)
    folder = flow.ROOT / "data/records"
    try:
        loading.load([tmp_path / "models"], among=[folder / "hardware"])
        printed = ""
    except loading.RecordError as problem:
        printed = str(problem)
    sample = re.search(r"```\n(data/records/models/alexnet\.yaml.*?)\n```", README).group(1)
    assert printed.replace(str(tmp_path), "data/records") == sample


def test_files_that_it_names_exist():
    places = {flow.ROOT, flow.ROOT / "pipeline"}
    named = set(re.findall(r"`([a-z_/]+(?:\.py|\.yaml|/))`", README)) - {"estimates.csv.quarantine.csv", "draft.yaml"}
    assert len(named) > 20
    assert {name for name in named if not any((place / name).exists() for place in places)} == set()


def test_the_arrows_of_its_diagram_are_tables_that_one_stage_makes_and_the_next_reads():
    (diagram,) = re.findall(r"```mermaid\nflowchart LR\n(.*?)```", README, re.DOTALL)
    arrows = set()
    for line in re.sub(r"\[\(.*?\)\]", "", diagram).splitlines():
        groups = [[stage.strip() for stage in group.split("&")] for group in line.split("-->")]
        arrows |= {(one, other) for ones, others in pairwise(groups) for one in ones for other in others}
    read = set(combinations(stages.STAGES, 2))
    assert arrows - read == {("records", "ingest"), ("publish", "published")}
    assert {stage for arrow in arrows for stage in arrow} == {*stages.STAGES, "records", "published"}
