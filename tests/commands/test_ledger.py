"""Models by name, in the database and among records that are not in it yet."""

import shutil

import pytest

from pipeline.answers import ledger
from pipeline.base.paths import RECORDS
from tests.builders import typed


@pytest.mark.parametrize("words", [("show",), ("compare", "gpt-3")])
def test_a_record_that_no_run_has_seen_is_said(tmp_path, monkeypatch, words):
    (tmp_path / "models").mkdir()
    shutil.copy(RECORDS / "models/alexnet.yaml", tmp_path / "models/my-net.yaml")
    monkeypatch.setattr(ledger, "RECORDS", tmp_path)
    for name in ("my-net", "My Net"):
        done = typed(*words, name)
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr == "my-net has a record but is not in the ledger yet: run `make repro`\n"
    assert "is not a model of the ledger" in typed(*words, "my-other-net").stderr
