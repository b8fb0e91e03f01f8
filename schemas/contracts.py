"""Check tables against their contracts in schemas/tables, and make tables from rows with the contracts' types."""

import math
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

import pandas as pd
import pandera.pandas as pandera
import pyarrow as pa
from pandera.errors import SchemaErrors

from schemas.columns import DUCKDB, PANDAS
from schemas.errors import ContractError
from schemas.plain_text import shorten
from schemas.spelling import nearest
from schemas.tables import TABLES, columns_of, grain

MOST_SHOWN = 10
# For each pandera check: our wording, and its name in schemas/columns.
BOUNDS = {
    "greater_than": ("greater than", "gt"),
    "greater_than_or_equal_to": ("at least", "ge"),
    "less_than": ("less than", "lt"),
    "less_than_or_equal_to": ("at most", "le"),
}
ARROW = {
    "varchar": pa.string(),
    "double": pa.float64(),
    "bigint": pa.int64(),
    "boolean": pa.bool_(),
    "date": pa.date32(),
}


def arrow_schema(name: str) -> pa.Schema:
    """Return a table's columns as an Arrow schema. Raise LookupError if there is no such table."""
    return pa.schema([(column, ARROW[DUCKDB[place.column.kind]]) for column, place in columns_of(name).items()])


@cache
def _contract(name: str) -> pandera.DataFrameSchema:
    """Return the pandera schema that checks a table's values after its columns and types have been checked."""
    columns = {}
    for column, (meaning, null) in columns_of(name).items():
        checks = dict(meaning.checks)
        if meaning.kind == "number":  # finite bounds refuse NaN and infinity
            checks |= {} if {"gt", "ge"} & checks.keys() else {"gt": -math.inf}
            checks |= {} if {"lt", "le"} & checks.keys() else {"lt": math.inf}
        rules = [getattr(pandera.Check, check)(bound) for check, bound in checks.items()]
        columns[column] = pandera.Column(checks=rules, nullable=null is not None)
    return pandera.DataFrameSchema(columns, unique=list(grain(name)), strict=True, name=name)


def schema(name: str) -> pandera.DataFrameSchema:
    """Return the contract of a table as a pandera schema that converts the columns of a frame to pandas types.

    It takes frames from parquet, CSV or DuckDB, with columns in any order. Raise LookupError for an unknown table.
    """
    typed = {
        column: {"dtype": PANDAS[place.column.kind], "coerce": True, "description": place.description}
        for column, place in columns_of(name).items()
    }
    return _contract(name).update_columns(typed)


def arrow_table(rows: Iterable[Mapping[str, Any]], name: str) -> pa.Table:
    """Return the rows as an Arrow table with its contract's columns. A missing key is null; other keys are ignored.

    Raise ContractError, with one line per column, if values do not have the column's type.
    """
    schema = arrow_schema(name)
    rows = list(rows)  # because an iterator could be read only once, for the first column
    arrays, mistakes = [], []
    for field in schema:
        try:
            arrays.append(pa.array([row.get(field.name) for row in rows], field.type))
        except (pa.ArrowInvalid, pa.ArrowTypeError) as problem:
            mistakes.append(f"{name}: {field.name}: {shorten(str(problem))}")
    if mistakes:
        raise ContractError("\n".join(mistakes))
    return pa.Table.from_arrays(arrays, schema=schema)


def table_of_frame(name: str, frame: pd.DataFrame) -> pa.Table:
    """Return a pandas frame as an Arrow table with the columns of a contract, in the contract's order and types.

    A frame read from CSV has dates as text, and whole numbers and booleans with gaps as other types; these are
    converted. The columns of a named index are included. A column that the contract lacks is left for `check` to
    report. Raise ContractError, with one line per column whose values cannot be converted.
    """
    schema = arrow_schema(name)
    if any(frame.index.names):
        frame = frame.reset_index()
    if frame.empty:
        raise ContractError(f"{name}: the frame is empty")
    if repeated := sorted({str(column) for column in frame.columns[frame.columns.duplicated()]}):
        raise ContractError(f"{name}: has more than one column {', '.join(repeated)}")
    arrays: dict[str, pa.Array] = {str(column): pa.nulls(len(frame)) for column in frame if column not in schema.names}
    if 2 * len(arrays) > len(frame.columns):
        nearest_table = max(TABLES, key=lambda table: len({*frame} & {*columns_of(table)}))
        share = f"{len(arrays)} of the frame's {len(frame.columns)} columns"
        raise ContractError(f"{name}: {share} are not in its contract; the frame is most like {nearest_table}")
    mistakes = []
    for column in (contract_column for contract_column in schema.names if contract_column in frame):
        column_type = schema.field(column).type
        try:
            values = pa.array(frame[column], from_pandas=True)
            if pa.types.is_timestamp(values.type):  # DuckDB gives dates to pandas as timestamps
                values = values.cast(pa.date32())
            arrays[column] = values.cast(column_type)
        except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError) as problem:
            mistakes.append(f"{name}: {column}: {shorten(str(problem))}")
    if mistakes:
        raise ContractError("\n".join(mistakes))
    return pa.table({name: arrays[name] for name in (*schema.names, *arrays) if name in arrays})


