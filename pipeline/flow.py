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
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, get_args, get_type_hints

import duckdb
import narwhals as nw
import pyarrow as pa
import pyarrow.parquet as pq

from pipeline import contracts, sql
from pipeline.paths import LEDGER, ROOT, SNAPSHOT, SUMS, alone_in, collect_seldom, in_a_line, table_file
from pipeline.records import params
from schemas.table import ContractError, Ledger, Metrics, Table, TableModel, columns, table_name

STAGES = ("ingest", "estimate", "check", "catalogue", "publish")  # in reading order, each after what it reads
FEW_MODELS = 20  # on several threads they cost more; the rows are the same to the last bit (a test)
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


def run_all(records: Any, parameters: Any, until: str = "check") -> dict[str, Any]:
    """All tables of these records by name, made by the same stages in memory: narwhals frames on DuckDB."""
    stages = STAGES[: STAGES.index(until) + 1]
    return make([name for stage in stages for name in wiring(stage).outputs], records, parameters)


def make(
    names: Iterable[str], records: Any, parameters: Any, given: Mapping[str, Path] = MappingProxyType({})
) -> dict[str, Any]:
    """These tables and those that they are made from, by name, as `run_all` makes them; no others.

    Tables in `given` are those of the files. Raises ContractError where a rule cannot run.
    """
    needed = set(names)
    ingested, checked = wiring("ingest"), wiring("check")
    rows = ingested.build(records, parameters)._asdict()
    connection = duckdb.connect(config={"threads": 1} if len(records.models) <= FEW_MODELS else {})
    read = needed & set(ingested.outputs)
    made = [name for name in needed if name in sql.tables() - checked.outputs.keys() - given.keys()]
    if needed & set(checked.outputs):
        read |= set(ingested.outputs)
        made += wiring("estimate").outputs
    read |= sql.inputs(made, given) & set(ingested.outputs)
    for name in read - given.keys():
        connection.register("rows", _ordered(rows[name], ingested.outputs[name]))
        connection.execute(f'create table "{name}" as from rows')
        connection.unregister("rows")
    for name, path in given.items():
        connection.execute(f"create table \"{name}\" as from '{path}'")
    sql.set_params(connection, parameters.model_dump())
    try:
        sql.run(connection, sorted(made), given)
    except sql.RuleError as problem:
        raise ContractError(str(problem)) from None
    tables = {name: nw.from_native(connection.table(name)) for name in {*read, *made, *given}}
    if needed & set(checked.outputs):
        results = checked.build(ledger=Ledger(tables), params=parameters)._asdict()
        for name, contract in checked.outputs.items():
            connection.register("rows", _ordered(results[name], contract))
            connection.execute(f'create or replace temp table "{name}" as from rows')
            connection.unregister("rows")
        tables |= {name: nw.from_native(connection.table(name)) for name in checked.outputs}
        tables["metrics"] = results["metrics"]
    return tables


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


def made_before(name: str, root: Path = LEDGER) -> nw.LazyFrame[Any]:
    """The table of this name in data/tables. Raises ContractError where it is missing or has other columns."""
    contract = next(wired.outputs[name] for wired in map(wiring, STAGES) if name in wired.outputs)
    return _read(name, contract, root)


def _read(name: str, contract: type[TableModel], root: Path) -> nw.LazyFrame[Any]:
    # Only types are checked here: rows were validated where the table was made, and DVC checks the bytes.
    path = table_file(name, root)
    if path is None:
        raise ContractError(f"{name}: is missing; `dvc repro` makes it")
    contracts.check_types(path.name, pq.read_schema(path), contract)
    return nw.from_native(duckdb.read_parquet(str(path)))


def _write(path: Path, made: Any, contract: type[TableModel]) -> None:
    if isinstance(made, list | Iterator):
        pq.write_table(_ordered(made, contract), path)
    else:
        made.select(*columns(contract)).sort(*contract.__grain__, nulls_last=True).sink_parquet(path)
    _check(path, contract)


def _check(path: Path, contract: type[TableModel]) -> None:
    contracts.check_types(path.name, pq.read_schema(path), contract)
    contracts.check_file(path, contract)


def _ordered(made: Any, contract: type[TableModel]) -> pa.Table:
    if isinstance(made, list | Iterator):
        table = contracts.arrow_table(made, contract)
    else:
        table = made.select(*columns(contract)).collect("pyarrow").to_native()
        contracts.check_types(table_name(contract), table.schema, contract)
    return table.sort_by([(name, "ascending") for name in contract.__grain__])


def main(stage: str) -> None:
    """Runs a stage; a mistake in the data is one line each and exit code 1, and so is what the machine refuses."""
    from pipeline.publishing.database import MACHINE
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
        why = in_a_line(problem) if isinstance(problem, OSError) else sql.reason(problem)
        print(f"{stage}: {why}", file=sys.stderr)
        raise SystemExit(1) from None
    except KeyboardInterrupt:
        raise SystemExit(130) from None
