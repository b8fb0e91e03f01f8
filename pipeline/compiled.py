"""The stages from imputation to the headline as SQL, compiled once from their expressions: `data/tables/stages.json`.

To compile their expressions takes seconds and depends on no model; to run the SQL takes what its rows take. It holds for one state of the
code, params and defaults, whose digest it stands under; with another the stages themselves run, to the same bits (a test).
"""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
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
Tables = Mapping[str, type[TableModel]]


class Statement(NamedTuple):
    """A table and the query that makes it from the tables before."""

    table: str
    sql: str


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
        connection.execute(f'drop table if exists "{table}"')
        relation.limit(0).create(table)  # what follows needs its columns

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


def stored(path: Path, of: str) -> dict[str, list[Statement]]:
    """The statements by stage of the file; none where there is no such file, or it is of another state."""
    try:
        content = json.loads(path.read_bytes())
        return {name: [Statement(*each) for each in made] for name, made in content.get(of, {}).items()}
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return {}


def run(made: Iterable[Statement], connection: duckdb.DuckDBPyConnection) -> None:
    """Makes the tables of one stage in the connection that has those which it reads."""
    steps = []
    for table, sql in made:
        connection.execute(f'create table "{table}" as {sql}')
        if table.startswith("step_"):
            steps.append(table)
    for table in steps:
        connection.execute(f"drop table {table}")
