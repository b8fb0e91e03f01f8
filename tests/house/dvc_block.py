"""What dvc.yaml should say: each stage's dependencies, parameters and outputs, read off signatures and imports."""

import ast
import functools
from pathlib import Path

from pipeline import flow
from pipeline.pages import MADE_ELSEWHERE, PAGES

ROOT = flow.ROOT
PYTHON = ".venv/bin/python"
# Families are chosen by name and pages have templates beside them, so whoever imports such a room depends on all of it.
WHOLE = ("pipeline/architectures", "pipeline/pages")
UNUSED = ("pipeline/__init__.py",)  # what it imports, it imports for a person who calls it; stages do not
PUBLISHED = tuple(
    f"data/published/{name}"
    for name in (
        "SHA256SUMS",
        "datapackage.json",
        "estimates.csv",
        "estimates.parquet",
        "identifiers.csv",
        "method_comparison.csv",
        "utilization.csv",
    )
) + tuple(f"data/published/report/{name}.html" for name in sorted({*PAGES} - MADE_ELSEWHERE))


# Drawn by `dvc plots show` and `dvc plots diff`, with the templates in .dvc/plots.
PLOTS = [
    {
        "Measured utilization (point: median; line: 10 % to 90 %) against the default (tick)": {
            "template": "utilization",
            "x": "utilization_median_fraction",
            "x_label": "share of the dense peak",
            "y": {"data/published/utilization.csv": "default_utilization_fraction"},
        }
    },
    {
        "Training compute by the two methods": {
            "template": "methods",
            "x": "gpu_time_flop",
            "x_label": "GPU time x peak x default utilization, FLOP",
            "y": {"data/published/estimates.csv": "operation_count_flop"},
            "y_label": "counted operations, FLOP",
        }
    },
]


def expected() -> dict:
    """The content of dvc.yaml."""
    return {"stages": {stage: _stage(stage) for stage in flow.STAGES}, "plots": PLOTS}


def imported_files(path: str) -> set[str]:
    """Our own files that this one imports, directly or through others, itself included; a folder where a package is meant."""
    found: set[str] = set()
    waiting = [path]
    while waiting:
        file = waiting.pop()
        if file in found:
            continue
        found.add(file)
        if file not in UNUSED:
            waiting += _imports(file)
    for room in WHOLE:
        inside = {file for file in found if file.startswith(f"{room}/")}
        found = found - inside | ({room} if inside else set())
    return found


@functools.cache
def _imports(file: str) -> tuple[str, ...]:
    found = []
    tree = ast.parse((ROOT / file).read_text())
    for node in ast.walk(tree):
        names = []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            path = Path(*name.split("."))
            if name.split(".")[0] not in ("pipeline", "schemas"):
                continue
            for candidate in (path.with_suffix(".py"), path / "__init__.py"):
                if (ROOT / candidate).is_file():
                    found.append(candidate.as_posix())
    return tuple(found)


def _stage(stage: str) -> dict:
    wired = flow.wiring(stage)
    module = f"pipeline/stages/{stage}.py"
    files = imported_files(module) | {"pipeline/flow.py", "pipeline/door.py"}
    if "records" in wired.others:
        files |= imported_files("pipeline/records.py") | {"data/records"}
    files |= {f"data/tables/{name}.parquet" for name in wired.tables}
    outs: list = [f"data/tables/{name}.parquet" for name in sorted(wired.outputs)]
    if "ledger" in wired.others:
        files |= {path.relative_to(ROOT).as_posix() for path in (ROOT / "schemas" / "tables").glob("*.py")}
    if "release" in wired.others:
        files.add("CITATION.cff")  # the pages say how to cite
        outs = [{path: {"cache": False, "persist": True}} for path in PUBLISHED]
    made = {
        "desc": (wired.build.__doc__ or "").splitlines()[0],
        "cmd": f"{PYTHON} -m pipeline.flow {stage}",
        "deps": sorted(file for file in files if not file.endswith("__init__.py")),
    }
    if "params" in wired.others:
        made["params"] = [flow.params_block(wired)]
    made["outs"] = outs
    if wired.has_metrics:
        made["metrics"] = ["data/tables/metrics.json"]
    return made
