"""Check whether snapshots and published files are unchanged. `sha256sum --check SHA256SUMS` checks the latter too."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

import yaml

from pipeline.base.paths import LEDGER, SUMS
from pipeline.publishing import database

PUBLISHED, SNAPSHOTS = "data/published", "data/snapshots"


def origins(root: Path = LEDGER) -> dict[str, str]:
    """Return the snapshot of each table by the file that states the snapshot's origin; either file may be missing."""
    names = {path.name.partition(".")[0] for path in (root / SNAPSHOTS).glob("epoch_*")}
    return {f"{SNAPSHOTS}/{name}.origin.yaml": f"{SNAPSHOTS}/{name}.csv" for name in sorted(names)}


def changed_snapshots(root: Path = LEDGER) -> Iterator[str]:
    """Yield one line per snapshot that is missing or differs from the digest in its file of origin."""
    for origin, snapshot in origins(root).items():
        try:
            digest = yaml.load((root / origin).read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)["sha256"]
        except (OSError, ValueError, LookupError, TypeError, yaml.YAMLError):
            yield f"{origin} is missing or cannot be read"
            continue
        if digest != _digest(root / snapshot):
            yield f"{snapshot} {'differs from ' + origin if (root / snapshot).exists() else 'is missing'}"


def changed_published(root: Path = LEDGER) -> Iterator[str]:
    """Yield one line per published file that is missing, differs from its digest, or has none."""
    folder = root / PUBLISHED
    lines = (folder / SUMS).read_text(encoding="utf-8").splitlines()
    digests = {name: digest for digest, name in (line.split("  ", 1) for line in lines)}
    for name, digest in digests.items():
        if digest != _digest(folder / name):
            yield f"{PUBLISHED}/{name} differs from {SUMS}, or is missing"
    if not database.is_vouched(folder / "ledger.duckdb"):
        yield f"{PUBLISHED}/ledger.duckdb differs from ledger.sha256, or is missing"
    listed = {*digests, SUMS, "ledger.duckdb", "ledger.sha256"}
    present = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir()}
    yield from (f"{PUBLISHED}/{name} is not in {SUMS}" for name in sorted(present - listed))


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