def check(name: str, table: pa.Table, most: int = MOST_SHOWN) -> None:
    """Raise ContractError with a line for each of the first `most` values that violate the table's contract.

    Rows may be in any order. If columns are missing, superfluous, misplaced or of another type, report only these.
    """
    mistakes = [f"{name}: {mistake}" for mistake in _column_mistakes(table.schema, arrow_schema(name))]
    if mistakes:
        raise ContractError(_first_lines(name, mistakes, most))
    try:
        _contract(name).validate(table.to_pandas(types_mapper=pd.ArrowDtype), lazy=True)
    except SchemaErrors as errors:
        cases = errors.failure_cases
    else:
        return
    lines: list[str] = []
    rows: dict[tuple[str, ...], str] = {}
    for (row, column), rule in _first_rules(cases).items():
        key = tuple(str(table[part][row].as_py()) for part in grain(name))
        place = f"{name}: {' '.join(key)}"
        if rule == "multiple_fields_uniqueness":
            line = f"{name}: two rows for {' '.join(key)}"
        else:
            checks = columns_of(name)[column].column.checks
            line = f"{place} {column}: {_refusal(table[column][row].as_py(), rule, checks)}"
        lines.append(shorten(line))
        rows.setdefault(key, lines[-1])
    raise ContractError(_first_lines(name, [*dict.fromkeys(lines)], most), rows)


def _column_mistakes(actual: pa.Schema, expected: pa.Schema) -> Iterator[str]:
    """Yield how the actual columns differ from the expected: in names, types, repetitions or order."""
    for name in actual.names:
        if name not in expected.names:
            yield f"has the column {name!r}, which is not in its contract{nearest(name, expected.names)}"
    for field in expected:
        if field.name not in actual.names:
            yield f"lacks the column {field.name}"
        elif actual.names.count(field.name) > 1:
            yield f"has the column {field.name} {actual.names.count(field.name)} times"
        elif actual.field(field.name).type != field.type:
            yield f"{field.name}: is {actual.field(field.name).type}, not {field.type}"
    if actual.names != expected.names and sorted(actual.names) == sorted(expected.names):
        yield f"has its columns in the order {', '.join(actual.names)}; its contract has {', '.join(expected.names)}"


def _first_rules(cases: Any) -> dict[tuple[int, str], str]:
    """Return the first rule that each refused cell violates, by row and column, in row order.

    For a repeated row, the column name is empty.
    """
    rules: dict[tuple[int, str], str] = {}
    for case in cases.sort_values("index", kind="stable").itertuples():
        rule = case.check.partition("(")[0]
        is_row = rule == "multiple_fields_uniqueness"
        rules.setdefault((int(case.index), "" if is_row else case.column), rule)
    return rules


def _refusal(value: Any, rule: str, checks: Mapping[str, Any]) -> str:
    """Return why a value violates a rule, where `rule` is the name by which pandera reports it."""
    if rule == "not_nullable":
        return "is null, which this table does not allow"
    if isinstance(value, float) and not math.isfinite(value):
        return f"{value} is not finite"
    if rule in BOUNDS:
        words, check = BOUNDS[rule]
        return f"{_number(value)} is not {words} {_number(checks[check])}"
    if rule == "isin":
        return f"{value!r} is none of {', '.join(checks['isin'])}"
    return f"{value!r} does not match {checks['str_matches']}"


def _number(value: float) -> str:
    return repr(value).removesuffix(".0")


def _first_lines(name: str, lines: list[str], most: int) -> str:
    more = len(lines) - most
    return "\n".join(lines[:most] + ([f"{name}: and {more} more"] if more > 0 else []))
