"""Snapshots and published files are compared with their digests, and every difference is one line."""

import hashlib
import shutil

import pytest
import yaml

from pipeline.base.paths import ROOT
from pipeline.publishing import changes
from pipeline.publishing.verification import changed_published, changed_releases, changed_snapshots
from pipeline.stages import flow
from schemas.errors import ContractError

SNAPSHOT, ORIGIN = "data/snapshots/epoch_notable.csv", "data/snapshots/epoch_notable.origin.yaml"


@pytest.fixture
def release(miniature, tmp_path):
    """Copy the miniature with a file of its snapshot's origin."""
    root = tmp_path / "tree"
    shutil.copytree(miniature, root)
    (root / ORIGIN).write_text(yaml.safe_dump({"sha256": hashlib.sha256((root / SNAPSHOT).read_bytes()).hexdigest()}))
    return root


def test_an_unchanged_release_has_no_mistakes(release):
    assert [*changed_published(release), *changed_snapshots(release)] == []


@pytest.mark.parametrize("name", ["estimates.csv", "estimates.parquet", "datapackage.json", "ledger.duckdb"])
def test_a_changed_or_missing_published_file_is_one_line(release, name):
    file = release / "data/published" / name
    for change in (lambda: file.write_bytes(file.read_bytes() + b"\n"), file.unlink):
        change()
        (line,) = changed_published(release)
        assert line.startswith(f"data/published/{name} differs from ")


def test_a_changed_or_missing_snapshot_is_one_line(release):
    (release / SNAPSHOT).write_text("x")
    assert [*changed_snapshots(release)] == [f"{SNAPSHOT} differs from {ORIGIN}"]
    (release / SNAPSHOT).unlink()
    assert [*changed_snapshots(release)] == [f"{SNAPSHOT} is missing"]


@pytest.mark.parametrize("content", [b"", b"x", b"\xff", b"[1]", b"{}", b"null"])
def test_an_unreadable_origin_is_one_line(release, content):
    (release / ORIGIN).write_bytes(content)
    assert [*changed_snapshots(release)] == [f"{ORIGIN} is missing or cannot be read"]


def test_an_unlisted_published_file_is_one_line(release):
    (release / "data/published/extra.csv").write_text("a\n")
    assert [*changed_published(release)] == ["data/published/extra.csv is not in SHA256SUMS; remove it"]


def test_a_former_release_cannot_change(release):
    folder = release / "data/releases/2026-01-01"
    (release / "data/published/datapackage.json").write_text('{"version": "2026-01-01"}')
    assert changes.main(release) == 0
    assert [*changed_releases(release)] == []
    (folder / "estimates.csv").write_text("model_id,training_flop\ngpt-3,1e23\n")
    (folder / "extra.csv").write_text("")
    restores = "`git checkout data/releases` restores it"
    lines = [f"estimates.csv differs from SHA256SUMS, or is missing; {restores}"]
    lines.append("extra.csv is not in SHA256SUMS; remove it")
    assert [*changed_releases(release)] == [f"data/releases/2026-01-01/{line}" for line in lines]
    with pytest.raises(ContractError, match="restores it"):
        flow.run("publish", release)
    (folder / "SHA256SUMS").unlink()
    assert [*changed_releases(release)] == [f"data/releases/2026-01-01/SHA256SUMS is missing; {restores}"]


def test_our_own_releases_are_as_they_were():
    assert [*changed_releases()] == []


def test_dvc_lock_has_only_the_stages_in_dvc_yaml():
    """DVC keeps stages that were removed from dvc.yaml."""
    stages, locked = (yaml.safe_load((ROOT / name).read_text())["stages"] for name in ("dvc.yaml", "dvc.lock"))
    assert locked.keys() == stages.keys()
