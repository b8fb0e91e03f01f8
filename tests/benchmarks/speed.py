"""Speed, measured in one run with the aims beside: `make benchmarks`. Prints processor seconds and ratios; proves nothing.

What a person waits for (commands), calibration at ten times the measurements, configs counted, and impute -> reconcile on synthetic models
beside a copy of the same output tables, sorted as the stages sort them. Choose by name: `MODELS=1000000 python -m tests.benchmarks.speed rows`.
"""

import contextlib
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import duckdb

from pipeline import compiled, contracts, flow
from pipeline.architectures.configs import read
from pipeline.architectures.network import Lengths, place
from pipeline.formulas.totals import total
from pipeline.records import params
from pipeline.rules.utilization import gaussian_process
from pipeline.rules.utilization.measured import measured_cases
from schemas.tables.defaults import values
from tests.architectures.transformers_configs import IMAGES, LANGUAGE

MODELS = int(os.environ.get("MODELS", "200000"))
PATH = compiled.STAGES
BIN = flow.ROOT / ".venv/bin"
FACT = ("gpt-2-xl", "epochs: {value: 12", "epochs: {value: 13")
COMMANDS = (  # words, and the aim in processor seconds
    ("flopledger --help", None),
    ("flopledger show gpt-3", None),
    ("flopledger explain gpt-3", 0.5),
    ("flopledger estimate gpt-3", None),
    ("flopledger estimate my.yaml", 1.5),
    ("flopledger estimate gpt-3 --utilization 0.45", 1.5),
    ("flopledger utilization --family llm --precision bf16 --hardware H100", 0.9),
    ("flopledger validate data/records", None),
)


def told(label, measured, aim=None, unit="s"):
    """Prints a figure with its aim."""
    beside = f"   aim {aim:g}" if aim is not None else ""
    print(f"{label:<72}{measured:9.2f} {unit}{beside}", flush=True)


def cpu_seconds(words, folder, environment, least_of=1):
    """Processor seconds of a command and all that it starts: the least of some runs."""

    def once():
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [BIN / words[0], *words[1:]],
            check=True,
            cwd=folder,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    return min(once() for _ in range(least_of))


def commands():
    """What a person waits for, in a fresh clone with an empty cache."""
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder) / "clone"
        subprocess.run(["git", "clone", "--quiet", flow.ROOT, clone], check=True)
        (clone / ".venv").symlink_to(flow.ROOT / ".venv")
        # The installed packages point at this checkout; the clone's own code goes first.
        environment = {
            **os.environ,
            "PYTHONPATH": str(clone),
            "XDG_CACHE_HOME": f"{folder}/cache",
            "DVC_NO_ANALYTICS": "1",
        }
        told(
            "flopledger validate data/records, nothing cached",
            cpu_seconds(("flopledger", "validate", "data/records"), clone, environment),
        )
        told("dvc repro, clean", cpu_seconds(("dvc", "repro"), clone, environment))
        told("dvc repro, nothing to do", cpu_seconds(("dvc", "repro"), clone, environment))
        name, before, after = FACT
        record = clone / f"data/records/models/{name}.yaml"
        written = record.read_text()
        record.write_text(written.replace(before, after))
        told("dvc repro, one changed fact", cpu_seconds(("dvc", "repro"), clone, environment), 17)
        record.write_text(written)
        subprocess.run([BIN / "dvc", "repro", "-q"], check=True, cwd=clone, env=environment)
        figures = "--parameters 7B --tokens 2T --chips 512 --hardware H100 --days 20 --save my.yaml"
        cpu_seconds(("flopledger", "estimate", *figures.split()), clone, environment)
        for line, aim in COMMANDS:
            told(line, cpu_seconds(line.split(), clone, environment, least_of=3), aim)


def calibration():
    """Each source left out, of today's measurements and of ten times as many sources."""
    tables = {name: flow.made_before(name) for name in ("measurements", "operation_counts", "peaks", "hardware")}
    _, measured = measured_cases(*tables.values(), values(flow.made_before("defaults"), "utilization"))
    taken = []
    for times in (1, 10):
        more = [each._replace(source=f"{each.source} {copy}") for copy in range(times) for each in measured]
        start = time.process_time()
        gaussian_process.bands_left_out(more, params.load().calibrate)
        taken.append(time.process_time() - start)
        told(f"calibrate, sources left out of {len(more):,} measurements", taken[-1])
    told("calibrate, ten times the measurements", taken[1] / taken[0], 15, "x")


