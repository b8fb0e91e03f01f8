"""A release is packaged and has checksums, and no id is lost."""

import subprocess

import duckdb
import frictionless
import pytest
import yaml

from pipeline.stages import flow
from schemas.errors import ContractError


def test_the_package_describes_its_files(miniature):
    report = frictionless.validate(str(miniature / "data/published/datapackage.json"))
    assert report.valid, report.flatten(["type", "message"])
    assert report.stats["tasks"] >= 2


def test_the_package_would_catch_a_wrong_value(miniature, tmp_path):
    for name in ("datapackage.json", "identifiers.csv", "estimates.csv"):
        (tmp_path / name).write_bytes((miniature / "data/published" / name).read_bytes())
    words = (tmp_path / "estimates.csv").read_text().replace(",vision,", ",visoin,", 1)
    (tmp_path / "estimates.csv").write_text(words)
    assert not frictionless.validate(str(tmp_path / "datapackage.json")).valid


def test_the_sums_hold(miniature):
    done = subprocess.run(
        ["sha256sum", "--check", "--strict", "SHA256SUMS"],
        cwd=miniature / "data/published",
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout


def test_a_lost_id_stops_the_release_and_a_tombstone_lets_it_go(miniature, tmp_path):
    root = tmp_path / "tree"
    subprocess.run(["cp", "-r", str(miniature), str(root)], check=True)
    before = (root / "data/published/estimates.csv").read_bytes()
    (root / "data/records/models/tiny-net-9.yaml").unlink()
    for stage in [*flow.STAGES][:-1]:
        flow.run(stage, root)
    with pytest.raises(ContractError, match="found 1 fail it: models/tiny-net-9; ids are permanent"):
        flow.run("publish", root)
    assert (root / "data/published/estimates.csv").read_bytes() == before
    tombstone = {"kind": "models", "reason": "entered twice", "replaced_by": "tiny-net-8"}
    (root / "data/records/retired").mkdir()
    (root / "data/records/retired/tiny-net-9.yaml").write_text(yaml.safe_dump(tombstone))
    for stage in ("ingest", "publish"):  # no other stage reads a tombstone
        flow.run(stage, root)
    with duckdb.connect(str(root / "data/published/ledger.duckdb"), read_only=True) as book:
        assert book.sql("select record_id, replaced_by from work.identifiers where is_retired").fetchall() == [
            ("tiny-net-9", "tiny-net-8")
        ]
