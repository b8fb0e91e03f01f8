"""The example queries of the data dictionary have answers, and its other examples work."""

import re

import pytest

import pipeline
from pipeline.base.paths import ROOT
from pipeline.publishing import dictionary
from pipeline.publishing.examples import QUERIES
from pipeline.publishing.files import CSV_TABLES
from tests.builders import typed

TEXT = dictionary.DICTIONARY.read_text(encoding="utf-8")


@pytest.mark.usefixtures("published_database")
@pytest.mark.parametrize(("question", "query"), QUERIES.items(), ids=[question[:40] for question in QUERIES])
def test_an_example_query_has_an_answer(question, query):
    answer = typed("query", query.strip())
    assert (answer.returncode, answer.stderr) == (0, "")
    rows = [line.split("\t") for line in answer.stdout.splitlines()]
    assert len(rows) > 1
    assert any(rows[1])
    assert f"{question}\n{query.strip()};\n" in TEXT


def test_every_numbered_query_is_read():
    assert len(QUERIES) == len(re.findall(r"^-- \d+\. ", TEXT, re.MULTILINE)) > 5


def test_python_examples_name_functions_that_exist():
    functions = set(re.findall(r"\bflop_ledger\.(\w+)\(", TEXT))
    assert functions
    assert functions <= {*dir(pipeline)}


@pytest.mark.usefixtures("published_database")
def test_the_suite_of_each_published_table_passes_as_the_example_says(monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    (example,) = (
        code for code in re.findall(r"```python\n(.*?)```", TEXT, flags=re.DOTALL) if "great_expectations" in code
    )
    exec(example)
    for name in CSV_TABLES:
        exec(
            example.replace(
                'read_parquet("data/published/estimates.parquet")', f'read_csv("data/published/{name}.csv")'
            ).replace('get("estimates")', f'get("{name}")')
        )
    assert capsys.readouterr().out.split() == ["True"] * (1 + len(CSV_TABLES))
