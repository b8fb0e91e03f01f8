"""Kill whole runs at random moments, and check that the next run succeeds by itself: `python -m tests.benchmarks.kills --number 100`.

This works in a clone of this checkout, in a folder that is removed afterwards. A parameter is changed, so that stages
run. What `make repro` runs, with all child processes, is killed by SIGKILL after a random time, drawn with a seed, up
to the length of a whole run. `--in-lock` kills while dvc.lock is being written; `--alone` kills only DVC, whose stage
continues during the next run. After each kill, a query is asked and the run is repeated; at the end the bytes are
compared with those of an undisturbed run. Prints one line per kill and the totals; the exit code is 1 if anything
failed.
"""

import argparse
import contextlib
import hashlib
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from pipeline.base.paths import ROOT, SUMS
from tests.builders import MINIATURE

DVC = (".venv/bin/dvc", "repro", "--quiet")
RUN = ("sh", "-c", ".venv/bin/python -m pipeline.stages.recover && .venv/bin/dvc repro --quiet")
QUERY = (sys.executable, "-m", "pipeline.cli", "query", "select count(*) from estimates")


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--number", type=int, default=100, help="kills (default: 100)")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--miniature", action="store_true", help="on the tests' miniature, whose runs are shorter")
    options.add_argument("--in-lock", action="store_true", help="kill while dvc.lock is written")
    options.add_argument("--alone", action="store_true", help="kill DVC alone, and leave it a zombie")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        root = clone(Path(scratch) / "clone", given.miniature)
        said = Counter()
        failed = run(root, RUN).returncode
        texts = [(root / "params.yaml").read_text()]
        texts.append(changed(texts[0]))
        wholes = []
        # The result of an undisturbed run for each; the last one takes as long as those that are killed.
        for text in (*texts, texts[0]):
            (root / "params.yaml").write_text(text)
            start = time.monotonic()
            failed += run(root, RUN).returncode
            seconds = time.monotonic() - start
            wholes.append(made(root))
        failed += wholes.pop() != wholes[0]
        print(f"an undisturbed run takes {seconds:.0f} s; {given.number} kills, seed {given.seed}", flush=True)
        draw = random.Random(given.seed)
        for number in range(given.number):
            asked = (number + 1) % 2  # a different text than before, so that there is something to do
            (root / "params.yaml").write_text(texts[asked])
            found = one(root, None if given.in_lock else draw.uniform(0, seconds), given.alone)
            if made(root) != wholes[asked]:
                found.append("other bytes after the next run")
            said.update(found)
            print(f"{number + 1}: {', '.join(found)}", flush=True)
        for words, times in sorted(said.items()):
            print(f"{times:4d} {words}")
    bad = [words for words in said if words.startswith(("no ", "other ", "mixed", "left"))]
    raise SystemExit(bool(failed or bad))


def clone(root, is_miniature):
    """Clone this checkout's files as they are, with its environment, and commit the ledger or the tests' miniature."""
    files = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    for name in files:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, root / name)
    if is_miniature:
        shutil.rmtree(root / "data")
        (root / "data/releases").mkdir(parents=True)
        shutil.copytree(MINIATURE, root, dirs_exist_ok=True)
        shutil.copytree(ROOT / "data/published/report", root / "data/published/report")
        (root / "dvc.lock").unlink()
        files = [path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()]
    (root / ".venv").symlink_to(ROOT / ".venv")
    who = {f"GIT_{role}_{what}": "a@example.org" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    for words in (["init", "-q"], ["add", "--force", *files], ["commit", "-qm", "one"]):
        subprocess.run(["git", *words], cwd=root, check=True, env=os.environ | who)
    return root


def changed(text):
    """Return params.yaml with another number in the blocks that impute and publish read, so that all stages except ingest run."""
    found = re.sub(r"(significant_digits: *)(\d+)", lambda match: f"{match[1]}{int(match[2]) - 1}", text)
    assert found != text
    return re.sub(r"(dispute_ratio: *)([\d.]+)", lambda match: f"{match[1]}{float(match[2]) + 0.5}", found)


def run(root, argv):
    environment = os.environ | {"PYTHONPATH": str(root), "DVC_NO_ANALYTICS": "1", "OPENBLAS_NUM_THREADS": "1"}
    return subprocess.run(argv, cwd=root, env=environment, capture_output=True, text=True)


def one(root, after, is_alone):
    """Return the result of one kill, in words."""
    environment = os.environ | {"PYTHONPATH": str(root), "DVC_NO_ANALYTICS": "1", "OPENBLAS_NUM_THREADS": "1"}
    lock = root / "dvc.lock"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    started = subprocess.Popen(DVC if is_alone else RUN, cwd=root, env=environment, start_new_session=True, **quiet)
    if after is None:
        while started.poll() is None and (not lock.exists() or lock.stat().st_size > 0):
            time.sleep(0.0005)
    else:
        with contextlib.suppress(subprocess.TimeoutExpired):
            started.wait(after)
    found = ["killed" if started.poll() is None else "had ended"]
    if started.poll() is None and is_alone:
        os.kill(started.pid, signal.SIGKILL)
    elif started.poll() is None:
        os.killpg(started.pid, signal.SIGKILL)
        started.wait()
    if lock.exists() and lock.stat().st_size == 0:
        found.append("dvc.lock empty")
    found += ["mixed: SHA256SUMS lists other files"] if not is_alone and is_mixed(root / "data/published") else []
    asked = run(root, QUERY)
    found += ["no answer to a query"] if not is_alone and asked.returncode or "Traceback" in asked.stderr else []
    found += ["an answer from the release before"] if "is of the run before" in asked.stderr else []
    again = run(root, RUN)
    started.wait()
    if again.returncode:
        print(again.stderr[-2000:], flush=True)
    found.append("no success of the next run" if again.returncode else "the next run succeeds")
    found += ["its lock was put back"] if "was cut off" in again.stderr else []
    rests = [path for path in (root / "data").rglob("*") if path.suffix == ".new" or path.name == "unfinished"]
    return found + (["left files behind"] if rests else [])


def is_mixed(published):
    """Return whether SHA256SUMS exists and a file does not match it."""
    if not (published / SUMS).exists():
        return False
    pairs = (line.split(maxsplit=1) for line in (published / SUMS).read_text().splitlines())
    return any(hashlib.sha256((published / name).read_bytes()).hexdigest() != digest for digest, name in pairs)


def made(root):
    """Return digests of tables and published files by name, without the database, whose bytes always differ."""
    files = [path for name in ("tables", "published") for path in (root / "data" / name).rglob("*") if path.is_file()]
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files if path.stem != "ledger"}


if __name__ == "__main__":
    main()
