"""Runs stages, on disk or in memory: wires them by argument name and validates tables against their contracts.

`python -m pipeline STAGE` is what dvc.yaml calls. A stage's arguments are tables (by their contract's name), `ledger` (all tables
of the stages before), `records` (of which only changed files are parsed), `snapshot` (the path of Epoch's table),
`releases` (what was published before), `params` (params.yaml), `release` (a folder for published files,
renamed into place when all of it is there), `last_release` (the folder that those will replace) or `made_from` (the fingerprint of all inputs).
"""

import contextlib
import json
import os
import shutil
import sys
import typing
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, get_args, get_type_hints

import duckdb
import pyarrow.parquet as pq

from pipeline import contracts
from pipeline.in_memory import make as make
from pipeline.in_memory import run_all as run_all
from pipeline.paths import LEDGER, ROOT, SNAPSHOT, SUMS, alone_in, collect_seldom, in_a_line, table_file
from pipeline.records import params
from schemas.table import ContractError, Ledger, Metrics, Table, TableModel, table_name

STAGES = ("ingest", "estimate", "check", "catalogue", "publish")  # in reading order, each after what it reads
FILES = {Metrics: "metrics.json"}  # written beside the tables


class Wiring(NamedTuple):
    """Inputs and outputs of a stage, from its signature."""

    build: Callable[..., Any]
    tables: dict[str, type[TableModel]]
    others: dict[str, Any]
    outputs: dict[str, type[TableModel]]
    files: dict[str, str]  # beside the tables, by the name of what they hold


def wiring(stage: str) -> Wiring:
    """The wiring of a stage. Raises TypeError where an argument that is a table is not named after its contract."""
    return _wiring(stage, import_module(f"pipeline.stages.{stage}").build)


@cache
def _wiring(stage: str, build: Callable[..., Any]) -> Wiring:
    hints = get_type_hints(build)
    result = hints.pop("return")
    tables = {name: _contract(hint) for name, hint in hints.items() if _is_table(hint)}
    for name, contract in tables.items():
        if name != table_name(contract):
            raise TypeError(
                f"{stage}.build: the argument of {contract.__name__} is called {table_name(contract)}, not {name}"
            )
    named = get_type_hints(result) if hasattr(result, "_fields") else {"": result}
    outputs = {table_name(_contract(hint)): _contract(hint) for hint in named.values() if _is_table(hint)}
    others = {name: hint for name, hint in hints.items() if name not in tables}
    if Ledger in others.values():
        before = STAGES[: STAGES.index(stage)]
        tables = {name: contract for earlier in before for name, contract in wiring(earlier).outputs.items()}
    files = {name: FILES[hint] for name, hint in named.items() if hint in FILES}
    return Wiring(build, tables, others, outputs, files)


def _is_table(hint: Any) -> bool:
    return typing.get_origin(hint) is Table


def _contract(hint: Any) -> type[TableModel]:
    return typing.cast(type[TableModel], get_args(hint)[0])


def run(stage: str, root: Path = ROOT) -> None:
    """Runs one stage on disk: reads its tables from data/tables, writes its own there; reads records and params under `root`.

    Waits for another stage that runs under the same root. Raises ContractError, RecordError, OSError, or an error of DuckDB; then
    earlier tables and published files stay unchanged.
    """
    wired = wiring(stage)
    tables, published = root / "data" / "tables", root / "data" / "published"
    tables.mkdir(parents=True, exist_ok=True)
    with alone_in(tables), _unfinished(root / "data" / "unfinished") as beside:
        given = {name: _read(name, contract, root) for name, contract in wired.tables.items()}
        others = _others(stage, wired, root, beside / "published")
        results = _results(wired, wired.build(**_given(wired, given), **others))
        for name, contract in wired.outputs.items():
            _write(beside / "tables" / f"{name}.parquet", results[name], contract)
        for name, file in wired.files.items():
            (beside / "tables" / file).write_text(as_json(results[name]))
        (tables / stage).mkdir(exist_ok=True)
        _drop_former(tables / stage, beside / "tables")
        _into_place(beside / "tables", tables / stage)
        _into_place(beside / "published", published)


def _drop_former(folder: Path, made: Path) -> None:
    """Removes what the stage makes no more: DVC notes the checksum of all that lies in its folder."""
    for file in folder.iterdir():
        if not (made / file.name).exists():
            file.unlink()


