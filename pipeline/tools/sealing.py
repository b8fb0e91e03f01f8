"""`python -m pipeline.tools.sealing MODEL …`: append a row per model, its blind estimate, to data/records/sealed.csv.

Rows are never changed: a model's first row counts, even if a later row corrects it. Numbers are in FLOP. If a model has
only a range, the row records the ends of the range as the 5 % and 95 % points.
"""

import csv
import sys
from collections.abc import Sequence
from pathlib import Path

from pipeline.base.paths import PUBLISHED, ROOT
from pipeline.publishing import fingerprint
from pipeline.publishing.changes import git
from schemas.spelling import nearest

FILE = "data/records/sealed.csv"
RULES = ("pipeline", "schemas", "params.yaml", "data/records/defaults", "data/records/measurements")
POINTS = {  # the columns of `estimates` under other names in a sealed row
    **{point: f"training_flop_{point}" for point in ("p2_5", "p5", "p10", "p25", "p50", "p75", "p90", "p95", "p97_5")},
    "p5": "training_flop_low", "p50": "training_flop", "p95": "training_flop_high",
}  # fmt: skip
COLUMNS = (
    "model_id", "record_commit", "rules_commit", *(f"{name}_flop" for name in POINTS), "evidence_class",
    "has_makers_total",
)  # fmt: skip


def rows_to_seal(models: Sequence[str]) -> list[list[str]]:
    """Return one row per model, with the points of its published estimate. Raise LookupError for an unknown model."""
    with (PUBLISHED / "estimates.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["model_id"]: row for row in csv.DictReader(file)}
    rules, sealed_rows = git(ROOT, "log", "-1", "--format=%H", "--", *RULES).decode().strip(), []
    for model in models:
        if model not in rows:
            raise LookupError(f"{model!r} is not in the published estimates{nearest(model, rows)}")
        row = rows[model]
        points = {name: row[column] for name, column in POINTS.items()}
        commit = git(ROOT, "log", "-1", "--format=%H", "--", f"data/records/models/{model}.yaml").decode().strip()
        sealed_rows.append(
            [model, commit, rules, *points.values(), row["evidence_class"], str(bool(row["reported_flop"])).lower()]
        )
    return sealed_rows


def mistakes(root: Path = ROOT) -> list[str]:
    """Return one line per commit that added rows which were later changed or removed."""
    # Rows are only appended, so the file must still begin with its content in every commit.
    present = (root / FILE).read_text(encoding="utf-8") if (root / FILE).exists() else ""
    commits = git(root, "log", "--format=%H", "--", FILE).decode().split() if (root / ".git").exists() else []
    return [
        f"{FILE}: lacks or changes a row that commit {commit[:12]} sealed; restore it and append a new row instead"
        for commit in commits
        if not present.startswith(git(root, "show", f"{commit}:{FILE}").decode())
    ]


def main(models: Sequence[str]) -> int:
    """Check the file, append one row for each of these models, and return the exit code."""
    problems = mistakes()
    if models and not fingerprint.is_present():
        problems.append("the published estimates are older than the records or the code; run `make repro` first")
    if models and git(ROOT, "status", "--porcelain", "--", "data/records/models", *RULES):
        problems.append("records or rules have uncommitted changes; commit them first")
    try:
        rows = rows_to_seal(models) if not problems else []
    except LookupError as problem:
        problems.append(str(problem))
    if problems:
        print("\n".join(problems), file=sys.stderr)
        return 1
    if rows:
        heading = [] if (ROOT / FILE).exists() else [COLUMNS]
        with (ROOT / FILE).open("a", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([*heading, *rows])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
