"""Where code and data stand, in a checkout or in an installed package, the one way to replace a file, and to be alone in a folder; names of files in UTF-8, and seldom collection of garbage."""

import gc
import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from errno import EINVAL
from pathlib import Path
from typing import Any

from schemas import limits

PIPELINE = Path(__file__).resolve().parents[1]  # in a wheel under another name, as is SCHEMAS
SCHEMAS = Path(limits.__file__).resolve().parent
ROOT = PIPELINE.parent
_PACKAGED = PIPELINE / "packaged"  # in a wheel alone: the release that it holds
IS_RELEASE = _PACKAGED.is_dir()  # data are those of a release, which nothing makes again
LEDGER = _PACKAGED if IS_RELEASE else ROOT  # of params.yaml and data/
RECORDS = LEDGER / "data" / "records"
TABLES = LEDGER / "data" / "tables"
PUBLISHED = LEDGER / "data" / "published"
SNAPSHOTS = LEDGER / "data" / "snapshots"
SUMS = "SHA256SUMS"  # of published files, beside them; the database has its own digest


def snapshots(root: Path = LEDGER) -> list[Path]:
    """Return the snapshots of Epoch's tables that the ledger keeps, in the order in which they are read: notable models first."""
    return sorted((root / "data" / "snapshots").glob("epoch_*.csv"), reverse=True)


def table_file(name: str, root: Path = LEDGER) -> Path | None:
    """The file of a table, which lies in the folder of the stage that makes it; None where there is none."""
    return next(iter(sorted((root / "data" / "tables").glob(f"*/{name}.parquet"))), None)


def replace_file(path: Path, write: Callable[[Path], Any]) -> None:
    """Calls `write` with a path beside this one and renames what it wrote there, so that no reader sees half a file.

    Where `write` raises, the old file stays unchanged. Raises OSError, which names `path`, also where `refused_output`
    has a reason.
    """
    refused = refused_output(path)
    if refused:
        raise OSError(EINVAL, refused, str(path))
    beside = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        write(beside)
        os.replace(beside, path)
    except OSError as problem:
        problem.filename, problem.filename2 = str(path), None  # the user knows of no file beside it
        raise
    finally:
        with suppress(OSError):  # such as that nothing there can be written
            beside.unlink(missing_ok=True)


def collect_seldom() -> None:
    """Has Python look for unused objects in cycles seldom, in a process of ours.

    What it reads stays, and to go through that takes as long as to read it.
    """
    gc.set_threshold(1_000_000)


def in_utf8() -> None:
    """Starts this process anew in Python's UTF-8 mode where file names have another encoding: DuckDB and DVC take them as UTF-8.

    What is printed keeps the terminal's encoding.
    """
    if sys.getfilesystemencoding() != "utf-8" and os.environ.get("PYTHONUTF8") != "1":
        own = {"PYTHONUTF8": "1", "PYTHONIOENCODING": os.environ.get("PYTHONIOENCODING") or sys.stdout.encoding}
        os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], os.environ | own)


@contextmanager
def alone_in(folder: Path, *, waits: bool = True) -> Iterator[None]:
    """Waits until no other process is in this block with the folder; where it does not wait, raises BlockingIOError.

    The system ends the lock of a process that is killed.
    """
    import fcntl  # not on Windows, where reading works and making does not

    handle = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if not waits:
                raise
            print(f"waiting for another run in {folder}", file=sys.stderr, flush=True)
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def refused_output(path: Path) -> str | None:
    """Why no file is written under this name; None where it is free, or a plain file to be replaced.

    A rename would put a file where a device or a pipe was, and would leave the file that a link points to as it was.
    """
    kinds = {
        stat.S_IFDIR: "a folder",
        stat.S_IFCHR: "a device",
        stat.S_IFBLK: "a device",
        stat.S_IFIFO: "a pipe",
        stat.S_IFSOCK: "a socket",
    }
    try:
        kind = stat.S_IFMT(path.lstat().st_mode)
    except FileNotFoundError:
        kind = stat.S_IFREG
    except OSError as problem:
        return problem.strerror
    if kind == stat.S_IFLNK:
        return f"is a link to {os.readlink(path)}; name the file itself"
    if kind != stat.S_IFREG:
        return f"is {kinds.get(kind, 'no file')}; name a file"
    if not path.parent.is_dir():
        return f"there is no folder {path.parent}"
    return None if os.access(path.parent, os.W_OK) else f"{path.parent} cannot be written"


def in_a_line(problem: OSError) -> str:
    """What the machine refused: the file, where it is known, and why."""
    file = problem.filename2 or problem.filename
    why = problem.strerror or " ".join(str(problem).split())
    return f"{os.fsdecode(file)}: {why}" if file else why