def as_json(held: Mapping[str, Any]) -> str:
    """What a stage makes beside tables, as its file has it."""
    return json.dumps(held, indent=2, sort_keys=True) + "\n"


@contextmanager
def _unfinished(folder: Path) -> Iterator[Path]:
    """A folder for files that are not whole yet, empty even where a run was killed, and gone afterwards."""
    shutil.rmtree(folder, ignore_errors=True)
    try:
        for name in ("tables", "published"):
            (folder / name).mkdir(parents=True)
        yield folder
    except OSError as problem:
        problem.filename = problem.filename or str(folder)  # Python does not say in which file it could not write
        raise
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _into_place(made: Path, place: Path) -> None:
    """Renames all files below one folder into another.

    SHA256SUMS is removed before and comes last: where there is one, all that it lists is of its release, also if the run is killed meanwhile.
    """
    files = sorted(path for path in made.rglob("*") if path.is_file())
    if (made / SUMS).exists():
        (place / SUMS).unlink(missing_ok=True)
        files.sort(key=lambda path: path == made / SUMS)
    for file in files:
        own = place / file.relative_to(made)
        own.parent.mkdir(parents=True, exist_ok=True)
        os.replace(file, own)


def _given(wired: Wiring, made: Mapping[str, Any]) -> dict[str, Any]:
    tables = {name: made[name] for name in wired.tables}
    return {"ledger": Ledger(tables)} if "ledger" in wired.others else tables


def _results(wired: Wiring, result: Any) -> Mapping[str, Any]:
    if hasattr(result, "_asdict"):
        return typing.cast(Mapping[str, Any], result._asdict())
    return dict.fromkeys(wired.outputs, result)


def _others(stage: str, wired: Wiring, root: Path, beside: Path) -> dict[str, Any]:
    made: dict[str, Any] = {}
    if "records" in wired.others:
        from pipeline.records import ledger

        made["records"] = ledger.load_all(root)
    if "snapshot" in wired.others:
        made["snapshot"] = root / SNAPSHOT.relative_to(LEDGER)
    if "params" in wired.others:
        made["params"] = params.load(root)
    if "releases" in wired.others:
        made["releases"] = _kept(root)
    if "release" in wired.others:
        made["release"] = beside
    if "last_release" in wired.others:
        made["last_release"] = root / "data" / "published"
    if "made_from" in wired.others:
        from pipeline.publishing import fingerprint

        made["made_from"] = fingerprint.of(root)
    return made


def _kept(root: Path) -> Any:
    from pipeline.publishing import history

    return history.kept(root)


def made_before(name: str, root: Path = LEDGER) -> duckdb.DuckDBPyRelation:
    """The table of this name in data/tables. Raises ContractError where it is missing or has other columns."""
    contract = next(wired.outputs[name] for wired in map(wiring, STAGES) if name in wired.outputs)
    return _read(name, contract, root)


def _read(name: str, contract: type[TableModel], root: Path) -> duckdb.DuckDBPyRelation:
    path = table_file(name, root)
    if path is None:
        raise ContractError(f"{name}: is missing; `dvc repro` makes it")
    return duckdb.read_parquet(str(path))


def _write(path: Path, rows: Any, contract: type[TableModel]) -> None:
    name = contracts.table_of(contract)
    table = (
        rows.to_arrow_table() if isinstance(rows, duckdb.DuckDBPyRelation) else contracts.arrow_table(rows, contract)
    )
    contracts.check(name, table)
    pq.write_table(table.sort_by([(column, "ascending") for column in contract.__grain__]), path)


def main(stage: str) -> None:
    """Runs a stage; a mistake in the data is one line each and exit code 1, and so is what the machine refuses."""
    from pipeline.publishing.database import MACHINE, reason
    from pipeline.records.yaml_text import RecordError

    collect_seldom()

    try:
        with contextlib.chdir(ROOT):
            files = {file.stem: file for file in Path("data/records/models").glob("*.yaml")}
        run(stage)
    except ContractError as problem:
        from pipeline.records.refused import in_records

        print(in_records(problem, files), file=sys.stderr)
        raise SystemExit(1) from None
    except RecordError as problem:
        print(problem, file=sys.stderr)
        raise SystemExit(1) from None
    except (OSError, *MACHINE) as problem:
        why = in_a_line(problem) if isinstance(problem, OSError) else reason(problem)
        print(f"{stage}: {why}", file=sys.stderr)
        raise SystemExit(1) from None
    except KeyboardInterrupt:
        raise SystemExit(130) from None
