"""Runs stages, on disk or in memory: wires them by argument name and validates tables against their contracts.

`python -m pipeline.flow STAGE` is what dvc.yaml calls. A stage's arguments are tables (by their contract's name), `ledger` (all tables
of the stages before), `records` (of which only changed files are parsed), `snapshot` (the path of Epoch's table),
`releases` (what was published before), `params` (the block of params.yaml that its type names, or all), `release` (a folder for published files,
renamed into place when all of it is there), `last_release` (the folder that those will replace) or `made_from` (the digest of the tables' files).
"""

from pipeline import one_thread  # noqa: F401  # isort: skip

import contextlib
import json
import os
import shutil
import sys
import typing
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
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

from pipeline import compiled, contracts, ranges
from pipeline.paths import LEDGER, ROOT, SNAPSHOT, SUMS, TABLES, alone_in, collect_seldom, in_a_line
from pipeline.records import params
from pipeline.rules import frames
from schemas.params import Params
from schemas.table import Compiled, ContractError, Ledger, Metrics, Table, TableModel, columns, contract_of, table_name

STAGES = (
    "ingest",
    "compile_stages",
    "impute",
    "count_operations",
    "calibrate",
    "estimate_operations",
    "estimate_gpu_time",
    "estimate_energy",
    "reconcile",
    "diagnose",
    "backtest",
    "check",
    "estimate_catalogue",
    "compare",
    "publish",
)  # in reading order, each after what it reads
FEW_MODELS = 20  # to plan well, or on several threads, costs more than to run badly; the rows are the same to the last bit (a test)
Revision = Callable[[Any], Any]  # of the rows or frame that a stage returns, those that later stages read
NOTHING_REVISED: Mapping[str, Revision] = MappingProxyType({})
FILES = {Metrics: "metrics.json", Compiled: compiled.FILE}  # written beside the tables


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
        from pipeline.publishing import database

        tables = {name: contract_of(name) for name in database.table_files()}
    files = {name: FILES[hint] for name, hint in named.items() if hint in FILES}
    return Wiring(build, tables, others, outputs, files)


def params_blocks(wired: Wiring) -> list[str]:
    """The blocks of params.yaml that a stage takes, after the type of its argument: its own, that of the rules it tests, or all."""
    if "params" not in wired.others:
        return []
    taken = wired.others["params"]
    return [*Params.model_fields] if taken is Params else [taken.__name__.lower()]


def params_of(wired: Wiring, parameters: Params) -> Any:
    """What a stage takes as its argument `params`."""
    blocks = params_blocks(wired)
    return getattr(parameters, blocks[0]) if len(blocks) == 1 else parameters


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
        given = {name: _read(tables / f"{name}.parquet", contract) for name, contract in wired.tables.items()}
        if stage in compiled.STAGES and (made := _statements(tables, given, params.load(root)).get(stage)):
            _run(made, wired, given, beside)
        else:
            others = _others(stage, wired, root, beside / "published")
            results = _results(wired, wired.build(**_given(wired, given), **others))
            for name, contract in wired.outputs.items():
                _write(beside / "tables" / f"{name}.parquet", results[name], contract)
            for name, file in wired.files.items():
                (beside / "tables" / file).write_text(as_json(results[name]))
        _into_place(beside / "tables", tables)
        _into_place(beside / "published", published)
        if "ledger" in wired.others:
            _drop_former(tables, wired.tables)


def _drop_former(folder: Path, names: Container[str]) -> None:
    """Removes tables of names that no stage makes any more: of all that lies in the folder, DVC notes the checksum as what was published."""
    for file in folder.glob("*.parquet"):
        if file.stem not in names:
            file.unlink()


def as_json(held: Mapping[str, Any]) -> str:
    """What a stage makes beside tables, as its file has it."""
    return json.dumps(held, indent=2, sort_keys=True) + "\n"


