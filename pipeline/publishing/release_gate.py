"""Check that CHANGELOG.md names every headline that moved by more than 10 %, and WHAT_CHANGES.md every lost column.

Both are since the last release. `.ci/run` runs it. Releases are in data/releases. If the newest release has the current
values because it is in preparation, the one before it counts as the last. Only lines above the last release's heading
count; a line may name several model ids.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from pipeline.base.paths import ROOT
from pipeline.publishing import changes
from pipeline.publishing.changes import Files
from pipeline.publishing.removals import PAGE, removed_names

LEAST = 0.10


def last_release(now: Files, root: Path) -> tuple[str, Files] | None:
    """Return the name and files of the newest release whose estimates differ from the current ones, or None."""
    releases = reversed(changes.release_files(root).items())
    return next((release for release in releases if release[1]["estimates"] != now["estimates"]), None)


def unnamed_moves(name: str, last: Files, now: Files, changelog: str) -> Iterator[str]:
    """Yield a line for each headline that changed since the release `name` and is not in the changelog."""
    newer = re.split(rf"^## {re.escape(name)}\s*$", changelog, maxsplit=1, flags=re.MULTILINE)[0]
    for row in changes.value_changes(last, now):
        is_far = row["new"] is None or abs(row["change_fraction"] or 0.0) > LEAST
        if row["column_name"] != "training_flop" or row["old"] is None or not is_far:
            continue
        if not re.search(rf"(?<![\w-]){re.escape(row['model_id'])}(?![\w-]|\.\d)", newer):
            change = "" if row["change_fraction"] is None else f" ({row['change_fraction']:+.1%})"
            through = f", through {row['reason']}" if row["reason"] else ""
            yield (
                f"CHANGELOG.md: {row['model_id']} moved from {row['old']} to {row['new'] or 'unknown'} FLOP{change}"
                f" since"
                f" release {name}{through}; write a line that names {row['model_id']}"
            )


def lost_columns(name: str, last: Files, now: Files) -> Iterator[str]:
    """Yield a line for each column that estimates.csv has lost without a row in WHAT_CHANGES.md."""
    before, after = ({*files["estimates"].split(b"\n", 1)[0].decode().split(",")} for files in (last, now))
    ended_words = re.findall(r"\w+", " ".join(removed_names()))
    for column in sorted(before - after - {*ended_words}):
        yield f"{PAGE}: estimates.csv has lost {column} since release {name}; say there what to use instead"


def main(root: Path = ROOT) -> int:
    """Print a line for each missing headline and column. Return 1 if there are any, otherwise 0."""
    try:
        now = changes.read(str(root))
        last = last_release(now, root)
        changelog = (root / "CHANGELOG.md").read_text(encoding="utf-8")
        problems = [*unnamed_moves(*last, now, changelog), *lost_columns(*last, now)] if last else []
    except changes.ReleaseError as why:
        print(f"moved headlines: not compared: {why}")
        return 1
    if last is None:
        print("moved headlines: not compared: there is no release before this one")
        return 0
    print("\n".join(problems or [f"every headline that moved since release {last[0]} is named in CHANGELOG.md"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
