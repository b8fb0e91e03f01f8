"""The stages from imputation to the headline as SQL, compiled once from their expressions: `data/tables/stages.json`.

To compile their expressions takes seconds and depends on no model; to run the SQL takes what its rows take. It holds for one state of the
code, params and defaults, whose digest it stands under; with another the stages themselves run, to the same bits (a test).
"""

import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import narwhals as nw

from pipeline.paths import ROOT
from pipeline.rules import frames
from schemas.table import TableModel, columns

STAGES = ("impute", "estimate_operations", "estimate_gpu_time", "estimate_energy", "reconcile")
FILE = "stages.json"
CODE = (
    "pipeline/compiled.py",
    "pipeline/formulas",
    "pipeline/rules",
    "schemas",
    *(f"pipeline/stages/{name}.py" for name in STAGES),
)
DRAWN_NAME = re.compile(r"row_index_[0-9a-f]{8,}")  # narwhals draws names of columns that it drops again
STEP = re.compile(r"\bstep_\d+\b")  # what several queries of a stage read
ROWS = "_rows"  # the end of the name of its table
Tables = Mapping[str, type[TableModel]]


class Statement(NamedTuple):
    """A table and the query that makes it from the tables before.

    Of a step the query makes the columns that are used; `view` is the query by which those that later statements name, and do not use, are null.
    """

    table: str
    sql: str
    view: str | None = None


class Expressions(NamedTuple):
    """A stage to compile: its function with its other arguments, and the contracts of the tables that it reads and makes."""

    build: Any
    others: Mapping[str, Any]
    tables: Tables
    outputs: Tables


def statements(stages: Iterable[Expressions], connection: duckdb.DuckDBPyConnection) -> Iterator[list[Statement]]:
    """The statements of each stage in their order. Defaults and params stand in them as numbers; rows of models do not.

    `connection` has the tables that the stages read; those that they make are made in it, without rows. What several queries read is kept
    as `step_<n>`.
    """
    drawn: dict[str, str] = {}
    steps = 0
    made: list[Statement] = []

    def keep(table: str, relation: Any) -> None:
        sql = DRAWN_NAME.sub(
            lambda name: drawn.setdefault(name[0], f"row_index_{len(drawn) + 1}"), relation.sql_query()
        )
        made.append(Statement(table, sql))
        # What follows needs the columns alone: to make the table of the query would plan it.
        typed = zip(relation.columns, relation.types, strict=True)
        declared = ", ".join(f"{json.dumps(name)} {kind}" for name, kind in typed)
        connection.execute(f'create or replace table "{table}" ({declared})')

    def hold(frame: Any) -> Any:
        nonlocal steps
        steps += 1
        keep(f"step_{steps}", frame.to_native())
        return nw.from_native(connection.table(f"step_{steps}"))

    for stage in stages:
        made = []
        with frames.holding(hold):
            arguments: dict[str, Any] = {name: nw.from_native(connection.table(name)) for name in stage.tables}
            result = stage.build(**arguments, **stage.others)
            results = result._asdict() if hasattr(result, "_asdict") else dict.fromkeys(stage.outputs, result)
            for name, contract in stage.outputs.items():
                keep(name, results[name].to_native().project(", ".join(columns(contract))))
        yield made


def without_unused(made: Sequence[Statement], connection: duckdb.DuckDBPyConnection) -> list[Statement]:
    """The statements of a stage, steps without the columns that no later one uses: of a million rows they would fill the memory.

    `connection` has the tables that they read and make.
    """
    # These leave out columns that filters alone use, and tables that are seen to be empty.
    connection.execute(
        "set disabled_optimizers = 'filter_pushdown,join_filter_pushdown,statistics_propagation,empty_result_pullup'"
    )
    used: dict[str, set[str]] = defaultdict(set)
    kept = []
    for table, sql, _ in reversed(made):
        view = None
        if STEP.fullmatch(table):
            described = connection.execute(f"describe {table}").fetchall()
            taken = [name for name, *_ in described if name in used[table]] or [described[0][0]]
            view = ", ".join(
                f'"{name}"' if name in taken else f'NULL::{kind} as "{name}"' for name, kind, *_ in described
            )
            view = f"select {view} from {table}{ROWS}"
            sql = f"select {', '.join(map(json.dumps, taken))} from ({sql})"
        kept.append(Statement(table, sql, view))
        ((_, plan),) = connection.execute(f"explain (format json) {sql}").fetchall()
        for scanned, names in _scanned(json.loads(plan)[0]):
            used[scanned] |= names
    connection.execute("reset disabled_optimizers")
    return kept[::-1]


