"""`flopledger fetch`: says what it did, or why not."""

from pipeline.catalogues import fetch as fetching
from pipeline.catalogues.cells import CatalogueError
from tests.builders import typed


def call(*words):
    """The verb's exit code, output and diagnostics."""
    done = typed(*words)
    return done.returncode, done.stdout, done.stderr


def test_fetch_says_what_it_did(monkeypatch, tmp_path):
    asked = []

    def download(url, path, may_shrink):
        asked.append((url, path, may_shrink))
        return fetching.Fetched(path, True, 7, fetching.Changes(["A"], ["B", "C"], []))

    monkeypatch.setattr(fetching, "fetch", download)
    monkeypatch.setattr("pipeline.commands.fetch.SNAPSHOT", tmp_path / "epoch.csv")
    code, said, _ = call("fetch", "epoch")
    assert code == 0
    assert "epoch.csv: 7 rows, new" in said
    assert "rows: 1 appeared, 2 vanished, 0 moved" in said
    assert call("fetch", "epoch", "--force")[0] == 0
    assert asked == [(fetching.EPOCH_URL, tmp_path / "epoch.csv", is_forced) for is_forced in (False, True)]


def test_a_download_that_fails_is_one_line(monkeypatch):
    def download(url, path, may_shrink):
        raise CatalogueError(f"{url} answered 404")

    monkeypatch.setattr(fetching, "fetch", download)
    assert call("fetch", "epoch", "--url", "http://127.0.0.1/x") == (1, "", "http://127.0.0.1/x answered 404\n")
