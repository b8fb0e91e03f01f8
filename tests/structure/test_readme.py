"""The README: its numbers, excerpt, targets and length."""

import csv
import re
import subprocess

import pytest

from pipeline.publishing import database, report_views, trends
from pipeline.publishing.rows import rows
from pipeline.records import params
from pipeline.stages import flow

README = (flow.ROOT / "README.md").read_text(encoding="utf-8")
MODELS = "alexnet seq2seq transformer-big bert-large alphago-zero gpt-3 llama-3-1-405b deepseek-v3".split()
SHOWN = (
    "model_id operation_count_flop gpu_time_flop reported_flop method_ratio is_disputed dispute_cause training_flop headline_method"
).split()
MOST_LINES = 100


def excerpt():
    """The rows that the README shows, as a table."""
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


@pytest.mark.usefixtures("published_database")
def test_its_numbers_are_those_of_the_ledger():
    with database.reading() as book:
        shown, low, high = book.execute(
            "select training_flop, training_flop_low, training_flop_high from estimates where model_id = 'gpt-4'"
        ).fetchone()
        models, known = book.execute("select count(*), count(training_flop) from estimates").fetchone()
        growth = book.execute(
            "select growth_factor, growth_factor_low, growth_factor_high from trends where frontier = 'top 10'"
        ).fetchone()
        recent = trends.trend(rows(book, "from estimates"), trends.RECENT_YEAR)
        report_views.create(book, params.load().model_dump())
        largest = book.execute("from largest_in_epoch").fetchone()
        held = book.execute(
            "select sum(independent_held_number), sum(independent_number) from statement_counts"
        ).fetchone()
        (flagged,) = book.execute(
            "select 100 * (1 - share_of_runs_within_2_fraction) from gold_scores where gold_grouping = 'all' and gold_method = 'default_utilization'"
        ).fetchone()
        pairs, share = book.execute(
            "select models_number, share_within_2_fraction from method_comparison_summary where grouping = 'all'"
        ).fetchone()
    said = " ".join(README.partition("<!-- numbers -->")[2].partition("<!-- end of numbers -->")[0].split())
    words = (
        r"\*\*GPT-4: {n} FLOP\*\*, 90 % interval {n} to {n}\..* one of {n} models with a record, of which {n} have a number"
        r".*\*\*×{n} a year\*\* \(90 %: {n} to {n}\).* ×{n} \({n} to {n}\) since 2020: .* Of the {n} in .* since 2020, {n} have no number"
        r".*\*\*{n} of {n}\*\* totals.*\*\*{n} % of {n} models\*\*.*\({n} % of logged runs"
    ).replace("{n}", r"([\d.e]+)")
    numbers = [float(number) for number in re.search(words, said).groups()]
    # Within what a few records more move, so that whoever adds one need not edit the README.
    assert numbers == pytest.approx(
        [
            shown,
            low,
            high,
            models,
            known,
            *growth,
            recent["growth_factor"],
            recent["growth_factor_low"],
            recent["growth_factor_high"],
            *largest,
            *held,
            100 * share,
            pairs,
            flagged,
        ],
        rel=0.05,
    )


def test_every_folder_of_the_code_is_in_its_layout():
    layout = README.partition("## Repository layout")[2].partition("\n## ")[0]
    folders = {path.name for path in (flow.ROOT / "pipeline").iterdir() if path.is_dir() and (path / "__init__.py").exists()}  # fmt: skip
    assert {name for name in folders if f"{name}/`" not in layout} == set()
