"""`python -m pipeline.tools.packaging FOLDER`: build a wheel of `flop_ledger`, with the code and the ledger.

The names `pipeline` and `schemas` could collide with other packages, so we rename them in the wheel's copy of the code.
"""

import ast
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb

from pipeline.base.paths import ROOT, SUMS
from pipeline.models.sql import literal
from pipeline.publishing import database, datapackage, fingerprint
from pipeline.publishing.citation import BUILT, package_version, release_of

NAME = "flop_ledger"
PACKAGED = f"{NAME}/_pipeline/packaged"
CODE = ("pipeline", "schemas")
SETTINGS = {  # for pyproject.toml: the checkout's text, and its replacement in the copy
    'module-name = ["pipeline", "schemas"]': f'module-name = "{NAME}"',
    '"pipeline.cli:command"': f'"{NAME}._pipeline.cli:command"',
}
BESIDE = ("pyproject.toml", "README.md", "LICENSE", "LICENSE-DATA")
DATABASE = "data/published/ledger.duckdb"
BLOCK_BYTES = 16384  # the smallest block that DuckDB accepts
STORAGE = "v1.4.0"  # the wheel requires a DuckDB that reads this format; older formats lack its compression
FILES = ("params.yaml", "CITATION.cff", "LICENSE-DATA", "data/published/datapackage.json")
PUBLISHED = ("data/published/estimates.parquet", "data/published/catalogue_estimates.parquet")
# Tables that some functions read from files.
READ = {"defaults", "hardware", "peaks", "year_peaks", "hardware_prices", "grid_factors"}


def stage(folder: Path, root: Path = ROOT) -> None:
    """Copy code and ledger to `folder` as in the wheel. Raise FileNotFoundError without current published files."""
    records = sorted(path for ending in ("yaml", "csv") for path in (root / "data/records").rglob(f"*.{ending}"))
    tables = [path for path in sorted((root / "data/tables").glob("*/*.parquet")) if path.stem in READ]
    missing = [name for name in (DATABASE, *PUBLISHED, *FILES) if not (root / name).is_file()]
    missing += [] if records and tables else ["data"]
    if missing or not fingerprint.is_present(root):
        raise FileNotFoundError(
            f"{', '.join(missing or [DATABASE])}: a wheel contains the published ledger; run `make repro` first"
        )
    for name in CODE:
        shutil.copytree(root / name, folder / NAME / f"_{name}", ignore=shutil.ignore_patterns("__pycache__"))
    for path in (folder / NAME).rglob("*.py"):
        path.write_text(rename(path.read_text(encoding="utf-8")), encoding="utf-8")
    (folder / NAME / "_pipeline" / "api.py").rename(folder / NAME / "__init__.py")
    # The package itself exports the functions of `api`.
    (folder / NAME / "_pipeline" / "__init__.py").write_text("", encoding="utf-8")
    (folder / NAME / "py.typed").touch()
    for name in BESIDE:
        shutil.copy(root / name, folder / name)
    settings = (folder / "pyproject.toml").read_text(encoding="utf-8")
    version = json.loads((root / "data/published/datapackage.json").read_text(encoding="utf-8"))["version"]
    release = release_of(version, root)
    for before, after in (
        SETTINGS | {f'version = "{package_version(version)}"': f'version = "{package_version(release)}"'}
    ).items():
        settings = settings.replace(before, after)
    (folder / "pyproject.toml").write_text(settings, encoding="utf-8")
    packaged = folder / PACKAGED
    for name in (*FILES, *(path.relative_to(root).as_posix() for path in records)):
        (packaged / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(root / name, packaged / name)
    with duckdb.connect() as connection:
        for name in (*PUBLISHED, *(path.relative_to(root).as_posix() for path in tables)):
            (packaged / name).parent.mkdir(parents=True, exist_ok=True)
            smallest = "format parquet, compression zstd, compression_level 19, parquet_version v2"
            connection.execute(
                f"copy (from read_parquet({literal(root / name)})) to {literal(packaged / name)} ({smallest})"
            )
        _copy_database(connection, root / DATABASE, packaged / DATABASE)
    published = packaged / "data/published"
    (packaged / BUILT).write_text(f"{release}\n", encoding="utf-8")
    (published / SUMS).write_text(datapackage.checksums(published), encoding="utf-8")
    database.vouch(packaged / DATABASE)


def rename(code: str) -> str:
    """Return the code, importing from `flop_ledger`, not `pipeline` and `schemas`. Raise ValueError for other imports.

    >>> print(rename("from pipeline.api import model\\nif model:\\n    from schemas.tables import peaks"))
    from flop_ledger import model
    if model:
        from flop_ledger._schemas.tables import peaks
    """
    lines = code.splitlines(keepends=True)
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import) and any(alias.name.split(".")[0] in CODE for alias in node.names):
            raise ValueError(f"{ast.unparse(node)}: write `from … import …`, which can be renamed")
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] in CODE:
            module = NAME if node.module == "pipeline.api" else f"{NAME}._{node.module}"
            place = node.lineno - 1
            lines[place] = lines[place].replace(f"from {node.module} ", f"from {module} ", 1)
    return "".join(lines)


def _copy_database(connection: duckdb.DuckDBPyConnection, source: Path, target: Path) -> None:
    """Copy tables, views and comments into a file about a third the size of the published one.

    Verify the published file first, because this runs SQL from it.
    """
    connection.execute(f"attach {literal(source)} as published (read_only)")
    connection.execute(f"attach {literal(target)} as packaged (block_size {BLOCK_BYTES}, storage_version '{STORAGE}')")
    connection.execute("copy from database published to packaged")


def main() -> None:
    """Build the wheel into the folder that the first argument names."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            stage(Path(folder))
        except FileNotFoundError as problem:
            print(problem, file=sys.stderr)
            raise SystemExit(1) from None
        uv, target = Path(sys.executable).with_name("uv"), Path(sys.argv[1]).resolve()
        raise SystemExit(subprocess.run([uv, "build", "--quiet", "--wheel", "--out-dir", target, folder]).returncode)


if __name__ == "__main__":
    main()
