"""Who may import whom, proved on the import graph: one rule a folder."""

import ast
import sys
from pathlib import Path

import pytest

from pipeline.paths import ROOT

# Folder or file: what its files may import beside their own folder. The longest matching path decides.
MAY_IMPORT = {
    "schemas": {"pydantic", "pydantic_core", "pandas", "pint", "great_expectations"},
    "pipeline/paths.py": set(),
    "pipeline/one_thread.py": set(),
    "pipeline/packaging": {"pipeline.paths", "duckdb"},
    "pipeline/download.py": {"schemas.plain_text", "requests", "urllib3"},
    "pipeline/formulas": set(),
    "pipeline/architectures": {"pipeline.formulas", "schemas.vocabulary", "schemas.spelling"},
    "pipeline/records": {"pipeline.architectures", "pipeline.formulas", "pipeline.paths", "schemas", "pydantic", "yaml"},
    "pipeline/rules": {"pipeline.formulas", "schemas", "narwhals", "numpy"},
    "pipeline/rules/ingestion": {"pipeline.rules", "pipeline.architectures", "pipeline.formulas", "schemas"},
    "pipeline/stages": {"pipeline.contracts", "pipeline.paths", "pipeline.rules", "pipeline.publishing", "pipeline.catalogues", "schemas", "narwhals"},
    "pipeline/stages/compile_stages.py": {"pipeline.compiled", "pipeline.contracts", "pipeline.flow", "pipeline.rules.frames", "pipeline.rules.ingestion.defaults", "schemas", "duckdb"},
    "pipeline/publishing": {"pipeline.paths", "schemas", "narwhals", "duckdb", "yaml", "pathspec"},
    "pipeline/catalogues": {"pipeline.records", "pipeline.rules", "pipeline.formulas", "pipeline.architectures", "pipeline.publishing", "pipeline.flow", "pipeline.paths", "pipeline.download", "schemas", "pydantic"},
    "pipeline/drafting": {"pipeline.records", "pipeline.paths", "schemas", "markdown_it", "numpy", "pypdfium2", "requests", "scipy", "selectolax", "yaml"},
    "pipeline/fitting": {"pipeline.rules.adjudicated", "pipeline.sql", "pipeline.records.params", "pipeline.publishing.summaries", "pipeline.paths", "duckdb", "numpy", "pandas", "scipy"},
    "pipeline/measure": {"pipeline.formulas", "pipeline.architectures", "pipeline.paths", "schemas.spelling", "yaml", "torch", "cupy", "cupyx", "fvcore", "ptflops", "pthflops", "calflops", "torchinfo", "thop", "deepspeed"},
    "pipeline/site": {"pipeline.compiled", "pipeline.flow", "pipeline.measure.audit", "pipeline.paths", "pipeline.progress", "pipeline.publishing", "pipeline.records.params", "pipeline.rules.frames", "pipeline.rules.utilization", "schemas", "altair", "duckdb", "jinja2", "markdown_it", "markupsafe", "narwhals", "vl_convert", "xlsxwriter", "yaml"},
    "pipeline/contracts.py": {"schemas", "pyarrow", "pandas", "pandera"},
    "pipeline/own_tables.py": {"pipeline.contracts", "pipeline.on_spark", "pipeline.paths", "pipeline.records.params", "pipeline.sql", "schemas", "duckdb", "pyarrow"},
    "pipeline/on_spark.py": {"pipeline.own_tables", "duckdb", "pyarrow", "pyspark"},
    "pipeline/compiled.py": {"pipeline.paths", "pipeline.rules.frames", "schemas", "duckdb", "narwhals"},
    "pipeline/dictionary.py": {"pipeline.contracts", "pipeline.flow", "pipeline.paths", "pipeline.publishing", "schemas", "duckdb"},
    "pipeline/code_sums.py": {"pipeline.paths"},
    "pipeline/dvc_file.py": {"pipeline.code_sums", "pipeline.compiled", "pipeline.flow", "pipeline.paths", "pipeline.publishing.files", "yaml"},
    "pipeline/flow.py": {"pipeline.compiled", "pipeline.contracts", "pipeline.one_thread", "pipeline.paths", "pipeline.publishing.database", "pipeline.publishing.history", "pipeline.ranges", "pipeline.records", "pipeline.rules.frames", "schemas", "narwhals", "duckdb", "pyarrow"},
    "pipeline/ranges.py": {"schemas", "duckdb"},
    "pipeline/progress.py": {"rich"},
    "pipeline/recover.py": {"pipeline.paths", "pipeline.publishing", "dvc", "psutil", "voluptuous"},
}  # fmt: skip
INTERFACES = ("pipeline/commands/", "pipeline/cli.py", "pipeline/__init__.py")  # may import anything of ours
FILES = sorted(
    path.relative_to(ROOT).as_posix() for folder in ("schemas", "pipeline") for path in (ROOT / folder).rglob("*.py")
)


