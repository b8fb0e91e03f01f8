"""Refuse files that a clone, an archive or a pull request may have added and that DVC or Python would run or obey.

`make` runs this file before any other code of a checkout, with any Python and nothing installed; `ingest` checks data/
again.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ENVIRONMENTS = (".venv", ".venv-torch", ".venv-other", ".venv-spark")
MADE_HERE = (".dvc/tmp", ".dvc/cache", ".dvc/config.local", *ENVIRONMENTS, "data/tables")
OF_DVC = re.compile(r"dvc\.yaml|dvc\.lock|\.dvcignore|.*\.dvc")  # files from which DVC takes instructions
OF_ROOT = {".dvc", "dvc.yaml", "dvc.lock", ".dvcignore"}
PATHS = {  # every path below data/, by folder; none is code. What the product writes there has to be in this list
    "records": r"[a-z_]+\.csv|[a-z_]+/[a-z0-9][\w.-]*\.(?:yaml|csv)",
    "snapshots": r"epoch_\w+\.(?:csv|origin\.yaml)",
    "updates": r"\d{4}-\d\d-\d\d\.csv",
    "releases": r"\d{4}-\d\d-\d\d(?:\.[2-9])?/(?:SHA256SUMS|\w+\.csv)",
    "published": r"(?:report/)?(?:SHA256SUMS|\w+\.(?:csv|json|parquet)|ledger\.\w+(?:\.wal)?)",
    "tables": r".*",
    "unfinished": r".*",
}
READ = ("records", "snapshots")  # the folders that `ingest` reads; base/digests.py digests every file in them
UNFINISHED = re.compile(r"(.+)\.(\d+)\.new")  # a file that process N has not yet renamed; stages/recover.py removes it
TRUSTS = "and code that runs here would trust it; remove it"


def unlisted_files(data: Path) -> Iterator[str]:
    """Yield a line for each file in data/ that is no record, table or release, and for each link and device."""
    for path in [data, *_files(data)]:
        name = path.relative_to(data.parent).as_posix()
        if path.is_symlink() or not (path.is_file() or path.is_dir()):
            yield f"{name}: is not a regular file, as all data must be"
        elif path != data and (OF_DVC.fullmatch(path.name) or not _is_expected(name.removeprefix("data/"))):
            yield f"{name}: is not one of the files that belong in data/ (records, tables, releases); remove it"


def _is_expected(name: str) -> bool:
    """Return whether a path below data/ is one that a person or the product may write."""
    unfinished = UNFINISHED.fullmatch(name)
    folder, _, file = (unfinished[1] if unfinished else name).partition("/")
    return name == "README.md" or re.fullmatch(PATHS.get(folder, ""), file) is not None and bool(file)


def _files_for_dvc(root: Path) -> Iterator[str]:
    for path in _files(root, {".git", ".dvc", "data", *ENVIRONMENTS}):
        name = path.relative_to(root).as_posix()
        if OF_DVC.fullmatch(path.name) and name not in OF_ROOT:
            yield f"{name}: DVC would run or obey it; only the root may have one; remove it"


def _files(folder: Path, left_out: set[str] | None = None) -> Iterator[Path]:
    """Yield every file and link in a folder, and folders named like DVC's files; skip the `left_out` subfolders."""
    for inside, folders, files in os.walk(folder):
        current = Path(inside)
        if current == folder and left_out:
            folders[:] = [name for name in folders if name not in left_out]
        yield from (current / name for name in files)
        yield from (current / name for name in folders if OF_DVC.fullmatch(name) or (current / name).is_symlink())


def _unexpected_files(root: Path) -> Iterator[str]:
    """Yield a line for each ignored or built file that git tracks or, without git, existed before `make` first ran."""
    git = ["git", "-c", "core.fsmonitor=false", "ls-files", "-z"]  # runs no command from the checkout's git settings
    if (root / ".git").exists() and shutil.which("git"):
        ignored = [*git, "--cached", "--ignored", "--exclude-from", ".gitignore"]
        built = [*git, "--", *MADE_HERE, "data/published/ledger.*"]
        listed = b"".join(
            subprocess.run(command, cwd=root, capture_output=True, check=True).stdout for command in (ignored, built)
        )
        names = {name.decode(errors="replace") for name in listed.split(b"\0")} - {""}
        yield from (f"{name}: git tracks it, {TRUSTS}" for name in sorted(names))
        return
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    marker = cache / "flop-ledger/checkouts" / str(root.resolve()).lstrip("/") / ".trusted"
    # The marker is outside the checkout, so that an archive cannot contain it.
    if not marker.is_dir():
        delivered = [*MADE_HERE, *(f"data/published/{path.name}" for path in root.glob("data/published/ledger.*"))]
        yield from (f"{name}: it came with an archive, {TRUSTS}" for name in delivered if os.path.lexists(root / name))
    marker.mkdir(parents=True, exist_ok=True)


def main(root: Path) -> None:
    """Print a line on stderr for each refused file; exit with 1 if there are any."""
    lines = sorted([*unlisted_files(root / "data"), *_files_for_dvc(root), *_unexpected_files(root)])
    print(*lines, sep="\n", end="\n" if lines else "", file=sys.stderr)
    raise SystemExit(bool(lines))


if __name__ == "__main__":
    main(Path.cwd())
