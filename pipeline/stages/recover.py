"""Repair files after a killed run. `make repro` calls this before `dvc repro`.

Each repair prints a line on stderr.
"""

import json
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from dvc.config import Config
from dvc.lock import LockError, make_lock
from dvc.rwlock import SCHEMA
from dvc.schema import COMPILED_LOCKFILE_SCHEMA
from dvc.utils.serialize import ParseError, parse_json, parse_yaml
from psutil import STATUS_ZOMBIE, pid_exists, process_iter
from voluptuous import Invalid

from pipeline.base.paths import ROOT, replace_file
from pipeline.base.untrusted_files import UNFINISHED


def recover(root: Path = ROOT) -> bool:
    """Repair files under `root`, and return whether DVC may run there; while it already runs, repair nothing."""
    (scratch := root / ".dvc/tmp").mkdir(parents=True, exist_ok=True)
    living = SCHEMA({})
    with suppress(LockError), make_lock(str(scratch / "lock"), tmp_dir=str(scratch)):
        for path in (root / "data").rglob("*.new"):
            unfinished = UNFINISHED.fullmatch(path.name)
            if unfinished and not pid_exists(int(unfinished[2])):
                path.unlink()
                print(f"{path.relative_to(root)} was never finished: removed", file=sys.stderr)
        lock, processes, config = root / "dvc.lock", scratch / "rwlock", Config(dvc_dir=str(root / ".dvc"))
        if lock.exists() and _content(lock.read_bytes(), parse_yaml, COMPILED_LOCKFILE_SCHEMA) is None:
            command = ["git", "-C", root, "show", "HEAD:./dvc.lock"]
            committed = subprocess.run(command, capture_output=True, check=False).stdout
            lock.unlink()  # DVC rebuilds what differs, with any valid lock file or none
            if _content(committed, parse_yaml, COMPILED_LOCKFILE_SCHEMA) is not None:
                replace_file(lock, committed)
            print("dvc.lock was cut off:", "restored from git" if lock.exists() else "removed", file=sys.stderr)
        if processes.exists():
            listed_processes = _content(processes.read_bytes(), parse_json, SCHEMA)
            if listed_processes != (
                living := _living_processes(listed_processes or SCHEMA({}), processes.stat().st_mtime)
            ):
                replace_file(processes, json.dumps(living))
                reason = "was cut off" if listed_processes is None else "named dead processes"
                print(f".dvc/tmp/rwlock {reason}: mended", file=sys.stderr)
        # DVC expects a git repository, and an unpacked archive has none.
        if not (root / ".git").exists() and not config["core"].get("no_scm"):
            with config.edit("local") as local:
                local.setdefault("core", {})["no_scm"] = True
            print(".dvc/config.local: core.no_scm is set, because there is no git here", file=sys.stderr)
        return not living["write"]  # DVC frees its lock while a stage runs
    return False


def _content(content: bytes, parse: Any, schema: Any) -> Any:
    with suppress(ParseError, Invalid, UnicodeDecodeError):
        return schema(parse(content.decode(), ""))


def _living_processes(listed: dict[str, Any], written: float) -> dict[str, Any]:
    """Return DVC's list of the processes that write or read each path, leaving out processes that have ended."""
    infos = {process.pid: process.info for process in process_iter(["status", "create_time"])}
    # Process ids are reused: a process that began after the list was written is a different one.
    living = {pid for pid in infos if infos[pid]["status"] != STATUS_ZOMBIE and infos[pid]["create_time"] <= written}
    write = {path: entry for path, entry in listed["write"].items() if entry["pid"] in living}
    read = {path: [entry for entry in entries if entry["pid"] in living] for path, entries in listed["read"].items()}
    return {"write": write, "read": {path: entries for path, entries in read.items() if entries}}


if __name__ == "__main__":
    if not os.access(ROOT, os.W_OK):
        sys.exit(f"{ROOT} is read-only; copy it to a folder that can be written, and run make there")
    if not recover():
        sys.exit("another run of the pipeline is in progress in this checkout; wait until it ends")