@contextlib.contextmanager
def timed(label, divisor=None, aim=None):
    """Prints the processor seconds of the block, and how many times `divisor` seconds that is."""
    taken = {}
    start = time.process_time()
    yield taken
    taken["seconds"] = time.process_time() - start
    told(label, taken["seconds"])
    if divisor:
        told(f"{label}, over the sorted copy", taken["seconds"] / divisor, aim, "x")


def synthetic(root):
    """Tables of a ledger of MODELS models: the real ones of this checkout, over and over, under new ids."""
    tables = root / "data/tables"
    tables.mkdir(parents=True)
    shutil.copy(flow.ROOT / "params.yaml", root)
    own = flow.TABLES
    shutil.copy(own / compiled.FILE, tables)
    needed = {name for stage in PATH for name in flow.wiring(stage).tables} | {"operation_counts"}
    made = {name for stage in PATH for name in flow.wiring(stage).outputs}
    copies = MODELS // duckdb.read_parquet(str(own / "models.parquet")).count("*").fetchall()[0][0] + 1
    for name in needed - made:
        relation = duckdb.read_parquet(str(own / f"{name}.parquet"))
        keys = [key for key in ("model_id", "part_id") if key in relation.columns]
        if keys:
            renamed = ", ".join(f"{key} || '-' || printf('%07d', n) as {key}" for key in keys)
            relation = duckdb.sql(
                f"select * exclude (n) replace ({renamed}) from relation, range({copies}) as copies(n)"
            )
        contract = next(c for stage in flow.STAGES for n, c in flow.wiring(stage).outputs.items() if n == name)
        relation.order(", ".join(contract.__grain__)).write_parquet(str(tables / f"{name}.parquet"))
    return copies


def copy(root, is_sorted):
    """A copy of the output tables: plain, or sorted by the grain as the stages write them."""
    for stage in PATH:
        for name, contract in flow.wiring(stage).outputs.items():
            relation = duckdb.read_parquet(str(root / f"data/tables/{name}.parquet"))
            ordered = relation.order(", ".join(contract.__grain__)) if is_sorted else relation
            ordered.write_parquet(str(root / f"{name}.copy.parquet"))


def rows():
    """impute -> reconcile at scale, beside the copy."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        copies = synthetic(root)
        models = duckdb.read_parquet(str(root / "data/tables/models.parquet")).count("*").fetchall()[0][0]
        runs = duckdb.read_parquet(str(root / "data/tables/runs.parquet")).count("*").fetchall()[0][0]
        print(f"{models:,} models, {runs:,} runs ({copies:,} copies of the ledger)", flush=True)
        with timed("impute -> reconcile, with validation") as validated:
            for stage in PATH:
                with timed(f"  {stage}"):
                    flow.run(stage, root)
        told("peak memory", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6, 1.5, "GB")
        checks = contracts.check_file
        contracts.check_file = lambda path, contract: None
        try:
            with timed("impute -> reconcile, without validation") as bare:
                for stage in PATH:
                    flow.run(stage, root)
        finally:
            contracts.check_file = checks
        with timed("plain copy of the output tables"):
            copy(root, is_sorted=False)
        with timed("the same copy, sorted by the grain") as in_order:
            copy(root, is_sorted=True)
        told("with validation, over the sorted copy", validated["seconds"] / in_order["seconds"], 2.5, "x")
        told("without validation, over the sorted copy", bare["seconds"] / in_order["seconds"], 2.0, "x")
        told("validation's share of the path", 100 * (1 - bare["seconds"] / validated["seconds"]), 12, "%")


def configs():
    """Configs of every type counted on one core."""
    mixed = [{"model_type": name.split()[0], **numbers} for name, numbers in {**LANGUAGE, **IMAGES}.items()]
    rounds = 20
    start = time.process_time()
    for _ in range(rounds):
        for config in mixed:
            placed = place(read(config, Lengths(128, 32)).nodes)
            total((each.count, each.backward_flop, each.times) for each in placed)
    told(
        f"configs counted a second, of {len(mixed)} kinds",
        rounds * len(mixed) / (time.process_time() - start),
        None,
        "",
    )


if __name__ == "__main__":
    for chosen in sys.argv[1:] or ("commands", "calibration", "configs", "rows"):
        {"commands": commands, "calibration": calibration, "configs": configs, "rows": rows}[chosen]()
