"""Every file is compared with its digests, and every difference is one line."""

import hashlib
import shutil

import pytest
import yaml

from pipeline.base.paths import ROOT
from pipeline.publishing import verification

SNAPSHOT, ORIGIN = "data/snapshots/epoch_notable.csv", "data/snapshots/epoch_notable.origin.yaml"


@pytest.fixture
def release(miniature, tmp_path):
    """Copy the miniature with dvc.lock and a sidecar of its snapshot."""
    root = tmp_path / "tree"
    shutil.copytree(miniature, root)
    files = [SNAPSHOT, "data/tables/publish/changes.parquet"]
    outs = [{"path": name, "md5": hashlib.md5((root / name).read_bytes()).hexdigest()} for name in files]
    (root / "dvc.lock").write_text(yaml.safe_dump({"stages": {"publish": {"deps": outs[:1], "outs": outs[1:]}}}))
    digest = hashlib.sha256((root / SNAPSHOT).read_bytes()).hexdigest()
    (root / ORIGIN).write_text(yaml.safe_dump({"sha256": digest}))
    return root


def test_an_unchanged_release_has_no_mistakes(release):
    lists, mistakes = verification.verified(release)
    assert mistakes == []
    assert [line.partition(":")[0] for line in lists] == [*verification.LISTS, ORIGIN]


@pytest.mark.parametrize(
    ("name", "lists"),
    [
        ("data/published/estimates.csv", "data/published/SHA256SUMS and data/published/datapackage.json"),
        ("data/published/estimates.parquet", "data/published/SHA256SUMS"),
        ("data/published/datapackage.json", "data/published/SHA256SUMS"),
        ("data/published/ledger.duckdb", "data/published/ledger.sha256"),
        ("data/tables/publish/changes.parquet", "dvc.lock"),
        (SNAPSHOT, ORIGIN),
    ],
)
def test_a_changed_or_missing_file_is_one_line(release, name, lists):
    file = release / name
    file.write_bytes(file.read_bytes() + b"\n")
    assert verification.verified(release).mistakes == [f"{name} differs from {lists}"]
    file.unlink()
    mistakes = verification.verified(release).mistakes
    assert mistakes
    assert {*mistakes} <= {f"{name} is missing", f"{name} is missing or cannot be read"}


def test_an_unlisted_published_file_is_one_line(release):
    (release / "data/published/extra.csv").write_text("a\n")
    assert verification.verified(release).mistakes == ["data/published/extra.csv is in no list of digests"]


@pytest.mark.parametrize("name", [*verification.LISTS, ORIGIN])
def test_an_unreadable_list_is_one_line(release, name):
    for content in (b"", b"x", b"\xff", b"[1]", b"{}", b"null"):
        (release / name).write_bytes(content)
        assert f"{name} is missing or cannot be read" in verification.verified(release).mistakes


def test_digests_of_folders_equal_dvcs():
    """Compare with DVC's own checksum of data/tables."""
    stages = yaml.safe_load((ROOT / "dvc.lock").read_text())["stages"]
    folders = [out for stage in stages.values() for out in stage["outs"] if out["md5"].endswith(".dir")]
    assert folders
    assert not [out["path"] for out in folders if not verification._has_digest(ROOT / out["path"], out["md5"])]


def test_dvc_lock_has_only_the_stages_in_dvc_yaml():
    """DVC keeps stages that were removed from dvc.yaml."""
    stages, locked = (yaml.safe_load((ROOT / name).read_text())["stages"] for name in ("dvc.yaml", "dvc.lock"))
    assert locked.keys() == stages.keys()