def imports(file):
    """Modules that a file imports, those of ours in full."""
    for node in ast.walk(ast.parse((ROOT / file).read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file} has a relative import"
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                is_module = any((ROOT / Path(*inner.split("."))).with_suffix(end).exists() for end in (".py", ""))
                yield inner if is_module else node.module


def is_within(module, allowed):
    return module == allowed or module.startswith(f"{allowed}.")


def refused(file):
    """What a file imports and may not."""
    folder = max((place for place in MAY_IMPORT if file == place or file.startswith(f"{place}/")), key=len)
    allowed = {*MAY_IMPORT[folder], folder.removesuffix(".py").replace("/", ".")}
    for module in imports(file):
        is_standard = module.split(".")[0] in sys.stdlib_module_names
        if not is_standard and not any(is_within(module, each) for each in allowed):
            yield module


def test_a_file_imports_only_what_its_folder_may():
    found = {file: sorted({*refused(file)}) for file in FILES if not file.startswith(INTERFACES)}
    assert {file: modules for file, modules in found.items() if modules} == {}


def test_nothing_but_the_interfaces_imports_a_command():
    found = [
        file
        for file in FILES
        if not file.startswith(INTERFACES)
        for module in imports(file)
        if is_within(module, "pipeline.commands") or is_within(module, "pipeline.cli")
    ]
    assert found == []


def test_no_stage_imports_another():
    stages = [file for file in FILES if file.startswith("pipeline/stages/")]
    assert [file for file in stages for module in imports(file) if is_within(module, "pipeline.stages")] == []


def test_the_readers_table_has_every_folder():
    table = (ROOT / "pipeline" / "README.md").read_text().partition("## Who imports whom")[2].partition("\n## ")[0]
    folders = {place.removeprefix("pipeline/") for place in MAY_IMPORT}
    assert {name for name in folders if f"`{name}`" not in table and f"`{name}/`" not in table} == set()


# torch too: the normal tests read the folder without it.
@pytest.mark.parametrize("folder", ["pipeline/measure"])
def test_optional_packages_are_imported_where_they_are_used(folder):
    for file in (file for file in FILES if file.startswith(f"{folder}/")):
        tree = ast.parse((ROOT / file).read_text())
        names = {alias.name for node in tree.body if isinstance(node, ast.Import) for alias in node.names}
        names |= {node.module for node in tree.body if isinstance(node, ast.ImportFrom)}
        optional = [
            name for name in names if name.split(".")[0] not in {*sys.stdlib_module_names, "pipeline", "schemas"}
        ]
        assert not optional, file


def test_formulas_use_no_conditions_on_values():
    # Conditions, logarithms and error functions belong to rules: formulas run on columns and expressions too.
    for name in ("operations", "gpu_time", "agreement", "uncertainty"):
        tree = ast.parse((ROOT / f"pipeline/formulas/{name}.py").read_text())
        assert not [node for node in ast.walk(tree) if isinstance(node, ast.If | ast.IfExp | ast.Compare)], name
