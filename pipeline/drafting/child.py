"""All that is made of strangers' publications, in a child process with limits of time and memory."""

import json
import os
import resource
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from signal import SIGXCPU
from typing import Any

from pipeline.drafting import checking, draft
from pipeline.drafting.documents import Document, UnreadableError
from pipeline.drafting.names import Target
from pipeline.drafting.reading import read
from pipeline.paths import ROOT
from pipeline.records import loading

REFUSED = 3  # the exit code of a child process that gives its reason
MOST_SECONDS = 15  # of a processor
MOST_MEMORY_BYTES = 800_000_000
WAIT_SECONDS = 60  # for a process that waits, or on a busy machine


def ask(work: str, request: Mapping[str, Any]) -> Any:
    """What `WORKS` has under this name makes of a request, both as JSON has them. `files` of the request are those of the publications.

    Raises UnreadableError, in lines that name the files, for what cannot be read or worked on within the limits.
    """
    asked = json.dumps({**request, "folder": os.getcwd(), "seconds": MOST_SECONDS}).encode()
    argv = [sys.executable, "-m", f"{__package__}.child", work]  # in ROOT, lest a folder's own `pipeline` is run
    try:
        done = subprocess.run(argv, input=asked, capture_output=True, timeout=WAIT_SECONDS, cwd=ROOT, check=False)
        written, code, error = done.stdout, done.returncode, done.stderr
    except subprocess.TimeoutExpired as problem:
        written, code, error = problem.stdout or b"", -SIGXCPU, b""
    said = [json.loads(line) for line in written.split(b"\n")[:-1]]  # the last may be cut off
    if code == 0:
        return said[-1]
    if code == REFUSED:
        raise UnreadableError(said[-1])
    what = f"takes more than {MOST_SECONDS} s" if code == -SIGXCPU else "needs too much memory, or breaks its reader"
    last = error.decode(errors="replace").strip().rpartition("\n")[2]
    raise UnreadableError(": ".join(filter(None, [said[-1] if said else request["files"][0], what, last])))


def _documents(files: list[str]) -> list[Document]:
    """The documents of these files; says before each that it is worked on."""
    documents = []
    for file in files:
        _say(file)
        documents.append(read(Path(file)))
    _say(", ".join(files))
    return documents


def _target(request: Mapping[str, Any]) -> Target:
    name, *aliases = request["names"]
    return Target(name, tuple(aliases), frozenset(request["others"]))


def _draft(request: Mapping[str, Any]) -> Any:
    documents = _documents(request["files"])
    return draft.make(documents, _target(request), request["chips"], request["found_at"]).model_dump()


def _check(request: Mapping[str, Any]) -> Any:
    record = loading.read(Path(request["record"]))[0].record
    documents = _documents(request["files"])
    return checking.report(record, documents, request["source"], _target(request), request["chips"])


WORKS = {"draft": _draft, "check": _check}


def main(work: str) -> int:
    """The child process: lines that name files, then one with the answer, or with why there is none."""
    request = json.loads(sys.stdin.buffer.read())
    os.chdir(request["folder"])
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY_BYTES, MOST_MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (request["seconds"], request["seconds"] + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        answer, code = WORKS[work](request), 0
    except (UnreadableError, draft.DraftError, checking.CheckError) as problem:
        answer, code = str(problem), REFUSED
    _say(answer)
    return code


def _say(answer: Any) -> None:
    print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1]))