@contextmanager
def _unfinished(folder: Path) -> Iterator[Path]:
    """A folder for files that are not whole yet, empty even where a run was killed, and gone afterwards."""
    shutil.rmtree(folder, ignore_errors=True)
    try:
        for name in ("tables", "published", "ranges"):
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
    names: Iterable[str], records: Any, parameters: Any, revised: Mapping[str, Revision] = NOTHING_REVISED
) -> dict[str, Any]:
    """These tables and those that they are made from, by name, as `run_all` makes them; no others.

    Of a table in `revised`, what its function makes of it takes its place for the stages after.
    """
    are_few = len(records.models) <= FEW_MODELS
    connection = duckdb.connect(config={"threads": 1} if are_few else {})

    def create(name: str, sql: str) -> None:
        connection.execute(f'create table "{name}" as {sql}')

    def hold(frame: Any) -> Any:  # beside the tables, with which it is joined
        return nw.from_native(connection.from_arrow(frame.collect("pyarrow").to_native()))

    @cache
    def stored() -> dict[str, list[compiled.Statement]]:
        return _statements(TABLES, made, parameters)

    if are_few:
        connection.execute("pragma disable_optimizer")
    made: dict[str, Any] = {}
    needed = set(names)
    for stage, wired in _stages_for(needed):
        given = {
            "records": records,
            "snapshot": SNAPSHOT,
            "params": params_of(wired, parameters),
        }
        arguments = _given(wired, made) | {name: given[name] for name in wired.others if name in given}
        if "releases" in wired.others:
            arguments["releases"] = _kept(ROOT)
        if stage in compiled.STAGES and (statements := stored().get(stage)):
            wanted = needed & set(wired.outputs)
            compiled.run(statements, connection, wanted, create)
            results: Mapping[str, Any] = {name: nw.from_native(connection.table(name)) for name in wanted}
        else:
            with frames.holding(hold):
                results = _results(wired, wired.build(**arguments))
        for name, contract in wired.outputs.items():
            if name not in needed:
                continue
            table = _ordered(revised[name](results[name]) if name in revised else results[name], contract)
            contracts.check_rows(name, table.to_batches(contracts.BATCH_ROWS), contract)
            connection.register(f"{name}_arrow", table)
            connection.execute(f'create or replace table "{name}" as from {name}_arrow')
            connection.unregister(f"{name}_arrow")
            made[name] = nw.from_native(connection.table(name))
        made |= {name: results[name] for name in wired.files}
    return made


def _stages_for(needed: set[str]) -> list[tuple[str, Wiring]]:
    """The stages that make these tables, in reading order; adds to `needed` what those read."""
    wired: list[tuple[str, Wiring]] = []
    for stage in STAGES:
        if needed <= {name for _, before in wired for name in before.outputs}:
            break
        wired.append((stage, wiring(stage)))
    taken = []
    for stage, own in reversed(wired):
        if needed & set(own.outputs):
            needed |= set(own.tables)
            taken.append((stage, own))
    return taken[::-1]


def _given(wired: Wiring, made: Mapping[str, Any]) -> dict[str, Any]:
    tables = {name: made[name] for name in wired.tables}
    return {"ledger": Ledger(tables)} if "ledger" in wired.others else tables


def _results(wired: Wiring, result: Any) -> Mapping[str, Any]:
    if hasattr(result, "_asdict"):
        return typing.cast(Mapping[str, Any], result._asdict())
    return dict.fromkeys(wired.outputs, result)


def expressions(stage: str, parameters: Params) -> compiled.Expressions:
    """What is compiled of a stage that takes tables and params alone."""
    wired = wiring(stage)
    others = {name: params_of(wired, parameters) for name in wired.others}
    return compiled.Expressions(wired.build, others, wired.tables, wired.outputs)


def _statements(folder: Path, tables: Mapping[str, Any], parameters: Params) -> dict[str, list[compiled.Statement]]:
    """The SQL by stage where the folder has that of today's code, params and defaults, else none."""
    return compiled.stored(folder / compiled.FILE, compiled.digest(parameters, frames.rows(tables["defaults"])))


