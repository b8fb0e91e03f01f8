"""Find code and data in a checkout or an installed package; replace files, lock folders and set up the process."""

import gc
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EINVAL
from pathlib import Path

from schemas import limits

PIPELINE = Path(__file__).resolve().parents[1]  # a wheel installs this folder and SCHEMAS under other names
SCHEMAS = Path(limits.__file__).resolve().parent
ROOT = PIPELINE.parent
_PACKAGED = PIPELINE / "packaged"  # exists only in a wheel: the release that it contains
IS_RELEASE = _PACKAGED.is_dir()  # if so, the data belong to the release and are not rebuilt
LEDGER = _PACKAGED if IS_RELEASE else ROOT  # the folder of params.yaml and data/
RECORDS = LEDGER / "data" / "records"
TABLES = LEDGER / "data" / "tables"
PUBLISHED = LEDGER / "data" / "published"
SNAPSHOTS = LEDGER / "data" / "snapshots"
SUMS = "SHA256SUMS"  # lists the published files except the database, which has its own digest


def snapshots(root: Path = LEDGER) -> list[Path]:
    """Return the ledger's snapshots of Epoch's tables in reading order, notable models first."""
    return sorted((root / "data" / "snapshots").glob("epoch_*.csv"), reverse=True)


def table_file(name: str, root: Path = LEDGER) -> Path | None:
    """Return a table's file, in the folder of the stage that writes it, or None if there is no such file."""
    return next(iter(sorted((root / "data" / "tables").glob(f"*/{name}.parquet"))), None)


def replace_file(path: Path, content: str | bytes) -> None:
    """Write the content to a temporary file, then rename it to `path`, so that no reader sees half a file.

    If writing fails, the old file stays unchanged. Raise OSError, which names `path`, if writing fails or
    `refused_output` returns a reason.
    """
    refusal = refused_output(path)
    if refusal:
        raise OSError(EINVAL, refusal, str(path))
    temporary = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        with temporary.open("wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as problem:
        problem.filename, problem.filename2 = str(path), None  # users do not know the temporary file
        raise
    finally:
        with suppress(OSError):  # for example, if the folder is read-only
            temporary.unlink(missing_ok=True)


def collect_seldom() -> None:
    """Make Python's cycle collector run rarely.

    Our processes keep what they read, and a collection takes as long as reading it.
    """
    gc.set_threshold(1_000_000)


@contextmanager
def alone_in(folder: Path, *, waits: bool = True) -> Iterator[None]:
    """Lock a folder while the block runs. If it is already locked, wait, or raise BlockingIOError if `waits` is false.

    The system releases the lock of a killed process.
    """
    import fcntl  # missing on Windows, where reading works but building does not

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
    """Return the reason not to write a file at this path; None if the path is free or a regular file.

    Renaming onto a device or a pipe would replace it. Renaming onto a link would leave its target unchanged. Raises
    OSError if the name is too long.
    """
    if path.is_symlink():
        return f"is a link to {os.readlink(path)}; name the file itself"
    if path.exists() and not path.is_file():
        return f"is {'a folder' if path.is_dir() else 'not a regular file'}; name a file"
    if not path.parent.is_dir():
        return f"there is no folder {path.parent}"
    return None if os.access(path.parent, os.W_OK) else f"{path.parent} cannot be written"


def in_a_line(problem: OSError) -> str:
    """Return an OSError on one line: the file, if it names one, and the reason."""
    file = problem.filename2 or problem.filename
    reason = problem.strerror or " ".join(str(problem).split())
    return f"{os.fsdecode(file)}: {reason}" if file else reason
