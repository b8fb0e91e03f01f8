"""Validation of a table where it is made: types, every row against its contract, finite numbers, no repeated grain.

Columns are checked by Arrow, at a tenth of pandera's time and without its import; where a batch fails, pandera finds the rows and words
the failure. `publish` has pandera judge every table of usual size as well, and a test holds the two equal.
"""

import io
import json
import os
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.json as pa_json
import pyarrow.parquet as pq

from schemas.table import ContractError, Declared, TableModel, columns

BATCH_ROWS = 50_000
MOST_SHOWN = 10
MOST_ROWS_JUDGED = 10_000
ARROW = {"str": pa.string(), "float": pa.float64(), "int": pa.int64(), "bool": pa.bool_(), "date": pa.date32()}


def arrow_schema(contract: type[TableModel]) -> pa.Schema:
    """A contract's columns as an Arrow schema."""
    return pa.schema([(name, ARROW[kind]) for name, kind in columns(contract).items()])


def arrow_table(rows: Iterable[Mapping[str, Any]], contract: type[TableModel]) -> pa.Table:
    """These rows as a table of the contract's columns."""
    schema = arrow_schema(contract)
    held = list(rows)
    if not held:
        return pa.Table.from_batches([], schema)
    dates = [name for name, (kind, _, _) in contract.__columns__.items() if kind == "date"]
    try:
        # To read Python's lists pyarrow imports pandas, for half a second; to read JSON it does not. A list a column is one object.
        columns = {
            name: [_days(row.get(name)) if name in dates else row.get(name) for row in held] for name in schema.names
        }
        line = json.dumps(columns).encode()
        lists = pa.schema([(field.name, pa.list_(field.type)) for field in schema])
        read = pa_json.ReadOptions(block_size=len(line) + (1 << 20))
        read_back = pa_json.read_json(io.BytesIO(line), read, pa_json.ParseOptions(explicit_schema=lists))
        return pa.Table.from_arrays([read_back[name].chunk(0).flatten() for name in schema.names], schema=schema)
    except (
        TypeError,
        ValueError,
    ):  # such as a number that is not finite, or a value of another type, which pyarrow names
        return pa.Table.from_pylist(held, schema=schema)


def _days(day: date | None) -> int | None:
    return None if day is None else day.toordinal() - date(1970, 1, 1).toordinal()


def check_types(name: str, found: pa.Schema, contract: type[TableModel]) -> None:
    """Raises ContractError where columns or their types differ from the contract."""
    wanted = arrow_schema(contract)
    if found.names != wanted.names:
        raise ContractError(
            f"{name}: has the columns {', '.join(found.names)}; its contract has {', '.join(wanted.names)}"
        )
    wrong = [field for field in wanted if found.field(field.name).type != field.type]
    if wrong:
        raise ContractError(
            "\n".join(f"{name}: {field.name} is {found.field(field.name).type}, not {field.type}" for field in wrong)
        )


def check_file(path: Path, contract: type[TableModel]) -> None:
    """Raises ContractError with every row of a parquet file that violates the contract; rows must be in the order of the grain."""
    declared, grain = contract.__columns__, contract.__grain__
    told = [
        name
        for name, (kind, is_nullable, column) in declared.items()
        if name in grain or kind == "float" or column.bounds or not is_nullable
    ]  # in others no value is wrong
    words = [name for name in told if "isin" in declared[name].column.bounds and name not in grain]
    last: tuple[Any, ...] = ()
    for batch in pq.ParquetFile(path, read_dictionary=words).iter_batches(BATCH_ROWS, columns=told):
        keys = [batch[key] for key in grain]
        if not is_sound(batch, contract) or [*_repeated(keys, last)]:
            check_rows(path.name, pq.ParquetFile(path).iter_batches(BATCH_ROWS), contract)
            return
        last = _last(keys) or last


def check_rows(name: str, batches: Iterable[pa.RecordBatch], contract: type[TableModel]) -> None:
    """Raises ContractError with every row that violates the contract; batches must be in the order of the grain."""
    mistakes: list[str] = []
    rows: dict[tuple[str, ...], str] = {}
    last: tuple[Any, ...] = ()
    for batch in batches:
        if not is_sound(batch, contract):
            lines, own = judged(name, batch, contract)
            mistakes += lines
            rows = own | rows
        grain = [batch[key] for key in contract.__grain__]
        mistakes += [f"{name}: two rows for {' '.join(map(str, keys))}" for keys in _repeated(grain, last)]
        last = _last(grain) or last
    if mistakes:
        raise ContractError("\n".join(mistakes), rows)


def is_sound(batch: pa.RecordBatch, contract: type[TableModel]) -> bool:
    """Whether every row of the batch, which may lack columns, satisfies the contract."""
    return all(_holds(batch[name], contract.__columns__[name]) for name in batch.schema.names)


# Bounds go by the extremes, and words by a set: to compare with a scalar or an array of Python's, pyarrow imports pandas.
BOUNDS: Mapping[str, Callable[[pa.Array, Any], bool]] = {
    "gt": lambda column, bound: _extremes(column)["min"] > bound,
    "ge": lambda column, bound: _extremes(column)["min"] >= bound,
    "lt": lambda column, bound: _extremes(column)["max"] < bound,
    "le": lambda column, bound: _extremes(column)["max"] <= bound,
    "isin": lambda column, words: {*pc.unique(column).to_pylist()} <= {*words},
    "str_matches": lambda column, pattern: pc.all(pc.match_substring_regex(column, pattern)).as_py(),
}  # a test holds that columns have no others


