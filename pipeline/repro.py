"""What `make repro` runs: `dvc repro`, also where an earlier run was killed, and where the checkout has no git.

DVC writes its files in place: a run that is killed meanwhile leaves one of them cut off, and DVC then refuses to start. What is not whole
is put back first, with a line: dvc.lock as git has it, else none. That is sound, as DVC compares every file with it and makes what differs.
"""

import logging
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from pipeline import progress
from pipeline.flow import STAGES
from pipeline.paths import ROOT, in_utf8, replace_file
from pipeline.publishing import database, releases

PUSH = "dvc push"
REMEDY = "a run was killed while it was written"


def put_back(root: Path = ROOT) -> None:
    """Replaces DVC's files under `root` that are cut off, with a line for each; leaves all as it is where DVC is at work there."""
    from dvc.lock import LockError, make_lock

    scratch = root / ".dvc" / "tmp"
    scratch.mkdir(parents=True, exist_ok=True)
    try:
        # The lock under which DVC writes them: what another run is just writing is not cut off.
        with make_lock(str(scratch / "lock"), tmp_dir=str(scratch)):
            _put_back_lock(root)
            _put_back_list(scratch / "rwlock")
    except LockError:
        return  # DVC says so itself


def _put_back_lock(root: Path) -> None:
    path = root / "dvc.lock"
    if not path.exists() or _is_lock(path.read_bytes()):
        return
    of_git = releases.git(root, "show", "HEAD:./dvc.lock") or b""
    if _is_lock(of_git):
        replace_file(path, lambda beside: beside.write_bytes(of_git))
        print(f"dvc.lock was cut off ({REMEDY}): put back as it is in git", file=sys.stderr)
    else:
        path.unlink()
        print(f"dvc.lock was cut off ({REMEDY}): removed, so that every stage runs", file=sys.stderr)


def _is_lock(content: bytes) -> bool:
    from dvc.schema import COMPILED_LOCKFILE_SCHEMA
    from dvc.utils.serialize import ParseError, parse_yaml
    from voluptuous import Invalid

    try:
        COMPILED_LOCKFILE_SCHEMA(parse_yaml(content.decode(), "dvc.lock"))
    except (ParseError, Invalid, UnicodeDecodeError):
        return False
    return True


def _put_back_list(path: Path) -> None:
    """DVC's list of the files that its living processes read and write; under DVC's lock it may be dropped where it says nothing."""
    from dvc.rwlock import SCHEMA
    from dvc.utils.serialize import ParseError, load_json
    from voluptuous import Invalid

    try:
        if path.exists():
            SCHEMA(load_json(str(path)))
    except (ParseError, Invalid, UnicodeDecodeError):
        path.unlink()
        print(f".dvc/tmp/{path.name} was cut off ({REMEDY}): removed", file=sys.stderr)


def run(words: Sequence[str], root: Path = ROOT) -> int:
    """DVC's exit code for `dvc repro WORDS` in `root`, which is the current folder; afterwards the database is there too."""
    from dvc.cli import main as dvc

    put_back(root)
    if not (root / ".git").exists():  # as in an archive of the code; DVC asks for git unless it is told
        dvc(["config", "--quiet", "--local", "core.no_scm", "true"])
    with _told(len(STAGES)):
        code = int(dvc(["repro", *words]))
    if code == 0:
        with database.reading(root):  # it is no output of DVC's, so that it can be missing where all of these are there
            pass
    return code


@contextmanager
def _told(number: int) -> Iterator[None]:
    """What DVC says of its stages: a bar on a terminal, elsewhere its own lines; nothing of a remote, as a reader has none."""
    from dvc.ui import ui

    write = ui.write
    places = ("dvc.stage", "dvc.stage.run")  # where it says that a stage is skipped, or runs
    begun: list[str] = []
    with progress.count("running the pipeline", number) as advance:

        def heard(record: logging.LogRecord) -> bool:
            if "Running stage" in record.msg or "didn't change, skipping" in record.msg:
                if begun:
                    advance()  # the one before has ended
                begun.append(record.msg)
            return True

        ui.write = lambda *said, **how: None if PUSH in str(said[:1]) else write(*said, **how)
        for place in places:
            logging.getLogger(place).addFilter(heard)
        try:
            yield
        finally:
            ui.write = write
            for place in places:
                logging.getLogger(place).removeFilter(heard)


def main() -> None:
    """Runs the pipeline with the options of `dvc repro` that the command line has."""
    in_utf8()
    try:
        code = run(sys.argv[1:])
    except database.DatabaseError as problem:
        print(problem, file=sys.stderr)
        code = 1
    raise SystemExit(code)


if __name__ == "__main__":
    main()
