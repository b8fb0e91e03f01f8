"""What a larger ledger costs: `python -m tests.benchmarks.growth 433 2000`. Prints CPU seconds and sizes with the aims beside; proves nothing.

In a copy of this checkout the models are fewer, or stand several times under new ids, names and aliases; the copies of a fine-tuned model
name the copies of its base. Printed are `validate` with an empty cache and a full one, `dvc repro` as a whole, each stage alone, the site, its
pages and the database. `--epoch 13000 200000` prints what `estimate --from epoch` costs for tables of as many rows.
CPU seconds are of the user and the system, of a process with its children; memory is the peak.
"""

import argparse
import csv
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import yaml

from pipeline.base.paths import ROOT, SNAPSHOT
from pipeline.stages import STAGES
from tests.benchmarks.kills import clone

AIM_VALIDATE_SECONDS, AIM_REPRO_SECONDS, AIM_PAGE_BYTES = 8, 40, 500_000
AIM_FIXED_SECONDS, AIM_ROWS_SECONDS, AIM_ROWS_BYTES = 2, 60, 1e9
NAMED = ("name", "aliases", "renamed_from", "epoch_name")  # what one record alone may have


class Cost(NamedTuple):
    """CPU seconds and peak memory of a process, in bytes."""

    seconds: float
    peak: float


def models(folder):
    """The files of models by id."""
    return {path.stem: path for path in sorted((folder / "data/records/models").glob("*.yaml"))}


def others(record):
    """The models that a record names."""
    named = [record.get("base_model"), record.get("model"), record.get("replaced_by")]
    named += [each.get("model") for each in record.get("contributions") or []]
    named += [row.get("architecture") for row in record.get("rows") or []]
    return {each for each in named if each}


def fewer(root, number):
    """Removes models from a copy until so many are left: those that nothing names."""
    kept = models(root)
    for identifier in sorted(kept, reverse=True):
        if len(kept) <= number:
            return
        named = set()
        for path in (root / "data/records").rglob("*.yaml"):
            found = re.findall(rf"\b{re.escape(identifier)}\b", path.read_text()) if path.stem != identifier else []
            if found:
                named |= others(yaml.safe_load(path.read_text())) & {identifier}
        if not named:
            kept.pop(identifier).unlink()
    raise SystemExit(f"{len(kept)} models are named by others")


