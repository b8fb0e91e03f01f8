"""The version of a release: set wherever it is, in the form that each place has, or refused."""

import shutil
import tomllib

import pytest
import yaml
from packaging.version import Version

from pipeline.base.paths import ROOT
from pipeline.publishing.citation import package_version
from pipeline.records import params
from pipeline.tools.packaging import release

FILES = ("params.yaml", "CITATION.cff", "pyproject.toml", "uv.lock", "CHANGELOG.md", "WHAT_CHANGES.md")


@pytest.mark.parametrize(
    ("version", "day", "python"),
    [("2039-02-03", "2039-02-03", "2039.2.3"), ("2039-12-31.2", "2039-12-31", "2039.12.31.2")],
)
def test_a_version_is_set_in_the_form_of_each_place(tmp_path, version, day, python):
    for name in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## Unreleased\n\n- one\n\n## 2026-11-21\n")
    release.set_version(version, tmp_path)
    assert params.load(tmp_path).publish.version == version
    cited = yaml.safe_load((tmp_path / "CITATION.cff").read_text())
    assert (cited["version"], cited["date-released"]) == (version, day)
    assert tomllib.loads((tmp_path / "pyproject.toml").read_text())["project"]["version"] == python
    locked = tomllib.loads((tmp_path / "uv.lock").read_text())["package"]
    assert [package["version"] for package in locked if package["name"] == "flop-ledger"] == [python]
    assert (tmp_path / "CHANGELOG.md").read_text() == f"# Changelog\n\n## {version}\n\n- one\n\n## 2026-11-21\n"


def test_releases_of_a_day_are_in_order_in_folders_and_for_installers():
    versions = ["2026-11-26", "2026-11-26.2", "2026-11-26.3", "2026-11-26.9", "2026-11-27", "2026-12-01"]
    assert sorted(versions) == versions
    assert sorted(versions, key=lambda version: Version(package_version(version))) == versions


@pytest.mark.parametrize(
    "version", ["2026-11-26.1", "2026-11-26.10", "2026-11-26-2", "2026-11-26.02", "2026.11.26", ""]
)
def test_what_is_no_version_is_refused_in_one_line(version, capsys):
    assert release.main([version]) == 1
    assert (
        capsys.readouterr().err
        == f"{version!r} is not a version; a version is a day, YYYY-MM-DD, or YYYY-MM-DD.2 to .9\n"
    )
