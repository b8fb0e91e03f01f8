"""Who may import whom: the whitelist of the architecture, proved on the import graph."""

import ast
import sys
from pathlib import Path

import pytest

from pipeline import flow

ALLOWED = {
    "schemas": {"schemas", "pandera", "pydantic", "pydantic_core", "pandas", "pint"},
    "schemas/expectations.py": {"schemas", "great_expectations", "pandas"},
    "pipeline/formulas": {"pipeline.formulas"},
    "pipeline/architectures": {"pipeline.architectures", "pipeline.formulas", "schemas.vocabulary"},
    "pipeline/yaml_text.py": {"yaml"},
    "pipeline/evidence.py": {"schemas"},
    "pipeline/record_checks.py": {
        "schemas", "pipeline.architectures", "pipeline.formulas", "pipeline.evidence", "pipeline.yaml_text",
    },
    "pipeline/records.py": {"schemas", "pipeline.architectures", "pipeline.record_checks", "pipeline.yaml_text", "pydantic"},
    "pipeline/remembered.py": {"schemas", "pipeline.record_checks", "pipeline.records", "pipeline.yaml_text", "pydantic", "yaml"},
    "pipeline/stages": {"schemas", "pipeline.formulas", "pipeline.architectures", "narwhals", "pandas"},
    "pipeline/imputation.py": {"schemas", "pipeline.formulas", "narwhals"},
    "pipeline/stages/impute.py": {"schemas", "pipeline.imputation"},
    "pipeline/stages/estimate_gpu_time.py": {"schemas", "pipeline.formulas", "pipeline.imputation", "narwhals"},
    "pipeline/backtests": {"schemas", "pipeline.backtests", "pipeline.formulas", "pipeline.imputation", "narwhals"},
    "pipeline/stages/backtest.py": {"schemas", "pipeline.backtests", "pipeline.imputation", "narwhals"},
    "pipeline/shrinkage.py": {"schemas", "numpy"},
    "pipeline/stages/calibrate.py": {"schemas", "pipeline.formulas", "pipeline.shrinkage", "narwhals"},
    "pipeline/stages/publish.py": {"schemas", "pipeline.csv_text", "pipeline.package", "pipeline.pages", "pipeline.database", "pipeline.wholes"},
    "pipeline/dictionary.py": {
        "schemas", "pipeline.door", "pipeline.flow", "pipeline.stages.publish", "pipeline.views", "duckdb",
    },
    "pipeline/wholes.py": {"schemas", "narwhals"},
    "pipeline/causes.py": {"schemas", "pipeline.formulas", "narwhals"},
    "pipeline/headline.py": {"schemas", "pipeline.formulas", "narwhals"},
    "pipeline/stages/reconcile.py": {"schemas", "pipeline.formulas", "pipeline.causes", "pipeline.headline", "narwhals"},
    "pipeline/cause_words.py": {"schemas", "pipeline.formulas"},
    "pipeline/triage.py": {"schemas", "pipeline.formulas"},
    "pipeline/stages/diagnose.py": {"schemas", "pipeline.cause_words", "pipeline.formulas", "pipeline.triage"},
    "pipeline/pages": {"pipeline.pages", "schemas.vocabulary", "jinja2", "altair", "vl_convert"},
    "pipeline/pages/citation.py": {"yaml"},
    "pipeline/pages/methods.py": {"pipeline.pages", "pipeline.catalogues.crosswalk", "schemas.vocabulary"},
    "pipeline/utilization.py": {"schemas", "pipeline.flow", "pipeline.shrinkage", "pipeline.stages"},
    "pipeline/package.py": {"schemas"},
    "pipeline/measure": {"pipeline.measure", "pipeline.formulas", "pipeline.architectures", "torch"},
    "pipeline/measure/page.py": {"pipeline.measure", "pipeline.pages"},
    # Optional counters, inside the function that uses each: nothing else of the stack need exist on a GPU machine.
    "pipeline/measure/counters.py": {
        "pipeline.measure", "pipeline.formulas", "pipeline.architectures", "torch",
        "fvcore", "ptflops", "pthflops", "calflops", "torchinfo", "thop", "deepspeed",
    },
    # Reading and downloading other people's tables; the only room that opens a socket.
    "pipeline/catalogues": {
        "pipeline.catalogues", "pipeline.architectures", "schemas", "pydantic", "requests", "urllib3", "pandas",
    },
    "pipeline/catalogue_estimates.py": {"pipeline.csv_text", "pipeline.flow", "pipeline.catalogues", "schemas"},
    "pipeline/measure/harness/products.py": {
        "pipeline.measure", "pipeline.formulas", "pipeline.architectures", "torch", "cupy", "cupyx",
    },
    "pipeline/door.py": {"schemas", "pyarrow", "pandas", "pandera"},
    "pipeline/flow.py": {
        "pipeline.door", "pipeline.parameters", "pipeline.records", "schemas", "narwhals", "duckdb", "pyarrow",
    },
    "pipeline/scaffold.py": {"schemas", "pipeline.architectures"},
    "pipeline/counting.py": {"pipeline.architectures", "pipeline.formulas"},
    # Reading the published ledger: light, so that an answer comes at once.
    "pipeline/views.py": set(),
    "pipeline/names.py": set(),
    "pipeline/csv_text.py": set(),
    "pipeline/rendering.py": {"pipeline.csv_text", "rich"},
    "pipeline/database.py": {"pipeline.views", "schemas", "duckdb"},
    "pipeline/query.py": {"pipeline.database", "duckdb"},
    "pipeline/set_aside.py": set(),
    "pipeline/listing.py": {"pipeline.names", "pipeline.rendering", "pipeline.set_aside", "schemas.vocabulary", "duckdb"},
    "pipeline/releases.py": {"pipeline.csv_text", "duckdb"},
    "pipeline/release_diff.py": {"pipeline.releases", "yaml"},
    "pipeline/chips.py": {"pipeline.names", "pipeline.listing"},
    "pipeline/doctor.py": {"pipeline.database", "pipeline.flow", "pipeline.records"},
    "pipeline/what_if.py": {"pipeline.explain", "pipeline.names", "schemas"},
    "pipeline/freshness.py": {"yaml"},
    "pipeline/parameters.py": {"schemas", "pipeline.records", "pipeline.yaml_text", "pydantic"},
    "pipeline/explain.py": {
        "pipeline.flow", "pipeline.freshness", "pipeline.parameters", "pipeline.utilization", "duckdb",
        "pipeline.formulas", "pipeline.names", "pipeline.set_aside", "schemas",
    },
}  # fmt: skip
ANYTHING = {"pipeline/cli.py", "pipeline/reading_verbs.py", "pipeline/__init__.py"}
FILES = sorted(
    path.relative_to(flow.ROOT).as_posix()
    for folder in ("schemas", "pipeline")
    for path in (flow.ROOT / folder).rglob("*.py")
)


