"""Speed, measured side by side in one run: `make benchmarks`. Prints figures; proves nothing.

What a person waits for (commands), and rows a second of impute -> reconcile on synthetic runs beside a plain copy of the
same output columns by DuckDB, with and without the doors' checks.
"""

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import duckdb

from pipeline import contracts, flow
from pipeline.architectures.configs import read
from pipeline.architectures.network import Lengths, place
from pipeline.formulas.totals import total
from tests.architectures.transformers_configs import IMAGES, LANGUAGE

MODELS = int(os.environ.get("MODELS", "1000000"))
PATH = ("impute", "estimate_operations", "estimate_gpu_time", "estimate_energy", "reconcile")
BIN = flow.ROOT / ".venv/bin"


@contextlib.contextmanager
def timed(label, divisor=None):
    """Prints how long the block took, and how many times `divisor` seconds that is."""
    taken = {}
    start = time.perf_counter()
    yield taken
    taken["seconds"] = time.perf_counter() - start
    times = f"  {taken['seconds'] / divisor:.2f} x the copy" if divisor else ""
    print(f"{label:<52}{taken['seconds']:8.2f} s{times}", flush=True)


def commands():
    """What a person waits for, in a fresh clone."""
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder) / "clone"
        subprocess.run(["git", "clone", "--quiet", flow.ROOT, clone], check=True)
        (clone / ".venv").symlink_to(flow.ROOT / ".venv")
        # The installed packages point at this checkout; the clone's own code goes first.
        environment = {**os.environ, "PYTHONPATH": str(clone)}

        def call(*words):
            subprocess.run(
                [BIN / words[0], *words[1:]], check=True, cwd=clone, env=environment, stdout=subprocess.DEVNULL
            )

        call("flopledger", "--help")
        for label, words in (
            ("dvc repro, clean", ("dvc", "repro")),
            ("dvc repro, nothing to do", ("dvc", "repro")),
            ("flopledger --help", ("flopledger", "--help")),
            ("flopledger estimate, one file", ("flopledger", "estimate", "data/records/models/gpt-3.yaml")),
            ("flopledger explain, one model", ("flopledger", "explain", "gpt-3")),
            ("flopledger validate, all records", ("flopledger", "validate", "data/records")),
        ):
            with timed(label):
                call(*words)


def synthetic(root):
    """Tables of a ledger of MODELS models: the real ones of this checkout, over and over, under new ids."""
    tables = root / "data/tables"
    tables.mkdir(parents=True)
    shutil.copy(flow.ROOT / "params.yaml", root)
    own = flow.ROOT / "data/tables"
    needed = {name for stage in PATH for name in flow.wiring(stage).tables} | {"operation_counts"}
    made = {name for stage in PATH for name in flow.wiring(stage).outputs}
    copies = MODELS // duckdb.read_parquet(str(own / "models.parquet")).count("*").fetchall()[0][0] + 1
    for name in needed - made:
        relation = duckdb.read_parquet(str(own / f"{name}.parquet"))
        if "model_id" in relation.columns:
            renamed = [
                f"{key} || '-' || printf('%07d', n) as {key}"
                for key in ("model_id", "part_id")
                if key in relation.columns
            ]
            columns = ", ".join(
                f"* replace ({renamed[0]})".split() if len(renamed) == 1 else [f"* replace ({', '.join(renamed)})"]
            )
            columns = f"* exclude (n) replace ({', '.join(renamed)})"
            relation = duckdb.sql(f"select {columns} from relation, range({copies}) as copies(n)")
        contract = next(c for stage in flow.STAGES for n, c in flow.wiring(stage).outputs.items() if n == name)
        relation.order(", ".join(contract.__grain__)).write_parquet(str(tables / f"{name}.parquet"))
    return copies


def copy(root, is_sorted):
    """A copy of the output columns: plain, or sorted by the grain as the stages write them."""
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
        for stage in PATH:  # once, so that the copy has something to copy
            flow.run(stage, root)
        with timed("plain copy of the output columns") as plain:
            copy(root, is_sorted=False)
        with timed("the same copy, sorted by the grain", plain["seconds"]):
            copy(root, is_sorted=True)
        with timed("impute -> reconcile, with doors", plain["seconds"]) as doors:
            for stage in PATH:
                with timed(f"  {stage}"):
                    flow.run(stage, root)
        checks = contracts.check_rows
        contracts.check_rows = lambda name, batches, contract: None
        try:
            with timed("impute -> reconcile, without doors", plain["seconds"]) as bare:
                for stage in PATH:
                    with timed(f"  {stage}"):
                        flow.run(stage, root)
        finally:
            contracts.check_rows = checks
        for label, taken in (("with doors", doors), ("without doors", bare)):
            print(f"{runs / taken['seconds']:,.0f} runs a second {label}")


def configs():
    """Configs of every type counted on one core."""
    mixed = [{"model_type": name.split()[0], **numbers} for name, numbers in {**LANGUAGE, **IMAGES}.items()]
    rounds = 20
    with timed(f"{rounds * len(mixed):,} configs of {len(mixed)} kinds counted") as taken:
        for _ in range(rounds):
            for config in mixed:
                placed = place(read(config, Lengths(128, 32)).nodes)
                total((each.count, each.backward_flop, each.times) for each in placed)
    print(f"{rounds * len(mixed) / taken['seconds']:,.0f} configs a second")


if __name__ == "__main__":
    for chosen in sys.argv[1:] or ("commands", "configs", "rows"):
        {"commands": commands, "configs": configs, "rows": rows}[chosen]()