def more(root, number):
    """Adds copies of the models until there are so many."""
    own = models(root)
    texts = {identifier: path.read_text() for identifier, path in own.items()}
    copies = [(identifier, copy) for copy in range(1, number // len(own) + 2) for identifier in own]
    made = {f"{identifier}-copy-{copy}" for identifier, copy in copies[: number - len(own)]}
    for identifier, copy in copies[: number - len(own)]:
        path = own[identifier].parent / f"{identifier}-copy-{copy}.yaml"
        path.write_text(copied(texts[identifier], copy, made))


def copied(text, copy, made):
    """A record under another name; its base is that of the same round, where there is one among those that are made."""
    record = yaml.safe_load(text)
    base = f"{record.get('base_model')}-copy-{copy}"
    if base in made:
        text = re.sub(r"^base_model: .*$", f"base_model: {base}", text, flags=re.MULTILINE)
    lines = [line for line in text.splitlines() if not line.startswith(tuple(f"{key}:" for key in NAMED))]
    name, *aliases = (f"{each} copy {copy}" for each in (record["name"], *record.get("aliases", [])))
    named = [f"name: {json.dumps(name)}", f"aliases: {json.dumps(aliases)}"]
    return "\n".join([*named, *lines, ""])


def ledger(folder, number):
    """A copy of this checkout whose ledger has so many models, and no release before."""
    root = clone(folder, is_miniature=False)
    for path in (root / "data/releases").iterdir():
        shutil.rmtree(path)
    for path in (root / "data/published").iterdir():
        if path.is_file():
            path.unlink()
    fewer(root, number) if number < len(models(root)) else more(root, number)
    (root / "dvc.lock").unlink()
    return root


def cost(root, *words, cache=None, **variables):
    """What a command costs. A failure ends the benchmark."""
    environment = (
        os.environ | {"PYTHONPATH": str(root), "DVC_NO_ANALYTICS": "1", "OPENBLAS_NUM_THREADS": "1"} | variables
    )
    if cache:
        environment |= {"XDG_CACHE_HOME": str(cache)}
    with tempfile.TemporaryFile() as said:
        started = subprocess.Popen([sys.executable, *words], cwd=root, env=environment, stdout=said, stderr=said)
        _, status, used = os.wait4(started.pid, 0)
        started.returncode = os.waitstatus_to_exitcode(status)
        if started.returncode:
            said.seek(0)
            raise SystemExit(f"{' '.join(map(str, words))}: {said.read().decode()[-4000:]}")
    return Cost(used.ru_utime + used.ru_stime, used.ru_maxrss * 1024)


def show(label, found, aim=None):
    words = f"  (aim {aim})" if aim else ""
    print(f"{label:<44}{found.seconds:8.1f} s{found.peak / 1e6:8.0f} MB{words}", flush=True)
    return found


def measure(number, with_site):
    """Prints what a ledger of so many models costs; returns the cost of publishing it."""
    with tempfile.TemporaryDirectory() as scratch:
        root, cache = ledger(Path(scratch) / "clone", number), Path(scratch) / "cache"
        cache.mkdir()
        size = sum(path.stat().st_size for path in models(root).values())
        print(f"\n{number:,} models, {size / 1e6:.1f} MB", flush=True)
        show("dvc repro", cost(root, "-m", "dvc", "repro", "--quiet", cache=cache), f"{AIM_REPRO_SECONDS} s at 2,000")
        for label, folder in (("validate, nothing cached", Path(scratch) / "empty"), ("validate, all cached", cache)):
            folder.mkdir(exist_ok=True)
            aim = f"{AIM_VALIDATE_SECONDS} s at 2,000" if folder != cache else None
            show(label, cost(root, "-m", "pipeline.cli", "validate", "data/records", cache=folder), aim)
        spent = {stage: show(stage, cost(root, "-m", "pipeline", stage, cache=cache)) for stage in STAGES}
        database = (root / "data/published/ledger.duckdb").stat().st_size
        print(f"{'ledger.duckdb':<44}{database / 1e6:8.1f} MB")
        if with_site:
            (root / ".npm-packages").symlink_to(ROOT / ".npm-packages")
            show("site", cost(root, "-m", "pipeline.site", cache=cache))
            pages(root / "site")
        return spent["publish"]


def pages(site):
    """The largest pages and scripts that pages load."""
    sizes = {path.relative_to(site).as_posix(): path.stat().st_size for path in site.rglob("*") if path.is_file()}
    html = {name: size for name, size in sizes.items() if name.endswith(".html")}
    above = sum(size > AIM_PAGE_BYTES for size in html.values())
    print(
        f"{len(sizes):,} files, {sum(sizes.values()) / 1e6:.0f} MB; {above} pages above {AIM_PAGE_BYTES / 1e3:.0f} kB"
    )
    for kind, found in (("page", html), ("file", {name: size for name, size in sizes.items() if name not in html})):
        for name in sorted(found, key=found.get, reverse=True)[:12]:
            print(f"  {kind} {name:<50}{found[name] / 1e3:10.0f} kB")


def table(path, number):
    """Epoch's snapshot over and over, in so many rows: each copy of a row has a name of its own."""
    with SNAPSHOT.open(encoding="utf-8", newline="") as file:
        header, *own = csv.reader(file)
    name = header.index("Model")
    with path.open("w", encoding="utf-8", newline="") as file:
        written = csv.writer(file)
        written.writerow(header)
        for place in range(number):
            copy, index = divmod(place, len(own))
            row = list(own[index])
            row[name] += f" copy {copy}" if copy else ""
            written.writerow(row)


def rows(number, fixed=None):
    """Prints what `estimate --from epoch` costs for a table of so many rows, and what a row adds to what one alone costs."""
    with tempfile.TemporaryDirectory() as scratch:
        path, out = Path(scratch) / "table.csv", Path(scratch) / "estimates.csv"
        table(path, number)
        words = ("estimate", "--from", "epoch", str(path), "--out", str(out))
        code = f"from pipeline import cli; from pipeline.catalogues import cells; cells.LARGEST_BYTES = {path.stat().st_size}; cli.main()"
        aim = (
            f"{AIM_ROWS_SECONDS} s and {AIM_ROWS_BYTES / 1e6:.0f} MB at 200,000" if fixed else f"{AIM_FIXED_SECONDS} s"
        )
        found = show(f"estimate --from epoch, {number:,} rows", cost(ROOT, "-c", code, *words), aim)
        if fixed and number > 1:
            share = 1e3 * (found.seconds - fixed.seconds) / (number - 1)
            print(f"{'a row':<44}{share:8.3f} ms; {path.stat().st_size / 1e6:.0f} MB read")
        return found


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("models", type=int, nargs="*", help="sizes of ledgers")
    options.add_argument("--site", action="store_true", help="also build the site")
    options.add_argument("--epoch", type=int, nargs="*", default=[], help="numbers of rows of Epoch's table")
    given = options.parse_args()
    published = {number: measure(number, given.site) for number in given.models}
    if len(published) > 1:
        least, *_, most = sorted(published)
        ratio = published[most].seconds / published[least].seconds
        print(f"\npublish of {most:,} models costs {ratio:.2f} times that of {least:,} (aim 1.5 for 2,000 and 198)")
    fixed = rows(1) if given.epoch else None
    for number in given.epoch:
        rows(number, fixed)


if __name__ == "__main__":
    main()
