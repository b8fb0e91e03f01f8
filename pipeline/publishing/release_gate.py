"""Check that CHANGELOG.md names each headline that moved by more than 10 % since the last release, and ended.py each column that is gone; `.ci/run` runs it.

A release is what data/releases keeps; one in preparation, whose values are those that are published, is compared with
the one before it. A line counts where it stands above that release's heading; it may name several models by their ids.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from pipeline.paths import ROOT
from pipeline.publishing import history, releases
from pipeline.publishing.ended import ENDED
from pipeline.publishing.release_diff import Comparison, Move, number
from pipeline.publishing.releases import Release

LEAST = 0.10


def last_release(now: Release, root: Path) -> Release | None:
    """The newest release under `root` whose estimates are not those that are published now.

    None where there is none.
    """
    earlier = [each for each in history.kept(root) if each.tables["estimates"] != now.tables["estimates"]]
    return earlier[-1] if earlier else None


def unnamed(last: Release, now: Release, changelog: str) -> Iterator[str]:
    """A line for each headline that moved since that release and is not named."""
    newer = re.split(rf"^## {re.escape(last.name)}\s*$", changelog, maxsplit=1, flags=re.MULTILINE)[0]
    for move in filter(_is_far, Comparison(last, now).moves()):
        if not re.search(rf"(?<![\w-]){re.escape(move.id)}(?![\w-]|\.\d)", newer):
            change = "" if move.change_fraction is None else f" ({move.change_fraction:+.1%})"
            through = f", through {'; '.join(move.through)}" if move.through else ""
            yield (
                f"CHANGELOG.md: {move.id} moved from {move.before} to {move.after or 'unknown'} FLOP{change} since release"
                f" {last.name}{through}; write a line that names {move.id}"
            )


def gone(last: Release, now: Release) -> Iterator[str]:
    """A line for each column of estimates.csv that is no longer there, and not among what ended."""
    columns = [set(next(iter(release.tables["estimates"].values()), {})) for release in (last, now)]
    said = re.findall(r"\w+", " ".join(ended.name for things in ENDED.values() for ended in things))
    for column in sorted(columns[0] - columns[1] - set(said)):
        yield f"pipeline/publishing/ended.py: estimates.csv has lost {column} since release {last.name}; say there what to use instead"


def _is_far(move: Move) -> bool:
    is_headline = (move.table, move.column) == ("estimates", "training_flop") and number(move.before) is not None
    return is_headline and (move.after == "" or move.size > LEAST)


def main(root: Path = ROOT) -> int:
    """Prints a line for each headline that is not named. Returns the exit code: 1 where there is any, else 0."""
    try:
        now = releases.here(root)
        last = last_release(now, root)
        changelog = (root / "CHANGELOG.md").read_text(encoding="utf-8")
        problems = [*unnamed(last, now, changelog), *gone(last, now)] if last else []
    except releases.ReleaseError as why:
        print(f"moved headlines: not compared: {why}")
        return 1
    if last is None:
        print("moved headlines: not compared: there is no release before this one")
        return 0
    print("\n".join(problems or [f"every headline that moved since release {last.name} is named in CHANGELOG.md"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
