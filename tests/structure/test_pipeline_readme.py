"""pipeline/README.md: recipes print what it shows, its and CONTRIBUTING's files exist, `--help` has every command."""

import re
import shlex
from itertools import combinations, pairwise

import pytest
import typer

from pipeline import stages
from pipeline.cli import application
from pipeline.records import loading
from pipeline.stages import flow
from tests.builders import typed

README = (flow.ROOT / "pipeline" / "README.md").read_text(encoding="utf-8")
EXTENSION = (flow.ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## Add a …")[2].partition("\n## ")[0]
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?(?:e\d+)?")
RECIPES = [
    block.partition("\n") for block in re.findall(r"```console\n\$ flopledger (.*?)\n```", README, re.DOTALL)
]  # words, and the lines shown


def test_help_documents_every_command_and_each_of_its_options():
    commands = typer.main.get_command(application()).commands
    silent = [name for name, command in commands.items() if not command.help]
    silent += [
        f"{name} {option.opts[0]}" for name, command in commands.items() for option in command.params if not option.help
    ]
    assert silent == []
    assert len(commands) > 15


@pytest.mark.usefixtures("published_database")
@pytest.mark.parametrize(("words", "_", "shown"), RECIPES, ids=[words for words, *_ in RECIPES])
def test_a_recipe_prints_what_it_shows(words, _, shown):
    printed = typed(*shlex.split(words)).stdout.splitlines()
    lines = [line for line in shown.splitlines() if line != "…"]
    assert len(lines) >= 2
    places = []
    for line in lines:
        like = [place for place, other in enumerate(printed) if NUMBER.sub("", other) == NUMBER.sub("", line)]
        assert like, (line, printed)
        places.append(like[0])
        numbers = [
            [float(number.replace(",", "")) for number in NUMBER.findall(text)] for text in (line, printed[like[0]])
        ]
        # A tolerance for a few more records, so that adding one requires no edit of the README.
        assert numbers[0] == pytest.approx(numbers[1], rel=0.05), printed[like[0]]
    assert places == sorted(places)


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


def test_files_that_the_documents_name_exist():
    places = {flow.ROOT, flow.ROOT / "pipeline"}
    named = set(re.findall(r"`([a-z_/]+(?:\.py|\.yaml|\.yml|\.sql|/))`", README + EXTENSION))
    assert len(named) > 15
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
