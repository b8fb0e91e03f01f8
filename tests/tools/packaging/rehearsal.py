"""Rehearsal of a release: a clone with its version and tag, its files, and its wheel in empty environments. `make release-test` takes minutes."""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import duckdb
import frictionless
import pytest
import yaml

from pipeline.base.paths import ROOT

VERSION = "2039-12-31.2"  # the second of its day: every form of a version differs
UV = ROOT / ".venv/bin/uv"
# The first thing that a user of each extra does.
USED = {
    "": ["flopledger", "show", "gpt-3"],
    "download": ["flopledger", "count", "resnet50"],
    "frames": ["python", "-c", "import flop_ledger; print(flop_ledger.estimates().set_index('model_id').training_flop['gpt-3'])"],
    "estimate": ["flopledger", "estimate", "--parameters", "7B", "--tokens", "2T", "--chips", "256", "--hardware", "H100"],
    "plot": ["flopledger", "plot", "--out", "compute.svg"],
    "pipeline": ["python", "-c", "import flop_ledger, pandera; print(flop_ledger.model('gpt-3')['training_flop'])"],
}  # fmt: skip


def run(*words, cwd, code=0):
    done = subprocess.run([str(word) for word in words], cwd=cwd, capture_output=True, text=True)
    assert done.returncode == code, done.stdout[-2000:] + done.stderr[-4000:]
    return done.stdout if code == 0 else done.stderr


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """Clone this checkout's last commit, released as its documents describe."""
    folder = tmp_path_factory.mktemp("release") / "clone"
    run("git", "clone", "--quiet", ROOT, folder, cwd=ROOT)
    for name, value in (("user.name", "A"), ("user.email", "a@example.org")):
        run("git", "config", name, value, cwd=folder)
    wrong = run(sys.executable, "-m", "pipeline.tools.packaging.release", VERSION, "dist/x", cwd=folder, code=1)
    assert {line.partition(":")[0] for line in wrong.splitlines()} >= {
        "params.yaml",
        "CITATION.cff",
        "pyproject.toml",
        "uv.lock",
        "CHANGELOG.md",
        "git",
    }
    assert not (folder / "dist").exists()
    for made in (".dvc/cache", "data/tables"):  # the version changes only what is published, and no earlier table
        shutil.copytree(ROOT / made, folder / made)
    changelog = folder / "CHANGELOG.md"
    if "\n## Unreleased\n" not in (text := changelog.read_text()):  # the commit is itself a release
        changelog.write_text(text.replace("\n## ", "\n## Unreleased\n\nNothing.\n\n## ", 1))
    run("make", "version", f"VERSION={VERSION}", cwd=folder)
    run("make", "repro", cwd=folder)
    run(".venv/bin/python", "-m", "pipeline.publishing.changes", cwd=folder)
    run("make", "repro", cwd=folder)
    run("git", "add", "--all", cwd=folder)
    run("git", "commit", "--quiet", "--message", VERSION, cwd=folder)
    run("git", "tag", "--annotate", f"v{VERSION}", "--message", VERSION, cwd=folder)
    run("make", "wheel", "site", cwd=folder)
    print(run(".venv/bin/python", "-m", "pipeline.tools.packaging.release", VERSION, f"dist/{VERSION}", cwd=folder))
    return folder


@pytest.fixture(scope="module")
def release(clone):
    return clone / "dist" / VERSION


