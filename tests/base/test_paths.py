"""Files are replaced whole, and only regular files; errors of the machine give one line."""

import errno
import os
import socket

import pytest

from pipeline.base.paths import in_a_line, refused_output, replace_file
from tests.faults import FULL, OPERATIONS, everywhere


@pytest.mark.parametrize("is_kill", [False, True])
@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_file_is_the_old_one_or_the_new_one(tmp_path, operation, is_kill):
    path = tmp_path / "file.csv"
    path.write_text("old")
    tried = 0
    for error in everywhere(operation, is_kill, lambda: replace_file(path, "new and longer")):
        tried += 1
        assert path.read_text() == "old"
        assert is_kill or (in_a_line(error), os.listdir(tmp_path)) == (f"{path}: {FULL}", ["file.csv"])
    assert tried == 1
    assert path.read_text() == "new and longer"


@pytest.fixture
def names(tmp_path):
    """Return a path to every kind of thing that is not a regular file."""
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "target").write_text("target")
    (tmp_path / "link").symlink_to("target")
    (tmp_path / "dangling").symlink_to("nowhere")
    (tmp_path / "loop").symlink_to("loop")
    with socket.socket(socket.AF_UNIX) as opened:
        opened.bind(str(tmp_path / "socket"))
        yield tmp_path


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("folder", "is a folder; name a file"),
        ("pipe", "is not a regular file; name a file"),
        ("socket", "is not a regular file; name a file"),
        ("link", "is a link to target; name the file itself"),
        ("dangling", "is a link to nowhere; name the file itself"),
        ("loop", "is a link to loop; name the file itself"),
        ("target/below", "there is no folder {names}/target"),
        ("/dev/null", "is not a regular file; name a file"),
        ("/no/such/folder/file", "there is no folder /no/such/folder"),
    ],
)
def test_what_is_no_plain_file_is_refused_and_stays(names, name, reason):
    path, reason = names / name, reason.format(names=names)
    before = sorted((path.name, path.lstat().st_mode) for path in names.iterdir())
    assert refused_output(path) == reason
    with pytest.raises(OSError, match="file|folder") as caught:
        replace_file(path, "ours")
    assert in_a_line(caught.value) == f"{path}: {reason}"
    assert sorted((path.name, path.lstat().st_mode) for path in names.iterdir()) == before
    assert (names / "target").read_text() == "target"


def test_a_name_that_is_too_long_is_refused(tmp_path):
    with pytest.raises(OSError, match="File name too long"):
        replace_file(tmp_path / ("x" * 300), "ours")


def test_a_folder_that_cannot_be_written_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # root may write anywhere except on a read-only mount
    assert refused_output(tmp_path / "file") == f"{tmp_path} cannot be written"


def test_a_free_name_and_a_plain_file_are_taken(tmp_path):
    (tmp_path / "file").write_text("")
    assert [refused_output(tmp_path / name) for name in ("file", "new")] == [None, None]


@pytest.mark.parametrize(
    ("problem", "line"),
    [
        (OSError(errno.EROFS, "Read-only file system", "a.csv"), "a.csv: Read-only file system"),
        (OSError(errno.ENOSPC, "No space left on device", "b", None, "c"), "c: No space left on device"),
        (OSError(errno.ENOSPC, "No space left on device"), "No space left on device"),
        (OSError("a library's\nown words"), "a library's own words"),
    ],
)
def test_what_the_machine_refuses_is_a_line(problem, line):
    assert in_a_line(problem) == line
