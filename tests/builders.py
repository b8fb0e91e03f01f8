"""Helpers for tests in several folders: command lines, models of the miniature, small histories."""

import builtins
import contextlib
import csv
import fcntl
import functools
import io
import json
import os
import pty
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path
from unittest import mock

import duckdb
import pyarrow.parquet as pq
import yaml

from pipeline import cli
from pipeline.base.paths import table_file
from pipeline.engines import in_memory
from pipeline.models import sql
from pipeline.records import loading, params
from pipeline.stages import flow

COMMAND = flow.ROOT / ".venv/bin/flopledger"
MINIATURE = flow.ROOT / "tests" / "miniature"


# The command line

DEADLINE_SECONDS = 300  # in which any command, and the loader of records, must answer


@contextlib.contextmanager
def within(seconds=DEADLINE_SECONDS):
    """Fail if the block does not end in time. This does not measure speed; it keeps tests from waiting forever."""

    def end(*_):
        raise AssertionError(f"not done after {seconds} s")

    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread receives signals
        return
    former = signal.signal(signal.SIGALRM, end)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, former)


def typed(*words, folder=flow.ROOT, input="", env=None):
    """Return exit code and output of `flopledger WORDS` in `folder`, run in this process without a terminal."""
    streams = {name: io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for name in ("stdin", "stdout", "stderr")}
    streams["stdin"].buffer.write(input.encode())
    streams["stdin"].buffer.seek(0)
    argv = ["flopledger", *map(os.fsdecode, map(_plain, words))]
    with (
        mock.patch.multiple(sys, argv=argv, **streams),
        mock.patch.dict(os.environ, env or {}),
        contextlib.chdir(folder),
        within(),
    ):
        try:
            cli.main()
            code = 0
        except SystemExit as end:
            code = end.code or 0
        for name in ("stdout", "stderr"):
            streams[name].flush()
    out, err = (streams[name].buffer.getvalue().decode() for name in ("stdout", "stderr"))
    return subprocess.CompletedProcess(argv, code, out, err)


