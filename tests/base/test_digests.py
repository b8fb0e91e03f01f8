"""No stage vouches for data other than the data that `ingest` read."""

import subprocess

import pytest

from pipeline import stages
from pipeline.base import digests
from pipeline.base.paths import ROOT
from pipeline.records import ledger
from schemas.errors import ContractError

RECORD = "data/records/models/net.yaml"
CHANGED = f"{RECORD}: changed since it was read; `make repro` reads it again"


@pytest.fixture
def root(tmp_path):
    for place in (RECORD, "data/records/measurements/runs.csv"):
        (tmp_path / place).parent.mkdir(parents=True)
        (tmp_path / place).write_text("chips: 100\n")
    (tmp_path / "data/tables/ingest").mkdir(parents=True)
    digests.write(tmp_path / "data/tables/ingest", digests.sha256_of_files(tmp_path))
    return tmp_path


def change(root):
    (root / RECORD).write_text("chips: 1000\n")


def remove(root):
    (root / RECORD).unlink()


def add(root):
    (root / RECORD).with_name("other.yaml").write_text("chips: 100\n")


def test_what_was_read_is_as_it_was(root):
    digests.refuse_changed(root)
    listed = root / "data/tables/ingest" / digests.READ
    subprocess.run(["sha256sum", "--check", "--quiet", listed], cwd=root, check=True)


@pytest.mark.parametrize(
    ("happens", "named"), [(change, RECORD), (remove, RECORD), (add, RECORD.replace("net", "other"))]
)
def test_what_is_not_as_it_was_read_is_named(root, happens, named):
    happens(root)
    with pytest.raises(ContractError, match=f"^{named}: changed since it was read"):
        digests.refuse_changed(root)


def test_a_record_that_changes_while_ingest_reads_is_refused(root, monkeypatch):
    monkeypatch.setattr(ledger, "load_all", change)
    with pytest.raises(ContractError) as problem:
        stages.ingest(stages.Given(root, None, {}, root, root))
    assert str(problem.value) == CHANGED


def test_all_records_and_their_tables_have_a_digest():
    words = ["git", "ls-files", "data/records", "data/snapshots"]
    listed = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")[:-1]
    assert set(listed) == set(digests.sha256_of_files(ROOT))
