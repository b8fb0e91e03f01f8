"""The remarks of every command on a ledger that has changed since it was published, or is older than its records."""

import json
import subprocess
import sys

import pytest

from pipeline.base.paths import ROOT

RECORD = "data/records/models/gpt-3.yaml"
VERBS = ("show gpt-3", "explain gpt-3", "cite gpt-3", "export gpt-3 --eu", "compare gpt-3 palm-540b", "thresholds gpt-3", "list --limit 1", "hardware a100",
         "estimate gpt-3", "estimate gpt-3 --utilization 0.3", "estimate --parameters 7B --tokens 2T")  # fmt: skip
OF_ONE_MODEL = ("show gpt-3", "explain gpt-3", "estimate gpt-3", "estimate gpt-3 --utilization 0.3")


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """Copy this checkout with its published files, and link the code."""
    root = tmp_path_factory.mktemp("checkout")
    kept = ["--exclude=./.venv*", "--exclude=./.git", "--exclude=./.dvc", "--exclude=./site", "--exclude=*_cache"]
    piped = subprocess.run(["tar", "c", *kept, "."], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout
    subprocess.run(["tar", "x"], cwd=root, input=piped, check=True)
    return root


EACH_ANSWERED = """
import functools, json, sys
sys.path.insert(0, ".")
from pipeline.answers import ledger
from pipeline.publishing import fingerprint
from tests.builders import typed
# No file changes meanwhile.
for module, name in ((ledger, "_mistakes"), (fingerprint, "input_digests")):
    setattr(module, name, functools.cache(getattr(module, name)))
for words in sys.argv[1:]:
    ledger._remark_once.cache_clear()
    done = typed(*words.split())
    print(json.dumps([done.returncode, done.stdout, done.stderr.splitlines()]))
"""


def answers(checkout, *verbs):
    """Return the exit code, standard output and lines of standard error of each command, run in this checkout."""
    argv = [sys.executable, "-c", EACH_ANSWERED, *verbs]
    done = subprocess.run(argv, cwd=checkout, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture
def changed_record(checkout):
    file = checkout / RECORD
    content = file.read_text()
    file.write_text(content.replace("published: 2020-05-28", "published: 2100"))
    assert file.read_text() != content
    yield
    file.write_text(content)


@pytest.mark.usefixtures("published_database", "changed_record")
def test_an_answer_from_an_older_ledger_says_so_once(checkout):
    for verb, (code, answer, remarks) in zip(VERBS, answers(checkout, *VERBS), strict=True):
        assert (code, bool(answer)) == (0, True), verb
        assert remarks.count(f"{RECORD} changed since the ledger was made; `make repro` makes it again") == 1, verb
        mistake = [line for line in remarks if line.startswith(f"{RECORD}:")]
        if verb in OF_ONE_MODEL:
            assert "gpt-3: this answer is from its record as it was before the change" in remarks, verb
            assert len(mistake) == 1, verb
            assert "published: '2100' is not a date" in mistake[0]


def test_a_new_record_that_is_invalid_is_answered_with_its_mistakes(checkout):
    record = checkout / "data/records/models/new-model.yaml"
    record.write_text((checkout / RECORD).read_text().replace("published: 2020-05-28", "published: 2100"))
    [(code, _, remarks)] = answers(checkout, "show new-model")
    record.unlink()
    assert code == 1
    assert "new-model has a record but is not in the ledger yet: run `make repro`" in remarks
    assert any(
        line.startswith("data/records/models/new-model.yaml:") and "'2100' is not a date" in line for line in remarks
    )


@pytest.mark.usefixtures("published_database")
def test_a_database_that_is_not_as_it_was_published_answers_nothing(checkout):
    file = checkout / "data/published/ledger.duckdb"
    content = file.read_bytes()
    file.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    answered = answers(checkout, *VERBS)
    file.write_bytes(content)
    refusal = [1, "", ["data/published/ledger.duckdb is not as it was published; `make repro` makes it"]]
    assert dict(zip(VERBS, answered, strict=True)) == dict.fromkeys(VERBS, refusal)
