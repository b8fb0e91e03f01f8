"""Which changes affect the fingerprint of all inputs, and whether a ledger was made from the present inputs."""

import os
import shutil
from itertools import pairwise

import pytest

from pipeline.base.paths import ROOT
from pipeline.publishing import database, fingerprint
from tests.builders import copied


@pytest.fixture
def tree(tmp_path):
    """Make the miniature with code that affects numbers, and code that does not."""
    root = copied(tmp_path / "tree")
    for name in ("pipeline/models", "pipeline/rules", "pipeline/site", "schemas"):
        shutil.copytree(ROOT / name, root / name)
    return root


@pytest.mark.parametrize(
    "name",
    [
        "data/records/models/base-text.yaml",
        "data/snapshots/epoch_notable.csv",
        "params.yaml",
        "pipeline/models/headlines.sql",
        "pipeline/rules/dispute_sentences.py",
        "schemas/vocabulary/disputes.py",
    ],
)
def test_an_edited_input_changes_it(tree, name):
    before, file = fingerprint.input_digests(tree), tree / name
    times = file.stat()
    content = file.read_bytes()
    file.write_bytes(content[:-2] + b" " + content[-1:])
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))  # neither time nor size shows the change
    assert file.stat().st_size == times.st_size - len(content[-2:-1]) + 1
    assert fingerprint.input_digests(tree) != before
    file.write_bytes(content)
    assert fingerprint.input_digests(tree) == before


def test_an_added_and_a_renamed_record_change_it(tree):
    record = tree / "data/records/models/base-text.yaml"
    prints = [fingerprint.input_digests(tree)]
    shutil.copy(record, record.with_name("other.yaml"))
    prints.append(fingerprint.input_digests(tree))
    record.rename(record.with_name("another.yaml"))
    prints.append(fingerprint.input_digests(tree))
    assert [sorted(now.keys() ^ before.keys()) for before, now in pairwise(prints)] == [
        ["data/records/models/other.yaml"],
        ["data/records/models/another.yaml", "data/records/models/base-text.yaml"],
    ]


@pytest.mark.parametrize(
    "name", ["pipeline/site/charts.py", "pipeline/site/templates/model.html", "data/published/estimates.csv"]
)
def test_pages_and_published_files_do_not_change_it(tree, name):
    before = fingerprint.input_digests(tree)
    (tree / name).parent.mkdir(parents=True, exist_ok=True)
    with (tree / name).open("a") as file:
        file.write("# changed\n")
    assert fingerprint.input_digests(tree) == before


def test_a_ledger_has_the_digests_of_its_inputs(miniature, tmp_path):
    root = tmp_path / "tree"
    shutil.copytree(miniature, root)
    assert fingerprint.is_present(root)
    record = root / "data/records/models/base-text.yaml"
    record.write_text(record.read_text() + "# read again\n")
    assert not fingerprint.is_present(root)
    with database.reading(miniature) as book:
        assert dict(book.execute("select * from made_from").fetchall()) == fingerprint.input_digests(miniature)
        assert fingerprint.changed_inputs(book, root) == ["data/records/models/base-text.yaml"]


@pytest.mark.parametrize("content", [None, b"", b"no database at all"])
def test_a_missing_or_broken_ledger_is_not_present(tree, content):
    (tree / "data/published").mkdir(parents=True, exist_ok=True)
    if content is not None:
        (tree / "data/published/ledger.duckdb").write_bytes(content)
    assert not fingerprint.is_present(tree)