def _extremes(column: pa.Array) -> dict[str, Any]:
    return typing.cast(dict[str, Any], pc.min_max(column).as_py())


def _holds(column: pa.Array, declared: Declared) -> bool:
    if column.null_count:
        if not declared.is_nullable:
            return False
        column = column.drop_null()
    if not len(column):
        return True
    is_finite = declared.kind != "float" or pc.all(pc.is_finite(column)).as_py()
    return is_finite and all(BOUNDS[word](column, bound) for word, bound in declared.column.bounds.items())


@cache
def pandera_model(contract: type[TableModel]) -> Any:
    """The contract as a pandera model of data frames."""
    # pandera imports hypothesis where that is installed, and that the plugins which other packages have for it.
    os.environ.setdefault("HYPOTHESIS_NO_PLUGINS", "1")
    import pandas as pd
    import pandera.pandas as pandera

    class Config:
        strict = True

    kinds: dict[str, Any] = {"str": str, "float": float, "int": pd.Int64Dtype, "bool": pd.BooleanDtype, "date": date}
    fields = {
        name: pandera.Field(nullable=is_nullable, description=column.description, **_of_pandera(column.bounds))
        for name, (_, is_nullable, column) in contract.__columns__.items()
    }
    types = {name: kinds[kind] for name, (kind, _, _) in contract.__columns__.items()}
    made = {"__annotations__": types, "__module__": contract.__module__, "Config": Config, **fields}
    return type(contract.__name__, (pandera.DataFrameModel,), made)


def _of_pandera(bounds: Mapping[str, Any]) -> dict[str, Any]:
    # Python's `$` also matches before a last line break.
    return {word: bound.removesuffix("$") + r"\Z" if word == "str_matches" else bound for word, bound in bounds.items()}


def judged(
    name: str, batch: pa.RecordBatch, contract: type[TableModel]
) -> tuple[list[str], dict[tuple[str, ...], str]]:
    """The lines of a batch's mistakes as pandera finds them, and those of its rows by their grain."""
    import pandas as pd
    from pandera.errors import SchemaErrors

    kinds = {pa.string(): pd.StringDtype(), pa.bool_(): pd.BooleanDtype(), pa.int64(): pd.Int64Dtype()}.get
    rows = batch.to_pandas(types_mapper=kinds)
    lines: list[str] = []
    of_rows: dict[tuple[str, ...], str] = {}
    try:
        pandera_model(contract).validate(rows, lazy=True)
    except SchemaErrors as errors:
        lines, of_rows = _described(name, errors.failure_cases, rows, contract)
    # pandera alone misses NaN in nullable floats and infinity under a lower bound.
    for field in batch.schema:
        if pa.types.is_floating(field.type) and pc.all(pc.is_finite(batch[field.name])).as_py() is False:
            lines.append(f"{name}: {field.name} has a value that is not finite")
            for index in pc.indices_nonzero(pc.invert(pc.is_finite(batch[field.name]))).to_pylist():
                of_rows.setdefault(_grain(rows, index, contract), lines[-1])
    return lines, of_rows


def judge(name: str, table: pa.Table, contract: type[TableModel]) -> None:
    """Raises ContractError with what pandera finds in the table; one of more than MOST_ROWS_JUDGED rows was checked where it was made."""
    if table.num_rows <= MOST_ROWS_JUDGED:
        for batch in table.combine_chunks().to_batches():
            lines, rows = judged(name, batch, contract)
            if lines:
                raise ContractError("\n".join(lines), rows)


def _grain(rows: Any, index: int, contract: type[TableModel]) -> tuple[str, ...]:
    return tuple(str(rows[key].iloc[index]) for key in contract.__grain__)


def _last(grain: list[pa.Array]) -> tuple[Any, ...]:
    return tuple(column[-1].as_py() for column in grain if len(column))


def _repeated(grain: list[pa.Array], last: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    # Rows are in the order of the grain, so repeats are neighbours, also across batches.
    if not len(grain[0]):
        return
    if last and all(column[0].as_py() == value for column, value in zip(grain, last, strict=True)):
        yield last
    same = [pc.equal(column.slice(1), column.slice(0, len(column) - 1)) for column in grain]
    both = same[0]
    for each in same[1:]:
        both = pc.and_(both, each)
    for index in pc.indices_nonzero(both).to_pylist()[:MOST_SHOWN]:
        yield tuple(column[index].as_py() for column in grain)


def _described(
    name: str, cases: Any, rows: Any, contract: type[TableModel]
) -> tuple[list[str], dict[tuple[str, ...], str]]:
    lines = []
    of_rows: dict[tuple[str, ...], str] = {}
    for case in cases.itertuples():
        is_row = case.index is not None and case.index == case.index
        grain = _grain(rows, int(case.index), contract) if is_row else ()
        line = f"{name}: {' '.join(grain)} {case.column}: {case.failure_case!r} fails {case.check}".replace("  ", " ")
        lines.append(line)
        if is_row:
            of_rows.setdefault(grain, line)
    more = len(lines) - MOST_SHOWN
    return lines[:MOST_SHOWN] + ([f"{name}: and {more} more"] if more > 0 else []), of_rows
