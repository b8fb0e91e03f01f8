"""Read strangers' publications in a child process with time and memory limits."""

import json
import os
import resource
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from signal import SIGXCPU
from typing import Any

from pipeline.base.paths import ROOT
from pipeline.records import loading
from pipeline.tools.quotes import checking
from pipeline.tools.quotes.documents import UnreadableError
from pipeline.tools.quotes.reading import read

REFUSED = 3  # exit code of a child process that refuses a file and prints the reason
MOST_SECONDS = 15  # of the child's processor time
MOST_MEMORY_BYTES = 800_000_000
WAIT_SECONDS = 60  # of elapsed time; the limit is higher because the process may have to wait


def check(record: Path, files: Sequence[Path], source: str | None = None) -> dict[str, Any]:
    """Return what `checking.report` returns for a record and these files, calling it in a child process.

    Raise UnreadableError, naming the file, if a file cannot be read or exceeds a limit.
    """
    request = {"record": str(record), "files": [*map(str, files)], "source": source, "folder": os.getcwd()}
    # Run in ROOT, because another folder may have its own `pipeline`.
    argv = [
        sys.executable,
        "-m",
        __spec__.name,
        str(MOST_SECONDS),
    ]
    try:
        process = subprocess.run(
            argv, input=json.dumps(request).encode(), capture_output=True, timeout=WAIT_SECONDS, cwd=ROOT, check=False
        )
        written, code, error = process.stdout, process.returncode, process.stderr
    except subprocess.TimeoutExpired as problem:
        written, code, error = problem.stdout or b"", -SIGXCPU, b""
    answers = [json.loads(line) for line in written.split(b"\n")[:-1]]  # the last line may be cut off
    if code == 0:
        answer: dict[str, Any] = answers[-1]
        return answer
    if code == REFUSED:
        raise UnreadableError(answers[-1])
    # A child over its CPU limit is killed by SIGXCPU; one over its memory limit crashes.
    cause = f"takes more than {MOST_SECONDS} s" if code == -SIGXCPU else "needs too much memory, or crashes its reader"
    last = error.decode(errors="replace").strip().rpartition("\n")[2]
    raise UnreadableError(": ".join(filter(None, [answers[-1] if answers else str(files[0]), cause, last])))


def main(seconds: int) -> int:
    """Run as the child process: print each file's name before reading it, then the report or the reason why there is none."""
    request = json.loads(sys.stdin.buffer.read())
    os.chdir(request["folder"])
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY_BYTES, MOST_MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        record = loading.read(Path(request["record"]))[0].record
        documents = []
        for file in request["files"]:
            _print(file)
            documents.append(read(Path(file)))
        _print(", ".join(request["files"]))
        answer, code = checking.report(record, documents, request["source"]), 0
    except (UnreadableError, checking.CheckError) as problem:
        answer, code = str(problem), REFUSED  # type: ignore[assignment]
    _print(answer)
    return code


def _print(answer: Any) -> None:
    print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    raise SystemExit(main(int(sys.argv[1])))
