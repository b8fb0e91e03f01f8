"""Refuse what a clone, an archive or a pull request may have brought and what DVC or Python would then trust.

`make` runs this file before anything else of a checkout, with any Python and nothing installed; `ingest` looks at data/
again.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ENVIRONMENTS = (".venv", ".venv-audit", ".venv-other", ".venv-spark", ".venv-browser-duckdb")
MADE_HERE = (".dvc/tmp", ".dvc/cache", ".dvc/config.local", *ENVIRONMENTS, "data/tables")
OF_DVC = re.compile(r"dvc\.yaml|dvc\.lock|\.dvcignore|.*\.dvc")  # stages to run, and what DVC leaves out
OF_ROOT = {".dvc", "dvc.yaml", "dvc.lock", ".dvcignore"}
MAY_BE = re.compile(  # all that lies below data/: nothing there is code
    r"README\.md|records/(?:[a-z_]+\.csv|[a-z_]+/[a-z0-9][\w.-]*\.(?:yaml|csv))"
    r"|snapshots/epoch_\w+\.(?:csv|origin\.yaml)|releases/\d{4}-\d\d-\d\d/\w+\.csv"
    r"|published/(?:report/)?(?:SHA256SUMS|\w+\.(?:csv|json|parquet)|ledger\.\w+(?:\.wal)?)|(?:tables|unfinished)/.*"
)
TRUSTS = "and what runs here would trust it; remove it"


def strange(data: Path) -> Iterator[str]:
    """Yield a line for each file in data/ that is no record, table or release, and for each link or device."""
    for path in [data, *_files(data)]:
        name = path.relative_to(data.parent).as_posix()
        if path.is_symlink() or not (path.is_file() or path.is_dir()):
            yield f"{name}: is no regular file, as all data are"
        elif path != data and (OF_DVC.fullmatch(path.name) or not MAY_BE.fullmatch(name.removeprefix("data/"))):
            yield f"{name}: is none of the files that data/ has (records, tables, releases); remove it"


def _of_dvc(root: Path) -> Iterator[str]:
    for path in _files(root, {".git", ".dvc", "data", *ENVIRONMENTS}):
        name = path.relative_to(root).as_posix()
        if OF_DVC.fullmatch(path.name) and name not in OF_ROOT:
            yield f"{name}: DVC would run or heed it; only the root's may be; remove it"


def _files(folder: Path, left_out: set[str] | None = None) -> Iterator[Path]:
    """Yield all below a folder that is no plain folder, and folders of DVC, except in folders of it that are left out."""
    for inside, folders, files in os.walk(folder):
        here = Path(inside)
        if here == folder and left_out:
            folders[:] = [name for name in folders if name not in left_out]
        yield from (here / name for name in files)
        yield from (here / name for name in folders if OF_DVC.fullmatch(name) or (here / name).is_symlink())


def _brought(root: Path) -> Iterator[str]:
    """Yield what git has although it is ignored or made here; without git, what was here before `make` first ran."""
    git = ["git", "-c", "core.fsmonitor=false", "ls-files", "-z"]  # no command of the checkout's settings
    if (root / ".git").exists() and shutil.which("git"):
        ignored = [*git, "--cached", "--ignored", "--exclude-from", ".gitignore"]
        made = [*git, "--", *MADE_HERE, "data/published/ledger.*"]
        listed = b"".join(
            subprocess.run(each, cwd=root, capture_output=True, check=True).stdout for each in (ignored, made)
        )
        names = {name.decode(errors="replace") for name in listed.split(b"\0")} - {""}
        yield from (f"{name}: git has it, {TRUSTS}" for name in sorted(names))
        return
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    seen = cache / "flop-ledger/checkouts" / str(root.resolve()).lstrip("/") / ".trusted"
    if not seen.is_dir():
        brought = [*MADE_HERE, *(f"data/published/{path.name}" for path in root.glob("data/published/ledger.*"))]
        yield from (f"{name}: an archive brought it, {TRUSTS}" for name in brought if os.path.lexists(root / name))
    seen.mkdir(parents=True, exist_ok=True)


def main(root: Path) -> None:
    """Print each finding on stderr, and exit with 1 if there is one."""
    lines = sorted([*strange(root / "data"), *_of_dvc(root), *_brought(root)])
    print(*lines, sep="\n", end="\n" if lines else "", file=sys.stderr)
    raise SystemExit(bool(lines))


if __name__ == "__main__":
    main(Path.cwd())
