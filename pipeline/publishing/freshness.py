"""What data/tables was made from, by content as dvc.lock has it: one whole run, and the present records, parameters and code."""

import hashlib
import json
from collections.abc import Iterable
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
        while waiting:
            stage = makers[waiting.pop()]
            files = {each["path"]: each["md5"] for each in (*stage["deps"], *stage["outs"])}
            if any(_content(root / path, root) != files[path] for path in files.keys() - seen):
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
        return bool(tables) and all(_content(root / path, root) == md5 for path, md5 in tables.items())
    except (OSError, yaml.YAMLError, LookupError, TypeError, AttributeError):
        return False


def _read(path: Path) -> Any:
    return yaml.load(path.read_bytes(), Loader=yaml.CSafeLoader)


def _ignored(root: Path) -> "pathspec.PathSpec[Any]":
    """What DVC ignores in a folder, by DVC's own matching library."""
    import pathspec  # which reading the ledger needs not

    file = root / ".dvcignore"
    return pathspec.GitIgnoreSpec.from_lines(file.read_text().splitlines() if file.is_file() else [])


def _content(path: Path, root: Path) -> str:
    """The MD5 by which DVC identifies this content; that of a folder is computed from the list of its files, and ends in .dir."""
    if path.is_file():
        return hashlib.md5(path.read_bytes(), usedforsecurity=False).hexdigest()
    inside = {file.relative_to(path): file for file in path.rglob("*") if file.is_file()}
    ignored = _ignored(root)
    listed = [
        {"md5": _content(file, root), "relpath": relative.as_posix()}
        for relative, file in sorted(inside.items(), key=lambda item: item[0].parts)
        if not ignored.match_file(file.relative_to(root))
    ]
    return f"{hashlib.md5(json.dumps(listed).encode(), usedforsecurity=False).hexdigest()}.dir"
