"""Check whether snapshots, published files and former releases are unchanged, as `sha256sum --check SHA256SUMS`."""

from collections.abc import Iterator, Set
from pathlib import Path

import yaml

from pipeline.base import digests
from pipeline.base.paths import LEDGER, SUMS
from pipeline.publishing import database

PUBLISHED, RELEASES, SNAPSHOTS = "data/published", "data/releases", "data/snapshots"


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
    yield from _against_sums(root, PUBLISHED, {"ledger.duckdb", "ledger.sha256"})
    if not database.is_vouched(root / PUBLISHED / "ledger.duckdb"):
        yield f"{PUBLISHED}/ledger.duckdb differs from ledger.sha256, or is missing"


def changed_releases(root: Path = LEDGER) -> Iterator[str]:
    """Yield one line per file of a former release that is missing, differs from its digest, or has none."""
    for folder in sorted((root / RELEASES).glob("*/")):
        yield from _against_sums(root, f"{RELEASES}/{folder.name}", way_on=f"; `git checkout {RELEASES}` restores it")


def _against_sums(root: Path, name: str, unlisted: Set[str] = frozenset(), way_on: str = "") -> Iterator[str]:
    folder = root / name
    if not (folder / SUMS).is_file():
        yield f"{name}/{SUMS} is missing{way_on}"
        return
    sums = digests.read_sums(folder / SUMS)
    for file, digest in sums.items():
        if digest != _digest(folder / file):
            yield f"{name}/{file} differs from {SUMS}, or is missing{way_on}"
    listed = {*sums, SUMS, *unlisted}
    present = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir()}
    yield from (f"{name}/{file} is not in {SUMS}; remove it" for file in sorted(present - listed))


def _digest(path: Path) -> str:
    return digests.sha256(path) if path.is_file() else ""
