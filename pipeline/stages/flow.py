"""Run one stage on files, as in `python -m pipeline STAGE`, which dvc.yaml calls.

A stage reads the tables of earlier stages and checks its own tables against their contracts. It moves its files into
place once all of them are complete.
"""

import contextlib
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pyarrow.parquet as pq

from pipeline.base.paths import ROOT, SUMS, alone_in, collect_seldom, in_a_line
from pipeline.models import sql
from pipeline.records import params
from pipeline.stages import BEFORE, STAGES, TABLES, Given, Rows, Tables
from schemas import contracts
from schemas.errors import ContractError
from schemas.tables import grain


def run(stage: str, root: Path = ROOT) -> None:
    """Run one stage under `root`: read records, params.yaml and tables, and write to data/tables and data/published.

    Wait for any other stage that runs under the same root. Raise ContractError, RecordError, OSError or a DuckDB error,
    leaving earlier tables and published files unchanged.
    """
    tables, published = root / "data" / "tables", root / "data" / "published"
    tables.mkdir(parents=True, exist_ok=True)
    with alone_in(tables), _work_folder(root / "data" / "unfinished") as folder:
        given = Given(root, params.load(root), tables_before(stage, root), folder / "tables", folder / "published")
        for name, rows in STAGES[stage](given).items():
            _write(given.tables_folder / f"{name}.parquet", name, rows)
        (tables / stage).mkdir(exist_ok=True)
        _drop_former(tables / stage, given.tables_folder)
        _move_files(given.tables_folder, tables / stage)
        _move_files(given.release, published)


def tables_before(stage: str, root: Path = ROOT) -> Tables:
    """Return the tables that this stage reads, as DuckDB relations by name.

    Raise ContractError if a table is missing.
    """
    tables, missing = {}, []
    for earlier in BEFORE[stage]:
        for name in TABLES[earlier]:
            path = root / "data" / "tables" / earlier / f"{name}.parquet"
            if path.is_file():
                tables[name] = duckdb.read_parquet(str(path))
            else:
                missing.append(f"{path.relative_to(root)}: is missing; `dvc repro` makes it")
    if missing:
        raise ContractError("\n".join(missing))
    return tables


def _drop_former(folder: Path, written: Path) -> None:
    """Remove tables that the stage no longer writes, because DVC's checksum covers everything in the folder."""
    for file in folder.iterdir():
        if not (written / file.name).exists():
            file.unlink()


@contextmanager
def _work_folder(folder: Path) -> Iterator[Path]:
    """Create an empty folder for unfinished files, even if a killed run left one behind, and remove it afterwards."""
    shutil.rmtree(folder, ignore_errors=True)
    try:
        for name in ("tables", "published"):
            (folder / name).mkdir(parents=True)
        yield folder
    except OSError as problem:
        problem.filename = problem.filename or str(folder)  # some errors name no file
        raise
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _move_files(source: Path, target_folder: Path) -> None:
    """Move all files in one folder into another.

    SHA256SUMS is removed first and written last. So if it exists, all files that it lists come from one release, even
    after a killed run.
    """
    files = sorted(path for path in source.rglob("*") if path.is_file())
    if (source / SUMS).exists():
        (target_folder / SUMS).unlink(missing_ok=True)
        files.sort(key=lambda path: path == source / SUMS)
    for file in files:
        target = target_folder / file.relative_to(source)
        target.parent.mkdir(parents=True, exist_ok=True)
        os.replace(file, target)


def _write(path: Path, name: str, rows: Rows) -> None:
    table = rows.to_arrow_table() if isinstance(rows, duckdb.DuckDBPyRelation) else contracts.arrow_table(rows, name)
    contracts.check(name, table)
    pq.write_table(table.sort_by([(column, "ascending") for column in grain(name)]), path)


def main(stage: str) -> None:
    """Run a stage and print a line about it. If the data or the system cause errors, print them and exit with 1."""
    from pipeline.publishing.database import MACHINE
    from pipeline.records.yaml_text import RecordError

    collect_seldom()

    try:
        with contextlib.chdir(ROOT):
            files = {file.stem: file for file in Path("data/records/models").glob("*.yaml")}
        run(stage)
        print(f"{stage}: {len(TABLES[stage])} tables in data/tables/{stage}", file=sys.stderr)
    except ContractError as problem:
        from pipeline.records.refusals import in_records

        message = str(in_records(problem, files))
    except RecordError as problem:
        message = str(problem)
    except (OSError, *MACHINE) as problem:
        message = f"{stage}: {in_a_line(problem) if isinstance(problem, OSError) else sql.reason(problem)}"
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    else:
        return
    print(message, file=sys.stderr)
    raise SystemExit(1)