def _scanned(node: Mapping[str, Any]) -> Iterator[tuple[str, set[str]]]:
    """The tables that a plan scans, and the columns that it reads of each."""
    about = node["extra_info"]
    if "Table" in about:
        read = about.get("Projections", [])
        yield about["Table"].rpartition(".")[2], {read} if isinstance(read, str) else {*read}
    for child in node["children"]:
        yield from _scanned(child)


def digest(params: Any, defaults: Iterable[Mapping[str, Any]]) -> str:
    """Digest of what the statements depend on: the code, params, and the rows of `defaults`."""
    rows = sorted(json.dumps(dict(row), sort_keys=True, default=str) for row in defaults)
    said = json.dumps([_digest_of_code(), params.model_dump(mode="json"), rows], sort_keys=True)
    return hashlib.sha256(said.encode()).hexdigest()


@cache
def _digest_of_code() -> str:
    made = hashlib.sha256()
    for name in CODE:
        path = ROOT / name
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            content = file.read_bytes()
            made.update(f"{file.relative_to(ROOT)} {len(content)} ".encode() + content)
    return made.hexdigest()


def as_stored(states: Mapping[str, Mapping[str, Iterable[Statement]]]) -> dict[str, Any]:
    """What the file has of the statements by stage, by the digest of their state: each query once, since states have most in common."""
    queries: dict[str, int] = {}
    by_state = {
        of: {
            stage: [
                (each.table, *(None if sql is None else queries.setdefault(sql, len(queries)) for sql in each[1:]))
                for each in made
            ]
            for stage, made in stages.items()
        }
        for of, stages in states.items()
    }
    return {"queries": [*queries], "states": by_state}


def stored(path: Path, of: str) -> dict[str, list[Statement]]:
    """The statements by stage of the file; none where there is no such file, or it is of another state."""
    try:
        content = json.loads(path.read_bytes())
        queries = content["queries"]
        return {
            stage: [
                Statement(table, queries[sql], None if view is None else queries[view]) for table, sql, view in made
            ]
            for stage, made in content["states"].get(of, {}).items()
        }
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return {}


def run(
    made: Iterable[Statement],
    connection: duckdb.DuckDBPyConnection,
    wanted: Container[str],
    keep: Callable[[str, str], None],
) -> None:
    """Hands the queries of the wanted tables of one stage to `keep`, by name, when what they read is there; of steps, each goes after its last use.

    `connection` has the tables that the stage reads.
    """
    waiting = _needed([*made], wanted)
    last = {name: place for place, each in enumerate(waiting) for name in {each.table, *STEP.findall(each.sql)}}
    for place, (table, sql, view) in enumerate(waiting):
        if view is None:
            keep(table, sql)
        else:
            connection.execute(f"create table {table}{ROWS} as {sql}")
            connection.execute(f"create view {table} as {view}")
        for step in [name for name, at in last.items() if at == place and STEP.fullmatch(name)]:
            connection.execute(f"drop view {step}")
            connection.execute(f"drop table {step}{ROWS}")


def _needed(made: Sequence[Statement], wanted: Container[str]) -> list[Statement]:
    """The statements of the wanted tables, and of the steps that they read."""
    read: set[str] = set()
    needed = []
    for each in reversed(made):
        if each.table in wanted or each.table in read:
            read |= {*STEP.findall(each.sql)}
            needed.append(each)
    return needed[::-1]