def imports(file):
    """Modules that a file imports, those of ours in full."""
    for node in ast.walk(ast.parse((flow.ROOT / file).read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file} has a relative import"
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                is_module = any((flow.ROOT / Path(*inner.split("."))).with_suffix(end).exists() for end in (".py", ""))
                yield inner if is_module else node.module


def rules(file):
    rooms = [room for room in ALLOWED if file == room or file.startswith(f"{room}/")]
    return ALLOWED[max(rooms, key=len)]


@pytest.mark.parametrize("file", [file for file in FILES if file not in ANYTHING])
def test_a_room_imports_only_what_it_may(file):
    for module in imports(file):
        if module.split(".")[0] in sys.stdlib_module_names:
            continue
        assert any(module == allowed or module.startswith(f"{allowed}.") for allowed in rules(file)), (
            f"{file} imports {module}"
        )
        if file.startswith("pipeline/stages/"):
            assert not module.startswith("pipeline.stages"), f"{file} imports another stage"


# torch too: the normal tests read the room without it.
@pytest.mark.parametrize("file", [file for file in FILES if file.startswith("pipeline/measure/")])
def test_optional_packages_are_imported_where_they_are_used(file):
    tree = ast.parse((flow.ROOT / file).read_text())
    names = {alias.name for node in tree.body if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module for node in tree.body if isinstance(node, ast.ImportFrom)}
    assert all(name.split(".")[0] in sys.stdlib_module_names or name.startswith("pipeline.") for name in names)


def test_nothing_imports_the_command_line():
    assert not [file for file in FILES if file != "pipeline/cli.py" and "pipeline.cli" in imports(file)]


def test_formulas_use_no_conditions_on_values():
    # Conditions, logarithms and error functions belong to stages: formulas run on columns and expressions too.
    for name in ("operations", "gpu_time", "agreement", "uncertainty"):
        tree = ast.parse((flow.ROOT / f"pipeline/formulas/{name}.py").read_text())
        assert not [node for node in ast.walk(tree) if isinstance(node, ast.If | ast.IfExp | ast.Compare)], name
