"""A citation names the checkout as a release, or as a commit with later changes."""

import subprocess

import pytest

from pipeline.publishing.citation import BUILT, citation, release_of

VERSION = "2026-11-21"
NEITHER = "2026-11-21+changed"


def git(folder, *words):
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    return subprocess.run(["git", *identity, *words], cwd=folder, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def checkout(tmp_path):
    """Make a folder whose published values equal those kept for the release."""
    for place in ("data/published", f"data/releases/{VERSION}"):
        (tmp_path / place).mkdir(parents=True)
        (tmp_path / place / "estimates.csv").write_text("model_id\n")
    return tmp_path


@pytest.fixture
def repository(checkout):
    git(checkout, "init", "--quiet")
    git(checkout, "add", "--all")
    git(checkout, "commit", "--quiet", "--message", "Release")
    return checkout


def later(folder, changed=""):
    commit = git(folder, "rev-parse", "--short=8", "HEAD").strip()
    return f"2026-11-21+{commit}{changed}"


def test_a_tagged_commit_is_a_release_and_a_later_one_is_not(repository):
    assert release_of(VERSION, repository) == later(repository)
    git(repository, "tag", "v2026-11-20")
    assert release_of(VERSION, repository) == later(repository)
    git(repository, "tag", "--annotate", f"v{VERSION}", "--message", VERSION)
    assert release_of(VERSION, repository) == VERSION
    assert release_of(f"{VERSION}.2", repository) == later(repository).replace(VERSION, f"{VERSION}.2")
    git(repository, "commit", "--quiet", "--allow-empty", "--message", "Later")
    assert release_of(VERSION, repository) == later(repository)


def test_a_tagged_commit_with_newer_tables_is_no_release(repository):
    git(repository, "tag", f"v{VERSION}")
    (repository / "data/published/estimates.csv").write_text("model_id\nnew\n")
    assert release_of(VERSION, repository) == later(repository, ".dirty")


def test_without_git_a_release_has_the_kept_values(checkout):
    assert release_of(VERSION, checkout) == VERSION
    (checkout / "data/published/estimates.csv").write_text("model_id\nnew\n")
    assert release_of(VERSION, checkout) == NEITHER
    assert release_of("2026-12-01", checkout) == "2026-12-01+changed"


def test_the_commit_of_an_outer_repository_is_ignored(repository, tmp_path):
    inner = repository / "vendored"
    inner.mkdir()
    assert release_of(VERSION, inner) == NEITHER


def test_a_folder_that_git_refuses_counts_as_without_git(checkout):
    (checkout / ".git").write_text("gitdir: nowhere\n")
    assert release_of(VERSION, checkout) == VERSION


def test_a_wheel_names_the_release_it_was_built_from(repository):
    (repository / BUILT).write_text(f"{NEITHER}\n")
    assert release_of(VERSION, repository) == NEITHER


def test_a_citation_that_is_no_release_says_so_in_text_and_bibtex(repository):
    citation_of_commit = citation(release_of(VERSION, repository))
    assert f"Version {later(repository)} (later changes, not a release)." in citation_of_commit.text(None, None)
    assert "Later changes, not a release}" in citation_of_commit.bibtex
    assert f"version = {{{later(repository)}}}" in citation_of_commit.bibtex
    assert "year = {2026}" in citation_of_commit.bibtex
