"""Everything installed or run has a hash or a commit, and nothing that a clone brings is trusted."""

import os
import re
import shutil
import subprocess
import tomllib

import pytest
import yaml

from pipeline.base.paths import ROOT

WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
LOCKED = {package["name"]: package for package in tomllib.loads((ROOT / "uv.lock").read_text())["package"]}
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
MAKEFILE = (ROOT / "Makefile").read_text()


def test_every_package_has_hashes():
    for name, package in LOCKED.items():
        files = [*package.get("wheels", []), *filter(None, [package.get("sdist")])]
        assert files or package["source"] == {"editable": "."}, name
        assert all(re.fullmatch("sha256:[0-9a-f]{64}", file["hash"]) for file in files), name


def test_what_is_source_alone_is_built_with_locked_tools():
    sources = {name for name, package in LOCKED.items() if "sdist" in package and not package.get("wheels")}
    assert set(PROJECT["tool"]["uv"]["no-build-isolation-package"]) == sources
    assert "setuptools" in LOCKED
    assert PROJECT["build-system"]["build-backend"] == "uv_build"  # within uv itself
    lower, upper = re.fullmatch(r"uv_build>=([\d.]+),<([\d.]+)", PROJECT["build-system"]["requires"][0]).groups()
    version = [int(part) for part in LOCKED["uv"]["version"].split(".")]
    assert [int(part) for part in lower.split(".")] <= version < [int(part) for part in upper.split(".")]


