"""Validation of a table where it is made: types, every row against its contract, finite numbers, no repeated grain."""

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import islice
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from schemas.table import ContractError, TableModel, columns

BATCH_ROWS = 200_000
THREADS = 2  # each holds one batch in memory
MOST_SHOWN = 10
ARROW = {"str": pa.string(), "float": pa.float64(), "int": pa.int64(), "bool": pa.bool_(), "date": pa.date32()}


def arrow_schema(contract: type[TableModel]) -> pa.Schema:
    """A contract's columns as an Arrow schema."""
    return pa.schema([(name, ARROW[kind]) for name, kind in columns(contract).items()])


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


def check_rows(name: str, batches: Iterable[pa.RecordBatch], contract: type[TableModel]) -> None:
    """Raises ContractError with every row that violates the contract; batches must be in the order of the grain."""
    mistakes: list[str] = []
    rows: dict[tuple[str, ...], str] = {}
    last: tuple[Any, ...] = ()
    waiting = iter(batches)
    with ThreadPoolExecutor(THREADS) as pool:
        while some := list(islice(waiting, THREADS)):
            for lines, own in pool.map(partial(_mistakes, name, contract), some):
                mistakes += lines
                rows = own | rows
            for batch in some:
                grain = [batch[key] for key in contract.__grain__]
                mistakes += [f"{name}: two rows for {' '.join(map(str, keys))}" for keys in _repeated(grain, last)]
                last = tuple(column[-1].as_py() for column in grain) if batch.num_rows else last
    if mistakes:
        raise ContractError("\n".join(mistakes), rows)


def _mistakes(
    name: str, contract: type[TableModel], batch: pa.RecordBatch
) -> tuple[list[str], dict[tuple[str, ...], str]]:
    """The lines of a batch's mistakes, and those of its rows by their grain."""
    import pandas as pd
    from pandera.errors import SchemaErrors

    kinds = {pa.string(): pd.StringDtype(), pa.bool_(): pd.BooleanDtype(), pa.int64(): pd.Int64Dtype()}.get
    rows = batch.to_pandas(types_mapper=kinds)
    lines: list[str] = []
    of_rows: dict[tuple[str, ...], str] = {}
    try:
        contract.validate(rows, lazy=True)
    except SchemaErrors as errors:
        lines, of_rows = _described(name, errors.failure_cases, rows, contract)
    # pandera alone misses NaN in nullable floats and infinity under a lower bound.
    for field in batch.schema:
        if pa.types.is_floating(field.type) and pc.all(pc.is_finite(batch[field.name])).as_py() is False:
            lines.append(f"{name}: {field.name} has a value that is not finite")
            for index in pc.indices_nonzero(pc.invert(pc.is_finite(batch[field.name]))).to_pylist():
                of_rows.setdefault(_grain(rows, index, contract), lines[-1])
    return lines, of_rows


def _grain(rows: Any, index: int, contract: type[TableModel]) -> tuple[str, ...]:
    return tuple(str(rows.iloc[index][key]) for key in contract.__grain__)


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