def estimate_json(*words):
    """Return the answer of `flopledger estimate --json`."""
    done = typed("estimate", *words, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def _plain(word):
    return word if isinstance(word, bytes | os.PathLike) else str(word)


def process(*words, folder=flow.ROOT, **more):
    """Do the same in a separate process, for tests of the process itself."""
    argv = [COMMAND, *map(_plain, words)]
    return subprocess.run(argv, cwd=folder, timeout=300, **{"capture_output": True, "text": True, **more})


def on_a_terminal(*words, columns, term="dumb"):
    """Return what a terminal of this width shows of both streams."""
    ours, theirs = pty.openpty()
    shown = []

    def read():
        with contextlib.suppress(OSError):  # the other end is closed
            while part := os.read(ours, 65536):
                shown.append(part)

    reader = threading.Thread(target=read)
    reader.start()  # a terminal that is not read soon stops accepting output
    environment = {"COLUMNS": str(columns), "LINES": "100000", "TERM": term}
    with (
        open(theirs, "w", encoding="utf-8") as screen,
        contextlib.redirect_stdout(screen),
        contextlib.redirect_stderr(screen),
        mock.patch.object(sys, "argv", ["flopledger", *words]),
        mock.patch.dict(os.environ, environment),
        contextlib.suppress(SystemExit),
    ):
        cli.main()
    reader.join()
    os.close(ours)
    return b"".join(shown).decode().replace("\r\n", "\n")


def records_of(done):
    """Return the cells of each line of an answer, which must have neither an error nor a remark."""
    assert (done.returncode, done.stderr) == (0, "")
    return [line.split("\t") for line in done.stdout.splitlines()]


def listed(*words):
    """Return the rows of `flopledger list`."""
    done = typed("list", *words, "--json")
    assert done.returncode == 0
    assert not done.stderr or {"--at-least", "--above", "--limit"} & {*words}  # of models that have no estimate
    return json.loads(done.stdout)


# Models of one phase on the chips and defaults of the miniature

TOKENS = {"example_unit": "token", "examples": 1e12, "epochs": 1}
STAGED = ("completed_runs", "completed_allocations", "gpu_time_estimates", "estimates")


@functools.cache
def miniature_defaults():
    """Load the chips and defaults of the miniature."""
    with contextlib.chdir(MINIATURE):
        return loading.load([Path("data/records/hardware"), Path("data/records/defaults")])


def fact(value, **more):
    """Return a fact stated by a paper."""
    return {"value": value, "source": "paper", **more}


def facts_of(keys):
    """Return these keys of a phase as facts."""
    return {key: value if key == "example_unit" else fact(value) for key, value in keys.items()}


def allocation(chip, days=1.0, **more):
    """Return 1000 chips of this kind for so many days."""
    return {"chip": chip, "chips": 1000, "duration": f"{days} day", **more}


def allocation_facts(chip):
    """Return the same as facts, for one day."""
    return {key: fact(value) for key, value in allocation(chip).items()}


def parameters(number, network="decoder_only"):
    """Return a network of so many parameters, from which its operations are counted."""
    return {"network": network, "parameters": fact(number)}


def subject(hardware=(), phase=None, **model):
    """Return a record of 2021 with one phase of 1e12 tokens; values in `phase` and `hardware` become facts."""
    keys = {**TOKENS, **(phase or {})}
    stated = {
        key: value if key in ("example_unit", "utilization") else fact(value)
        for key, value in keys.items()
        if value is not None
    }
    allocations = [
        {key: value if key == "is_from_operations" else fact(value) for key, value in each.items()} for each in hardware
    ]
    return {
        "name": "Subject",
        "organization": "Company",
        "organization_kind": "industry",
        "published": "2021-03-01",
        "domain": "language",
        "scope": "single",
        "sources": {"paper": {"kind": "authors", "title": "Paper"}},
        "training": [{"phase": "pretraining", **stated, "hardware": allocations}],
        **model,
    }


def made_together(folder, subjects, names=STAGED, parameters=None):
    """Estimate these records in one run. Return a dictionary of the rows of these tables for each record."""
    for place, record in enumerate(subjects):
        content = json.loads(json.dumps(record)) | {
            "name": f"{record['name']} {place}"
        }  # without repetitions, which YAML would write as aliases
        (folder / f"subject-{place}.yaml").write_text(yaml.safe_dump(content))
    records = MINIATURE / "data" / "records"
    found = loading.load(sorted(folder.glob("subject-*.yaml")), among=[records / "hardware", records / "defaults"])
    made = in_memory.make(names, found, parameters or params.load())
    rows = {name: sql.rows(made[name]) for name in names}
    return [
        {name: [row for row in rows[name] if row["model_id"] == f"subject-{place}"] for name in names}
        for place in range(len(subjects))
    ]


def estimated(folder, hardware=(), phase=None, **model):
    """Return the rows of the estimating stages for one such model, by table."""
    (made,) = made_together(folder, [subject(hardware, phase, **model)])
    return made


# A table in Epoch's columns

EPOCH_HEADER = (
    "Model,Domain,Task,Organization,Publication date,Link,Parameters,Parameters notes,Training compute (FLOP),"
    "Training compute notes,Training dataset,Training dataset size (datapoints),Dataset size notes,Training time (hours),"
    "Training time notes,Training hardware,Confidence,Epochs,Base model,Finetune compute (FLOP),Finetune compute notes,"
    "Hardware quantity,Hardware utilization (MFU),Batch size,Batch size notes,Organization categorization,"
    "Training compute lower bound,Training compute upper bound,Training chip-hours,Training compute cost (2023 USD),"
    "Utilization notes,Numerical format,Training compute estimation method,Post-training compute (FLOP),"
    "Post-training compute notes,Compute rank when published"
).split(",")
TEXT_ROW = {
    "Model": "Text",
    "Domain": "Language",
    "Organization": "Example Lab",
    "Organization categorization": "Industry",
    "Publication date": "2021-05-04",
    "Parameters": "1.3e9",
    "Training dataset size (datapoints)": "300e9",
    "Epochs": "1",
}
TIMED_ROW = {
    "Model": "Timed",
    "Domain": "Vision",
    "Publication date": "2021-05",
    "Training hardware": "NVIDIA A100 SXM4 80 GB",
    "Hardware quantity": "64",
    "Training time (hours)": "144",
    "Numerical format": "BF16",
}


def epoch_csv(rows, header=EPOCH_HEADER, end="\r\n"):
    """Return the text of a CSV file with these rows, given by column."""
    text = io.StringIO()
    writer = csv.DictWriter(text, header, lineterminator=end, restval="")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def epoch_table(folder, *rows):
    """Write such a file with these rows, and return its path."""
    path = folder / "epoch.csv"
    path.write_text(epoch_csv(rows), encoding="utf-8", newline="")
    return path


# Files that are made once per run and read by all tests


def made_once(folder, make):
    """Return the folder that `make` fills; the first of several processes calls it while the others wait."""
    with open(f"{folder}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            beside = folder.with_name(f"{folder.name}.new")
            shutil.rmtree(beside, ignore_errors=True)  # left by a process that failed
            beside.mkdir(parents=True)
            make(beside)
            beside.rename(folder)
    return folder


class Tables:
    """The tables of a tree: rows by table name, or the result of SQL over all of them."""

    def __init__(self, root):
        self.root, self._rows = root, {}

    def __getitem__(self, name):
        if name not in self._rows:
            self._rows[name] = pq.read_table(table_file(name, self.root)).to_pylist()
        return self._rows[name]

    def sql(self, text):
        """Return the result of a query as tuples."""
        return self._book.execute(text).fetchall()

    @functools.cached_property
    def _book(self):
        book = duckdb.connect()
        for path in sorted((self.root / "data/tables").glob("*/*.parquet")):
            book.execute(f"create view {path.stem} as from read_parquet('{path}')")
        return book


# The miniature, run on disk


def copied(folder):
    """Copy the miniature's tree to this folder."""
    shutil.copytree(MINIATURE, folder, dirs_exist_ok=True)
    return folder


def run_everything(root, threads=1):
    """Run all stages in a tree with so many DuckDB threads, with `refusing_floats` in place of Python's `sum`."""
    ((before,),) = duckdb.sql("select current_setting('threads')").fetchall()
    duckdb.sql(f"set threads to {threads}")
    try:
        with mock.patch.object(builtins, "sum", refusing_floats(sum)):
            for stage in flow.STAGES:
                flow.run(stage, root)
    finally:
        duckdb.sql(f"set threads to {before}")


def refusing_floats(real):
    """Return a `sum` that refuses floats in our own code: Python 3.12 sums them to another last digit than 3.11."""

    def summed(values, /, start=0):
        if not sys._getframe(1).f_code.co_filename.startswith(
            (str(flow.ROOT / "pipeline"), str(flow.ROOT / "schemas"))
        ):
            return real(values, start)
        values = list(values)
        if type(start) is float or any(type(value) is float for value in values):
            raise TypeError("sum of floats: math.fsum is exact")
        return real(values, start)

    return summed


# A repository with releases


class History:
    """A repository with one published table, its version and its changelog."""

    WHO = {f"GIT_{role}_{what}": "a@example.org" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}

    def __init__(self, folder):
        self.folder = folder
        (folder / "data/published").mkdir(parents=True)
        self.git("init", "-q")

    def git(self, *words):
        subprocess.run(["git", "-C", self.folder, *words], check=True, capture_output=True, env=os.environ | self.WHO)

    def write(self, version, changelog, **headlines):
        (self.folder / "params.yaml").write_text(f'publish:\n  digits: 6\n  version: "{version}"  # the day\n')
        (self.folder / "CHANGELOG.md").write_text(f"# Changelog\n\n{changelog}\n")
        lines = [f"{name.replace('_', '-')},{flop}" for name, flop in headlines.items()]
        (self.folder / "data/published/estimates.csv").write_text("\n".join(["model_id,training_flop", *lines, ""]))

    def commit(self, *written, **headlines):
        self.write(*written, **headlines)
        self.git("add", "-A")
        self.git("commit", "-qm", "one")