def test_pip_installs_by_hash_alone():
    installs = [line for line in MAKEFILE.splitlines() if "pip install" in line]
    assert installs
    assert all("--require-hashes" in line for line in installs)
    made = subprocess.run(["make", "-pn", "help"], cwd=ROOT, capture_output=True, text=True).stdout
    script = re.search("^UV_BY_HASH = (.*)$", made, re.MULTILINE)[1].replace("$$", "$")
    written = subprocess.run(["sh", "-c", script], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    name, *hashes = written.split()
    assert name == f"uv=={LOCKED['uv']['version']}"
    assert {each.removeprefix("--hash=") for each in hashes} == {
        file["hash"] for file in [LOCKED["uv"]["sdist"], *LOCKED["uv"]["wheels"]]
    }


def test_the_container_is_named_by_its_digest():
    bases = re.findall(r"^FROM (\S+)$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    assert len(bases) == 1
    assert re.fullmatch(r"[\w.:-]+@sha256:[0-9a-f]{64}", bases[0])


def test_what_git_ignores_no_container_has():
    """Otherwise an image would have gigabytes of environments, or caches that programs there would trust."""
    lines = (ROOT / ".gitignore").read_text().splitlines()
    lines += [f".dvc{line}" for line in (ROOT / ".dvc/.gitignore").read_text().splitlines()]
    ignored = {line.strip("/") for line in lines if not line.startswith("#")}
    left_out = {line.removeprefix("**/") for line in (ROOT / ".dockerignore").read_text().splitlines()}
    assert ignored - left_out == set()


MAY_WRITE = {
    "release.yml": {"contents", "id-token"},
    "site.yml": {"pages", "id-token"},
    "update.yml": {"contents", "pull-requests"},
}  # by workflow


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_names_actions_by_commit_and_has_few_permissions(path):
    text = path.read_text()
    said = yaml.safe_load(text)
    assert said["permissions"] == {}
    assert "pull_request_target" not in text
    assert not re.search(r"\bgh pr merge\b|\bgit push\b.*\b(main|BASE)\b", text)
    for name, job in said["jobs"].items():
        written = {key for key, value in job["permissions"].items() if value == "write"}
        assert written <= MAY_WRITE.get(path.name, set()), name
        for step in job["steps"]:
            if "uses" in step:
                assert re.fullmatch(r"[\w.-]+/[\w./-]+@[0-9a-f]{40}", step["uses"]), step["uses"]
            # The shell would run text by others (titles, branches).
            assert "${{ github.event" not in step.get("run", "")


PLANTED = {
    "a cache that git has": lambda checkout: (checkout / ".dvc/tmp/records.pickle", b"x"),
    "settings that git has": lambda checkout: (checkout / ".dvc/config.local", b"x"),
    "a table that git has": lambda checkout: (checkout / "data/tables/estimates.parquet", b"x"),
    "a database that git has": lambda checkout: (checkout / "data/published/ledger.duckdb", b"x"),
    "changes of the database that git has": lambda checkout: (checkout / "data/published/ledger.duckdb.wal", b"x"),
    "what .gitignore names": lambda checkout: (checkout / "data/unfinished/published/estimates.csv", b"x"),
}


@pytest.fixture
def checkout(tmp_path):
    (tmp_path / "pipeline/base").mkdir(parents=True)
    for name in (".gitignore", "Makefile", "pyproject.toml", "uv.lock", "pipeline/base/untrusted_files.py"):
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "data/records/models").mkdir(parents=True)
    (tmp_path / "data/records/models/a.yaml").write_text("name: A\n")
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    return tmp_path


def trusted(checkout):
    if (checkout / ".git").exists():
        subprocess.run(["git", "add", "--force", "."], cwd=checkout, check=True)
    cache = os.environ | {"XDG_CACHE_HOME": str(checkout.with_name("cache"))}
    words = ["make", "--no-print-directory", "trusted"]
    return subprocess.run(words, cwd=checkout, capture_output=True, text=True, env=cache)


def test_a_sound_checkout_is_trusted(checkout):
    for version in ("2026-11-21", "2026-11-21.2"):
        (checkout / "data/releases" / version).mkdir(parents=True)
        (checkout / "data/releases" / version / "estimates.csv").write_text("model_id\n")
    done = trusted(checkout)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("plant", PLANTED)
def test_what_a_clone_brings_for_caches_is_refused_before_anything_runs(checkout, plant):
    path, content = PLANTED[plant](checkout)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    done = trusted(checkout)
    assert done.returncode != 0
    said = f"{path.relative_to(checkout)}: git tracks it, and code that runs here would trust it; remove it"
    assert done.stderr.splitlines()[0] == said


@pytest.mark.parametrize("place", [".dvc/tmp", ".venv", "data/tables"])
@pytest.mark.parametrize("is_in_a_repository", [False, True])
def test_what_an_archive_brings_is_refused_and_what_is_made_there_later_is_not(checkout, place, is_in_a_repository):
    shutil.rmtree(checkout / ".git")
    if is_in_a_repository:  # a repository around this folder, which is meaningless about it
        subprocess.run(["git", "init", "-q", checkout.parent], check=True)
    (checkout / place).mkdir(parents=True)
    done = trusted(checkout)
    assert done.returncode != 0
    assert (
        done.stderr.splitlines()[0]
        == f"{place}: it came with an archive, and code that runs here would trust it; remove it"
    )
    (checkout / place).rmdir()
    assert trusted(checkout).returncode == 0
    (checkout / place).mkdir(parents=True)
    assert trusted(checkout).returncode == 0


def test_a_link_among_the_records_is_refused_before_anything_runs(checkout):
    (checkout / "data/records/models/b.yaml").symlink_to("/etc/passwd")
    done = trusted(checkout)
    assert done.returncode != 0
    assert done.stderr.splitlines()[0] == "data/records/models/b.yaml: is not a regular file, as all data must be"


FOLDERS = "data data/records data/records/models data/releases data/releases/2026-11-21 data/published tests".split()


@pytest.mark.parametrize("folder", FOLDERS)
def test_what_dvc_would_run_or_heed_is_refused_anywhere_but_in_the_root(checkout, folder):
    names = ("dvc.yaml", "x.dvc", ".dvcignore", "dvc.lock", ".dvc/config")
    for name in names:
        planted = checkout / folder / name
        planted.parent.mkdir(parents=True, exist_ok=True)
        planted.write_text("stages: {prepare: {cmd: touch pwned}}")
    done = trusted(checkout)
    assert done.returncode != 0
    told = {line.partition(":")[0] for line in done.stderr.splitlines()}
    assert {f"{folder}/{name.split('/')[0]}" for name in names} <= told


def test_data_hold_nothing_but_data(checkout):
    names = (
        "records/models/a.py",
        "records/run.sh",
        "releases/2026-11-21/x.yaml",
        "releases/2026-11-21.10/facts.csv",
        "snapshots/epoch.pickle",
        "x.csv",
    )
    for name in names:
        (checkout / "data" / name).parent.mkdir(parents=True, exist_ok=True)
        (checkout / "data" / name).write_text("x")
    done = trusted(checkout)
    assert done.returncode != 0
    said = {
        f"data/{name}: is not one of the files that belong in data/ (records, tables, releases); remove it"
        for name in names
    }
    assert said <= {*done.stderr.splitlines()}


def test_dvc_has_the_five_stages_of_the_root():
    words = [ROOT / ".venv/bin/dvc", "stage", "list", "--all", "--name-only"]
    listed = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    assert listed == [*yaml.safe_load((ROOT / "dvc.yaml").read_text())["stages"]]


def test_this_checkout_is_trusted():
    words = ["git", "ls-files", "--cached", "--ignored", "--exclude-standard"]
    assert subprocess.run(words, cwd=ROOT, capture_output=True, text=True).stdout == ""
