"""The example queries of the data dictionary have answers, and its other examples work."""

import ast
import re

import pytest

from pipeline.publishing import dictionary
from pipeline.publishing.examples import QUERIES
from schemas.vocabulary import DISPUTE_CAUSES
from tests.builders import typed

TEXT = dictionary.DICTIONARY.read_text(encoding="utf-8")


@pytest.mark.usefixtures("published_database")
@pytest.mark.parametrize("query", QUERIES, ids=lambda query: query.question[:40])
def test_an_example_query_has_an_answer(query):
    answer = typed("query", query.sql.strip())
    assert (answer.returncode, answer.stderr) == (0, "")
    rows = [line.split("\t") for line in answer.stdout.splitlines()]
    assert len(rows) > 1
    assert any(rows[1])
    assert f"{query.question}\n{query.sql.strip()};\n" in TEXT


def test_every_cause_of_a_dispute_is_explained():
    causes = ((cause.value, text.meaning, text.would_settle) for cause, text in DISPUTE_CAUSES.items())
    table = "\n".join(f"| `{cause}` | {meaning} | {would_settle} |" for cause, meaning, would_settle in causes)
    assert table in TEXT


def test_python_examples_name_what_exists():
    import pipeline

    for example in re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL):
        for node in ast.walk(ast.parse(example)):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "pipeline":
                assert hasattr(pipeline, node.attr)