def _run(statements: list[compiled.Statement], wired: Wiring, given: Mapping[str, Any], beside: Path) -> None:
    # What `duckdb.execute("set memory_limit = '4GB'")` allows the process; rows beyond it go to the disk of the tables.
    ((limit,),) = duckdb.execute("select current_setting('memory_limit')").fetchall()
    connection = duckdb.connect(config={"memory_limit": limit, "temp_directory": str(beside / "spilled")})
    connection.execute(f"create schema {ranges.WHOLE}")
    for name, frame in given.items():
        connection.execute(f'create view {ranges.WHOLE}."{name}" as {frame.to_native().sql_query()}')
    made: dict[str, list[str]] = {name: [] for name in wired.outputs}
    for number, own in enumerate(ranges.of_models(connection, wired.tables)):

        def write(name: str, sql: str, number: int = number, own: str = own) -> None:
            by = ", ".join(f"{key} nulls last" for key in wired.outputs[name].__grain__)
            made[name].append(_quoted(beside / "ranges" / f"{name}-{number}.parquet"))
            connection.execute(f"copy (from ({sql}) where {own} order by {by}) to {made[name][-1]} (format parquet)")

        compiled.run(statements, connection, wired.outputs, write)
    for name, contract in wired.outputs.items():
        path = beside / "tables" / f"{name}.parquet"
        if len(made[name]) == 1:
            (beside / "ranges" / f"{name}-0.parquet").rename(path)
        else:
            files = ", ".join(made[name])
            connection.execute(f"copy (from read_parquet([{files}])) to {_quoted(path)} (format parquet)")
        _check(path, contract)


def _quoted(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"


def _others(stage: str, wired: Wiring, root: Path, beside: Path) -> dict[str, Any]:
    made: dict[str, Any] = {}
    if "records" in wired.others:
        from pipeline.records import ledger

        made["records"] = ledger.load_all(root)
    if "snapshot" in wired.others:
        made["snapshot"] = root / SNAPSHOT.relative_to(LEDGER)
    if "params" in wired.others:
        made["params"] = params_of(wired, params.load(root))
    if "releases" in wired.others:
        made["releases"] = _kept(root)
    if "release" in wired.others:
        made["release"] = beside
    if "last_release" in wired.others:
        made["last_release"] = root / "data" / "published"
    if "made_from" in wired.others:
        from pipeline.publishing import database

        made["made_from"] = database.made_from(root)
    return made


def _kept(root: Path) -> Any:
    from pipeline.publishing import history

    return history.kept(root)


def made_before(name: str) -> nw.LazyFrame[Any]:
    """The table of this name in data/tables. Raises ContractError where it is missing or has other columns."""
    contract = next(wired.outputs[name] for wired in map(wiring, STAGES) if name in wired.outputs)
    return _read(TABLES / f"{name}.parquet", contract)


def _read(path: Path, contract: type[TableModel]) -> nw.LazyFrame[Any]:
    # Only types are checked here: rows were validated where the table was made, and DVC checks the bytes.
    if not path.exists():
        raise ContractError(f"{path.name}: is missing; `dvc repro` makes it")
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


def main() -> None:
    """Runs the stage named on the command line; a mistake in the data is one line each and exit code 1, and so is what the machine refuses."""
    from pipeline.publishing.database import MACHINE, reason
    from pipeline.records.yaml_text import RecordError

    collect_seldom()

    try:
        with contextlib.chdir(ROOT):
            files = {file.stem: file for file in Path("data/records/models").glob("*.yaml")}
        run(sys.argv[1])
    except ContractError as problem:
        from pipeline.records.refused import in_records

        print(in_records(problem, files), file=sys.stderr)
        raise SystemExit(1) from None
    except RecordError as problem:
        print(problem, file=sys.stderr)
        raise SystemExit(1) from None
    except (OSError, *MACHINE) as problem:
        why = in_a_line(problem) if isinstance(problem, OSError) else reason(problem)
        print(f"{sys.argv[1]}: {why}", file=sys.stderr)
        raise SystemExit(1) from None
    except KeyboardInterrupt:
        raise SystemExit(130) from None


if __name__ == "__main__":
    main()
    sys.stdout.flush()
    os._exit(0)  # to take down all that was imported takes 0.1 s, in publish 0.5, and every file is closed
