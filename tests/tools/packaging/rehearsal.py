"""Rehearsal of a release in minutes (`make release-test`): a clone with version and tag, files, wheel in new venvs."""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from concurrent.futures import ThreadPoolExecutor
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
    environment = os.environ | {"UV_COMPILE_BYTECODE": "0"}  # most modules that the wheel brings are never imported
    ended = subprocess.run(list(map(str, words)), cwd=cwd, capture_output=True, text=True, env=environment)
    assert ended.returncode == code, ended.stdout[-2000:] + ended.stderr[-4000:]
    return ended.stdout if code == 0 else ended.stderr


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """Clone this checkout's last commit, released as its documents describe."""
    folder = tmp_path_factory.mktemp("release") / "clone"
    run("git", "clone", "--quiet", ROOT, folder, cwd=ROOT)
    for name, value in (("user.name", "A"), ("user.email", "a@example.org")):
        run("git", "config", name, value, cwd=folder)
    refusal = run(sys.executable, "-m", "pipeline.tools.packaging.release", VERSION, "dist/x", cwd=folder, code=1)
    places = {"params.yaml", "CITATION.cff", "pyproject.toml", "uv.lock", "CHANGELOG.md", "git"}
    assert {line.partition(":")[0] for line in refusal.splitlines()} >= places
    assert not (folder / "dist").exists()
    # The version changes only what is published. `make` adapts .venv to the clone; a checkout's run tests installation.
    for outputs in (".dvc/cache", "data/tables", ".venv", ".npm-packages"):
        if (ROOT / outputs).exists():
            run("cp", "-a", ROOT / outputs, folder / outputs, cwd=ROOT)
    changelog = folder / "CHANGELOG.md"
    if "\n## Unreleased\n" not in (text := changelog.read_text()):  # the commit is itself a release
        changelog.write_text(text.replace("\n## ", "\n## Unreleased\n\nNothing.\n\n## ", 1))
    run("make", "version", f"VERSION={VERSION}", cwd=folder)
    run("git", "add", "--all", cwd=folder)
    run("git", "commit", "--quiet", "--message", VERSION, cwd=folder)
    run("git", "tag", "--annotate", f"v{VERSION}", "--message", VERSION, cwd=folder)
    run("make", ".venv/installed-for-site", cwd=folder)
    run("make", "-j2", "wheel", "site", cwd=folder)
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
    tables = {"estimates.csv", "estimates.parquet", "ledger.duckdb", "facts.csv", "changes.csv"}
    assert tables | {"croissant.json", "datapackage.json", "site.tar.gz", "DICTIONARY.md"} <= files
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


def used(extra, wheel, versions, folder):
    """Install the wheel with this extra in an empty environment, and return the commands' folder and an answer."""
    run(UV, "venv", "--quiet", "--python", sys.executable, folder, cwd=folder.parent)
    requirement = f"flop-ledger[{extra}] @ {wheel.as_uri()}" if extra else f"flop-ledger @ {wheel.as_uri()}"
    words = ("--quiet", "--python", folder / "bin/python", "--constraint", versions)
    run(UV, "pip", "install", *words, requirement, cwd=folder)
    command, *words = USED[extra]
    return folder / "bin", run(folder / "bin" / command, *words, cwd=folder)


def python(version):
    """Return the path of an installed Python, such as 3.13, including inactive versions of pyenv; None if there is none."""
    found = [shutil.which(f"python{version}"), *Path.home().glob(f".pyenv/versions/{version}.*/bin/python3")]
    works = (path for path in found if path and subprocess.run([path, "-c", ""], capture_output=True).returncode == 0)
    return next(works, None)


def test_the_wheel_gives_the_same_answers_with_the_lowest_and_the_newest_versions_on_every_python(release, tmp_path):
    (wheel,) = release.glob("flop_ledger-*.whl")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    direct = {
        *project["dependencies"],
        *extras["frames"],
        *extras["estimate"],
    }  # lowest-direct lowers only what is named
    answers = {}
    for version in ("3.11", "3.12", "3.13", "3.14"):
        if not (found := python(version)):
            continue
        for resolution in ("lowest-direct", "highest"):
            folder = tmp_path / f"{version}-{resolution}"
            run(UV, "venv", "--quiet", "--python", found, folder, cwd=tmp_path)
            words = ("--quiet", "--python", folder / "bin/python", "--only-binary", ":all:", "--resolution", resolution)
            run(UV, "pip", "install", *words, *sorted(direct), f"flop-ledger @ {wheel.as_uri()}", cwd=folder)
            answers[folder.name] = run(folder / "bin/python", Path(__file__).with_name("calls.py"), cwd=folder)
    print(*answers)
    first = answers["3.11-lowest-direct"].splitlines()
    assert first[-1] == f"a version: {VERSION.replace('-', '.')}"
    for name, answer in answers.items():
        assert answer.splitlines() == first, name


def test_the_wheel_works_with_each_extra_in_an_empty_environment(release, tmp_path):
    (wheel,) = release.glob("flop_ledger-*.whl")
    versions = tmp_path / "versions.txt"
    words = ["--locked", "--all-extras", "--no-emit-project", "--no-hashes", "--quiet", "--output-file", versions]
    run(UV, "export", "--project", ROOT, *words, cwd=tmp_path)
    with ThreadPoolExecutor(2) as pool:
        pending = {extra: pool.submit(used, extra, wheel, versions, tmp_path / f"with-{extra}") for extra in USED}
    for extra, result in pending.items():
        commands, answer = result.result()
        assert re.search(r"\d", answer) or (commands.parent / "compute.svg").is_file(), extra
        version = run(commands / "flopledger", "--version", cwd=Path("/"))
        assert version.startswith(f"FLOP Ledger {VERSION}; "), extra
    base = pending[""].result()[0] / "flopledger"
    gpt_3 = "select model_id from estimates where model_id = 'gpt-3'"
    assert run(base, "query", gpt_3, cwd=Path("/")) == "model_id\ngpt-3\n"
    refusal = run(base, "plot", "--out", "x.svg", cwd=tmp_path, code=1)
    assert refusal.endswith(f"pip install '{wheel.name}[plot]'\n")
