"""dvc.yaml, made from the stages' signatures and imports: `python -m pipeline.dvc_file` prints it.

Code dependencies are folders, so that a new module needs no line; tables are named singly, so that a changed quote does not rerun
the whole chain. What all stages run is one file, and what one stage reads whole is one folder: DVC reads and writes every dependency
of every stage at each stage that it runs, which takes as long as half of the stages.
"""

import ast
import sys
from pathlib import Path
from typing import Any

import yaml

from pipeline import code_sums, compiled, flow
from pipeline.paths import LEDGER, ROOT, SNAPSHOT
from pipeline.publishing.files import PUBLISHED

HEAD = "# The pipeline in reading order. Generated from the stages' signatures and imports: `make dvc.yaml` writes it again.\n\n"
PYTHON = ".venv/bin/python"
CODE = f"data/tables/{code_sums.FILE}"
STAGES = Path("pipeline/stages")
INTERFACE = "pipeline/__init__.py"  # its imports serve Python users; no stage runs them
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


def content() -> dict[str, Any]:
    """What dvc.yaml holds."""
    return {"stages": {"code": _code(), **{stage: _stage(stage) for stage in flow.STAGES}}, "plots": PLOTS}


def text() -> str:
    """The file, as it stands at the top of the checkout."""
    return HEAD + yaml.safe_dump(content(), sort_keys=False, width=140, allow_unicode=True, default_flow_style=None)


def _code() -> dict[str, Any]:
    return {
        "desc": "Lists the checksums of the code that every stage runs: one file that they all depend on.",
        "cmd": f"{PYTHON} -m {code_sums.__name__}",
        "deps": sorted(["pipeline/code_sums.py", *code_sums.CODE]),
        "outs": [CODE],
    }


def _stage(stage: str) -> dict[str, Any]:
    wired = flow.wiring(stage)
    own = _imported(f"pipeline/stages/{stage}.py")
    deps = {_dependency(file) for file in own} | {CODE}
    if "pipeline/flow.py" in own:  # it runs stages in memory
        deps = {dep for dep in deps if Path(dep).parent != STAGES} | {STAGES.as_posix()}
    if "records" in wired.others:
        deps |= {_dependency(file) for file in _imported("pipeline/records/ledger.py")} | {"data/records"}
    if "snapshot" in wired.others:
        deps.add(SNAPSHOT.relative_to(LEDGER).as_posix())
    if "releases" in wired.others:
        deps.add("data/releases")
    if "ledger" in wired.others:
        deps = deps - {CODE} | {"data/tables"}
    else:
        deps |= {f"data/tables/{name}.parquet" for name in wired.tables}
    if stage in compiled.STAGES:
        deps.add(f"data/tables/{compiled.FILE}")
    blocks = flow.params_blocks(wired)
    if len(blocks) > 1:
        deps.add("params.yaml")
    outs: list[Any] = [f"data/tables/{name}.parquet" for name in sorted(wired.outputs)]
    outs += [f"data/tables/{file}" for name, file in wired.files.items() if name != "metrics"]
    if "release" in wired.others:
        outs = [{f"data/published/{name}": {"cache": False, "persist": True}} for name in PUBLISHED]
    made: dict[str, Any] = {
        "desc": (wired.build.__doc__ or "").splitlines()[0],
        "cmd": f"{PYTHON} -m pipeline.flow {stage}",
        "deps": sorted(dep for dep in deps if not _is_shared(dep)),
    }
    if len(blocks) == 1:
        made["params"] = blocks
    made["outs"] = outs
    if metrics := [f"data/tables/{wired.files[name]}" for name in wired.files if name == "metrics"]:
        made["metrics"] = metrics
    return made


def _is_shared(dependency: str) -> bool:
    return any(Path(dependency).is_relative_to(each) for each in code_sums.CODE)


def _dependency(file: str) -> str:
    """A stage by its file, other code by its folder."""
    parts = file.split("/")
    return file if parts[0] == "schemas" or parts[1] == "stages" or len(parts) == 2 else f"pipeline/{parts[1]}"


def _imported(path: str) -> set[str]:
    # Our own files that this one imports, directly or through others, itself included.
    found: set[str] = set()
    waiting = [path]
    while waiting:
        file = waiting.pop()
        if file not in found and file != INTERFACE:
            found.add(file)
            waiting += _imports(file)
    return {file for file in found if not file.endswith("stages/__init__.py")}


def _imports(file: str) -> list[str]:
    found = []
    for node in ast.walk(ast.parse((ROOT / file).read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            path = Path(*name.split("."))
            if name.split(".")[0] in ("pipeline", "schemas"):
                inside = (path.with_suffix(".py"), path / "__init__.py")
                found += [each.as_posix() for each in inside if (ROOT / each).is_file()]
    return found


if __name__ == "__main__":
    sys.stdout.write(text())