def test_the_files_are_whole_and_say_their_version(clone, release):
    run("sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS", cwd=release)
    listed = {line.split("  ")[1] for line in (release / "SHA256SUMS").read_text().splitlines()}
    files = {path.relative_to(release).as_posix() for path in release.rglob("*") if path.is_file()}
    assert listed == files - {"SHA256SUMS"}
    assert {
        "estimates.csv",
        "estimates.parquet",
        "ledger.duckdb",
        "facts.csv",
        "changes.csv",
        "croissant.json",
        "datapackage.json",
        "site.tar.gz",
        "DICTIONARY.md",
    } <= files
    assert json.loads((release / "datapackage.json").read_text())["version"] == VERSION
    card = yaml.safe_load((release / "README.md").read_text().split("---")[1])
    assert all((release / config["data_files"]).is_file() for config in card["configs"])
    with tarfile.open(release / "site.tar.gz") as archive:
        first, files = (archive.extractfile(f"site/{name}.html").read().decode() for name in ("index", "downloads"))
    assert f"FLOP Ledger, version {VERSION}. " in first
    assert f"<code>{VERSION}/estimates.csv</code>" in files
    assert run("git", "status", "--porcelain", cwd=clone) == ""


def test_an_unpacked_release_is_read_without_git_and_pipeline(release):
    with duckdb.connect(str(release / "ledger.duckdb"), read_only=True) as ledger:
        (same,) = ledger.execute(
            "select count(*) from estimates join read_parquet($1) using (model_id)",
            [str(release / "estimates.parquet")],
        ).fetchone()
    assert frictionless.validate(str(release / "datapackage.json")).valid
    assert same == len((release / "estimates.csv").read_text().splitlines()) - 1


def test_every_release_stays_at_its_addresses(release, tmp_path):
    """The step of site.yml, with a `gh` that knows only this release."""
    steps = yaml.safe_load((ROOT / ".github/workflows/site.yml").read_text())["jobs"]["build"]["steps"]
    (script,) = (step["run"] for step in steps if "every release" in step.get("name", ""))
    gh = tmp_path / "gh"
    gh.write_text(f'#!/bin/sh\ncase "$2" in list) echo v{VERSION};; download) cat {release}/site.tar.gz;; esac\n')
    gh.chmod(0o755)
    (tmp_path / "site").mkdir()
    run("env", f"PATH={tmp_path}:{os.environ['PATH']}", "bash", "-euo", "pipefail", "-c", script, cwd=tmp_path)
    kept = tmp_path / "site" / VERSION
    assert (kept / "estimates.csv").read_bytes() == (release / "estimates.csv").read_bytes()
    assert json.loads((kept / "models/gpt-3.json").read_text())["model_id"] == "gpt-3"
    assert json.loads((kept / "index.json").read_text())["version"] == VERSION


@pytest.mark.parametrize("extra", USED)
def test_the_wheel_works_in_an_empty_environment(extra, release, tmp_path):
    (wheel,) = release.glob("flop_ledger-*.whl")
    versions, python = tmp_path / "versions.txt", tmp_path / "venv/bin/python"
    locked = ["--locked", "--all-extras", "--no-emit-project", "--no-hashes", "--quiet"]
    run(UV, "export", "--project", ROOT, *locked, "--output-file", versions, cwd=tmp_path)
    run(UV, "venv", "--quiet", "--python", sys.executable, "venv", cwd=tmp_path)
    what = f"flop-ledger[{extra}] @ {wheel.as_uri()}" if extra else f"flop-ledger @ {wheel.as_uri()}"
    run(UV, "pip", "install", "--quiet", "--python", python, "--constraint", versions, what, cwd=tmp_path)
    command, *words = USED[extra]
    said = run(python.with_name(command), *words, cwd=tmp_path)
    assert re.search(r"\d", said) or (tmp_path / "compute.svg").is_file()
    if not extra:
        gpt_3 = "select model_id from estimates where model_id = 'gpt-3'"
        assert run(python.with_name("flopledger"), "query", gpt_3, cwd=Path("/")) == "model_id\ngpt-3\n"
        lacking = run(python.with_name("flopledger"), "plot", "--out", "x.svg", cwd=tmp_path, code=1)
        assert re.fullmatch(
            rf"this needs the package \w+, which comes with: pip install '{re.escape(wheel.name)}\[plot\]'\n", lacking
        )
    assert run(python.with_name("flopledger"), "--version", cwd=Path("/")).startswith(f"FLOP Ledger {VERSION}; ")
