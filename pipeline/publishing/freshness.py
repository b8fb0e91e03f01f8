"""What data/tables was made from, by content as dvc.lock has it: one whole run, and the present records, parameters and code."""

import hashlib
import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from pipeline.paths import IS_RELEASE, LEDGER

if TYPE_CHECKING:
    import pathspec


def are_fresh(names: Iterable[str], root: Path = LEDGER) -> bool:
    """Whether these tables, by name, and all their inputs have the checksums of dvc.lock; False where a file cannot be read.

    The tables of a release were made together with its code and records.
    """
    if IS_RELEASE and root == LEDGER:
        return all((root / "data" / "tables" / f"{name}.parquet").is_file() for name in names)
    try:
        lock = _read(root / "dvc.lock")["stages"]
        choices = _read(root / "params.yaml")
        makers = {out["path"]: stage for stage in lock.values() for out in stage["outs"]}
        waiting = [f"data/tables/{name}.parquet" for name in names]
        seen: set[str] = set()
        is_ignored = _ignored(root).match_file
        while waiting:
            stage = makers[waiting.pop()]
            files = {each["path"]: each["md5"] for each in (*stage["deps"], *stage["outs"])}
            if any(_content(root / path, root, is_ignored) != files[path] for path in files.keys() - seen):
                return False
            if any(
                choices.get(name) != value for name, value in stage.get("params", {}).get("params.yaml", {}).items()
            ):
                return False
            waiting += [dep["path"] for dep in stage["deps"] if dep["path"] in makers and dep["path"] not in seen]
            seen |= set(files)
    except (OSError, yaml.YAMLError, LookupError, TypeError, AttributeError):
        return False
    return True


def are_of_one_run(root: Path = LEDGER) -> bool:
    """Whether data/tables has the files that the last whole run published from; False where one cannot be read.

    A run that was killed, or is still under way, leaves some tables newer than others.
    """
    try:
        published_from = _read(root / "dvc.lock")["stages"]["publish"]["deps"]
        tables = {each["path"]: each["md5"] for each in published_from if each["path"].startswith("data/tables")}
        return bool(tables) and all(_content(root / path, root, _none) == md5 for path, md5 in tables.items())
    except (OSError, yaml.YAMLError, LookupError, TypeError, AttributeError):
        return False


def _read(path: Path) -> Any:
    return yaml.load(path.read_bytes(), Loader=yaml.CSafeLoader)


def _ignored(root: Path) -> "pathspec.PathSpec[Any]":
    """What DVC ignores in a folder, by DVC's own matching library."""
    import pathspec  # which reading the ledger needs not

    file = root / ".dvcignore"
    return pathspec.GitIgnoreSpec.from_lines(file.read_text().splitlines() if file.is_file() else [])


def _none(path: str) -> bool:
    return False  # no file among tables is ignored, and who reads them needs no pathspec


def _content(path: Path, root: Path, is_ignored: Callable[[str], bool]) -> str:
    """The MD5 by which DVC identifies this content; that of a folder is computed from the list of its files, and ends in .dir."""
    if not path.is_dir():
        return _md5(path)
    above, below = len(str(root)) + 1, len(str(path)) + 1
    files = [os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names]
    listed = [
        {"md5": _md5(file), "relpath": file[below:].replace(os.sep, "/")}
        for file in sorted(files, key=lambda file: file[below:].split(os.sep))
        if not is_ignored(file[above:])
    ]
    return f"{hashlib.md5(json.dumps(listed).encode(), usedforsecurity=False).hexdigest()}.dir"


def _md5(path: str | Path) -> str:
    with open(path, "rb", buffering=0) as file:
        return hashlib.md5(file.read(), usedforsecurity=False).hexdigest()
